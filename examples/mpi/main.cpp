// The Euclidean norm of a vector that is distributed over the ranks.

#include "allreduce_recursive_doubling.h"

#include <cmath>
#include <cstdio>
#include <vector>

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int status = 0;
  {
    quadrille::mpi::Communicator comm(MPI_COMM_WORLD); // to be destroyed before MPI_Finalize
    const std::vector<double> mine(1000, 0.5);
    double square = 0, sum = 0;
    for (double x : mine)
      square += x * x;
    if (quadrille::Status bad = norm::collectives::allreduce_recursive_doubling(comm, &square, &sum, 1, MPI_DOUBLE, MPI_SUM)) {
      std::fprintf(stderr, "%s\n", bad.text());
      status = 1;
    } else if (comm.rank() == 0) {
      std::printf("%d ranks, norm %.3f\n", static_cast<int>(comm.size()), std::sqrt(sum));
    }
  }
  MPI_Finalize();
  return status;
}
