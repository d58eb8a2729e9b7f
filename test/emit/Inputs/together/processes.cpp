// A namespace that another file of the program has for threads.

#include "d/allgather_ring.h"

#include <cstdio>

bool runProcesses(MPI_Comm world) {
  quadrille::mpi::Communicator comm(world);
  const int mine = comm.rank();
  int all[2];
  const bool ok = !first::allgather_ring(comm, &mine, all, 1, MPI_INT);
  if (ok && comm.rank() == 0)
    std::printf("processes again: %d\n", all[1]);
  return ok;
}
