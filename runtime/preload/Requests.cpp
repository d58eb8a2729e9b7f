//===- Requests.cpp - The functions of MPI for requests -------------------===//
//
// Without flights the MPI library's functions are called. Otherwise an array may have requests
// of both libraries. The MPI library gets a copy of the array in which active flights are null
// requests: it ignores these, and all others keep their indices. A flight that is not active
// stays in the copy, since the MPI library treats it rightly.
//
//===----------------------------------------------------------------------===//

#include "Flights.h"

#include <thread>

using namespace quadrille;
using namespace quadrille::preload;

#define QUADRILLE_TAKEN __attribute__((visibility("default")))

namespace {

/// Sets the status that MPI defines for requests that are no messages.
void setEmpty(MPI_Status *status, int code = MPI_SUCCESS) {
  if (status == MPI_STATUS_IGNORE)
    return;
  MPI_Request none = MPI_REQUEST_NULL;
  int flag = 0;
  PMPI_Test(&none, &flag, status);
  status->MPI_ERROR = code;
}

Flight *flightOf(const MPI_Request *request) {
  return Flights::areAny() && request && *request != MPI_REQUEST_NULL ? Flights::of(*request) : nullptr;
}
Flight *activeFlightOf(const MPI_Request *request) {
  Flight *const flight = flightOf(request);
  return flight && flight->isActive() ? flight : nullptr;
}

int refuse(const Flight &flight) {
  PMPI_Comm_call_errhandler(flight.own().handle(), MPI_ERR_REQUEST);
  return MPI_ERR_REQUEST;
}

/// Makes progress while a call waits, and leaves the core to others if that takes long.
class Patience {
public:
  void wait() {
    Flights::progress();
    if (++rounds_ > few)
      std::this_thread::yield();
  }

private:
  static constexpr unsigned few = 200;
  unsigned rounds_ = 0;
};

/// An array with requests of both libraries.
class Both {
public:
  /// Throws std::bad_alloc.
  Both(int count, MPI_Request *requests) : requests_(requests) {
    if (count <= 0 || !requests || !Flights::areAny())
      return;
    for (int i = 0; i < count; ++i)
      if (Flight *const flight = activeFlightOf(&requests[i])) {
        if (flights_.empty()) {
          flights_.resize(static_cast<std::size_t>(count));
          others_.assign(requests, requests + count);
        }
        flights_[static_cast<std::size_t>(i)] = flight;
        others_[static_cast<std::size_t>(i)] = MPI_REQUEST_NULL;
      }
  }
  /// Whether any is a flight.
  explicit operator bool() const { return !flights_.empty(); }
  MPI_Request *others() { return others_.data(); }
  std::size_t size() const { return flights_.size(); }
  Flight *flight(std::size_t i) const { return flights_[i]; }

