/* An MPI_Scan that changes a bit of rank 1's result. */
#include <mpi.h>

int MPI_Scan(const void *x, void *y, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  const int error = PMPI_Scan(x, y, n, type, op, comm);
  int me;
  PMPI_Comm_rank(comm, &me);
  if (n > 0 && me == 1)
    ((char *)y)[0] ^= 1;
  return error;
}
