/* Processes that are spawned: among themselves calls are taken over, with their parents' they are the MPI library's. */
#include <mpi.h>
#include <stdio.h>

static int wrong = 0;
static void sum(MPI_Comm comm, const char *what) {
  int p, me, y = 0, got = 0;
  MPI_Request request;
  MPI_Comm_size(comm, &p), MPI_Comm_rank(comm, &me);
  for (int i = 0; i < 3; ++i) {
    MPI_Allreduce(&me, &y, 1, MPI_INT, MPI_SUM, comm);
    MPI_Iallreduce(&me, &got, 1, MPI_INT, MPI_MAX, comm, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (y != p * (p - 1) / 2 || got != p - 1)
      ++wrong, printf("%s: %d and %d\n", what, y, got);
  }
}
int main(int argc, char **argv) {
  MPI_Comm parent, others, all;
  int errors[2], total = 0, me;
  MPI_Init(&argc, &argv);
  MPI_Comm_get_parent(&parent);
  sum(MPI_COMM_WORLD, parent == MPI_COMM_NULL ? "parents" : "children");
  if (parent == MPI_COMM_NULL)
    MPI_Comm_spawn(argv[0], MPI_ARGV_NULL, 2, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &others, errors);
  else
    others = parent;
  MPI_Intercomm_merge(others, parent != MPI_COMM_NULL, &all);
  sum(all, "both");
  MPI_Reduce(&wrong, &total, 1, MPI_INT, MPI_SUM, 0, all);
  MPI_Comm_rank(all, &me);
  if (me == 0)
    printf("parents and children: %d wrong\n", total), fflush(stdout);
  MPI_Comm_free(&all);
  MPI_Comm_disconnect(&others);
  MPI_Finalize();
  return 0;
}
