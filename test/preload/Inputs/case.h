/* One collective call by MPI_... and by PMPI_... on the same data: a case of differential.c, or a program of its own, as that prints it. */
#include <mpi.h>

#if defined OPEN_MPI && MPI_VERSION < 4
#include <mpi-ext.h>
#define PREPARED(Name) MPIX_##Name##_init
#else
#define PREPARED(Name) MPI_##Name##_init
#endif

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ALLGATHER, ALLGATHERV, ALLREDUCE, ALLTOALL, ALLTOALLV, BARRIER, BCAST, EXSCAN, GATHER, GATHERV, REDUCE, REDUCE_SCATTER,
       REDUCE_SCATTER_BLOCK, SCAN, SCATTER, SCATTERV, COLLECTIVES };
static const char *const names[] = {"allgather", "allgatherv", "allreduce", "alltoall", "alltoallv", "barrier", "bcast", "exscan", "gather", "gatherv",
                                    "reduce", "reduce_scatter", "reduce_scatter_block", "scan", "scatter", "scatterv"};

/* Communicators: all, a duplicate, all from behind, every second, and one that is made for the case. */
enum { COMMUNICATORS = 5 };

typedef struct {
  int collective, comm, n, root, in_place, type, op;
  int form;      /* 0: it blocks; else it does not, among others, which this function completes */
  int prepared;  /* it is persistent, and carried out twice */
  unsigned seed; /* of the data, and of the layouts on each rank */
} Case;

static unsigned mix(unsigned a, unsigned b) {
  unsigned long long x = (a * 0x9e3779b97f4a7c15ull) ^ (b + 0x632be59bd9b4e019ull);
  x ^= x >> 29, x *= 0xbf58476d1ce4e5b9ull, x ^= x >> 32;
  return (unsigned)x;
}

/* ---- types: each element of a layout has the signature of two integers */
enum { LAYOUTS = 5 };
static MPI_Datatype layout(int which, int *per_pair) {
  MPI_Datatype type, resized;
  int displacements[] = {1, 0}, lengths[] = {1, 1};
  *per_pair = 1;
  switch (which) {
  case 0: *per_pair = 2; MPI_Type_dup(MPI_INT, &type); return type;
  case 1: MPI_Type_contiguous(2, MPI_INT, &type); break;
  case 2: /* with gaps between and behind */
    MPI_Type_vector(2, 1, 2, MPI_INT, &resized);
    MPI_Type_create_resized(resized, 0, 5 * sizeof(int), &type);
    MPI_Type_free(&resized);
    break;
  case 3: MPI_Type_indexed(2, lengths, displacements, MPI_INT, &type); break; /* the second integer comes first */
  default: /* with a lower bound that is not 0 */
    MPI_Type_contiguous(2, MPI_INT, &resized);
    MPI_Type_create_resized(resized, -(int)sizeof(int), 3 * sizeof(int), &type);
    MPI_Type_free(&resized);
  }
  MPI_Type_commit(&type);
  return type;
}

/* ---- operators */
static void matrices(void *in, void *inout, int *length, MPI_Datatype *type) { /* 2x2 products, which do not commute */
  unsigned char *a = in, *b = inout;
  MPI_Aint lower, extent;
  PMPI_Type_get_extent(*type, &lower, &extent);
  for (int i = 0; i < *length; ++i, a += extent, b += extent) {
    unsigned char c[4];
    for (int j = 0; j < 4; ++j)
      c[j] = (unsigned char)(a[j / 2 * 2] * b[j % 2] + a[j / 2 * 2 + 1] * b[j % 2 + 2]);
    memcpy(b, c, 4);
  }
}
static void sums(void *in, void *inout, int *length, MPI_Datatype *type) { /* of bytes; commutes */
  unsigned char *a = in, *b = inout;
  MPI_Aint lower, extent;
  PMPI_Type_get_extent(*type, &lower, &extent);
  for (int i = 0; i < *length; ++i, a += extent, b += extent)
    for (int j = 0; j < 4; ++j)
      b[j] = (unsigned char)(a[j] + b[j]);
}

