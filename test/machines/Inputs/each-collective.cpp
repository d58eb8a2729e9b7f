// Calls each collective with short and with long blocks.

#include <cstdio>
#include <mpi.h>
#include <vector>

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm comm = MPI_COMM_WORLD;
  int p = 0, rank = 0;
  MPI_Comm_size(comm, &p);
  MPI_Comm_rank(comm, &rank);
  for (int n : {1024, 1032}) { // bytes of a block
    if (rank == 0)
      std::fprintf(stderr, "blocks of %d\n", n);
    std::vector<char> x(static_cast<std::size_t>(n * p)), y(x.size());
    std::vector<int> counts(static_cast<std::size_t>(p), n), offsets(static_cast<std::size_t>(p));
    for (int i = 0; i < p; ++i)
      offsets[static_cast<std::size_t>(i)] = i * n;
    MPI_Bcast(x.data(), n, MPI_BYTE, 0, comm);
    MPI_Reduce(x.data(), y.data(), n, MPI_BYTE, MPI_BOR, 0, comm);
    MPI_Allreduce(x.data(), y.data(), n, MPI_BYTE, MPI_BOR, comm);
    MPI_Reduce_scatter_block(x.data(), y.data(), n, MPI_BYTE, MPI_BOR, comm);
    MPI_Reduce_scatter(x.data(), y.data(), counts.data(), MPI_BYTE, MPI_BOR, comm);
    MPI_Scan(x.data(), y.data(), n, MPI_BYTE, MPI_BOR, comm);
    MPI_Allgather(x.data(), n, MPI_BYTE, y.data(), n, MPI_BYTE, comm);
    MPI_Allgatherv(x.data(), n, MPI_BYTE, y.data(), counts.data(), offsets.data(), MPI_BYTE, comm);
    MPI_Gather(x.data(), n, MPI_BYTE, y.data(), n, MPI_BYTE, 0, comm);
    MPI_Scatter(x.data(), n, MPI_BYTE, y.data(), n, MPI_BYTE, 0, comm);
    MPI_Alltoall(x.data(), n, MPI_BYTE, y.data(), n, MPI_BYTE, comm);
    MPI_Alltoallv(x.data(), counts.data(), offsets.data(), MPI_BYTE, y.data(), counts.data(), offsets.data(), MPI_BYTE, comm);
    MPI_Barrier(comm);
  }
  MPI_Finalize();
}
