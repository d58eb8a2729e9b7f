/* allreduce P: two all-reduces of each of two lengths on P threads. allreduce wrong: calls that are wrong. */

#include "quadrille_threads.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int body(quadrille_comm *comm, void *context) {
  double mine[2] = {(double)quadrille_comm_rank(comm) + 1, 0}, sums[2] = {0, 0};
  (void)context;
  for (int i = 0; i < 4; ++i) {
    mine[1] = mine[0];
    if (quadrille_allreduce(comm, mine, sums, 1 + (size_t)(i / 2), QUADRILLE_DOUBLE, QUADRILLE_SUM)) {
      fprintf(stderr, "%s\n", quadrille_error_text());
      return 1;
    }
  }
  if (quadrille_comm_rank(comm) == 0)
    fprintf(stderr, "%g %g\n", sums[0], sums[1]);
  return 0;
}

static int errors;

static void expect(int result) {
  errors += result != 0;
  fprintf(stderr, "%s\n", result ? quadrille_error_text() : "no error");
}

static void nothing(const void *in, void *inout, size_t count, void *context) { (void)in, (void)inout, (void)count, (void)context; }

static int wrong(void) {
  quadrille_op op = 0;
  quadrille_world *world = NULL;
  quadrille_comm *comm = NULL;
  quadrille_request *request = NULL;
  double x = 1, y = 0;
  expect(quadrille_run(0, body, NULL));
  if (quadrille_world_create(1, &world))
    return 1;
  expect(quadrille_comm_of_world(world, 5, &comm));
  if (quadrille_comm_of_world(world, 0, &comm))
    return 1;
  expect(quadrille_allreduce(comm, &x, &y, 1, 77, QUADRILLE_SUM));
  expect(quadrille_allreduce(comm, &x, &y, 1, QUADRILLE_DOUBLE, 77));
  if (quadrille_op_create(nothing, NULL, 1, &op))
    return 1;
  quadrille_op_free(op);
  expect(quadrille_allreduce(comm, &x, &y, 1, QUADRILLE_DOUBLE, op));
  expect(quadrille_allreduce(comm, &x, &y, 1, QUADRILLE_DOUBLE, QUADRILLE_BAND));
  expect(quadrille_broadcast(comm, 3, &x, &y, 1, QUADRILLE_DOUBLE));
  expect(quadrille_allreduce(comm, &x, NULL, 1, QUADRILLE_DOUBLE, QUADRILLE_SUM));
  expect(quadrille_barrier(NULL));
  if (quadrille_barrier_start(comm, &request) || quadrille_request_wait(request))
    return 1;
  expect(quadrille_request_start(request));
  quadrille_request_free(request);
  quadrille_comm_free(comm);
  quadrille_world_free(world);
  fprintf(stderr, "%d errors\n", errors);
  return 0;
}

int main(int argc, char **argv) {
  if (argc == 2 && strcmp(argv[1], "wrong") == 0)
    return wrong();
  if (quadrille_run(argc == 2 ? atol(argv[1]) : 1, body, NULL)) {
    fprintf(stderr, "%s\n", quadrille_error_text());
    return 1;
  }
  return 0;
}