/* Types of reductions, and how many operators each has. */
enum { TYPES = 9 };
static const int operators[TYPES] = {9, 4, 5, 9, 4, 2, 2, 2, 2};
static MPI_Datatype reduced(int type) {
  MPI_Datatype made, inner;
  switch (type) {
  case 0: return MPI_INT;
  case 1: return MPI_DOUBLE;
  case 2: return MPI_BYTE;
  case 3: return MPI_UNSIGNED_LONG;
  case 4: return MPI_FLOAT;
  case 5: return MPI_2INT;
  case 6: return MPI_SHORT_INT; /* has a gap */
  case 7: MPI_Type_contiguous(4, MPI_UNSIGNED_CHAR, &made); break;
  default: /* with a gap */
    MPI_Type_contiguous(4, MPI_UNSIGNED_CHAR, &inner);
    MPI_Type_create_resized(inner, 0, 7, &made);
    MPI_Type_free(&inner);
  }
  MPI_Type_commit(&made);
  return made;
}
static MPI_Op operator_of(int type, int op) {
  MPI_Op of_integers[] = {MPI_SUM, MPI_MAX, MPI_MIN, MPI_BXOR, MPI_BAND, MPI_BOR, MPI_LAND, MPI_LOR, MPI_LXOR};
  MPI_Op of_numbers[] = {MPI_SUM, MPI_MAX, MPI_MIN, MPI_PROD}, made;
  switch (type) {
  case 0: case 3: return of_integers[op];
  case 1: case 4: return of_numbers[op];
  case 2: return of_integers[3 + op % 3];
  case 5: case 6: return op ? MPI_MAXLOC : MPI_MINLOC;
  }
  MPI_Op_create(op ? matrices : sums, !op, &made);
  return made;
}

/* Bytes of a buffer: numbers of floating point are small, so that sums are exact; those without sign are below 2^63, since Open MPI 4.1 and
 * MPICH 4.0 compare them as if they had one; others are anything. */
static void fill(unsigned char *at, size_t bytes, unsigned seed, int type) {
  const size_t size = type == 1 ? sizeof(double) : sizeof(float);
  for (size_t i = 0; i + size <= bytes; i += size) {
    const unsigned word = mix(seed, (unsigned)i);
    const double x = word % 3;
    const float y = (float)x;
    const unsigned z = type == 5 || type == 6 ? word & 0x03030303u : type == 3 && i % 8 == 4 ? word & 0x7fffffffu : word;
    if (type == 1)
      memcpy(at + i, &x, sizeof x);
    else
      memcpy(at + i, type == 4 ? (const void *)&y : &z, sizeof z);
  }
}

/* Pairs of integers from one rank to another, of which some are none. */
static int pairs_between(const Case *c, int from, int to) {
  const int low = c->in_place && to < from ? to : from, high = low == from ? to : from; /* in place as many back as there */
  const unsigned x = mix(c->seed, 2000 + 64 * low + high);
  return x % 4 ? (int)(x / 4 % (unsigned)(c->n + 1)) : 0;
}

/* Places of blocks: with gaps, from behind; every second case in the order of ranks, without gaps. */
static void place(const Case *c, int p, int *counts, int *offsets, int per_pair) {
  int sum = 0;
  for (int i = p - 1; i >= 0; --i) {
    const int k = c->seed % 2 ? i : p - 1 - i;
    offsets[k] = sum * per_pair;
    sum += counts[k] + (c->seed % 2 ? 1 : 0);
    counts[k] *= per_pair;
  }
}

