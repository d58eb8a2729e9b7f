/* What is known to go wrong when a library takes over collectives: each corner prints a line if it is wrong. */
#include <mpi.h>

#if defined OPEN_MPI && MPI_VERSION < 4
#include <mpi-ext.h>
#define PREPARED(Name) MPIX_##Name##_init
#else
#define PREPARED(Name) MPI_##Name##_init
#endif

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int p, me, wrong = 0;

static void expect(const char *what, long found, long wanted) {
  if (found != wanted)
    ++wrong, printf("%s: rank %d has %ld and not %ld\n", what, me, found, wanted);
}

/* ---- errors: the classes and handlers of MPI, and of the communicator */
static int handled = 0;
static void handler(MPI_Comm *comm, int *code, ...) { (void)comm, (void)code, ++handled; }
static int class_of(int code) {
  int class = -1;
  MPI_Error_class(code, &class);
  return class;
}
static void errors(void) {
  MPI_Comm comm;
  MPI_Errhandler made;
  int x = 1, y = 0;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  for (int i = 0; i < 3; ++i) { /* also once it is prepared */
    expect("a root that is no rank", class_of(MPI_Bcast(&x, 1, MPI_INT, p, comm)), MPI_ERR_ROOT);
    expect("a negative count", class_of(MPI_Bcast(&x, -1, MPI_INT, 0, comm)), MPI_ERR_COUNT);
    int count = 1, place = 0, counts[64], places[64];
    for (int r = 0; r < p; ++r)
      counts[r] = r == p - 1 ? -1 : 1, places[r] = r;
    expect("lengths for a root that is no rank", class_of(MPI_Gatherv(&x, 1, MPI_INT, &y, &count, &place, MPI_INT, -7, comm)), MPI_ERR_ROOT);
    expect("a negative length", class_of(MPI_Alltoallv(&x, counts, places, MPI_INT, &y, counts, places, MPI_INT, comm)), MPI_ERR_COUNT);
    expect("no type", class_of(MPI_Bcast(&x, 1, MPI_DATATYPE_NULL, 0, comm)), MPI_ERR_TYPE);
    expect("no operator", class_of(MPI_Allreduce(&x, &y, 1, MPI_INT, MPI_OP_NULL, comm)), MPI_ERR_OP);
    expect("an operator for other types", class_of(MPI_Allreduce(&x, &y, 1, MPI_INT, MPI_MINLOC, comm)), MPI_ERR_OP);
    expect("none is wrong", MPI_Allreduce(&x, &y, 1, MPI_INT, MPI_SUM, comm), MPI_SUCCESS);
    expect("sum", y, p);
  }
  MPI_Comm_create_errhandler(handler, &made);
  MPI_Comm_set_errhandler(comm, made);
  MPI_Bcast(&x, 1, MPI_INT, -5, comm);
  expect("handler", handled, 1);
  MPI_Errhandler_free(&made);
  MPI_Comm_free(&comm);
}

/* ---- attributes: the library copies none, and communicators may come and go */
static int copies = 0, deletions = 0;
static int on_copy(MPI_Comm c, int k, void *e, void *in, void *out, int *flag) {
  (void)c, (void)k, (void)e;
  return ++copies, *(void **)out = in, *flag = 1, MPI_SUCCESS;
}
static int on_delete(MPI_Comm c, int k, void *v, void *e) { return (void)c, (void)k, (void)v, (void)e, ++deletions, MPI_SUCCESS; }
static void attributes(void) {
  int key, y = 0;
  MPI_Comm comm, again;
  MPI_Comm_create_keyval(on_copy, on_delete, &key, NULL);
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_set_attr(comm, key, NULL);
  for (int i = 0; i < 5; ++i)
    MPI_Allreduce(&me, &y, 1, MPI_INT, MPI_SUM, comm);
  expect("attributes that were copied for the library", copies, 0);
  MPI_Comm_dup(comm, &again);
  MPI_Allreduce(&me, &y, 1, MPI_INT, MPI_SUM, again);
  expect("attributes that the program copied", copies, 1);
  MPI_Comm_free(&again);
  MPI_Comm_free(&comm);
  expect("attributes that were deleted", deletions, 2);
  MPI_Comm_free_keyval(&key);
  for (int i = 0; i < 60; ++i) { /* a handle of one that was freed may be that of the next, of another size */
    MPI_Comm_split(MPI_COMM_WORLD, i % 2 ? 0 : me % 2, i % 3 ? me : -me, &comm);
    int size, one = 1, sum = 0;
    MPI_Comm_size(comm, &size);
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm);
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm);
    expect("one in a loop", sum, size);
    MPI_Comm_free(&comm);
  }
}

