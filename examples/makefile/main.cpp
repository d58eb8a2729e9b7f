// Every rank puts in 1; all of them get how many they are.

#include "allreduce_chain.h"

#include <cstdio>

#ifdef USE_mpi

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  quadrille::Status bad;
  {
    quadrille::mpi::Communicator comm(MPI_COMM_WORLD);
    const int one = 1;
    int total = 0;
    bad = collectives::allreduce_chain(comm, &one, &total, 1, MPI_INT, MPI_SUM);
    if (!bad && comm.rank() == 0)
      std::printf("%d ranks\n", total);
  }
  MPI_Finalize();
  return bad ? 1 : 0;
}

#else

using namespace quadrille::shm;

int main() {
  Team team(4);
  const quadrille::Status bad = team.run([](Communicator &comm) {
    const int one = 1;
    int total = 0;
    quadrille::Status bad = collectives::allreduce_chain(comm, &one, &total, 1, Datatype::of<int>(), Operator::sum());
    if (!bad && comm.rank() == 0)
      std::printf("%d ranks\n", total);
    return bad;
  });
  return bad ? 1 : 0;
}

#endif
