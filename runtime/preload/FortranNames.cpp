//===- FortranNames.cpp - The functions that are taken over, for Fortran --===//
//
// Open MPI's Fortran calls its C functions by their second names, PMPI_..., so each is
// defined here as compilers call it, and as the module mpi_f08 does (`ompi_..._f`).
// MPICH's calls MPI_..., but for a few functions of mpi_f08.
//
//===----------------------------------------------------------------------===//

#include "Collectives.h"

#ifdef OPEN_MPI

#include <dlfcn.h>

#include <string>

using namespace quadrille;

namespace {

/// Constants of Fortran are variables, of which a program passes the addresses. They are in the MPI library, under the names that
/// Fortran compilers make of them.
class Sentinel {
public:
  explicit Sentinel(const char *lower, const char *upper) {
    const std::string name(lower);
    for (const std::string &mangled : {name + "_", name + "__", name, std::string(upper)})
      if (count_ < most && (places_[count_] = dlsym(RTLD_DEFAULT, mangled.c_str())))
        ++count_;
  }
  bool is(const void *address) const {
    for (std::size_t i = 0; i < count_; ++i)
      if (places_[i] == address)
        return true;
    return false;
  }

private:
  static constexpr std::size_t most = 4;
  void *places_[most] = {};
  std::size_t count_ = 0;
};

/// A buffer as C has it.
char *bufferOf(char *address) {
  static const Sentinel inPlace("mpi_fortran_in_place", "MPI_FORTRAN_IN_PLACE"), bottom("mpi_fortran_bottom", "MPI_FORTRAN_BOTTOM");
  if (inPlace.is(address))
    return static_cast<char *>(MPI_IN_PLACE);
  return bottom.is(address) ? static_cast<char *>(MPI_BOTTOM) : address;
}

MPI_Datatype typeOf(const MPI_Fint *type) { return PMPI_Type_f2c(*type); }
MPI_Op opOf(const MPI_Fint *op) { return PMPI_Op_f2c(*op); }
MPI_Comm commOf(const MPI_Fint *comm) { return PMPI_Comm_f2c(*comm); }

static_assert(sizeof(MPI_Fint) == sizeof(int), "counts of Fortran are counts of C");

} // namespace

