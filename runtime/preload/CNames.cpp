//===- CNames.cpp - The functions of MPI that are taken over, for C -------===//

#include "Collectives.h"
#include "PersistentNames.h"

using namespace quadrille;

#define QUADRILLE_TAKEN __attribute__((visibility("default")))

extern "C" {

QUADRILLE_TAKEN int MPI_Barrier(MPI_Comm comm) {
  if (const preload::Simple simple(preload::Function::Barrier, comm); simple) [[likely]] {
    const int code = preload::barrier(comm, simple);
    return code == preload::Simple::byMpi ? PMPI_Barrier(comm) : code;
  }
  return preload::barrier(comm, [=] { return PMPI_Barrier(comm); });
}
QUADRILLE_TAKEN int MPI_Ibarrier(MPI_Comm comm, MPI_Request *request) {
  return preload::barrier(comm, preload::nonblocking(request, [&] { return PMPI_Ibarrier(comm, request); }));
}
QUADRILLE_IF_PERSISTENT(
  QUADRILLE_TAKEN int QUADRILLE_MPI(Barrier_init)(MPI_Comm comm, MPI_Info info, MPI_Request * request) {
    return preload::barrier(comm, preload::persistent(request, [&] { return QUADRILLE_PMPI(Barrier_init)(comm, info, request); }));
  })

#define QUADRILLE_PLAIN(...) __VA_ARGS__
#define QUADRILLE_FORMS(NAME, INAME, FUNCTION, TEMPLATE, PARAMETERS, ARGUMENTS)                                            \
  QUADRILLE_TAKEN int QUADRILLE_NAME(MPI_##NAME)(QUADRILLE_PLAIN PARAMETERS, MPI_Comm comm) {                              \
    if (const preload::Simple simple(preload::Function::FUNCTION, comm); simple) [[likely]] {                              \
      const int code = preload::TEMPLATE(QUADRILLE_PLAIN ARGUMENTS, comm, simple);                                         \
      return code == preload::Simple::byMpi ? QUADRILLE_NAME(PMPI_##NAME)(QUADRILLE_PLAIN ARGUMENTS, comm) : code;         \
    }                                                                                                                      \
    return preload::apart([=] {                                                                                            \
      return preload::TEMPLATE(QUADRILLE_PLAIN ARGUMENTS, comm,                                                            \
                               [&] { return QUADRILLE_NAME(PMPI_##NAME)(QUADRILLE_PLAIN ARGUMENTS, comm); });              \
    });                                                                                                                    \
  }                                                                                                                        \
  QUADRILLE_TAKEN int QUADRILLE_NAME(MPI_##INAME)(QUADRILLE_PLAIN PARAMETERS, MPI_Comm comm, MPI_Request * request) {      \
    return preload::TEMPLATE(QUADRILLE_PLAIN ARGUMENTS, comm, preload::nonblocking(request, [&] {                          \
                               return QUADRILLE_NAME(PMPI_##INAME)(QUADRILLE_PLAIN ARGUMENTS, comm, request);              \
                             }));                                                                                          \
  }                                                                                                                        \
  QUADRILLE_IF_PERSISTENT(                                                                                                 \
    QUADRILLE_TAKEN int QUADRILLE_NAME(QUADRILLE_MPI(NAME##_init))(QUADRILLE_PLAIN PARAMETERS, MPI_Comm comm, MPI_Info info, MPI_Request *request) { \
      return preload::TEMPLATE(QUADRILLE_PLAIN ARGUMENTS, comm, preload::persistent(request, [&] {                         \
                                 return QUADRILLE_NAME(QUADRILLE_PMPI(NAME##_init))(QUADRILLE_PLAIN ARGUMENTS, comm, info, request); \
                               }));                                                                                        \
    })

#define QUADRILLE_NAME(name) name
#define QUADRILLE_COUNT int
#define QUADRILLE_OFFSET int
#include "CNames.inc"

#if MPI_VERSION >= 4
#undef QUADRILLE_NAME
#undef QUADRILLE_COUNT
#undef QUADRILLE_OFFSET
#define QUADRILLE_NAME(name) QUADRILLE_LARGE(name)
#define QUADRILLE_LARGE(name) name##_c
#define QUADRILLE_COUNT MPI_Count
#define QUADRILLE_OFFSET MPI_Aint
#include "CNames.inc"
#endif

} // extern "C"
