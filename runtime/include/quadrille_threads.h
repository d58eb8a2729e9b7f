/*===- quadrille_threads.h - Ranks that are threads, for C -----------*- C -*-===*\
|*
|* For programs that are linked with the library quadrille_collectives.
|*
\*===------------------------------------------------------------------------===*/

#ifndef QUADRILLE_THREADS_H
#define QUADRILLE_THREADS_H

#include "quadrille.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What the ranks of a communicator share. */
typedef struct quadrille_world quadrille_world;

int quadrille_world_create(int64_t size, quadrille_world **world);
/* All its communicators must have been freed before. Null is nothing. */
void quadrille_world_free(quadrille_world *world);

/* The communicator of one rank of the world, once for each; to be used by one thread at a
   time. */
int quadrille_comm_of_world(quadrille_world *world, int64_t rank, quadrille_comm **comm);

/* Starts `size` threads, runs body(comm, context) on each, and waits for them. Returns 0 or
   the first result that is not 0, by rank. */
int quadrille_run(int64_t size, int (*body)(quadrille_comm *comm, void *context), void *context);

/* An operator of the program's own: inout[i] := in[i] <> inout[i] for i below count; the
   element of the lower rank is in `in`. It must be associative, and is called by several
   threads at once. For communicators of threads; MPI_Op_create makes those of MPI. */
typedef void quadrille_op_function(const void *in, void *inout, size_t count, void *context);
int quadrille_op_create(quadrille_op_function *function, void *context, int commutative, quadrille_op *op);
/* No call that uses it may be under way. */
void quadrille_op_free(quadrille_op op);

#ifdef __cplusplus
}
#endif

#endif /* QUADRILLE_THREADS_H */