  bool haveAllEnded() {
    bool all = true;
    for (Flight *const flight : flights_)
      all &= !flight || flight->test();
    return all;
  }
  /// The index of a flight that has ended; -1 if none has.
  int ended() {
    for (std::size_t i = 0; i < flights_.size(); ++i)
      if (flights_[i] && flights_[i]->test())
        return static_cast<int>(i);
    return -1;
  }
  int land(std::size_t i) {
    Flight &flight = *flights_[i];
    flights_[i] = nullptr;
    return Flights::land(flight, &requests_[i]);
  }
  /// Copies a request from the MPI library's array to the program's.
  void giveBack(std::size_t i) {
    if (!flights_[i])
      requests_[i] = others_[i];
  }

private:
  MPI_Request *requests_;
  std::vector<Flight *> flights_;
  std::vector<MPI_Request> others_;
};

/// Completes all flights. All requests have ended; those of the MPI library with `error`, and their statuses are set.
int landAll(Both &both, int error, MPI_Status *statuses) {
  const bool isIgnored = statuses == MPI_STATUSES_IGNORE;
  for (std::size_t i = 0; i < both.size(); ++i) {
    if (!both.flight(i)) {
      both.giveBack(i);
      continue;
    }
    const int own = both.land(i);
    if (!isIgnored)
      setEmpty(&statuses[i], own);
    if (own != MPI_SUCCESS && error != MPI_ERR_IN_STATUS) {
      // Until now none has failed, so the MPI library has not set these.
      for (std::size_t j = 0; !isIgnored && j < both.size(); ++j)
        if (j != i)
          statuses[j].MPI_ERROR = MPI_SUCCESS;
      error = MPI_ERR_IN_STATUS;
    }
  }
  return error;
}

/// For Waitsome and Testsome: adds the flights that have ended, if any. The MPI library has returned `error`, and `*outcount` requests that
/// have ended.
int landSome(Both &both, int error, int *outcount, int *indices, MPI_Status *statuses) {
  const bool isIgnored = statuses == MPI_STATUSES_IGNORE;
  int done = *outcount == MPI_UNDEFINED ? 0 : *outcount;
  for (std::size_t i = 0; i < both.size(); ++i)
    both.giveBack(i);
  for (std::size_t i = 0; i < both.size(); ++i)
    if (both.flight(i) && both.flight(i)->test()) {
      const int own = both.land(i);
      if (!isIgnored)
        setEmpty(&statuses[done], own);
      if (own != MPI_SUCCESS && error != MPI_ERR_IN_STATUS) {
        for (int j = 0; !isIgnored && j < done; ++j)
          statuses[j].MPI_ERROR = MPI_SUCCESS;
        error = MPI_ERR_IN_STATUS;
      }
      indices[done++] = static_cast<int>(i);
    }
  *outcount = done;
  return error;
}

} // namespace

