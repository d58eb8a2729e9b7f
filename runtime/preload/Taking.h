//===- Taking.h - One call of the program -----------------------*- C++ -*-===//
//
// All ranks decide alike whether the library carries out a call: by the communicator, the number
// of calls before, the operator, and the number of bytes if all ranks know it. A call with
// arguments that MPI refuses goes to the MPI library, which reports the error as always, before
// it communicates.
//
//===----------------------------------------------------------------------===//

#ifndef QUADRILLE_RUNTIME_PRELOAD_TAKING_H
#define QUADRILLE_RUNTIME_PRELOAD_TAKING_H

#include "Calls.h"
#include "Flights.h"
#include "Summary.h"

#include <chrono>
#include <new>

namespace quadrille {
namespace preload {

/// A function that has the MPI library start or prepare a call, which becomes `*request`.
template <Form form, class Mpi> struct WithRequest {
  MPI_Request *request;
  Mpi mpi;
  int operator()() const { return mpi(); }
};
template <class Mpi> WithRequest<Form::Nonblocking, Mpi> nonblocking(MPI_Request *request, Mpi mpi) { return {request, mpi}; }
template <class Mpi> WithRequest<Form::Persistent, Mpi> persistent(MPI_Request *request, Mpi mpi) { return {request, mpi}; }

template <class Mpi> inline constexpr Form formOfMpi = Form::Blocking;
template <Form form, class Mpi> inline constexpr Form formOfMpi<WithRequest<form, Mpi>> = form;

/// Runs run(library) in the communicator's turn. Returns its Status.
template <class Run> [[gnu::always_inline]] inline Status runInTurn(OwnComm &own, Run run) {
  try {
    const Turn turn(own);
    return run(own.collectives());
  } catch (const std::bad_alloc &) {
    return Status(ErrorCode::OutOfMemory, "out of memory");
  }
}

/// The same with the work that make(memory) returns.
template <class Make> Status workInTurn(OwnComm &own, Make make) {
  return runInTurn(own, [&](Collectives &library) -> Status {
    auto work = make(own.memory);
    if (Status bad = work.put())
      return bad;
    if (Status bad = work.call(library))
      return bad;
    return work.get();
  });
}

/// A call of `function`, or of another form of it, on `comm`. `Mpi` is a function that has the MPI library carry it out.
template <class Mpi> class Taking {
public:
  Taking(Function function, MPI_Comm comm, Mpi mpi)
      : function_(functionOf(function, formOfMpi<Mpi>)), own_(OwnComm::of(comm)),
        isTaken_(own_ && own_->takes(function_)), mpi_(mpi) {}

  /// Whether the library carries out the call, if its arguments admit that.
  explicit operator bool() const { return isTaken_; }
  OwnComm &own() const { return *own_; }

  /// Has the MPI library carry out the call.
  int byMpi(std::uint64_t bytes = 0) const {
    if (!own_ || !Summary::isOn())
      return mpi_();
    const auto begin = std::chrono::steady_clock::now();
    const int result = mpi_();
    add(bytes, nullptr, begin);
    return result;
  }

  /// Carries out the call by a schedule: make(memory) returns the work. `bytes`: of a block, as this
  /// rank knows it. `types` and `op`: those of the program that the work uses.
  template <class Make>
  int carryOut(std::uint64_t bytes, Make make, std::initializer_list<MPI_Datatype> types = {}, MPI_Op op = MPI_OP_NULL) const {
    if (Calls::isOn()) [[unlikely]]
      Calls::add(function_, own_->size(), bytes, types, op);
    if constexpr (formOfMpi<Mpi> != Form::Blocking) {
      return begin(bytes, make, types, op);
    } else {
      (void)types, (void)op;
      return wait(bytes, [&] { return workInTurn(*own_, make); });
    }
  }

  /// Whether a call whose data lie where schedules take them, and put them, uses `carryOutDirectly`. Only blocking calls do: for others it
  /// makes no difference how long it takes to make a work.
  static constexpr bool mayBeDirect = formOfMpi<Mpi> == Form::Blocking;

  /// The same without a work: run(library) calls the collective.
  template <class Run> int carryOutDirectly(std::uint64_t bytes, Run run, std::initializer_list<MPI_Datatype> types = {}, MPI_Op op = MPI_OP_NULL) const {
    if (Calls::isOn()) [[unlikely]]
      Calls::add(function_, own_->size(), bytes, types, op);
    return wait(bytes, [&] { return runInTurn(*own_, run); });
  }

private:
  template <class Make> int begin(std::uint64_t bytes, Make make, std::initializer_list<MPI_Datatype> types, MPI_Op op) const {
    if (!mpi_.request)
      return byMpi(bytes);
    try {
      const Origin origin = {*own_, function_, bytes, types, op};
      if (!(formOfMpi<Mpi> == Form::Nonblocking ? Flights::start(origin, make, mpi_.request) : Flights::prepare(origin, make, mpi_.request)))
        return byMpi(bytes); // no schedule admits the call, which all ranks know
    } catch (const std::bad_alloc &) {
      return own_->raise(Status(ErrorCode::OutOfMemory, "out of memory"));
    }
    return MPI_SUCCESS;
  }

  template <class Run> int wait(std::uint64_t bytes, Run run) const {
    if (isSample())
      return byMpi(bytes);
    const auto begin = Summary::isOn() ? std::chrono::steady_clock::now() : std::chrono::steady_clock::time_point();
    if (const Status status = run()) {
      // The table leaves it to the MPI library, or no schedule admits it: all ranks know, before the first message.
      if (status.code() == ErrorCode::UnsupportedSize)
        return byMpi(bytes);
      return own_->raise(status);
    }
    if (Summary::isOn())
      add(bytes, own_->collectives().lastChosen(), begin);
    return MPI_SUCCESS;
  }

  /// Whether the MPI library carries out this call, for the summary to show how long it takes.
  bool isSample() const {
    constexpr std::uint64_t period = 32;
    switch (Process::wishes().insight) {
    case Insight::None:
      return false;
    case Insight::Summary:
      return own_->callsOf(function_) % period == 0;
    case Insight::Compare:
      return own_->callsOf(function_) % 2 == 0;
    }
    return false;
  }

  void add(std::uint64_t bytes, const CandidateFacts *schedule, std::chrono::steady_clock::time_point begin) const {
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
    Summary::add(function_, own_->size(), bytes, schedule, seconds.count());
  }

  Function function_;
  OwnComm *own_;
  bool isTaken_;
  Mpi mpi_;
};

// ---- calls that nothing notes ---------------------------------------------------
//
// Nearly all calls of most programs are blocking ones on a communicator that takes all of them. What then remains is to look at the
// arguments. This is compiled apart from all else, so that it needs little of the processor.

/// In place of a function that has the MPI library carry out a call: such a call, which returns `byMpi` if the MPI library is to do it.
struct Simple {
  /// No code of MPI is negative.
  static constexpr int byMpi = -1;

