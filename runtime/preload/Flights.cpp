//===- Flights.cpp - Calls that are under way -----------------------------===//

#include "Flights.h"

#include "MpiProgress.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <mutex>

#include <dlfcn.h>

using namespace quadrille;
using namespace quadrille::preload;

std::atomic<unsigned> Flights::count_{0};

namespace {

/// Handles are numbers or addresses.
template <class Handle> std::uint64_t keyOf(Handle handle) {
  std::uint64_t key = 0;
  std::memcpy(&key, &handle, sizeof handle);
  return key;
}

/// A type or an operator that flights use.
struct Kept {
  unsigned uses = 0;
  bool isFreed = false; ///< by the program
};

struct All {
  std::mutex mutex;
  std::map<std::uint64_t, Flight *> flights;  ///< by request
  std::vector<OwnComm *> comms;               ///< with flights, once for each of them
  std::vector<MPI_Request> spare;             ///< requests that were never started
  std::map<std::uint64_t, Kept> types, ops;
};

All &all() {
  static All &only = *new All;
  return only;
}

/// Makes progress with the communicators whose turn is free, and if `withMpi`, has the MPI library look around, too.
void advanceAll(bool withMpi) {
  static thread_local bool isInside = false;
  if (!Flights::areAny() || isInside)
    return;
  const std::unique_lock<std::mutex> guard(all().mutex, std::try_to_lock);
  if (!guard.owns_lock())
    return;
  isInside = true;
  OwnComm *last = nullptr;
  for (OwnComm *const own : all().comms)
    if (own != last) {
      own->progressInTurn();
      last = own;
    }
  if (withMpi && last)
    last->letMpiProgress();
  isInside = false;
}

/// For the MPI library.
int advance() {
  advanceAll(false);
  return 0;
}

/// The place in memory of what has an address; null if it is not known.
void *libraryOf(void *address) {
  Dl_info info;
  return address && dladdr(address, &info) ? info.dli_fbase : nullptr;
}

/// Whether the program's calls that complete requests come here: a tool of the program's could take some of them over.
bool areOwnFunctionsCalled() {
  for (const char *const name : {"MPI_Wait", "MPI_Waitall", "MPI_Waitany", "MPI_Waitsome", "MPI_Test", "MPI_Testall", "MPI_Testany", "MPI_Testsome",
                                 "MPI_Request_get_status"})
    if (libraryOf(dlsym(RTLD_DEFAULT, name)) != libraryOf(reinterpret_cast<void *>(advance)))
      return false;
  return true;
}

bool isNamed(MPI_Datatype type) {
  int integers = 0, addresses = 0, types = 0, combiner = MPI_COMBINER_NAMED;
  return PMPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner) != MPI_SUCCESS || combiner == MPI_COMBINER_NAMED;
}

} // namespace

bool Flights::arePossible(const OwnComm &own) {
  static const bool result = areOwnFunctionsCalled() && callWhileMpiWaits(advance, [&] { own.letMpiProgress(); }); // once for the process
  return result;
}

void Flights::enter(Flight &flight, std::initializer_list<MPI_Datatype> types, MPI_Op op) {
  All &known = all();
  for (const MPI_Datatype type : types)
    if (type != MPI_DATATYPE_NULL && !isNamed(type))
      flight.types_.push_back(type);
  if (op != MPI_OP_NULL && !isPredefined(op))
    flight.op_ = op;
  const std::lock_guard<std::mutex> guard(known.mutex);
  if (known.spare.empty()) {
    MPI_Request made = MPI_REQUEST_NULL;
    if (PMPI_Recv_init(nullptr, 0, MPI_BYTE, MPI_PROC_NULL, 0, MPI_COMM_SELF, &made) != MPI_SUCCESS)
      throw std::bad_alloc();
    known.spare.push_back(made);
  }
  known.comms.insert(std::find(known.comms.begin(), known.comms.end(), &flight.own_), &flight.own_);
  known.flights[keyOf(known.spare.back())] = &flight;
  flight.handle_ = known.spare.back();
  known.spare.pop_back();
  for (const MPI_Datatype type : flight.types_)
    ++known.types[keyOf(type)].uses;
  if (flight.op_ != MPI_OP_NULL)
    ++known.ops[keyOf(flight.op_)].uses;
  ++flight.own_.flights_;
  count_.fetch_add(1, std::memory_order_release);
}

Flight *Flights::of(MPI_Request request) {
  const std::lock_guard<std::mutex> guard(all().mutex);
  const auto found = all().flights.find(keyOf(request));
  return found == all().flights.end() ? nullptr : found->second;
}

bool Flight::test() {
  if (hasEnded_)
    return true;
  const Turn turn(own_, std::try_to_lock);
  if (!turn || !request_.test())
    return false;
  status_ = request_.status();
  if (!status_)
    status_ = get();
  return hasEnded_ = true;
}

int Flights::land(Flight &flight, MPI_Request *request) {
  OwnComm &own = flight.own_;
  const Status status = flight.status_;
  const int code = status ? own.raise(status) : MPI_SUCCESS;
  leave(flight);
  *request = MPI_REQUEST_NULL;
  return code;
}

void Flights::leave(Flight &flight) {
  const std::unique_ptr<Flight> ended(&flight);
  All &known = all();
  std::vector<MPI_Datatype> types;
  MPI_Op op = MPI_OP_NULL;
  {
    const std::lock_guard<std::mutex> guard(known.mutex);
    known.flights.erase(keyOf(flight.handle_));
    known.comms.erase(std::find(known.comms.begin(), known.comms.end(), &flight.own_));
    known.spare.push_back(flight.handle_);
    for (const MPI_Datatype type : flight.types_)
      if (const auto kept = known.types.find(keyOf(type)); --kept->second.uses == 0) {
        if (kept->second.isFreed)
          types.push_back(type);
        known.types.erase(kept);
      }
    if (flight.op_ != MPI_OP_NULL)
      if (const auto kept = known.ops.find(keyOf(flight.op_)); --kept->second.uses == 0) {
        if (kept->second.isFreed)
          op = flight.op_;
        known.ops.erase(kept);
      }
    --flight.own_.flights_;
    count_.fetch_sub(1, std::memory_order_release);
  }
  for (MPI_Datatype &type : types)
    PMPI_Type_free(&type);
  if (op != MPI_OP_NULL)
    PMPI_Op_free(&op);
}

void Flights::end() {
  std::vector<MPI_Request> spare;
  {
    const std::lock_guard<std::mutex> guard(all().mutex);
    spare.swap(all().spare);
  }
  for (MPI_Request &request : spare)
    PMPI_Request_free(&request);
}

void Flights::progress() { advanceAll(true); }

template <class Handle> static bool keep(std::map<std::uint64_t, Kept> &kept, Handle handle) {
  const std::lock_guard<std::mutex> guard(all().mutex);
  const auto found = kept.find(keyOf(handle));
  return found != kept.end() && (found->second.isFreed = true);
}
bool Flights::keepsType(MPI_Datatype type) { return areAny() && keep(all().types, type); }
bool Flights::keepsOp(MPI_Op op) { return areAny() && keep(all().ops, op); }
