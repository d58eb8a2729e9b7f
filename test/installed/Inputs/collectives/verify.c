/* Random calls of all collectives in all their forms, each compared with what it promises. On threads: verify P CALLS SEED;
   with USE_MPI under mpiexec: verify CALLS SEED. */

#ifdef USE_MPI
#include "quadrille_mpi.h"
#else
#include "quadrille_threads.h"
#endif

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* An affine map; combined one after the other they do not commute. */
typedef struct {
  uint32_t a, b;
} Map;

static void compose(const Map *left, Map *right) {
  const Map result = {left->a * right->a, left->a * right->b + left->b};
  *right = result;
}

#ifdef USE_MPI
static void combine(void *in, void *inout, int *count, MPI_Datatype *type) {
  (void)type;
  for (int i = 0; i < *count; ++i)
    compose((const Map *)in + i, (Map *)inout + i);
}
#else
static void combine(const void *in, void *inout, size_t count, void *context) {
  (void)context;
  for (size_t i = 0; i < count; ++i)
    compose((const Map *)in + i, (Map *)inout + i);
}
#endif

enum { Broadcast, Reduce, Allreduce, ReduceScatter, ReduceScatterv, Scan, Exscan, Allgather, Allgatherv, Alltoall, Alltoallv, Gather, Gatherv,
       Scatter, Scatterv, Barrier, Kinds };

typedef struct {
  quadrille_op ordered;
  quadrille_type map;
  uint64_t seed;
  long calls;
} Options;

