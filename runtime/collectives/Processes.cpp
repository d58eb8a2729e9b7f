//===- Processes.cpp - Collectives among MPI processes --------------------===//

#include "CCommOf.h"
#include "CollectivesOf.h"
#include "UsualTables.h"

#include "../mpi/State.h"

#include "quadrille/mpi.h"
#include "quadrille_mpi.h"

#include <map>
#include <mutex>

using namespace quadrille;

namespace quadrille {
namespace mpi {

/// The settings of rank 0, since hosts may have different environments and different files.
static quadrille::detail::Settings agreedSettings(Communicator &comm, Status &status) {
  if ((status = comm.status()))
    return {};
  std::string text = comm.rank() == 0 ? quadrille::detail::settingsOfProcess().packed() : std::string();
  unsigned long long size = text.size();
  int failed = MPI_Bcast(&size, 1, MPI_UNSIGNED_LONG_LONG, 0, comm.handle());
  if (failed == MPI_SUCCESS) {
    text.resize(static_cast<std::size_t>(size));
    failed = MPI_Bcast(text.data(), static_cast<int>(size), MPI_CHAR, 0, comm.handle());
  }
  if (failed != MPI_SUCCESS) {
    status = Status::format(ErrorCode::Transport, "MPI_Bcast failed with error %d", failed);
    return {};
  }
  return quadrille::detail::Settings::unpacked(text);
}
static std::string_view backendName(const Communicator &) { return "mpi"; }
static std::string_view usualTable(const Communicator &) { return quadrille::detail::usualMpiTable; }
static bool sharesCores(Communicator &comm) { return detail::CommunicatorState::of(comm).sharedCores > 0; }
static bool isCommutative(const Operator &op) { return op.isCommutative(); }

} // namespace mpi

template class Collectives<mpi::Communicator>;

} // namespace quadrille

/// A handle of MPI, which is a number or an address, as a number.
template <class Handle> static std::intptr_t numberOf(Handle handle) {
  if constexpr (std::is_pointer_v<Handle>)
    return reinterpret_cast<std::intptr_t>(handle);
  else
    return static_cast<std::intptr_t>(static_cast<unsigned>(handle));
}

template <class Handle> static Handle handleOf(std::intptr_t number) {
  if constexpr (std::is_pointer_v<Handle>)
    return reinterpret_cast<Handle>(number);
  else
    return static_cast<Handle>(static_cast<unsigned>(number));
}

namespace {

/// MPI's type for elements of so many bytes. It is kept until the end of the program.
Status bytesType(std::size_t size, MPI_Datatype &type) {
  static std::mutex mutex;
  static std::map<std::size_t, MPI_Datatype> known;
  const std::lock_guard<std::mutex> guard(mutex);
  const auto found = known.find(size);
  if (found != known.end()) {
    type = found->second;
    return {};
  }
  if (size > static_cast<std::size_t>(std::numeric_limits<int>::max()) ||
      MPI_Type_contiguous(static_cast<int>(size), MPI_BYTE, &type) != MPI_SUCCESS || MPI_Type_commit(&type) != MPI_SUCCESS)
    return Status::format(ErrorCode::BadParameter, "MPI makes no type of elements of %zu bytes", size);
  known.emplace(size, type);
  return {};
}

struct Elements {
  static Status type(quadrille_type type, std::optional<mpi::Datatype> &result) {
    const MPI_Datatype types[] = {MPI_INT8_T,  MPI_INT16_T,  MPI_INT32_T,  MPI_INT64_T, MPI_UINT8_T,
                                  MPI_UINT16_T, MPI_UINT32_T, MPI_UINT64_T, MPI_FLOAT,   MPI_DOUBLE};
    if (type == 0 || (type > QUADRILLE_DOUBLE && type < quadrille::detail::firstMpiHandle))
      return Status::format(ErrorCode::BadParameter,
                            "%lld is no type; there are QUADRILLE_INT8 to QUADRILLE_DOUBLE, QUADRILLE_BYTES(size) and quadrille_type_of_mpi",
                            static_cast<long long>(type));
    if (type < 0) {
      MPI_Datatype bytes = MPI_DATATYPE_NULL;
      if (Status bad = bytesType(static_cast<std::size_t>(-1 - type), bytes))
        return bad;
      result.emplace(bytes);
    } else {
      result.emplace(type <= QUADRILLE_DOUBLE ? types[type - QUADRILLE_INT8] : handleOf<MPI_Datatype>(type));
    }
    return {};
  }

  static Status op(quadrille_op op, std::optional<mpi::Operator> &result) {
    const MPI_Op builtins[] = {MPI_SUM, MPI_PROD, MPI_MIN, MPI_MAX, MPI_BAND, MPI_BOR, MPI_BXOR, MPI_LAND, MPI_LOR};
    if (op <= 0 || (op > QUADRILLE_LOR && op < quadrille::detail::firstMpiHandle))
      return Status::format(ErrorCode::BadParameter,
                            "%lld is no operator for MPI processes; there are QUADRILLE_SUM to QUADRILLE_LOR and quadrille_op_of_mpi",
                            static_cast<long long>(op));
    result.emplace(op <= QUADRILLE_LOR ? builtins[op - QUADRILLE_SUM] : handleOf<MPI_Op>(op));
    return {};
  }
};

using Comm = quadrille::detail::CCommOf<mpi::Communicator, Elements>;

} // namespace

using quadrille::detail::guarded;
using quadrille::detail::nullArgument;

extern "C" {

int quadrille_comm_of_mpi(MPI_Comm parent, quadrille_comm **comm) {
  return guarded([&]() -> Status {
    if (!comm)
      return nullArgument("quadrille_comm_of_mpi", "the place for the communicator");
    auto made = std::make_unique<Comm>(parent);
    if (made->status())
      return made->status();
    *comm = made.release();
    return {};
  });
}

int quadrille_comm_of_mpi_fortran(int parent, quadrille_comm **comm) {
  int initialized = 0;
  MPI_Initialized(&initialized);
  return quadrille_comm_of_mpi(initialized ? MPI_Comm_f2c(parent) : MPI_COMM_NULL, comm);
}

quadrille_type quadrille_type_of_mpi(MPI_Datatype type) { return numberOf(type); }
quadrille_op quadrille_op_of_mpi(MPI_Op op) { return numberOf(op); }

} // extern "C"
