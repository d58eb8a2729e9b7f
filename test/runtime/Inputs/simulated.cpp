// Emitted collectives on all processes of MPI_COMM_WORLD; process 0 tells how many are wrong.

#include "allreduce_recursive_doubling.h"
#include "barrier_dissemination.h"

#include "State.h" // private: whether ranks share cores

#include <cstdio>
#include <vector>

/// What is private.
struct quadrille::mpi::detail::TestAccess {
  static bool sharesCores(Communicator &comm) { return comm.state_->sharedCores != 0; }
};

static bool isGood(quadrille::mpi::Communicator &comm) {
  const double p = static_cast<double>(comm.size()), me = static_cast<double>(comm.rank());
  std::vector<double> x{me, 1, -me}, y(x.size());
  const int calls = p < 1000 ? 2 : 1; // recorded, and replayed if that does not take too long
  for (int i = 0; i < calls; ++i) {
    if (quadrille::Status bad = collectives::allreduce_recursive_doubling(comm, x.data(), y.data(), x.size(), MPI_DOUBLE, MPI_SUM)) {
      std::fprintf(stderr, "%s\n", bad.text());
      return false;
    }
    const double sum = p * (p - 1) / 2;
    if (y != std::vector<double>{sum, p, -sum})
      return false;
    if (quadrille::Status bad = collectives::barrier_dissemination(comm)) {
      std::fprintf(stderr, "%s\n", bad.text());
      return false;
    }
  }
  return true;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int wrong = 1;
  {
    quadrille::mpi::Communicator comm(MPI_COMM_WORLD);
    // The cores of this machine are not those that are simulated.
    const int mine = isGood(comm) && !quadrille::mpi::detail::TestAccess::sharesCores(comm) ? 0 : 1;
    MPI_Reduce(&mine, &wrong, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (comm.rank() == 0)
      std::printf("%d processes: %d wrong\n", static_cast<int>(comm.size()), wrong);
  }
  MPI_Finalize();
  return 0;
}