static uint64_t mixed(uint64_t x) {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

/* The element of a rank's input: block, and place in it. */
static Map input(uint64_t call, int64_t rank, int64_t block, size_t i) {
  const uint64_t h = mixed(mixed(mixed(call * 1315423911u + (uint64_t)rank) + (uint64_t)block) + i);
  const Map m = {(uint32_t)h | 1, (uint32_t)(h >> 32)};
  return m;
}

/* The ranks from..to combined. With `sum` the maps are pairs of numbers that are added. */
static Map folded(uint64_t call, int64_t from, int64_t to, int64_t block, size_t i, int sum) {
  Map result = input(call, to, block, i);
  for (int64_t r = to - 1; r >= from; --r) {
    const Map left = input(call, r, block, i);
    if (sum) {
      result.a += left.a;
      result.b += left.b;
    } else {
      compose(&left, &result);
    }
  }
  return result;
}

static int fail(quadrille_comm *comm, long call, int kind, const char *what) {
  fprintf(stderr, "rank %d, call %ld, collective %d: %s\n", (int)quadrille_comm_rank(comm), call, kind, what);
  return 1;
}

/* Blocks of x and y, and how many elements each has. */
typedef struct {
  int64_t xs, ys, root;
  size_t n, *lengths, *xLengths, *yLengths;
  Map *x, *y;
  int known;      /* the call gets what a rank knows in MPI, instead of `lengths` */
  size_t *column; /* of `lengths` */
} Buffers;

static size_t sumOf(const size_t *lengths, int64_t count) {
  size_t sum = 0;
  for (int64_t i = 0; i < count; ++i)
    sum += lengths[i];
  return sum;
}

typedef int Form; /* 0: blocking, 1: start, 2: init */

/* Makes the call in one of its forms. */
static int make(quadrille_comm *comm, int kind, Form form, const Buffers *u, quadrille_type type, quadrille_op op, size_t n, quadrille_request **r) {
#define CALL(NAME, ...)                                                                                                                    \
  return form == 0   ? quadrille_##NAME(comm, __VA_ARGS__)                                                                                 \
         : form == 1 ? quadrille_##NAME##_start(comm, __VA_ARGS__, r)                                                                      \
                     : quadrille_##NAME##_init(comm, __VA_ARGS__, r)
  const int64_t me = quadrille_comm_rank(comm), p = quadrille_comm_size(comm);
  const size_t *ofRoot = me == u->root ? u->lengths : NULL;
  switch (u->known ? kind + Kinds : kind) {
  case Alltoallv + Kinds: CALL(alltoallv_known, u->lengths + me * p, u->column, u->x, u->y, type);
  case Gatherv + Kinds: CALL(gatherv_known, u->root, u->lengths[me], ofRoot, u->x, u->y, type);
  case Scatterv + Kinds: CALL(scatterv_known, u->root, u->lengths[me], ofRoot, u->x, u->y, type);
  case Broadcast: CALL(broadcast, u->root, u->x, u->y, n, type);
  case Reduce: CALL(reduce, u->root, u->x, u->y, n, type, op);
  case Allreduce: CALL(allreduce, u->x, u->y, n, type, op);
  case ReduceScatter: CALL(reduce_scatter, u->x, u->y, n, type, op);
  case ReduceScatterv: CALL(reduce_scatterv, u->lengths, u->x, u->y, type, op);
  case Scan: CALL(scan, u->x, u->y, n, type, op);
  case Exscan: CALL(exscan, u->x, u->y, n, type, op);
  case Allgather: CALL(allgather, u->x, u->y, n, type);
  case Allgatherv: CALL(allgatherv, u->lengths, u->x, u->y, type);
  case Alltoall: CALL(alltoall, u->x, u->y, n, type);
  case Alltoallv: CALL(alltoallv, u->lengths, u->x, u->y, type);
  case Gather: CALL(gather, u->root, u->x, u->y, n, type);
  case Gatherv: CALL(gatherv, u->root, u->lengths, u->x, u->y, type);
  case Scatter: CALL(scatter, u->root, u->x, u->y, n, type);
  case Scatterv: CALL(scatterv, u->root, u->lengths, u->x, u->y, type);
  default:
    return form == 0 ? quadrille_barrier(comm) : form == 1 ? quadrille_barrier_start(comm, r) : quadrille_barrier_init(comm, r);
  }
#undef CALL
}

/* What the collective promises for an element of y; 0 if it promises nothing. */
static int promised(int kind, uint64_t call, int64_t me, int64_t p, int64_t root, int64_t block, size_t i, int sum, Map *result) {
  switch (kind) {
  case Broadcast:
    *result = input(call, root, 0, i);
    return 1;
  case Reduce:
  case Allreduce:
    *result = folded(call, 0, p - 1, 0, i, sum);
    return 1;
  case ReduceScatter:
  case ReduceScatterv:
    *result = folded(call, 0, p - 1, me, i, sum);
    return 1;
  case Scan:
    *result = folded(call, 0, me, 0, i, sum);
    return 1;
  case Exscan:
    if (me == 0)
      return 0;
    *result = folded(call, 0, me - 1, 0, i, sum);
    return 1;
  case Allgather:
  case Allgatherv:
  case Gather:
  case Gatherv:
    *result = input(call, block, 0, i);
    return 1;
  case Alltoall:
  case Alltoallv:
    *result = input(call, block, me, i);
    return 1;
  default:
    *result = input(call, root, me, i);
    return 1;
  }
}

static int oneCall(quadrille_comm *comm, const Options *options, long number) {
  const int64_t p = quadrille_comm_size(comm), me = quadrille_comm_rank(comm);
  const uint64_t call = mixed(options->seed) + (uint64_t)number;
  uint64_t random = mixed(call);
  /* The same on all ranks. */
#define BELOW(most) ((random = mixed(random)) % (most))
  const int kind = (int)BELOW(Kinds), sum = (int)BELOW(2), inPlace = BELOW(4) == 0;
  const Form form = (int)BELOW(3);
  static const size_t lengthsOfBlocks[] = {0, 1, 2, 7, 64, 1000, 5000};
  const size_t n = lengthsOfBlocks[BELOW(7)];
  Buffers u = {1, 1, (int64_t)BELOW((uint64_t)p), n, NULL, NULL, NULL, NULL, NULL, 0, NULL};
  const int toAll = kind == Alltoall || kind == Alltoallv;
  if (kind == ReduceScatter || kind == ReduceScatterv || toAll || kind == Scatter || kind == Scatterv)
    u.xs = p;
  if (kind == Allgather || kind == Allgatherv || toAll || kind == Gather || kind == Gatherv)
    u.ys = p;
  u.lengths = malloc((size_t)(p * p) * sizeof(size_t));
  for (int64_t i = 0; i < p * p; ++i)
    u.lengths[i] = BELOW(n + 1);
  u.xLengths = malloc((size_t)p * sizeof(size_t));
  u.yLengths = malloc((size_t)p * sizeof(size_t));
  for (int64_t j = 0; j < p; ++j) {
    u.xLengths[j] = u.yLengths[j] = n;
    if (kind == Alltoallv) {
      u.xLengths[j] = u.lengths[me * p + j];
      u.yLengths[j] = u.lengths[j * p + me];
    } else if (kind == ReduceScatterv || kind == Scatterv) {
      u.xLengths[j] = u.lengths[j];
      u.yLengths[j] = u.lengths[me];
    } else if (kind == Allgatherv || kind == Gatherv) {
      u.xLengths[j] = u.lengths[me];
      u.yLengths[j] = u.lengths[j];
    }
  }
  const size_t xSize = sumOf(u.xLengths, u.xs), ySize = sumOf(u.yLengths, u.ys), larger = xSize > ySize ? xSize : ySize;
  u.x = malloc((larger + 1) * sizeof(Map));
  u.y = inPlace ? u.x : malloc((ySize + 1) * sizeof(Map));
  const quadrille_type type = sum ? QUADRILLE_UINT32 : options->map;
  const quadrille_op op = sum ? QUADRILLE_SUM : options->ordered;
  quadrille_request *request = NULL;
  int wrong = 0;
  /* Without an operator maps are moved as they are; a sum takes each for two numbers. */
  const size_t times = sum ? 2 : 1;
  if (sum) {
    for (int64_t i = 0; i < p * p; ++i)
      u.lengths[i] *= 2;
  }
  u.known = (kind == Alltoallv || kind == Gatherv || kind == Scatterv) && BELOW(2);
  u.column = malloc((size_t)p * sizeof(size_t));
  for (int64_t i = 0; i < p; ++i)
    u.column[i] = u.lengths[i * p + me];
  for (int repeat = 0; repeat < (form == 2 ? 3 : 1) && !wrong; ++repeat) {
    size_t at = 0;
    if (!inPlace)
      memset(u.y, 0x55, ySize * sizeof(Map));
    for (int64_t j = 0; j < u.xs; ++j)
      for (size_t i = 0; i < u.xLengths[j]; ++i)
        u.x[at++] = input(call, me, j, i);
    if (repeat == 0 && make(comm, kind, form, &u, type, op, n * times, &request))
      return fail(comm, number, kind, quadrille_error_text());
    if (form == 2 && quadrille_request_start(request))
      return fail(comm, number, kind, quadrille_error_text());
    for (int ended = form == 0; !ended;)
      if (quadrille_request_test(request, &ended))
        return fail(comm, number, kind, quadrille_error_text());
    if (form != 0 && quadrille_request_wait(request))
      return fail(comm, number, kind, quadrille_error_text());
    if ((kind == Reduce || kind == Gather || kind == Gatherv) && me != u.root)
      continue;
    at = 0;
    for (int64_t j = 0; j < u.ys && kind != Barrier; ++j)
      for (size_t i = 0; i < u.yLengths[j]; ++i, ++at) {
        Map expected;
        if (promised(kind, call, me, p, u.root, j, i, sum, &expected) && memcmp(&expected, &u.y[at], sizeof expected) && !wrong++)
          fail(comm, number, kind, "another result than promised");
      }
  }
  quadrille_request_free(request);
  if (u.y != u.x)
    free(u.y);
  free(u.x);
  free(u.lengths);
  free(u.xLengths);
  free(u.yLengths);
  free(u.column);
  return wrong;
}

static int body(quadrille_comm *comm, void *context) {
  const Options *options = context;
  for (long i = 0; i < options->calls; ++i)
    if (oneCall(comm, options, i))
      return 1;
  return 0;
}

int main(int argc, char **argv) {
  Options options = {0, 0, 0, 0};
  int result = 1;
#ifdef USE_MPI
  if (argc != 3)
    return 2;
  options.calls = atol(argv[1]);
  options.seed = (uint64_t)atol(argv[2]);
  MPI_Init(&argc, &argv);
  MPI_Datatype map;
  MPI_Op op;
  MPI_Type_contiguous(2, MPI_UINT32_T, &map);
  MPI_Type_commit(&map);
  MPI_Op_create(combine, 0, &op);
  options.map = quadrille_type_of_mpi(map);
  options.ordered = quadrille_op_of_mpi(op);
  quadrille_comm *comm = NULL;
  if (quadrille_comm_of_mpi(MPI_COMM_WORLD, &comm))
    fprintf(stderr, "%s\n", quadrille_error_text());
  else
    result = body(comm, &options);
  if (comm && quadrille_comm_rank(comm) == 0 && !result)
    printf("%ld calls of %d processes are right\n", options.calls, (int)quadrille_comm_size(comm));
  if (result)
    MPI_Abort(MPI_COMM_WORLD, 1);
  quadrille_comm_free(comm);
  MPI_Op_free(&op);
  MPI_Type_free(&map);
  MPI_Finalize();
#else
  if (argc != 4)
    return 2;
  options.calls = atol(argv[2]);
  options.seed = (uint64_t)atol(argv[3]);
  options.map = QUADRILLE_BYTES(sizeof(Map));
  if (quadrille_op_create(combine, NULL, 0, &options.ordered))
    return 1;
  result = quadrille_run(atol(argv[1]), body, &options);
  quadrille_op_free(options.ordered);
  if (result)
    fprintf(stderr, "%s\n", quadrille_error_text());
  else
    printf("%ld calls of %s threads are right\n", options.calls, argv[1]);
#endif
  return result;
}