/* ---- messages of the program with any tag, beside collectives */
static void messages(void) {
  int x = me, got = -1, sum = 0;
  MPI_Request request;
  MPI_Irecv(&got, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &request);
  for (int i = 0; i < 20; ++i)
    MPI_Allreduce(&x, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Send(&x, 1, MPI_INT, (me + 1) % p, 3, MPI_COMM_WORLD);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  expect("a message of the program", got, (me + p - 1) % p);
  /* A collective that does not block needs progress from one that does. */
  MPI_Ibarrier(MPI_COMM_WORLD, &request);
  if (me % 2)
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Allreduce(&x, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (me % 2 == 0)
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  expect("a sum beside a barrier", sum, p * (p - 1) / 2);
}

/* ---- what is not taken over */
static void others(void) {
  MPI_Comm half, inter;
  if (p < 2)
    return;
  MPI_Comm_split(MPI_COMM_WORLD, me % 2, me, &half);
  MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, me % 2 ? 0 : 1, 9, &inter);
  int x = 1, y = 0, size;
  MPI_Comm_remote_size(inter, &size);
  for (int i = 0; i < 3; ++i)
    MPI_Allreduce(&x, &y, 1, MPI_INT, MPI_SUM, inter);
  expect("the other side", y, size);
  MPI_Comm_free(&inter);
  MPI_Comm_free(&half);
  MPI_Allreduce(&x, &y, 1, MPI_INT, MPI_SUM, MPI_COMM_SELF);
  expect("alone", y, 1);
  /* Functions that no schedule covers, beside one that is taken over. */
  int counts[64], places[64], out[64], in[64], around[2] = {-1, -1}, period = 1;
  MPI_Datatype kinds[64];
  MPI_Comm ring;
  for (int r = 0; r < p; ++r)
    counts[r] = 1, places[r] = r * (int)sizeof(int), kinds[r] = MPI_INT, out[r] = 10 * me + r, in[r] = -1;
  MPI_Alltoallw(out, counts, places, kinds, in, counts, places, kinds, MPI_COMM_WORLD);
  expect("a block of MPI_Alltoallw", in[p - 1], 10 * (p - 1) + me);
  MPI_Cart_create(MPI_COMM_WORLD, 1, &p, &period, 0, &ring);
  MPI_Allreduce(&x, &y, 1, MPI_INT, MPI_SUM, ring);
  expect("a sum on a ring", y, p);
  MPI_Neighbor_allgather(&me, 1, MPI_INT, around, 1, MPI_INT, ring);
  expect("the neighbour below", around[0], (me + p - 1) % p);
  expect("the neighbour above", around[1], (me + 1) % p);
  MPI_Comm_free(&ring);
}

/* ---- types: one signature, other layouts on each rank, and a type that is freed at once */
static void types(void) {
  MPI_Datatype pairs, apart;
  MPI_Type_contiguous(2, MPI_INT, &pairs);
  MPI_Type_vector(2, 1, 2, MPI_INT, &apart);
  MPI_Type_commit(&pairs), MPI_Type_commit(&apart);
  int x[3] = {0, 0, 0};
  for (int i = 0; i < 3; ++i) {
    if (me == 0)
      x[0] = 4, x[2] = 5, MPI_Bcast(x, 1, apart, 0, MPI_COMM_WORLD);
    else if (me % 2)
      MPI_Bcast(x, 1, pairs, 0, MPI_COMM_WORLD), expect("the second of a pair", x[1], 5);
    else
      MPI_Bcast(x, 2, MPI_INT, 0, MPI_COMM_WORLD), expect("the second of two", x[1], 5);
  }
  MPI_Type_free(&pairs), MPI_Type_free(&apart);
  /* Buffers that lie elsewhere on each rank, as seen from a line of the cache, and are of any length. */
  enum { MOST = 3000 };
  static _Alignas(64) int put[MOST + 64], got[MOST + 64];
  for (int n = 1; n < MOST; n = 3 * n + 2) {
    int *const from = put + me % 16, *const to = got + (5 * me + 3) % 16;
    for (int i = 0; i < n; ++i)
      from[i] = me + i, to[i] = to[n] = -1;
    MPI_Allreduce(from, to, n, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    expect("the first of a sum", to[0], p * (p - 1) / 2);
    expect("the last of a sum", to[n - 1], p * (p - 1) / 2 + p * (n - 1));
    expect("what is behind a sum", to[n], n == 1 ? to[n] : -1);
  }
  /* A type that has addresses in it, at MPI_BOTTOM. */
  int here[2] = {-1, -1}, one[] = {1, 1};
  MPI_Aint places[2];
  MPI_Datatype absolute;
  MPI_Get_address(&here[me % 2], &places[0]), MPI_Get_address(&here[1 - me % 2], &places[1]);
  MPI_Type_create_hindexed(2, one, places, MPI_INT, &absolute);
  MPI_Type_commit(&absolute);
  if (me == p - 1)
    here[me % 2] = 6, here[1 - me % 2] = 7;
  MPI_Bcast(MPI_BOTTOM, 1, absolute, p - 1, MPI_COMM_WORLD);
  expect("the first at an address", here[me % 2], 6);
  expect("the second at an address", here[1 - me % 2], 7);
  int *const all = malloc(2 * (size_t)p * sizeof(int));
  MPI_Allgather(MPI_BOTTOM, 1, absolute, all, 2, MPI_INT, MPI_COMM_WORLD);
  expect("the last of all from addresses", all[2 * p - 1], 7);
  free(all);
  MPI_Type_free(&absolute);
}

#if MPI_VERSION >= 4
/* ---- large counts */
static void large(void) {
  MPI_Count counts[64], n = 3;
  MPI_Aint places[64];
  int x[3] = {me, 1, 2}, y[3] = {0}, *all = malloc(3 * (size_t)p * sizeof(int));
  MPI_Request request;
  for (int r = 0; r < p; ++r)
    counts[r] = n, places[r] = 3 * (p - 1 - r);
  MPI_Allreduce_c(x, y, n, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  expect("a sum with a large count", y[0] + y[1] + y[2], p * (p - 1) / 2 + 3 * p);
  MPI_Allgatherv_c(x, n, MPI_INT, all, counts, places, MPI_INT, MPI_COMM_WORLD);
  expect("the last of all with large counts", all[0], p - 1);
  MPI_Iallgatherv_c(x, n, MPI_INT, all, counts, places, MPI_INT, MPI_COMM_WORLD, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  expect("the first of all with large counts", all[3 * (p - 1)], 0);
  for (int i = 0; i < 3 * p; ++i)
    all[i] = 100 * me + i;
  MPI_Alltoallv_c(MPI_IN_PLACE, NULL, NULL, MPI_DATATYPE_NULL, all, counts, places, MPI_INT, MPI_COMM_WORLD);
  expect("one to me with large counts", all[0], 100 * (p - 1) + 3 * (p - 1 - me));
  free(all);
}
#endif

/* ---- lengths that only the root knows, or who sends and who receives: lengths of others do not change what a rank does */
static void lengths(void) {
  enum { MOST = 20000 };
  int counts[64], places[64], none[64], *all = malloc((size_t)p * MOST * sizeof(int)), *own = malloc(MOST * sizeof(int));
  MPI_Datatype apart;
  MPI_Type_vector(2, 1, 2, MPI_INT, &apart);
  MPI_Type_commit(&apart);
  for (int i = 0; i < 24; ++i) {
    const int root = i % p, last = i % 4 == 0 ? 0 : i % 4 == 1 ? 2 : i % 4 == 2 ? 300 : MOST; /* the length of one rank; all others have nothing */
    const int sender = (i / 2) % p, n = me == sender ? last : 0;
    for (int r = 0; r < p; ++r)
      counts[r] = r == sender ? last : 0, places[r] = (p - 1 - r) * (MOST - 1), none[r] = 0;
    for (int k = 0; k < n; ++k)
      own[k] = 100 * i + k;
    all[places[sender]] = -1;
    MPI_Gatherv(own, n, MPI_INT, me == root ? all : NULL, me == root ? counts : NULL, me == root ? places : NULL, MPI_INT, root, MPI_COMM_WORLD);
    if (me == root)
      expect("the first of one rank's elements", all[places[sender]], last ? 100 * i : -1);
    own[0] = -1;
    MPI_Scatterv(all, me == root ? counts : NULL, me == root ? places : NULL, MPI_INT, n ? own : NULL, n, MPI_INT, root, MPI_COMM_WORLD);
    if (me == sender)
      expect("the elements of one rank, sent back", own[0], last ? 100 * i : -1);
    /* One sends to the next, which receives pairs with a gap. */
    const int next = (sender + 1) % p, pairs = last / 4;
    int sends[64], gets[64];
    for (int r = 0; r < p; ++r)
      sends[r] = me == sender && r == next ? 2 * pairs : 0, gets[r] = me == next && r == sender ? pairs : 0;
    for (int k = 0; k < 2 * pairs; ++k)
      own[k] = 7 * i + k;
    all[0] = all[1] = all[2] = -1;
    MPI_Alltoallv(own, sends, none, MPI_INT, all, gets, none, apart, MPI_COMM_WORLD);
    expect("the first of a pair", all[0], pairs && me == next ? 7 * i : -1);
    expect("what is between", all[1], -1);
    expect("the second of a pair", all[2], pairs && me == next ? 7 * i + 1 : -1);
  }
  MPI_Type_free(&apart);
  free(all), free(own);
}

/* ---- calls that do not block, with requests of the program beside them */
static void nonblocking(void) {
  enum { LONG = 50000 };
  MPI_Request requests[3];
  MPI_Status statuses[3];
  MPI_Comm comm, again;
  MPI_Datatype pairs;
  int x = me, y = 0, flag, token = 0, *many = malloc(2 * LONG * sizeof(int));
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  for (int i = 0; i < 12; ++i) { /* some before the library takes the communicator over */
    MPI_Allreduce(&x, &y, 1, MPI_INT, MPI_SUM, comm);
    MPI_Iallreduce(&x, &y, 1, MPI_INT, MPI_SUM, comm, &requests[0]);
    MPI_Wait(&requests[0], &statuses[0]);
    expect("a sum", y, p * (p - 1) / 2);
  }
  expect("a root that is no rank", class_of(MPI_Ibcast(&x, 1, MPI_INT, p, comm, &requests[0])), MPI_ERR_ROOT);
  expect("a negative count", class_of(MPI_Ibcast(&x, -1, MPI_INT, 0, comm, &requests[0])), MPI_ERR_COUNT);
  /* The root waits for a message of who waits for the broadcast: it makes progress meanwhile. */
  MPI_Type_vector(LONG, 1, 2, MPI_INT, &pairs);
  MPI_Type_commit(&pairs);
  for (int i = 0; i < 2 * LONG; ++i)
    many[i] = me == 0 ? i : -1;
  MPI_Ibcast(many, 1, pairs, 0, comm, &requests[0]);
  MPI_Type_free(&pairs);
  if (me == p - 1) {
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    for (int r = 0; r + 1 < p; ++r)
      MPI_Send(&token, 1, MPI_INT, r, 8, comm);
  } else {
    MPI_Recv(&token, 1, MPI_INT, p - 1, 8, comm, MPI_STATUS_IGNORE);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
  }
  /* The same with a call that blocks, on another communicator. */
  for (int i = 0; i < 3; ++i) {
    MPI_Ibcast(many + 1, LONG, MPI_INT, 0, comm, &requests[0]);
    if (me == p - 1)
      MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
    if (me != p - 1)
      MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    expect("the first that was sent beside a barrier", many[1], 1);
    many[1] = me == 0 ? 1 : -1;
  }
  expect("the last of those with gaps", many[2 * LONG - 2], 2 * LONG - 2);
  expect("a gap", many[1], me == 0 ? 1 : -1);
  /* Blocking and others by turns, completed from behind; the communicator is freed before, where Open MPI 4.1 itself would crash. */
  int sums[3] = {0}, one = 1;
  MPI_Comm_dup(comm, &again);
  MPI_Barrier(again);
  for (int i = 0; i < 12; ++i)
    MPI_Allreduce(&one, &y, 1, MPI_INT, MPI_SUM, again);
  MPI_Iallreduce(&one, &sums[0], 1, MPI_INT, MPI_SUM, again, &requests[0]);
  MPI_Allreduce(&x, &sums[1], 1, MPI_INT, MPI_MAX, again);
  MPI_Iscan(&one, &sums[2], 1, MPI_INT, MPI_SUM, again, &requests[1]);
  MPI_Ibarrier(again, &requests[2]);
  const int early = p > 1 && getenv("LD_PRELOAD");
  if (early)
    MPI_Comm_free(&again);
  for (int i = 3; i-- > 0;)
    for (flag = 0; !flag;)
      MPI_Test(&requests[i], &flag, MPI_STATUS_IGNORE);
  if (!early)
    MPI_Comm_free(&again);
  expect("the first of several", sums[0], p);
  expect("one that blocks between", sums[1], p - 1);
  expect("the last of several", sums[2], me + 1);
  /* Completed requests and null ones are nothing. */
  MPI_Waitall(3, requests, statuses);
  MPI_Testany(3, requests, &token, &flag, MPI_STATUS_IGNORE);
  expect("an index of none", token, MPI_UNDEFINED);
  MPI_Comm_free(&comm);
  free(many);
}

/* ---- calls that are prepared once and carried out often */
static void persistent(void) {
  enum { SUM, ROOT, WALL, OWN, REQUESTS };
  MPI_Request requests[REQUESTS], again;
  MPI_Status statuses[REQUESTS];
  MPI_Comm comm;
  MPI_Datatype pairs;
  int x = 0, y = 0, many[4] = {0}, got = -1, at = 0, done = 0, flag = 0, indices[REQUESTS];
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  MPI_Type_vector(2, 1, 2, MPI_INT, &pairs);
  MPI_Type_commit(&pairs);
  expect("a root that is no rank, prepared", class_of(PREPARED(Bcast)(&x, 1, MPI_INT, p, comm, MPI_INFO_NULL, &again)), MPI_ERR_ROOT);
  PREPARED(Allreduce)(&x, &y, 1, MPI_INT, MPI_SUM, comm, MPI_INFO_NULL, &requests[SUM]);
  PREPARED(Bcast)(many, 1, pairs, 0, comm, MPI_INFO_NULL, &requests[ROOT]);
  PREPARED(Barrier)(comm, MPI_INFO_NULL, &requests[WALL]);
  MPI_Recv_init(&got, 1, MPI_INT, (me + p - 1) % p, 9, comm, &requests[OWN]);
  const int early = p > 1 && getenv("LD_PRELOAD"); /* in use until its request is freed, where Open MPI 4.1 itself would crash */
  if (early)
    MPI_Type_free(&pairs);
  /* One that is not active has ended, with nothing. */
  expect("waiting for none that is active", MPI_Wait(&requests[SUM], &statuses[0]), MPI_SUCCESS);
  expect("the source of none", statuses[0].MPI_SOURCE, MPI_ANY_SOURCE);
  MPI_Test(&requests[WALL], &flag, MPI_STATUS_IGNORE);
  expect("a test of none", flag, 1);
  MPI_Waitany(REQUESTS, requests, &at, MPI_STATUS_IGNORE);
  expect("an index of none that is active", at, MPI_UNDEFINED);
  MPI_Waitsome(REQUESTS, requests, &done, indices, statuses);
  expect("as many as are active", done, MPI_UNDEFINED);
  for (int round = 0; round < 12; ++round) {
    x = me + round, y = -1, got = -1;
    for (int i = 0; i < 4; ++i)
      many[i] = me == 0 ? 10 * round + i : -1;
    if (round % 2) {
      MPI_Startall(REQUESTS, requests);
    } else { /* in the same order on all ranks */
      MPI_Start(&requests[OWN]);
      MPI_Start(&requests[SUM]);
      MPI_Start(&requests[ROOT]);
      MPI_Start(&requests[WALL]);
    }
    if (early) { /* MPI libraries do not say so */
      expect("one that is active, started", class_of(MPI_Start(&requests[SUM])), MPI_ERR_REQUEST);
      expect("one that is active, freed", class_of(MPI_Request_free(&(MPI_Request){requests[SUM]})), MPI_ERR_REQUEST);
      expect("one that is active, cancelled", class_of(MPI_Cancel(&requests[SUM])), MPI_ERR_REQUEST);
    }
    if (round % 3 == 0)
      MPI_Allreduce(&me, &at, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Send(&me, 1, MPI_INT, (me + 1) % p, 9, comm);
    switch (round % 4) {
    case 0: MPI_Waitall(REQUESTS, requests, statuses); break;
    case 1:
      for (int left = REQUESTS; left > 0; --left)
        MPI_Waitany(REQUESTS, requests, &at, &statuses[0]);
      MPI_Waitany(REQUESTS, requests, &at, MPI_STATUS_IGNORE);
      expect("an index when all have ended", at, MPI_UNDEFINED);
      break;
    case 2:
      for (int left = REQUESTS; left > 0; left -= done)
        MPI_Waitsome(REQUESTS, requests, &done, indices, statuses);
      break;
    default:
      for (int i = REQUESTS; i-- > 0;)
        for (flag = 0; !flag;)
          MPI_Test(&requests[i], &flag, MPI_STATUS_IGNORE);
    }
    expect("a prepared sum", y, p * (p - 1) / 2 + p * round);
    expect("a prepared broadcast", many[2], 10 * round + 2);
    expect("a gap of it", many[1], me == 0 ? 10 * round + 1 : -1);
    expect("a message beside", got, (me + p - 1) % p);
  }
  for (int i = 0; i < REQUESTS; ++i) {
    MPI_Request_free(&requests[i]);
    expect("a request that was freed", requests[i] == MPI_REQUEST_NULL, 1);
  }
  if (!early)
    MPI_Type_free(&pairs);
  MPI_Comm_free(&comm);
}

/* ---- threads, each with a communicator of its own */
static void *thread(void *of) {
  MPI_Comm comm = *(MPI_Comm *)of;
  long bad = 0;
  for (int i = 0; i < 200; ++i) {
    int y = 0, x = i, z = 0;
    MPI_Request request;
    MPI_Iallreduce(&x, &z, 1, MPI_INT, MPI_SUM, comm, &request);
    MPI_Allreduce(&x, &y, 1, MPI_INT, MPI_SUM, comm);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    bad += y != i * p || z != i * p;
  }
  return (void *)bad;
}
static void threads(void) {
  pthread_t ids[2];
  MPI_Comm comms[2];
  for (int i = 0; i < 2; ++i)
    MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]);
  for (int i = 0; i < 2; ++i)
    pthread_create(&ids[i], NULL, thread, &comms[i]);
  for (int i = 0; i < 2; ++i) {
    void *bad;
    pthread_join(ids[i], &bad);
    expect("a thread", (long)bad, 0);
    MPI_Comm_free(&comms[i]);
  }
}

/* ---- MPI_Finalize: attributes of MPI_COMM_SELF are deleted, as by HDF5, which still communicates */
static int at_the_end(MPI_Comm c, int k, void *v, void *e) {
  int y = 0, one = 1, all = 0;
  (void)c, (void)k, (void)v, (void)e;
  MPI_Allreduce(&one, &y, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  expect("a sum in MPI_Finalize", y, p);
  MPI_Reduce(&wrong, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (me == 0)
    printf("corners of %d processes: %d wrong\n", p, all), fflush(stdout);
  return MPI_SUCCESS;
}

int main(int argc, char **argv) {
  int provided, key;
  const int many = argc > 1 && strcmp(argv[1], "threads") == 0;
  MPI_Init_thread(&argc, &argv, many ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &provided);
  MPI_Comm_size(MPI_COMM_WORLD, &p);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, at_the_end, &key, NULL);
  MPI_Comm_set_attr(MPI_COMM_SELF, key, NULL);
  MPI_Comm left; /* never freed by the program */
  MPI_Comm_dup(MPI_COMM_WORLD, &left);
  MPI_Barrier(left);
  errors();
  attributes();
  messages();
  others();
  types();
#if MPI_VERSION >= 4
  large();
#endif
  lengths();
  nonblocking();
#ifdef MPICH_VERSION /* MPICH 4.0's own persistent calls hang in MPI_Waitany and fail in MPI_Testall. */
  if (p > 1 && !many && getenv("LD_PRELOAD"))
#endif
    persistent();
  if (many && provided == MPI_THREAD_MULTIPLE)
    threads();
  MPI_Finalize();
  return 0;
}