extern "C" {

QUADRILLE_TAKEN int MPI_Wait(MPI_Request *request, MPI_Status *status) {
  Flight *const flight = activeFlightOf(request);
  if (!flight)
    return PMPI_Wait(request, status);
  for (Patience patience; !flight->test();)
    patience.wait();
  const int error = Flights::land(*flight, request);
  setEmpty(status, error);
  return error;
}

QUADRILLE_TAKEN int MPI_Test(MPI_Request *request, int *flag, MPI_Status *status) {
  Flight *const flight = activeFlightOf(request);
  if (!flight || !flag)
    return PMPI_Test(request, flag, status);
  if (!(*flag = flight->test())) {
    Flights::progress();
    return MPI_SUCCESS;
  }
  const int error = Flights::land(*flight, request);
  setEmpty(status, error);
  return error;
}

QUADRILLE_TAKEN int MPI_Request_get_status(MPI_Request request, int *flag, MPI_Status *status) {
  Flight *const flight = activeFlightOf(&request);
  if (!flight || !flag)
    return PMPI_Request_get_status(request, flag, status);
  if ((*flag = flight->test()))
    setEmpty(status);
  else
    Flights::progress();
  return MPI_SUCCESS;
}

QUADRILLE_TAKEN int MPI_Waitall(int count, MPI_Request *requests, MPI_Status *statuses) {
  Both both(count, requests);
  if (!both)
    return PMPI_Waitall(count, requests, statuses);
  int error = MPI_SUCCESS, flag = 0;
  for (Patience patience;; patience.wait()) {
    const bool haveEnded = both.haveAllEnded();
    if (!flag && (error = PMPI_Testall(count, both.others(), &flag, statuses)) != MPI_SUCCESS)
      flag = 1;
    if (flag && haveEnded)
      return landAll(both, error, statuses);
  }
}

QUADRILLE_TAKEN int MPI_Testall(int count, MPI_Request *requests, int *flag, MPI_Status *statuses) {
  Both both(count, requests);
  if (!both || !flag)
    return PMPI_Testall(count, requests, flag, statuses);
  *flag = 0;
  if (!both.haveAllEnded()) {
    Flights::progress();
    return MPI_SUCCESS;
  }
  const int error = PMPI_Testall(count, both.others(), flag, statuses);
  return *flag || error != MPI_SUCCESS ? landAll(both, error, statuses) : MPI_SUCCESS;
}

QUADRILLE_TAKEN int MPI_Testany(int count, MPI_Request *requests, int *index, int *flag, MPI_Status *status) {
  Both both(count, requests);
  if (!both || !index || !flag)
    return PMPI_Testany(count, requests, index, flag, status);
  if ((*index = both.ended()) >= 0) {
    *flag = 1;
    const int error = both.land(static_cast<std::size_t>(*index));
    setEmpty(status, error);
    return error;
  }
  const int error = PMPI_Testany(count, both.others(), index, flag, status);
  if (*index != MPI_UNDEFINED) {
    both.giveBack(static_cast<std::size_t>(*index));
    return error;
  }
  // The MPI library has no active request, but there is an active flight.
  *flag = 0;
  Flights::progress();
  return error;
}

QUADRILLE_TAKEN int MPI_Waitany(int count, MPI_Request *requests, int *index, MPI_Status *status) {
  {
    const Both both(count, requests);
    if (!both || !index)
      return PMPI_Waitany(count, requests, index, status);
  }
  int flag = 0;
  for (Patience patience;; patience.wait())
    if (const int error = MPI_Testany(count, requests, index, &flag, status); flag || error != MPI_SUCCESS)
      return error;
}

QUADRILLE_TAKEN int MPI_Testsome(int count, MPI_Request *requests, int *outcount, int *indices, MPI_Status *statuses) {
  Both both(count, requests);
  if (!both || !outcount || !indices)
    return PMPI_Testsome(count, requests, outcount, indices, statuses);
  const int error = PMPI_Testsome(count, both.others(), outcount, indices, statuses);
  const int result = landSome(both, error, outcount, indices, statuses);
  if (*outcount == 0)
    Flights::progress();
  return result;
}

QUADRILLE_TAKEN int MPI_Waitsome(int count, MPI_Request *requests, int *outcount, int *indices, MPI_Status *statuses) {
  {
    const Both both(count, requests);
    if (!both || !outcount || !indices)
      return PMPI_Waitsome(count, requests, outcount, indices, statuses);
  }
  for (Patience patience;; patience.wait())
    if (const int error = MPI_Testsome(count, requests, outcount, indices, statuses); *outcount != 0 || error != MPI_SUCCESS)
      return error;
}

QUADRILLE_TAKEN int MPI_Start(MPI_Request *request) {
  Flight *const flight = flightOf(request);
  if (!flight)
    return PMPI_Start(request);
  if (flight->isActive())
    return refuse(*flight);
  Flights::start(*flight);
  return MPI_SUCCESS;
}

QUADRILLE_TAKEN int MPI_Startall(int count, MPI_Request *requests) {
  bool isAny = false;
  for (int i = 0; requests && i < count && !isAny; ++i)
    isAny = flightOf(&requests[i]) != nullptr;
  if (!isAny)
    return PMPI_Startall(count, requests);
  for (int i = 0; i < count; ++i)
    if (const int error = MPI_Start(&requests[i]); error != MPI_SUCCESS)
      return error;
  return MPI_SUCCESS;
}

/// MPI forbids to free or to cancel nonblocking collectives, and to free persistent ones that are active.
QUADRILLE_TAKEN int MPI_Request_free(MPI_Request *request) {
  Flight *const flight = flightOf(request);
  if (!flight)
    return PMPI_Request_free(request);
  if (flight->isActive())
    return refuse(*flight);
  Flights::free(*flight, request);
  return MPI_SUCCESS;
}
QUADRILLE_TAKEN int MPI_Cancel(MPI_Request *request) {
  Flight *const flight = flightOf(request);
  return flight ? refuse(*flight) : PMPI_Cancel(request);
}

QUADRILLE_TAKEN int MPI_Type_free(MPI_Datatype *type) {
  if (!type || !Flights::keepsType(*type))
    return PMPI_Type_free(type);
  *type = MPI_DATATYPE_NULL;
  return MPI_SUCCESS;
}
QUADRILLE_TAKEN int MPI_Op_free(MPI_Op *op) {
  if (!op || !Flights::keepsOp(*op))
    return PMPI_Op_free(op);
  *op = MPI_OP_NULL;
  return MPI_SUCCESS;
}

} // extern "C"
