/*===- quadrille_mpi.h - Ranks that are MPI processes, for C ---------*- C -*-===*\
|*
|* For programs that are linked with the library quadrille_collectives_mpi.
|*
\*===------------------------------------------------------------------------===*/

#ifndef QUADRILLE_MPI_C_H
#define QUADRILLE_MPI_C_H

#include "quadrille.h"

#include <mpi.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Makes one of the same ranks; collective over the parent. To be freed before MPI_Finalize. */
int quadrille_comm_of_mpi(MPI_Comm parent, quadrille_comm **comm);
/* The same, by the handle that Fortran, and mpi4py's py2f(), have for it. */
int quadrille_comm_of_mpi_fortran(int parent, quadrille_comm **comm);

/* A committed datatype or an operation of MPI's as one of Quadrille's. */
quadrille_type quadrille_type_of_mpi(MPI_Datatype type);
quadrille_op quadrille_op_of_mpi(MPI_Op op);

#ifdef __cplusplus
}
#endif

#endif /* QUADRILLE_MPI_C_H */
