// The same schedule for MPI: another namespace of this file, and, in the library that is linked, the namespace that threads use, too.

#include "c/allgather_ring.h"
#include "a/allgather_ring.h"

#include <cstdio>

bool runThreads();
bool runProcesses(MPI_Comm comm);

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  bool ok = runThreads();
  {
    quadrille::mpi::Communicator comm(MPI_COMM_WORLD);
    const int mine = comm.rank();
    int all[2];
    ok &= !third::allgather_ring(comm, &mine, all, 1, MPI_INT);
    if (ok && comm.rank() == 0)
      std::printf("processes: %d\n", all[1]);
  }
  ok &= runProcesses(MPI_COMM_WORLD);
  MPI_Finalize();
  return ok ? 0 : 1;
}