/// Defines a function by the name that mpi_f08 calls, and by those that compilers make of it.
#define QUADRILLE_FORTRAN(lower, upper, parameters)                                                                        \
  extern "C" __attribute__((visibility("default"))) void ompi_##lower##_f parameters;                                      \
  extern "C" __attribute__((visibility("default"), alias("ompi_" #lower "_f"))) void mpi_##lower parameters;               \
  extern "C" __attribute__((visibility("default"), alias("ompi_" #lower "_f"))) void mpi_##lower##_ parameters;            \
  extern "C" __attribute__((visibility("default"), alias("ompi_" #lower "_f"))) void mpi_##lower##__ parameters;           \
  extern "C" __attribute__((visibility("default"), alias("ompi_" #lower "_f"))) void MPI_##upper parameters;               \
  extern "C" void ompi_##lower##_f parameters

QUADRILLE_FORTRAN(barrier, BARRIER, (MPI_Fint *comm, MPI_Fint *error)) {
  *error = MPI_Barrier(commOf(comm));
}
QUADRILLE_FORTRAN(bcast, BCAST, (char *buffer, MPI_Fint *count, MPI_Fint *type, MPI_Fint *root, MPI_Fint *comm, MPI_Fint *error)) {
  *error = MPI_Bcast(bufferOf(buffer), *count, typeOf(type), *root, commOf(comm));
}
QUADRILLE_FORTRAN(reduce, REDUCE, (char *x, char *y, MPI_Fint *count, MPI_Fint *type, MPI_Fint *op, MPI_Fint *root, MPI_Fint *comm,
                  MPI_Fint *error)) {
  *error = MPI_Reduce(bufferOf(x), bufferOf(y), *count, typeOf(type), opOf(op), *root, commOf(comm));
}
QUADRILLE_FORTRAN(allreduce, ALLREDUCE, (char *x, char *y, MPI_Fint *count, MPI_Fint *type, MPI_Fint *op, MPI_Fint *comm,
                  MPI_Fint *error)) {
  *error = MPI_Allreduce(bufferOf(x), bufferOf(y), *count, typeOf(type), opOf(op), commOf(comm));
}
QUADRILLE_FORTRAN(scan, SCAN, (char *x, char *y, MPI_Fint *count, MPI_Fint *type, MPI_Fint *op, MPI_Fint *comm, MPI_Fint *error)) {
  *error = MPI_Scan(bufferOf(x), bufferOf(y), *count, typeOf(type), opOf(op), commOf(comm));
}
QUADRILLE_FORTRAN(exscan, EXSCAN, (char *x, char *y, MPI_Fint *count, MPI_Fint *type, MPI_Fint *op, MPI_Fint *comm, MPI_Fint *error)) {
  *error = MPI_Exscan(bufferOf(x), bufferOf(y), *count, typeOf(type), opOf(op), commOf(comm));
}
QUADRILLE_FORTRAN(reduce_scatter_block, REDUCE_SCATTER_BLOCK, (char *x, char *y, MPI_Fint *count, MPI_Fint *type, MPI_Fint *op,
                  MPI_Fint *comm, MPI_Fint *error)) {
  *error = MPI_Reduce_scatter_block(bufferOf(x), bufferOf(y), *count, typeOf(type), opOf(op), commOf(comm));
}
QUADRILLE_FORTRAN(reduce_scatter, REDUCE_SCATTER, (char *x, char *y, MPI_Fint *counts, MPI_Fint *type, MPI_Fint *op, MPI_Fint *comm,
                  MPI_Fint *error)) {
  *error = MPI_Reduce_scatter(bufferOf(x), bufferOf(y), counts, typeOf(type), opOf(op), commOf(comm));
}
QUADRILLE_FORTRAN(allgather, ALLGATHER, (char *x, MPI_Fint *sendCount, MPI_Fint *sendType, char *y, MPI_Fint *count, MPI_Fint *type,
                  MPI_Fint *comm, MPI_Fint *error)) {
  *error = MPI_Allgather(bufferOf(x), *sendCount, typeOf(sendType), bufferOf(y), *count, typeOf(type), commOf(comm));
}
QUADRILLE_FORTRAN(allgatherv, ALLGATHERV, (char *x, MPI_Fint *sendCount, MPI_Fint *sendType, char *y, MPI_Fint *counts, MPI_Fint *offsets,
                  MPI_Fint *type, MPI_Fint *comm, MPI_Fint *error)) {
  *error = MPI_Allgatherv(bufferOf(x), *sendCount, typeOf(sendType), bufferOf(y), counts, offsets, typeOf(type), commOf(comm));
}
QUADRILLE_FORTRAN(alltoall, ALLTOALL, (char *x, MPI_Fint *sendCount, MPI_Fint *sendType, char *y, MPI_Fint *count, MPI_Fint *type,
                  MPI_Fint *comm, MPI_Fint *error)) {
  *error = MPI_Alltoall(bufferOf(x), *sendCount, typeOf(sendType), bufferOf(y), *count, typeOf(type), commOf(comm));
}
QUADRILLE_FORTRAN(gather, GATHER, (char *x, MPI_Fint *sendCount, MPI_Fint *sendType, char *y, MPI_Fint *count, MPI_Fint *type,
                  MPI_Fint *root, MPI_Fint *comm, MPI_Fint *error)) {
  *error = MPI_Gather(bufferOf(x), *sendCount, typeOf(sendType), bufferOf(y), *count, typeOf(type), *root, commOf(comm));
}
QUADRILLE_FORTRAN(scatter, SCATTER, (char *x, MPI_Fint *count, MPI_Fint *type, char *y, MPI_Fint *recvCount, MPI_Fint *recvType,
                  MPI_Fint *root, MPI_Fint *comm, MPI_Fint *error)) {
  *error = MPI_Scatter(bufferOf(x), *count, typeOf(type), bufferOf(y), *recvCount, typeOf(recvType), *root, commOf(comm));
}
QUADRILLE_FORTRAN(gatherv, GATHERV, (char *x, MPI_Fint *sendCount, MPI_Fint *sendType, char *y, MPI_Fint *counts, MPI_Fint *offsets,
                  MPI_Fint *type, MPI_Fint *root, MPI_Fint *comm, MPI_Fint *error)) {
  *error = MPI_Gatherv(bufferOf(x), *sendCount, typeOf(sendType), bufferOf(y), counts, offsets, typeOf(type), *root, commOf(comm));
}
QUADRILLE_FORTRAN(scatterv, SCATTERV, (char *x, MPI_Fint *counts, MPI_Fint *offsets, MPI_Fint *type, char *y, MPI_Fint *recvCount,
                  MPI_Fint *recvType, MPI_Fint *root, MPI_Fint *comm, MPI_Fint *error)) {
  *error = MPI_Scatterv(bufferOf(x), counts, offsets, typeOf(type), bufferOf(y), *recvCount, typeOf(recvType), *root, commOf(comm));
}
QUADRILLE_FORTRAN(alltoallv, ALLTOALLV, (char *x, MPI_Fint *sendCounts, MPI_Fint *sendOffsets, MPI_Fint *sendType, char *y, MPI_Fint *counts,
                  MPI_Fint *offsets, MPI_Fint *type, MPI_Fint *comm, MPI_Fint *error)) {
  *error = MPI_Alltoallv(bufferOf(x), sendCounts, sendOffsets, typeOf(sendType), bufferOf(y), counts, offsets, typeOf(type), commOf(comm));
}

// ---- beginning and end

QUADRILLE_FORTRAN(init, INIT, (MPI_Fint * error)) { *error = MPI_Init(nullptr, nullptr); }
QUADRILLE_FORTRAN(init_thread, INIT_THREAD, (MPI_Fint * required, MPI_Fint *provided, MPI_Fint *error)) {
  *error = MPI_Init_thread(nullptr, nullptr, *required, provided);
}
QUADRILLE_FORTRAN(comm_free, COMM_FREE, (MPI_Fint * comm, MPI_Fint *error)) {
  MPI_Comm handle = commOf(comm);
  *error = MPI_Comm_free(&handle);
  if (*error == MPI_SUCCESS)
    *comm = PMPI_Comm_c2f(handle);
}

#else // MPICH, and what is made of it

#define QUADRILLE_TAKEN extern "C" __attribute__((visibility("default")))

// The module mpi_f08 calls functions without buffers by their second names. `error` may be missing.

static void set(MPI_Fint *error, int result) {
  if (error)
    *error = result;
}

QUADRILLE_TAKEN void mpi_init_f08_(MPI_Fint *error) { set(error, MPI_Init(nullptr, nullptr)); }
QUADRILLE_TAKEN void mpi_init_thread_f08_(MPI_Fint *required, MPI_Fint *provided, MPI_Fint *error) {
  set(error, MPI_Init_thread(nullptr, nullptr, *required, provided));
}
QUADRILLE_TAKEN void mpi_barrier_f08_(MPI_Fint *comm, MPI_Fint *error) { set(error, MPI_Barrier(PMPI_Comm_f2c(*comm))); }

#endif // OPEN_MPI
