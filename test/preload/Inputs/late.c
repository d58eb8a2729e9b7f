/* Rank 1 is late for a collective call, or (`lengths`) passes fewer elements; what rank 0 gets to know, by an error handler or, with an argument,
   by the code that is returned. */
#include <mpi.h>

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char *name_of(int class) {
  return class == MPI_ERR_OTHER ? "MPI_ERR_OTHER" : class == MPI_ERR_TRUNCATE ? "MPI_ERR_TRUNCATE" : "unknown";
}

int main(int argc, char **argv) {
  int me, x[4] = {1}, y[4] = {0}, n = 4, class = 0, length = 0;
  char text[MPI_MAX_ERROR_STRING];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Allreduce(x, y, n, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (argc > 1)
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  if (me == 1 && argc > 1 && strcmp(argv[1], "lengths") == 0)
    n = 3;
  else if (me == 1)
    sleep(3);
  const int error = MPI_Allreduce(x, y, n, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Error_class(error, &class);
  MPI_Error_string(error, text, &length);
  printf("rank %d: class %s: %s\n", me, name_of(class), text);
  fflush(stdout);
  MPI_Abort(MPI_COMM_WORLD, 3);
}
