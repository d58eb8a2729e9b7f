// MPI processes: prefix sums, and a norm, which all of them get while they compute something else.

#include <quadrille/collectives.h>
#include <quadrille/mpi.h>

#include <cmath>
#include <cstdio>

static quadrille::Status compute() {
  quadrille::mpi::Communicator comm(MPI_COMM_WORLD);
  quadrille::Collectives collectives(comm);
  const double mine = static_cast<double>(comm.rank() + 1), square = mine * mine;
  double sum = 0, squares = 0;
  quadrille::Request norm = collectives.start([&] { return collectives.allreduce(&square, &squares, 1, MPI_DOUBLE, MPI_SUM); });
  if (quadrille::Status bad = collectives.scan(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM))
    return bad;
  if (quadrille::Status bad = norm.wait())
    return bad;
  if (comm.rank() + 1 == comm.size())
    std::printf("sum %g, norm %.3f\n", sum, std::sqrt(squares));
  return {};
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  const quadrille::Status bad = compute();
  if (bad)
    std::fprintf(stderr, "%s\n", bad.text());
  MPI_Finalize();
  return bad ? 1 : 0;
}
