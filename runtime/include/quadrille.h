/*===- quadrille.h - Collectives by the best schedule, for C ---------*- C -*-===*\
|*
|* Collective operations among threads or MPI processes. Each call takes the
|* schedule that a table says is fastest for its ranks, bytes and operator; see
|* docs/collectives.md.
|*
|*   quadrille_comm *comm;
|*   if (quadrille_comm_of_mpi(MPI_COMM_WORLD, &comm) ||
|*       quadrille_allreduce(comm, x, y, n, QUADRILLE_DOUBLE, QUADRILLE_SUM))
|*     fprintf(stderr, "%s\n", quadrille_error_text());
|*   quadrille_comm_free(comm);
|*
|* Functions return 0 or the number of an error (quadrille/status.h lists them), of
|* which quadrille_error_text() has the words. No function ends the program.
|*
|* quadrille_mpi.h makes communicators of MPI's, quadrille_threads.h of threads.
|*
\*===------------------------------------------------------------------------===*/

#ifndef QUADRILLE_H
#define QUADRILLE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A rank's end of a communicator; used by one thread at a time. */
typedef struct quadrille_comm quadrille_comm;
/* A call that was started, or that can be. */
typedef struct quadrille_request quadrille_request;

/* The type of elements: one of these, or QUADRILLE_BYTES, or a type of MPI's
   (quadrille_mpi.h). */
typedef intptr_t quadrille_type;
enum {
  QUADRILLE_INT8 = 1,
  QUADRILLE_INT16 = 2,
  QUADRILLE_INT32 = 3,
  QUADRILLE_INT64 = 4,
  QUADRILLE_UINT8 = 5,
  QUADRILLE_UINT16 = 6,
  QUADRILLE_UINT32 = 7,
  QUADRILLE_UINT64 = 8,
  QUADRILLE_FLOAT = 9,
  QUADRILLE_DOUBLE = 10
};
/* Elements of so many bytes, of which nothing else is known. */
#define QUADRILLE_BYTES(size) (-1 - (quadrille_type)(size))

/* The operator of a reduction: one of these, or one of the program's own. Bitwise and
   logical ones are for integers. */
typedef intptr_t quadrille_op;
enum {
  QUADRILLE_SUM = 1,
  QUADRILLE_PROD = 2,
  QUADRILLE_MIN = 3,
  QUADRILLE_MAX = 4,
  QUADRILLE_BAND = 5,
  QUADRILLE_BOR = 6,
  QUADRILLE_BXOR = 7,
  QUADRILLE_LAND = 8,
  QUADRILLE_LOR = 9
};

/* What the last call of this thread that failed has found; "" if none has. Valid until
   the next call of this thread. */
const char *quadrille_error_text(void);

/* The version of the library, "0.1.0". */
const char *quadrille_version(void);

int64_t quadrille_comm_rank(const quadrille_comm *comm);
int64_t quadrille_comm_size(const quadrille_comm *comm);
/* A call in which nothing happens for so many milliseconds fails; 0: never. */
int quadrille_comm_set_timeout(quadrille_comm *comm, int64_t milliseconds);
/* All requests must have been freed before. Collective under MPI. Null is nothing. */
void quadrille_comm_free(quadrille_comm *comm);

/*
 * Collectives. All ranks of `comm` make the same calls in the same order, with the same
 * root, n, lengths, size of type, and operator. A block has n elements. x is the input, y
 * the output; they may be the same memory. A buffer that a rank does not have may be null.
 *
 *   broadcast        y on every rank: x of the root
 *   reduce           y on the root: x of all ranks combined
 *   allreduce        y on every rank: x of all ranks combined
 *   reduce_scatter   x has p blocks; y on rank i: block i of all ranks combined
 *   scan, exscan     y on rank i: x of the ranks 0 to i combined; without i
 *   allgather        y on every rank: p blocks, x of each rank
 *   alltoall         x, y have p blocks; block j of y on rank i: block i of x on rank j
 *   gather, scatter  y on the root: p blocks, x of each; y on rank i: block i of the root's x
 *   barrier          nobody returns before all have called
 *
 * Those with a v have lengths[i] elements in the block of rank i, and alltoallv
 * lengths[i*p + j] from rank i to rank j: all lengths, on all ranks. Those with _known
 * take what a rank knows in MPI: of gatherv and scatterv its own length, and on the root
 * all (elsewhere `lengths` may be null); of alltoallv sent[j] to rank j, and received[j]
 * from it. All ranks call the same of the two.
 *
 * X_start starts a call and returns at once, X_init prepares one to be started by
 * quadrille_request_start. Buffers and lengths must stay as they are until it has ended.
 */
