//===- FortranNames.cpp - The functions that are taken over, for Fortran --===//
//
// Open MPI's Fortran calls its C functions by their second names, PMPI_..., so each is
// defined here as compilers call it, and as the module mpi_f08 does (`ompi_..._f`).
// MPICH's calls MPI_..., but for functions of mpi_f08 that have no buffers.
//
//===----------------------------------------------------------------------===//

#include "Collectives.h"
#include "PersistentNames.h"

#ifdef OPEN_MPI

#include <algorithm>
#include <string>
#include <vector>

#include <dlfcn.h>

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

/// The address that C functions take for a buffer of Fortran.
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

/// Defines a function by the name that mpi_f08 calls, and by those that compilers make of it. `mpi` and `MPI` are what names begin with.
#define QUADRILLE_FORTRAN(lower, upper, parameters) QUADRILLE_FORTRAN_OF(mpi, MPI, lower, upper, parameters)
#define QUADRILLE_FORTRAN_OF(mpi, MPI, lower, upper, parameters)                                                           \
  extern "C" __attribute__((visibility("default"))) void o##mpi##_##lower##_f parameters;                                      \
  extern "C" __attribute__((visibility("default"), alias("o" #mpi "_" #lower "_f"))) void mpi##_##lower parameters;               \
  extern "C" __attribute__((visibility("default"), alias("o" #mpi "_" #lower "_f"))) void mpi##_##lower##_ parameters;            \
  extern "C" __attribute__((visibility("default"), alias("o" #mpi "_" #lower "_f"))) void mpi##_##lower##__ parameters;           \
  extern "C" __attribute__((visibility("default"), alias("o" #mpi "_" #lower "_f"))) void MPI##_##upper parameters;               \
  extern "C" void o##mpi##_##lower##_f parameters

#if MPI_VERSION >= 4
#define QUADRILLE_FORTRAN_PERSISTENT(lower, upper, parameters) QUADRILLE_FORTRAN_OF(mpi, MPI, lower, upper, parameters)
#else
#define QUADRILLE_FORTRAN_PERSISTENT(lower, upper, parameters) QUADRILLE_FORTRAN_OF(mpix, MPIX, lower, upper, parameters)
#endif

/// Defines MPI_Name, MPI_Iname and MPI_Name_init. ARGUMENTS are the arguments of the C functions, all but the communicator.
#define QUADRILLE_PLAIN(...) __VA_ARGS__
#define QUADRILLE_FORTRAN_FORMS(lower, upper, NAME, INAME, PARAMETERS, ARGUMENTS)                                          \
  QUADRILLE_FORTRAN(lower, upper, (QUADRILLE_PLAIN PARAMETERS MPI_Fint * comm, MPI_Fint * error)) {                        \
    *error = MPI_##NAME(QUADRILLE_PLAIN ARGUMENTS commOf(comm));                                                           \
  }                                                                                                                        \
  QUADRILLE_FORTRAN(i##lower, I##upper, (QUADRILLE_PLAIN PARAMETERS MPI_Fint * comm, MPI_Fint * request, MPI_Fint * error)) { \
    MPI_Request made = MPI_REQUEST_NULL;                                                                                   \
    *error = MPI_##INAME(QUADRILLE_PLAIN ARGUMENTS commOf(comm), &made);                                                   \
    if (*error == MPI_SUCCESS)                                                                                             \
      *request = PMPI_Request_c2f(made);                                                                                   \
  }                                                                                                                        \
  QUADRILLE_IF_PERSISTENT(QUADRILLE_FORTRAN_PERSISTENT(                                                                    \
    lower##_init, upper##_INIT, (QUADRILLE_PLAIN PARAMETERS MPI_Fint * comm, MPI_Fint *info, MPI_Fint *request, MPI_Fint *error)) { \
    MPI_Request made = MPI_REQUEST_NULL;                                                                                   \
    *error = QUADRILLE_MPI(NAME##_init)(QUADRILLE_PLAIN ARGUMENTS commOf(comm), PMPI_Info_f2c(*info), &made);              \
    if (*error == MPI_SUCCESS)                                                                                             \
      *request = PMPI_Request_c2f(made);                                                                                   \
  })

QUADRILLE_FORTRAN_FORMS(barrier, BARRIER, Barrier, Ibarrier,
                        (),
                        ())
QUADRILLE_FORTRAN_FORMS(bcast, BCAST, Bcast, Ibcast,
                        (char *buffer, MPI_Fint *count, MPI_Fint *type, MPI_Fint *root,),
                        (bufferOf(buffer), *count, typeOf(type), *root,))
QUADRILLE_FORTRAN_FORMS(reduce, REDUCE, Reduce, Ireduce,
                        (char *x, char *y, MPI_Fint *count, MPI_Fint *type, MPI_Fint *op, MPI_Fint *root,),
                        (bufferOf(x), bufferOf(y), *count, typeOf(type), opOf(op), *root,))
QUADRILLE_FORTRAN_FORMS(allreduce, ALLREDUCE, Allreduce, Iallreduce,
                        (char *x, char *y, MPI_Fint *count, MPI_Fint *type, MPI_Fint *op,),
                        (bufferOf(x), bufferOf(y), *count, typeOf(type), opOf(op),))
QUADRILLE_FORTRAN_FORMS(scan, SCAN, Scan, Iscan,
                        (char *x, char *y, MPI_Fint *count, MPI_Fint *type, MPI_Fint *op,),
                        (bufferOf(x), bufferOf(y), *count, typeOf(type), opOf(op),))
QUADRILLE_FORTRAN_FORMS(exscan, EXSCAN, Exscan, Iexscan,
                        (char *x, char *y, MPI_Fint *count, MPI_Fint *type, MPI_Fint *op,),
                        (bufferOf(x), bufferOf(y), *count, typeOf(type), opOf(op),))
QUADRILLE_FORTRAN_FORMS(reduce_scatter_block, REDUCE_SCATTER_BLOCK, Reduce_scatter_block, Ireduce_scatter_block,
                        (char *x, char *y, MPI_Fint *count, MPI_Fint *type, MPI_Fint *op,),
                        (bufferOf(x), bufferOf(y), *count, typeOf(type), opOf(op),))
QUADRILLE_FORTRAN_FORMS(reduce_scatter, REDUCE_SCATTER, Reduce_scatter, Ireduce_scatter,
                        (char *x, char *y, MPI_Fint *counts, MPI_Fint *type, MPI_Fint *op,),
                        (bufferOf(x), bufferOf(y), counts, typeOf(type), opOf(op),))
QUADRILLE_FORTRAN_FORMS(allgather, ALLGATHER, Allgather, Iallgather,
                        (char *x, MPI_Fint *sendCount, MPI_Fint *sendType, char *y, MPI_Fint *count, MPI_Fint *type,),
                        (bufferOf(x), *sendCount, typeOf(sendType), bufferOf(y), *count, typeOf(type),))
QUADRILLE_FORTRAN_FORMS(allgatherv, ALLGATHERV, Allgatherv, Iallgatherv,
                        (char *x, MPI_Fint *sendCount, MPI_Fint *sendType, char *y, MPI_Fint *counts, MPI_Fint *offsets, MPI_Fint *type,),
                        (bufferOf(x), *sendCount, typeOf(sendType), bufferOf(y), counts, offsets, typeOf(type),))
QUADRILLE_FORTRAN_FORMS(alltoall, ALLTOALL, Alltoall, Ialltoall,
                        (char *x, MPI_Fint *sendCount, MPI_Fint *sendType, char *y, MPI_Fint *count, MPI_Fint *type,),
                        (bufferOf(x), *sendCount, typeOf(sendType), bufferOf(y), *count, typeOf(type),))
QUADRILLE_FORTRAN_FORMS(alltoallv, ALLTOALLV, Alltoallv, Ialltoallv,
                        (char *x, MPI_Fint *sendCounts, MPI_Fint *sendOffsets, MPI_Fint *sendType, char *y, MPI_Fint *counts, MPI_Fint *offsets, MPI_Fint *type,),
                        (bufferOf(x), sendCounts, sendOffsets, typeOf(sendType), bufferOf(y), counts, offsets, typeOf(type),))
QUADRILLE_FORTRAN_FORMS(gather, GATHER, Gather, Igather,
                        (char *x, MPI_Fint *sendCount, MPI_Fint *sendType, char *y, MPI_Fint *count, MPI_Fint *type, MPI_Fint *root,),
                        (bufferOf(x), *sendCount, typeOf(sendType), bufferOf(y), *count, typeOf(type), *root,))
QUADRILLE_FORTRAN_FORMS(gatherv, GATHERV, Gatherv, Igatherv,
                        (char *x, MPI_Fint *sendCount, MPI_Fint *sendType, char *y, MPI_Fint *counts, MPI_Fint *offsets, MPI_Fint *type, MPI_Fint *root,),
                        (bufferOf(x), *sendCount, typeOf(sendType), bufferOf(y), counts, offsets, typeOf(type), *root,))
QUADRILLE_FORTRAN_FORMS(scatter, SCATTER, Scatter, Iscatter,
                        (char *x, MPI_Fint *count, MPI_Fint *type, char *y, MPI_Fint *recvCount, MPI_Fint *recvType, MPI_Fint *root,),
                        (bufferOf(x), *count, typeOf(type), bufferOf(y), *recvCount, typeOf(recvType), *root,))
QUADRILLE_FORTRAN_FORMS(scatterv, SCATTERV, Scatterv, Iscatterv,
                        (char *x, MPI_Fint *counts, MPI_Fint *offsets, MPI_Fint *type, char *y, MPI_Fint *recvCount, MPI_Fint *recvType, MPI_Fint *root,),
                        (bufferOf(x), counts, offsets, typeOf(type), bufferOf(y), *recvCount, typeOf(recvType), *root,))

// ---- requests

namespace {

/// Whether the program wants no status.
bool isIgnored(const MPI_Fint *status) {
  static const Sentinel one("mpi_fortran_status_ignore", "MPI_FORTRAN_STATUS_IGNORE"),
      many("mpi_fortran_statuses_ignore", "MPI_FORTRAN_STATUSES_IGNORE");
  return !status || one.is(status) || many.is(status);
}

constexpr std::size_t statusSize = sizeof(MPI_Status) / sizeof(MPI_Fint);

/// Converts requests and statuses of the program to those of C, and back.
class Requests {
public:
  Requests(MPI_Fint count, MPI_Fint *requests, MPI_Fint *statuses)
      : given_(requests), statuses_(isIgnored(statuses) ? nullptr : statuses), requests_(static_cast<std::size_t>(std::max(count, 0))),
        found_(statuses_ ? requests_.size() : 0) {
    for (std::size_t i = 0; i < requests_.size(); ++i)
      requests_[i] = PMPI_Request_f2c(given_[i]);
  }
  MPI_Request *handles() { return requests_.data(); }
  MPI_Status *statuses() { return statuses_ ? found_.data() : MPI_STATUSES_IGNORE; }
  /// `count`: of the statuses that were set.
  void giveBack(MPI_Fint count) {
    for (std::size_t i = 0; i < requests_.size(); ++i)
      given_[i] = PMPI_Request_c2f(requests_[i]);
    for (MPI_Fint i = 0; statuses_ && i < count; ++i)
      PMPI_Status_c2f(&found_[static_cast<std::size_t>(i)], statuses_ + static_cast<std::size_t>(i) * statusSize);
  }

private:
  MPI_Fint *given_, *statuses_;
  std::vector<MPI_Request> requests_;
  std::vector<MPI_Status> found_;
};

/// An index of C in Fortran, which counts from 1.
MPI_Fint indexOf(int index) { return index == MPI_UNDEFINED ? index : index + 1; }

} // namespace

/// The module mpi_f08 calls some functions by their second names.
#define QUADRILLE_FORTRAN_SECOND(lower, parameters)                                                                        \
  extern "C" __attribute__((visibility("default"), alias("ompi_" #lower "_f"))) void pmpi_##lower##_ parameters;

QUADRILLE_FORTRAN(wait, WAIT, (MPI_Fint * request, MPI_Fint *status, MPI_Fint *error)) {
  Requests requests(1, request, status);
  *error = MPI_Wait(requests.handles(), requests.statuses());
  requests.giveBack(1);
}
QUADRILLE_FORTRAN(test, TEST, (MPI_Fint * request, MPI_Fint *flag, MPI_Fint *status, MPI_Fint *error)) {
  Requests requests(1, request, status);
  int has = 0;
  *error = MPI_Test(requests.handles(), &has, requests.statuses());
  *flag = has;
  requests.giveBack(has ? 1 : 0);
}
QUADRILLE_FORTRAN_SECOND(test, (MPI_Fint * request, MPI_Fint *flag, MPI_Fint *status, MPI_Fint *error))
QUADRILLE_FORTRAN(request_get_status, REQUEST_GET_STATUS, (MPI_Fint * request, MPI_Fint *flag, MPI_Fint *status, MPI_Fint *error)) {
  Requests requests(1, request, status);
  int has = 0;
  *error = MPI_Request_get_status(*requests.handles(), &has, requests.statuses());
  *flag = has;
  requests.giveBack(has ? 1 : 0);
}
QUADRILLE_FORTRAN_SECOND(request_get_status, (MPI_Fint * request, MPI_Fint *flag, MPI_Fint *status, MPI_Fint *error))
QUADRILLE_FORTRAN(waitall, WAITALL, (MPI_Fint * count, MPI_Fint *handles, MPI_Fint *statuses, MPI_Fint *error)) {
  Requests requests(*count, handles, statuses);
  *error = MPI_Waitall(*count, requests.handles(), requests.statuses());
  requests.giveBack(*count);
}
QUADRILLE_FORTRAN(testall, TESTALL, (MPI_Fint * count, MPI_Fint *handles, MPI_Fint *flag, MPI_Fint *statuses, MPI_Fint *error)) {
  Requests requests(*count, handles, statuses);
  int has = 0;
  *error = MPI_Testall(*count, requests.handles(), &has, requests.statuses());
  *flag = has;
  requests.giveBack(has || *error == MPI_ERR_IN_STATUS ? *count : 0);
}
QUADRILLE_FORTRAN_SECOND(testall, (MPI_Fint * count, MPI_Fint *handles, MPI_Fint *flag, MPI_Fint *statuses, MPI_Fint *error))
QUADRILLE_FORTRAN(waitany, WAITANY, (MPI_Fint * count, MPI_Fint *handles, MPI_Fint *index, MPI_Fint *status, MPI_Fint *error)) {
  Requests requests(*count, handles, nullptr);
  MPI_Status found;
  int of = MPI_UNDEFINED;
  *error = MPI_Waitany(*count, requests.handles(), &of, &found);
  *index = indexOf(of);
  requests.giveBack(0);
  if (!isIgnored(status))
    PMPI_Status_c2f(&found, status);
}
QUADRILLE_FORTRAN(testany, TESTANY,
                  (MPI_Fint * count, MPI_Fint *handles, MPI_Fint *index, MPI_Fint *flag, MPI_Fint *status, MPI_Fint *error)) {
  Requests requests(*count, handles, nullptr);
  MPI_Status found;
  int of = MPI_UNDEFINED, has = 0;
  *error = MPI_Testany(*count, requests.handles(), &of, &has, &found);
  *index = indexOf(of);
  *flag = has;
  requests.giveBack(0);
  if (has && !isIgnored(status))
    PMPI_Status_c2f(&found, status);
}
QUADRILLE_FORTRAN_SECOND(testany,
                         (MPI_Fint * count, MPI_Fint *handles, MPI_Fint *index, MPI_Fint *flag, MPI_Fint *status, MPI_Fint *error))
QUADRILLE_FORTRAN(waitsome, WAITSOME,
                  (MPI_Fint * count, MPI_Fint *handles, MPI_Fint *done, MPI_Fint *indices, MPI_Fint *statuses, MPI_Fint *error)) {
  Requests requests(*count, handles, statuses);
  *error = MPI_Waitsome(*count, requests.handles(), done, indices, requests.statuses());
  for (MPI_Fint i = 0; i < *done; ++i)
    indices[i] = indexOf(indices[i]);
  requests.giveBack(*done);
}
QUADRILLE_FORTRAN(testsome, TESTSOME,
                  (MPI_Fint * count, MPI_Fint *handles, MPI_Fint *done, MPI_Fint *indices, MPI_Fint *statuses, MPI_Fint *error)) {
  Requests requests(*count, handles, statuses);
  *error = MPI_Testsome(*count, requests.handles(), done, indices, requests.statuses());
  for (MPI_Fint i = 0; i < *done; ++i)
    indices[i] = indexOf(indices[i]);
  requests.giveBack(*done);
}
QUADRILLE_FORTRAN_SECOND(testsome,
                         (MPI_Fint * count, MPI_Fint *handles, MPI_Fint *done, MPI_Fint *indices, MPI_Fint *statuses, MPI_Fint *error))
QUADRILLE_FORTRAN(start, START, (MPI_Fint * request, MPI_Fint *error)) {
  Requests requests(1, request, nullptr);
  *error = MPI_Start(requests.handles());
  requests.giveBack(0);
}
QUADRILLE_FORTRAN(startall, STARTALL, (MPI_Fint * count, MPI_Fint *handles, MPI_Fint *error)) {
  Requests requests(*count, handles, nullptr);
  *error = MPI_Startall(*count, requests.handles());
  requests.giveBack(0);
}
QUADRILLE_FORTRAN(request_free, REQUEST_FREE, (MPI_Fint * request, MPI_Fint *error)) {
  Requests requests(1, request, nullptr);
  *error = MPI_Request_free(requests.handles());
  requests.giveBack(0);
}
QUADRILLE_FORTRAN(cancel, CANCEL, (MPI_Fint * request, MPI_Fint *error)) {
  MPI_Request handle = PMPI_Request_f2c(*request);
  *error = MPI_Cancel(&handle);
}
QUADRILLE_FORTRAN(type_free, TYPE_FREE, (MPI_Fint * type, MPI_Fint *error)) {
  MPI_Datatype handle = typeOf(type);
  *error = MPI_Type_free(&handle);
  if (*error == MPI_SUCCESS)
    *type = PMPI_Type_c2f(handle);
}
QUADRILLE_FORTRAN(op_free, OP_FREE, (MPI_Fint * op, MPI_Fint *error)) {
  MPI_Op handle = opOf(op);
  *error = MPI_Op_free(&handle);
  if (*error == MPI_SUCCESS)
    *op = PMPI_Op_c2f(handle);
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

#include <dlfcn.h>

// The module mpi_f08 calls functions without buffers by their second names. Handles and statuses have the form that C gives them,
// and so have the indices: MPICH 4.0 counts them from 0.

namespace {

/// `error` may be missing.
void set(MPI_Fint *error, int result) {
  if (error)
    *error = result;
}

/// A status, or an array of them, for C functions. A variable of Fortran stands for none.
MPI_Status *statusOf(MPI_Status *status) {
  static void *const ignored = dlsym(RTLD_DEFAULT, "MPIR_F08_MPI_STATUS_IGNORE_OBJ");
  return status == ignored ? MPI_STATUS_IGNORE : status;
}
MPI_Status *statusesOf(MPI_Status *statuses) {
  static void *const ignored = dlsym(RTLD_DEFAULT, "MPIR_F08_MPI_STATUSES_IGNORE_OBJ");
  return statuses == ignored ? MPI_STATUSES_IGNORE : statuses;
}

} // namespace

QUADRILLE_TAKEN void mpi_init_f08_(MPI_Fint *error) { set(error, MPI_Init(nullptr, nullptr)); }
QUADRILLE_TAKEN void mpi_init_thread_f08_(MPI_Fint *required, MPI_Fint *provided, MPI_Fint *error) {
  set(error, MPI_Init_thread(nullptr, nullptr, *required, provided));
}
QUADRILLE_TAKEN void mpi_comm_free_f08_(MPI_Comm *comm, MPI_Fint *error) { set(error, MPI_Comm_free(comm)); }
QUADRILLE_TAKEN void mpi_type_free_f08_(MPI_Datatype *type, MPI_Fint *error) { set(error, MPI_Type_free(type)); }
QUADRILLE_TAKEN void mpi_op_free_f08_(MPI_Op *op, MPI_Fint *error) { set(error, MPI_Op_free(op)); }
QUADRILLE_TAKEN void mpi_barrier_f08_(MPI_Comm *comm, MPI_Fint *error) { set(error, MPI_Barrier(*comm)); }
QUADRILLE_TAKEN void mpi_ibarrier_f08_(MPI_Comm *comm, MPI_Request *request, MPI_Fint *error) { set(error, MPI_Ibarrier(*comm, request)); }

QUADRILLE_IF_PERSISTENT(QUADRILLE_TAKEN void mpi_barrier_init_f08_(MPI_Comm *comm, MPI_Info *info, MPI_Request *request, MPI_Fint *error) {
  set(error, QUADRILLE_MPI(Barrier_init)(*comm, *info, request));
})

// ---- requests

QUADRILLE_TAKEN void mpi_start_f08_(MPI_Request *request, MPI_Fint *error) { set(error, MPI_Start(request)); }
QUADRILLE_TAKEN void mpi_startall_f08_(MPI_Fint *count, MPI_Request *requests, MPI_Fint *error) { set(error, MPI_Startall(*count, requests)); }
QUADRILLE_TAKEN void mpi_wait_f08_(MPI_Request *request, MPI_Status *status, MPI_Fint *error) {
  set(error, MPI_Wait(request, statusOf(status)));
}
QUADRILLE_TAKEN void mpi_test_f08_(MPI_Request *request, MPI_Fint *flag, MPI_Status *status, MPI_Fint *error) {
  set(error, MPI_Test(request, flag, statusOf(status)));
}
QUADRILLE_TAKEN void mpi_request_get_status_f08_(MPI_Request *request, MPI_Fint *flag, MPI_Status *status, MPI_Fint *error) {
  set(error, MPI_Request_get_status(*request, flag, statusOf(status)));
}
QUADRILLE_TAKEN void mpi_waitall_f08_(MPI_Fint *count, MPI_Request *requests, MPI_Status *statuses, MPI_Fint *error) {
  set(error, MPI_Waitall(*count, requests, statusesOf(statuses)));
}
QUADRILLE_TAKEN void mpi_testall_f08_(MPI_Fint *count, MPI_Request *requests, MPI_Fint *flag, MPI_Status *statuses, MPI_Fint *error) {
  set(error, MPI_Testall(*count, requests, flag, statusesOf(statuses)));
}
QUADRILLE_TAKEN void mpi_waitany_f08_(MPI_Fint *count, MPI_Request *requests, MPI_Fint *index, MPI_Status *status, MPI_Fint *error) {
  set(error, MPI_Waitany(*count, requests, index, statusOf(status)));
}
QUADRILLE_TAKEN void mpi_testany_f08_(MPI_Fint *count, MPI_Request *requests, MPI_Fint *index, MPI_Fint *flag, MPI_Status *status, MPI_Fint *error) {
  set(error, MPI_Testany(*count, requests, index, flag, statusOf(status)));
}
QUADRILLE_TAKEN void mpi_waitsome_f08_(MPI_Fint *count, MPI_Request *requests, MPI_Fint *done, MPI_Fint *indices, MPI_Status *statuses, MPI_Fint *error) {
  set(error, MPI_Waitsome(*count, requests, done, indices, statusesOf(statuses)));
}
QUADRILLE_TAKEN void mpi_testsome_f08_(MPI_Fint *count, MPI_Request *requests, MPI_Fint *done, MPI_Fint *indices, MPI_Status *statuses, MPI_Fint *error) {
  set(error, MPI_Testsome(*count, requests, done, indices, statusesOf(statuses)));
}
QUADRILLE_TAKEN void mpi_request_free_f08_(MPI_Request *request, MPI_Fint *error) { set(error, MPI_Request_free(request)); }
QUADRILLE_TAKEN void mpi_cancel_f08_(MPI_Request *request, MPI_Fint *error) { set(error, MPI_Cancel(request)); }

#endif // OPEN_MPI
