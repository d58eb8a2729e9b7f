/* Each collective function that blocks, as often as its place in the list: for the table of QUADRILLE_TRACE=summary. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv) {
  enum { MOST = 64 };
  int p, me, x[MOST], y[MOST] = {0}, counts[MOST], places[MOST];
  MPI_Init(&argc, &argv);
  MPI_Comm_size(MPI_COMM_WORLD, &p), MPI_Comm_rank(MPI_COMM_WORLD, &me);
  for (int i = 0; i < MOST; ++i)
    x[i] = i, counts[i] = 1, places[i] = i;
#define TIMES(n, call) for (int i = 0; i < n; ++i) call
  TIMES(1, MPI_Allgather(x, 1, MPI_INT, y, 1, MPI_INT, MPI_COMM_WORLD));
  TIMES(2, MPI_Allgatherv(x, 1, MPI_INT, y, counts, places, MPI_INT, MPI_COMM_WORLD));
  TIMES(3, MPI_Allreduce(x, y, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
  TIMES(4, MPI_Alltoall(x, 1, MPI_INT, y, 1, MPI_INT, MPI_COMM_WORLD));
  TIMES(5, MPI_Alltoallv(x, counts, places, MPI_INT, y, counts, places, MPI_INT, MPI_COMM_WORLD));
  TIMES(6, MPI_Barrier(MPI_COMM_WORLD));
  TIMES(7, MPI_Bcast(x, 1, MPI_INT, 0, MPI_COMM_WORLD));
  TIMES(8, MPI_Exscan(x, y, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
  TIMES(9, MPI_Gather(x, 1, MPI_INT, y, 1, MPI_INT, 0, MPI_COMM_WORLD));
  TIMES(10, MPI_Gatherv(x, 1, MPI_INT, y, counts, places, MPI_INT, 0, MPI_COMM_WORLD));
  TIMES(11, MPI_Reduce(x, y, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD));
  TIMES(12, MPI_Reduce_scatter(x, y, counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
  TIMES(13, MPI_Reduce_scatter_block(x, y, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
  TIMES(14, MPI_Scan(x, y, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
  TIMES(15, MPI_Scatter(x, 1, MPI_INT, y, 1, MPI_INT, 0, MPI_COMM_WORLD));
  TIMES(16, MPI_Scatterv(x, counts, places, MPI_INT, y, 1, MPI_INT, 0, MPI_COMM_WORLD));
  MPI_Finalize();
  return 0;
}