/* Completes requests, of which number `kept` is persistent; the number of mistakes. */
enum { FORMS = 10 };
static int complete(int form, int count, MPI_Request *requests, int kept) {
  MPI_Status statuses[8];
  int wrong = 0, flag = 0, at, done, indices[8];
  switch (form) {
  case 1: MPI_Waitall(count, requests, MPI_STATUSES_IGNORE); break;
  case 2: MPI_Waitall(count, requests, statuses); break;
  case 3:
    for (int i = count; i-- > 0;)
      MPI_Wait(&requests[i], i % 2 ? MPI_STATUS_IGNORE : statuses);
    break;
  case 4:
    for (int i = 0; i < count; ++i) {
      MPI_Waitany(count, requests, &at, statuses);
      wrong += at < 0 || at >= count || (requests[at] != MPI_REQUEST_NULL && at != kept);
    }
    MPI_Waitany(count, requests, &at, statuses);
    wrong += at != MPI_UNDEFINED;
    break;
  case 5:
    for (int left = count; left > 0; left -= done) {
      MPI_Waitsome(count, requests, &done, indices, statuses);
      if (done == MPI_UNDEFINED)
        return wrong + 1;
      for (int i = 0; i < done; ++i)
        wrong += indices[i] < 0 || indices[i] >= count || (requests[indices[i]] != MPI_REQUEST_NULL && indices[i] != kept);
    }
    break;
  case 6:
    for (int i = 0; i < count; ++i)
      for (flag = 0; !flag;)
        MPI_Test(&requests[i], &flag, statuses);
    break;
  case 7:
    while (!flag)
      MPI_Testall(count, requests, &flag, statuses);
    break;
  case 8:
    for (int left = count; left > 0;) {
      MPI_Testany(count, requests, &at, &flag, statuses);
      if (flag && at == MPI_UNDEFINED)
        return wrong + 1;
      left -= flag;
    }
    break;
  default:
    for (int i = 0; i < count; ++i)
      for (flag = 0; !flag;)
        MPI_Request_get_status(requests[i], &flag, statuses);
    for (int left = count; left > 0; left -= done) {
      MPI_Testsome(count, requests, &done, indices, MPI_STATUSES_IGNORE);
      if (done == MPI_UNDEFINED)
        return wrong + 1;
      for (int i = 0; i < done; ++i)
        wrong += indices[i] < 0 || indices[i] >= count || (requests[indices[i]] != MPI_REQUEST_NULL && indices[i] != kept);
    }
  }
  for (int i = 0; i < count; ++i)
    wrong += (requests[i] != MPI_REQUEST_NULL) != (i == kept);
  return wrong;
}

/* Frees the types and the operator of a reduction, or with type -1, the layouts of a call that moves data. */
static void release(int type, MPI_Datatype *out, MPI_Datatype *in, MPI_Op *op) {
  if (type >= 7)
    MPI_Op_free(op);
  if (type >= 7 || type < 0)
    MPI_Type_free(out);
  if (type < 0)
    MPI_Type_free(in);
}

