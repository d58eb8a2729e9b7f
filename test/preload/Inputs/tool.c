/* A program with a tool in it, which has a function of MPI that completes requests or, with -DOF_TYPES, frees what they use. */
#include <mpi.h>
#include <stdio.h>

static int seen = 0;
#ifdef OF_TYPES
int MPI_Type_free(MPI_Datatype *type) { return ++seen, PMPI_Type_free(type); }
#else
int MPI_Wait(MPI_Request *request, MPI_Status *status) { return ++seen, PMPI_Wait(request, status); }
#endif

int main(int argc, char **argv) {
  enum { MANY = 20000 };
  static int x[2 * MANY];
  int me, p, wrong = 0, all = 0;
  MPI_Request request;
  MPI_Datatype apart;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &me), MPI_Comm_size(MPI_COMM_WORLD, &p);
  for (int round = 0; round < 4; ++round) {
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < 2 * MANY; ++i)
      x[i] = me == 0 ? i : -1;
    MPI_Type_vector(MANY, 1, 2, MPI_INT, &apart);
    MPI_Type_commit(&apart);
    MPI_Ibcast(x, 1, apart, 0, MPI_COMM_WORLD, &request);
    MPI_Type_free(&apart);
    MPI_Type_contiguous(7, MPI_DOUBLE, &apart); /* may get the handle */
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Type_free(&apart);
    for (int i = 0; i < 2 * MANY; ++i)
      wrong += x[i] != (me == 0 || i % 2 == 0 ? i : -1);
  }
  wrong += seen == 0;
  MPI_Reduce(&wrong, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (me == 0)
    printf("a tool, %d processes: %d wrong\n", p, all);
  MPI_Finalize();
  return 0;
}
