//===- Flights.cpp - Calls that are under way -----------------------------===//

#include "Flights.h"

#include "MpiProgress.h"
#include "Predefined.h"
#include "Summary.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <mutex>
#include <utility>

#include <dlfcn.h>

using namespace quadrille;
using namespace quadrille::preload;

std::atomic<unsigned> Flights::count_{0};

namespace {

/// A handle as a number. Handles are numbers in some MPI libraries, and addresses in others.
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
  std::vector<OwnComm *> comms;               ///< with active flights, once for each of them
  std::vector<MPI_Request> spare;             ///< requests that were never started
  std::map<std::uint64_t, Kept> types, ops;
};

All &all() {
  static All &only = *new All;
  return only;
}

/// Makes progress with the communicators whose turn is free and, if `withMpi`, with the messages of the MPI library, too.
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

/// The function that the MPI library calls while it waits.
int advance() {
  advanceAll(false);
  return 0;
}

/// The shared library or program that contains an address, as the address where it is loaded; null if it is not known.
void *libraryOf(void *address) {
  Dl_info info;
  return address && dladdr(address, &info) ? info.dli_fbase : nullptr;
}

/// Whether the program's calls that start and complete requests, or free what requests use, come to this library. A tool of the program
/// could take some of them over.
bool areOwnFunctionsCalled() {
  for (const char *const name : {"MPI_Wait", "MPI_Waitall", "MPI_Waitany", "MPI_Waitsome", "MPI_Test", "MPI_Testall", "MPI_Testany", "MPI_Testsome",
                                 "MPI_Request_get_status", "MPI_Request_free", "MPI_Start", "MPI_Startall", "MPI_Cancel", "MPI_Type_free", "MPI_Op_free"})
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

Flight &Flights::enter(std::unique_ptr<Flight> made, const Origin &origin) {
  All &known = all();
  Flight &flight = *made;
  for (const MPI_Datatype type : origin.types)
    if (type != MPI_DATATYPE_NULL && !isNamed(type))
      flight.types_.push_back(type);
  if (origin.op != MPI_OP_NULL && !isPredefined(origin.op))
    flight.op_ = origin.op;
  const std::lock_guard<std::mutex> guard(known.mutex);
  if (known.spare.empty()) {
    MPI_Request placeholder = MPI_REQUEST_NULL;
    if (PMPI_Recv_init(nullptr, 0, MPI_BYTE, MPI_PROC_NULL, 0, MPI_COMM_SELF, &placeholder) != MPI_SUCCESS)
      throw std::bad_alloc();
    known.spare.push_back(placeholder);
  }
  known.flights[keyOf(known.spare.back())] = &flight;
  flight.handle_ = known.spare.back();
  known.spare.pop_back();
  for (const MPI_Datatype type : flight.types_)
    ++known.types[keyOf(type)].uses;
  if (flight.op_ != MPI_OP_NULL)
    ++known.ops[keyOf(flight.op_)].uses;
  ++flight.own_.flights_;
  count_.fetch_add(1, std::memory_order_release);
  return *made.release();
}

bool Flights::hasBegun(Flight &flight, bool isRefused, MPI_Request *request) {
  if (isRefused) {
    if (flight.isActive_)
      deactivate(flight);
    leave(flight);
    return false;
  }
  *request = flight.handle_;
  return true;
}

void Flights::activate(Flight &flight) {
  if (Summary::isOn())
    flight.begin_ = std::chrono::steady_clock::now();
  All &known = all();
  const std::lock_guard<std::mutex> guard(known.mutex);
  known.comms.insert(std::find(known.comms.begin(), known.comms.end(), &flight.own_), &flight.own_);
  flight.hasEnded_ = false;
  flight.isActive_ = true;
}

void Flights::deactivate(Flight &flight) {
  All &known = all();
  const std::lock_guard<std::mutex> guard(known.mutex);
  known.comms.erase(std::find(known.comms.begin(), known.comms.end(), &flight.own_));
  flight.isActive_ = false;
}

void Flights::note(const Flight &flight) {
  if (!Summary::isOn())
    return;
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - flight.begin_;
  Summary::add(flight.function_, flight.own_.size(), flight.bytes_, flight.schedule_, seconds.count());
}

void Flights::start(Flight &flight) {
  activate(flight);
  {
    const Turn turn(flight.own_);
    Status bad = flight.put();
    if (!bad)
      bad = flight.persistent_.start();
    if (bad) {
      flight.status_ = bad;
      flight.hasEnded_ = true;
    }
  }
}

Flight *Flights::of(MPI_Request request) {
  const std::lock_guard<std::mutex> guard(all().mutex);
  const auto found = all().flights.find(keyOf(request));
  return found == all().flights.end() ? nullptr : found->second;
}

bool Flight::collect() {
  if (isPersistent()) {
    if (!persistent_.test())
      return false;
    status_ = persistent_.wait(); // returns at once
  } else {
    if (!request_.test())
      return false;
    status_ = request_.status();
  }
  return true;
}

bool Flight::test() {
  if (hasEnded_)
    return true;
  const Turn turn(own_, std::try_to_lock);
  if (!turn || !collect())
    return false;
  if (!status_)
    status_ = get();
  return hasEnded_ = true;
}

int Flights::land(Flight &flight, MPI_Request *request) {
  const Status status = std::exchange(flight.status_, Status());
  deactivate(flight);
  if (!status)
    note(flight);
  const int code = status ? flight.own_.raise(status) : MPI_SUCCESS;
  if (!flight.isPersistent())
    free(flight, request);
  return code;
}

void Flights::free(Flight &flight, MPI_Request *request) {
  leave(flight);
  *request = MPI_REQUEST_NULL;
}

void Flights::leave(Flight &flight) {
  const std::unique_ptr<Flight> ended(&flight);
  if (flight.isPersistent()) { // the communicator has what was prepared, so this needs its turn
    const Turn turn(flight.own_);
    flight.persistent_ = Persistent();
  }
  All &known = all();
  std::vector<MPI_Datatype> types;
  MPI_Op op = MPI_OP_NULL;
  {
    const std::lock_guard<std::mutex> guard(known.mutex);
    known.flights.erase(keyOf(flight.handle_));
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
