//===- PersistentNames.h - Which persistent calls the MPI library has -*- C++ -*-===//
//
// MPI has them from version 4 on. Open MPI has the same functions before, as an extension, MPIX_....
//
//   QUADRILLE_IF_PERSISTENT(...)   the text, if there are any
//   QUADRILLE_MPI(Bcast_init)      MPI_Bcast_init or MPIX_Bcast_init; QUADRILLE_PMPI: its second name
//
//===----------------------------------------------------------------------===//

#ifndef QUADRILLE_RUNTIME_PRELOAD_PERSISTENTNAMES_H
#define QUADRILLE_RUNTIME_PRELOAD_PERSISTENTNAMES_H

#include <mpi.h>

#if MPI_VERSION < 4 && defined(OPEN_MPI) && __has_include(<mpi-ext.h>)
#include <mpi-ext.h>
#endif

#if MPI_VERSION >= 4
#define QUADRILLE_IF_PERSISTENT(...) __VA_ARGS__
#define QUADRILLE_MPI(name) MPI_##name
#define QUADRILLE_PMPI(name) PMPI_##name
#elif defined(OMPI_HAVE_MPI_EXT_PCOLLREQ)
#define QUADRILLE_IF_PERSISTENT(...) __VA_ARGS__
#define QUADRILLE_MPI(name) MPIX_##name
#define QUADRILLE_PMPI(name) PMPIX_##name
#else
#define QUADRILLE_IF_PERSISTENT(...)
#endif

#endif // QUADRILLE_RUNTIME_PRELOAD_PERSISTENTNAMES_H