/* The bytes in which ours differs from MPI's; 0 if they are right. */
static size_t run(const Case *c, MPI_Comm comm) {
  int p, me;
  MPI_Comm_size(comm, &p);
  MPI_Comm_rank(comm, &me);
  const int root = c->root % p, is_root = me == root, n = c->n, at = c->collective;
  const int reduces = at == ALLREDUCE || at == EXSCAN || at == REDUCE || at == REDUCE_SCATTER || at == REDUCE_SCATTER_BLOCK || at == SCAN;
#ifdef MPICH_VERSION /* MPICH 4.0 reads from MPI_IN_PLACE in some calls of MPI_Reduce, and copies long blocks of MPI_Reduce_scatter onto themselves. */
  const int may_be_in_place = at != REDUCE && (at != REDUCE_SCATTER || c->n < 5000);
#else
  /* Open MPI 4.1's own MPI_Ialltoallv in place gives other data than its MPI_Alltoallv, and where only some ranks have any, it
   * confuses later nonblocking calls. On a new communicator it is the one that is called. */
  const int may_be_in_place = at != ALLTOALLV || !c->form || c->comm != COMMUNICATORS - 1;
#endif
  const int in_place = c->in_place && may_be_in_place && (at == GATHER || at == GATHERV || at == REDUCE || at == SCATTER || at == SCATTERV ? is_root : at != BCAST && at != BARRIER);
  /* What this rank's memory looks like. */
  int out_pairs = 1, in_pairs = 1;
  /* In MPI_Allgatherv all ranks use the same type, as Open MPI 4.1 chooses an algorithm, and MPICH 4.0 cuts messages, by their own; in
   * MPI_Alltoall with many ranks, as Open MPI 4.1 takes one for both sides. */
  const int alike = at == ALLGATHERV || (at == ALLTOALL && p > 8);
  MPI_Datatype out = reduces ? reduced(c->type) : layout((int)(mix(c->seed, alike ? 17 : 17 + 2 * me) % LAYOUTS), &out_pairs);
  MPI_Datatype in = reduces ? out : layout((int)(mix(c->seed, alike ? 17 : 18 + 2 * me) % LAYOUTS), &in_pairs);
  int which = c->op;
#ifdef MPICH_VERSION
  /* MPICH 4.0 takes other elements where the type has gaps and the operator does not commute. */
  if (c->type == 8 && (at == REDUCE_SCATTER || at == REDUCE_SCATTER_BLOCK))
    which = 0;
#endif
  MPI_Op op = reduces ? operator_of(c->type, which) : MPI_OP_NULL;
  /* Lengths of their own, in elements of `in` and of `out`. */
  int *counts = malloc(4 * p * sizeof(int)), *offsets = counts + p, *sent = offsets + p, *sent_offsets = sent + p;
  for (int i = 0; i < p; ++i) {
    counts[i] = at == ALLTOALLV ? pairs_between(c, i, me) : (int)(mix(c->seed, 1000 + i) % (unsigned)(n + 1));
    sent[i] = at == ALLTOALLV ? pairs_between(c, me, i) : counts[i];
  }
  place(c, p, counts, offsets, in_pairs);
  place(c, p, sent, sent_offsets, out_pairs);

  /* An element of `out` takes 20 bytes at most, one of a reduction 8 but for matrices with gaps. */
  const int blocks = at == BCAST || at == ALLREDUCE || at == EXSCAN || at == REDUCE || at == SCAN || at == BARRIER ? 1 : p;
  const size_t slack = 64, bytes = ((size_t)n + 2) * (size_t)blocks * 24 + slack;
  unsigned char *x = calloc(4, bytes), *y = x + bytes, *z = y + bytes, *before = z + bytes;
  fill(x, bytes, mix(c->seed, 3 * me), c->type * reduces);
  memcpy(before, x, bytes);
  fill(y, bytes, mix(c->seed, 3 * me + 1), c->type * reduces);
  memcpy(z, y, bytes);
  /* Elements may begin below their address. */
  void *px = x + slack / 2, *py = y + slack / 2, *pz = z + slack / 2;
  const int on = n * out_pairs, inn = n * in_pairs;
  /* Beside the call, if it does not block: messages of the program, and two more calls. */
  enum { REQUESTS = 5 };
  MPI_Request requests[REQUESTS];
#ifdef MPICH_VERSION /* MPICH 4.0's own persistent calls, on one rank and for no data, are wrong the second time, and MPI_Testall fails on them. */
  const int may_be_prepared = p > 1 && n >= 100;
#else
  const int may_be_prepared = 1;
#endif
  const int prepared = c->prepared && c->form && may_be_prepared;
  int got = -1, sum = 0, first = me == root ? (int)c->seed : 0;
#define PLAIN(...) __VA_ARGS__
#define BOTH(Name, iname, arguments)                                                                                     \
  do {                                                                                                                   \
    void *to = pz;                                                                                                       \
    PMPI_##Name(PLAIN arguments comm);                                                                                   \
    to = py;                                                                                                             \
    if (prepared) {                                                                                                      \
      PREPARED(Name)(PLAIN arguments comm, MPI_INFO_NULL, &requests[2]);                                                 \
      MPI_Start(&requests[2]);                                                                                           \
    } else if (c->form)                                                                                                  \
      MPI_I##iname(PLAIN arguments comm, &requests[2]);                                                                  \
    else                                                                                                                 \
      MPI_##Name(PLAIN arguments comm);                                                                                  \
    (void)to;                                                                                                            \
  } while (0)
  if (c->form) {
    MPI_Irecv(&got, 1, MPI_INT, (me + p - 1) % p, 3, comm, &requests[0]);
    MPI_Iallreduce(&me, &sum, 1, MPI_INT, MPI_SUM, comm, &requests[1]);
  }
  switch (at) {
  case ALLGATHER: BOTH(Allgather, allgather, (in_place ? MPI_IN_PLACE : px, on, out, to, inn, in,)); break;
  case ALLGATHERV: BOTH(Allgatherv, allgatherv, (in_place ? MPI_IN_PLACE : px, counts[me] / in_pairs * out_pairs, out, to, counts, offsets, in,)); break;
  case ALLREDUCE: BOTH(Allreduce, allreduce, (in_place ? MPI_IN_PLACE : px, to, n, out, op,)); break;
  case ALLTOALL: BOTH(Alltoall, alltoall, (in_place ? MPI_IN_PLACE : px, on, out, to, inn, in,)); break;
  case ALLTOALLV: BOTH(Alltoallv, alltoallv, (in_place ? MPI_IN_PLACE : px, sent, sent_offsets, out, to, counts, offsets, in,)); break;
  case BARRIER: BOTH(Barrier, barrier, ()); break;
  case BCAST: BOTH(Bcast, bcast, (to, inn, in, root,)); break;
  case EXSCAN: BOTH(Exscan, exscan, (in_place ? MPI_IN_PLACE : px, to, n, out, op,)); break;
  case GATHER: BOTH(Gather, gather, (in_place ? MPI_IN_PLACE : px, on, out, is_root ? to : NULL, inn, in, root,)); break;
  case GATHERV:
    BOTH(Gatherv, gatherv, (in_place ? MPI_IN_PLACE : px, sent[me], out, is_root ? to : NULL, is_root ? counts : NULL, is_root ? offsets : NULL, in, root,));
    break;
  case REDUCE: BOTH(Reduce, reduce, (in_place ? MPI_IN_PLACE : px, is_root ? to : NULL, n, out, op, root,)); break;
  case REDUCE_SCATTER: BOTH(Reduce_scatter, reduce_scatter, (in_place ? MPI_IN_PLACE : px, to, counts, out, op,)); break;
  case REDUCE_SCATTER_BLOCK: BOTH(Reduce_scatter_block, reduce_scatter_block, (in_place ? MPI_IN_PLACE : px, to, n, out, op,)); break;
  case SCAN: BOTH(Scan, scan, (in_place ? MPI_IN_PLACE : px, to, n, out, op,)); break;
  case SCATTER: BOTH(Scatter, scatter, (is_root ? px : NULL, on, out, in_place ? MPI_IN_PLACE : to, inn, in, root,)); break;
  case SCATTERV:
    BOTH(Scatterv, scatterv, (is_root ? px : NULL, is_root ? sent : NULL, is_root ? sent_offsets : NULL, out, in_place ? MPI_IN_PLACE : to, counts[me], in, root,));
    break;
  }
  size_t wrong = 0;
  MPI_Aint lower, extent;
  MPI_Type_get_extent(out, &lower, &extent);
  const int has_result = at != EXSCAN || me > 0;
  /* Calls keep what they need; but Open MPI 4.1's own persistent ones, on one rank and without data, do not. */
  const int frees_early = !prepared || (p > 1 && n >= 100);
  if (frees_early)
    release(reduces ? c->type : -1, &out, &in, &op);
  if (c->form) {
    MPI_Isend(&me, 1, MPI_INT, (me + 1) % p, 3, comm, &requests[3]);
    MPI_Ibcast(&first, 1, MPI_INT, root, comm, &requests[4]);
    wrong += (size_t)complete(c->form, REQUESTS, requests, prepared ? 2 : -1) + (got != (me + p - 1) % p) + (sum != p * (p - 1) / 2) + (first != (int)c->seed);
  }
  for (int again = 0; again <= prepared; ++again) {
    if (again) { /* not active it has ended; started again it gives the same */
      int flag = 0, active = 0;
      MPI_Test(&requests[2], &flag, MPI_STATUS_IGNORE);
      MPI_Waitany(1, &requests[2], &active, MPI_STATUS_IGNORE);
      wrong += !flag || active != MPI_UNDEFINED;
      fill(y, bytes, mix(c->seed, 3 * me + 1), c->type * reduces);
      MPI_Startall(1, &requests[2]);
      wrong += (size_t)complete(c->form, 1, &requests[2], 0);
      MPI_Request_free(&requests[2]);
      wrong += requests[2] != MPI_REQUEST_NULL;
    }
    if (at == REDUCE_SCATTER && in_place) { /* what is behind the result is anything */
      memcpy(y + slack / 2 + counts[me] * extent, z + slack / 2 + counts[me] * extent, bytes - slack / 2 - (size_t)(counts[me] * extent));
    }
    if (at == REDUCE_SCATTER_BLOCK && in_place) {
      memcpy(y + slack / 2 + n * extent, z + slack / 2 + n * extent, bytes - slack / 2 - (size_t)(n * extent));
    }
    if (memcmp(x, before, bytes) || (has_result && memcmp(y, z, bytes)))
      for (size_t i = 0; i < bytes; ++i)
        wrong += (has_result && y[i] != z[i]) || x[i] != before[i];
  }
  if (!frees_early)
    release(reduces ? c->type : -1, &out, &in, &op);
  free(counts), free(x);
  return wrong;
}

/* The communicator of a kind. */
static void make(int kind, MPI_Comm *comm) {
  int p, me;
  MPI_Comm_size(MPI_COMM_WORLD, &p);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  switch (kind) {
  case 0: *comm = MPI_COMM_WORLD; break;
  case 2: MPI_Comm_split(MPI_COMM_WORLD, 0, p - me, comm); break;
  case 3: MPI_Comm_split(MPI_COMM_WORLD, me % 2, me, comm); break;
  default: MPI_Comm_dup(MPI_COMM_WORLD, comm);
  }
}
