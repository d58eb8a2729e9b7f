/* A session of MPI, or with an argument, one beside MPI_Init. */
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
  const int is_beside = argc > 1;
  MPI_Session session;
  MPI_Group group;
  MPI_Comm comm;
  int me, p, all = 0;
  if (is_beside)
    MPI_Init(&argc, &argv);
  MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session);
  MPI_Group_from_session_pset(session, "mpi://WORLD", &group);
  MPI_Comm_create_from_group(group, "sums", MPI_INFO_NULL, MPI_ERRORS_RETURN, &comm);
  MPI_Group_free(&group);
  sum(comm, "a session");
  if (is_beside) { /* sums go on when the world has ended */
    sum(MPI_COMM_WORLD, "the world");
    sum(comm, "a session beside it");
    MPI_Finalize();
    sum(comm, "a session after it");
  }
  MPI_Comm_rank(comm, &me), MPI_Comm_size(comm, &p);
  MPI_Reduce(&wrong, &all, 1, MPI_INT, MPI_SUM, 0, comm);
  if (me == 0)
    printf("sessions of %d processes: %d wrong\n", p, all);
  MPI_Comm_free(&comm);
  MPI_Session_finalize(&session);
  return 0;
}
