//===- CNames.cpp - The functions of MPI that are taken over, for C -------===//

#include "Collectives.h"

using namespace quadrille;

#define QUADRILLE_TAKEN __attribute__((visibility("default")))

extern "C" {

QUADRILLE_TAKEN int MPI_Barrier(MPI_Comm comm) {
  return preload::barrier(comm, [&] { return PMPI_Barrier(comm); });
}

#define QUADRILLE_NAME(name) name
#define QUADRILLE_COUNT int
#define QUADRILLE_OFFSET int
#include "CNames.inc"

#if MPI_VERSION >= 4
#undef QUADRILLE_NAME
#undef QUADRILLE_COUNT
#undef QUADRILLE_OFFSET
#define QUADRILLE_NAME(name) name##_c
#define QUADRILLE_COUNT MPI_Count
#define QUADRILLE_OFFSET MPI_Aint
#include "CNames.inc"
#endif

} // extern "C"