  [[gnu::always_inline]] Simple(Function function, MPI_Comm comm) : own(OwnComm::of(comm)) {
    if (own && !own->takesAll(function))
      own = nullptr;
  }
  explicit operator bool() const { return own != nullptr; }

  OwnComm *own; ///< null if the call is not such a call
};

template <> class Taking<Simple> {
public:
  Taking(Function, MPI_Comm, Simple simple) : own_(*simple.own) {}

  explicit operator bool() const { return true; }
  OwnComm &own() const { return own_; }
  int byMpi(std::uint64_t = 0) const { return Simple::byMpi; }

  template <class Make>
  int carryOut(std::uint64_t, Make make, std::initializer_list<MPI_Datatype> = {}, MPI_Op = MPI_OP_NULL) const {
    return codeOf(workInTurn(own_, make));
  }
  static constexpr bool mayBeDirect = true;
  template <class Run>
  [[gnu::always_inline]] int carryOutDirectly(std::uint64_t, Run run, std::initializer_list<MPI_Datatype> = {}, MPI_Op = MPI_OP_NULL) const {
    return codeOf(runInTurn(own_, run));
  }

private:
  [[gnu::always_inline]] int codeOf(const Status &status) const {
    if (!status) [[likely]]
      return MPI_SUCCESS;
    return status.code() == ErrorCode::UnsupportedSize ? Simple::byMpi : own_.raise(status);
  }

  OwnComm &own_;
};

/// whole(), which is not inlined.
template <class Whole> [[gnu::noinline]] int apart(Whole whole) { return whole(); }

} // namespace preload
} // namespace quadrille

#endif // QUADRILLE_RUNTIME_PRELOAD_TAKING_H