#define QUADRILLE_DECLARE(name, ...)                                                     \
  int quadrille_##name(__VA_ARGS__);                                                     \
  int quadrille_##name##_start(__VA_ARGS__, quadrille_request **request);                \
  int quadrille_##name##_init(__VA_ARGS__, quadrille_request **request);

QUADRILLE_DECLARE(broadcast, quadrille_comm *comm, int64_t root, const void *x, void *y, size_t n, quadrille_type type)
QUADRILLE_DECLARE(reduce, quadrille_comm *comm, int64_t root, const void *x, void *y, size_t n, quadrille_type type,
                  quadrille_op op)
QUADRILLE_DECLARE(allreduce, quadrille_comm *comm, const void *x, void *y, size_t n, quadrille_type type, quadrille_op op)
QUADRILLE_DECLARE(reduce_scatter, quadrille_comm *comm, const void *x, void *y, size_t n, quadrille_type type,
                  quadrille_op op)
QUADRILLE_DECLARE(reduce_scatterv, quadrille_comm *comm, const size_t *lengths, const void *x, void *y,
                  quadrille_type type, quadrille_op op)
QUADRILLE_DECLARE(scan, quadrille_comm *comm, const void *x, void *y, size_t n, quadrille_type type, quadrille_op op)
QUADRILLE_DECLARE(exscan, quadrille_comm *comm, const void *x, void *y, size_t n, quadrille_type type, quadrille_op op)
QUADRILLE_DECLARE(allgather, quadrille_comm *comm, const void *x, void *y, size_t n, quadrille_type type)
QUADRILLE_DECLARE(allgatherv, quadrille_comm *comm, const size_t *lengths, const void *x, void *y, quadrille_type type)
QUADRILLE_DECLARE(alltoall, quadrille_comm *comm, const void *x, void *y, size_t n, quadrille_type type)
QUADRILLE_DECLARE(alltoallv, quadrille_comm *comm, const size_t *lengths, const void *x, void *y, quadrille_type type)
QUADRILLE_DECLARE(alltoallv_known, quadrille_comm *comm, const size_t *sent, const size_t *received, const void *x, void *y,
                  quadrille_type type)
QUADRILLE_DECLARE(gather, quadrille_comm *comm, int64_t root, const void *x, void *y, size_t n, quadrille_type type)
QUADRILLE_DECLARE(gatherv, quadrille_comm *comm, int64_t root, const size_t *lengths, const void *x, void *y,
                  quadrille_type type)
QUADRILLE_DECLARE(gatherv_known, quadrille_comm *comm, int64_t root, size_t own, const size_t *lengths, const void *x,
                  void *y, quadrille_type type)
QUADRILLE_DECLARE(scatter, quadrille_comm *comm, int64_t root, const void *x, void *y, size_t n, quadrille_type type)
QUADRILLE_DECLARE(scatterv, quadrille_comm *comm, int64_t root, const size_t *lengths, const void *x, void *y,
                  quadrille_type type)
QUADRILLE_DECLARE(scatterv_known, quadrille_comm *comm, int64_t root, size_t own, const size_t *lengths, const void *x,
                  void *y, quadrille_type type)
QUADRILLE_DECLARE(barrier, quadrille_comm *comm)

#undef QUADRILLE_DECLARE

/* Starts what X_init has prepared, again. All ranks start in the same order. */
int quadrille_request_start(quadrille_request *request);
/* Makes progress without waiting; *ended is 1 once the call has ended, then the result is
   its outcome. */
int quadrille_request_test(quadrille_request *request, int *ended);
/* Waits for the end of the call and returns its outcome. */
int quadrille_request_wait(quadrille_request *request);
/* Waits for the call, if it is under way, and frees the request. Null is nothing. */
void quadrille_request_free(quadrille_request *request);

#ifdef __cplusplus
}
#endif

#endif /* QUADRILLE_H */
