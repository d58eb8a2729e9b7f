/* Four threads: prefix sums, and a norm, which all of them get. */

#include <quadrille_threads.h>

#include <math.h>
#include <stdio.h>

static int body(quadrille_comm *comm, void *context) {
  const int rank = (int)quadrille_comm_rank(comm);
  const double mine = rank + 1, square = mine * mine;
  double sum = 0, squares = 0;
  (void)context;
  if (quadrille_scan(comm, &mine, &sum, 1, QUADRILLE_DOUBLE, QUADRILLE_SUM) ||
      quadrille_allreduce(comm, &square, &squares, 1, QUADRILLE_DOUBLE, QUADRILLE_SUM)) {
    fprintf(stderr, "%s\n", quadrille_error_text());
    return 1;
  }
  if (rank + 1 == quadrille_comm_size(comm))
    printf("sum %g, norm %.3f\n", sum, sqrt(squares));
  return 0;
}

int main(void) {
  if (quadrille_run(4, body, NULL)) {
    fprintf(stderr, "%s\n", quadrille_error_text());
    return 1;
  }
  return 0;
}
