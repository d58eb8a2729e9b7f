/* A few calls of several kinds, for the file of QUADRILLE_CALLS. */
#include <mpi.h>

static void first(void *in, void *inout, int *length, MPI_Datatype *type) {
  (void)type;
  for (int i = 0; i < *length; ++i)
    ((int *)inout)[i] = ((int *)in)[i];
}

int main(int argc, char **argv) {
  double x[1000] = {0}, y[1000];
  int n[4] = {0}, m[4];
  MPI_Op op;
  MPI_Request request;
  MPI_Init(&argc, &argv);
  MPI_Op_create(first, 0, &op);
  for (int i = 0; i < 3; ++i) {
    MPI_Allreduce(x, y, 1000, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    MPI_Allreduce(x, y, 600 + i, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    MPI_Allreduce(n, m, 4, MPI_INT, op, MPI_COMM_WORLD);
    MPI_Bcast(x, 10, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  }
  MPI_Ibcast(x, 10, MPI_DOUBLE, 0, MPI_COMM_WORLD, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Op_free(&op);
  if (argc == 1)
    MPI_Finalize();
  return 0;
}
