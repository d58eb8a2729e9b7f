//===- Flights.h - Calls that are under way ---------------------*- C++ -*-===//
//
// A flight is a nonblocking call of the program that the library carries out, or a
// persistent one, which is active from each start to its completion. The program sees it
// as a request: a persistent request of the MPI library that was never started. So the MPI
// library's functions that copy, compare and convert handles do the right thing with it, and
// so do all functions of requests while it is not active. The functions that start and
// complete requests are this library's; they look here whether a request is a flight.
//
// A thread that makes progress with a communicator must have its turn (class Turn). It is in
// a call of the program, or waits in the MPI library, which calls `progress`.
//
//===----------------------------------------------------------------------===//

#ifndef QUADRILLE_RUNTIME_PRELOAD_FLIGHTS_H
#define QUADRILLE_RUNTIME_PRELOAD_FLIGHTS_H

#include "OwnComm.h"
#include "Works.h"

#include "quadrille/request.h"

#include <atomic>
#include <chrono>
#include <initializer_list>

namespace quadrille {
namespace preload {

/// The call of the program behind a flight. If the program frees `types` and `op`, they are kept
/// until the flight ends. `bytes`: of a block, as this rank knows it.
struct Origin {
  OwnComm &own;
  Function function;
  std::uint64_t bytes;
  std::initializer_list<MPI_Datatype> types;
  MPI_Op op;
};

class Flight {
public:
  virtual ~Flight() = default;
  Flight(const Flight &) = delete;

  /// Makes progress. Returns whether the call has ended, so that its results are in the program's buffers.
  bool test();
  OwnComm &own() const { return own_; }
  bool isActive() const { return isActive_; }
  bool isPersistent() const { return formOf(function_) == Form::Persistent; }

protected:
  explicit Flight(const Origin &origin) : own_(origin.own), function_(origin.function), bytes_(origin.bytes) {}
  virtual Status put() = 0;
  virtual Status get() = 0;

  Memory memory_;

private:
  friend class Flights;
  /// Takes the outcome, if the call has ended.
  bool collect();

  OwnComm &own_;
  Function function_;
  std::uint64_t bytes_;
  Request request_;       ///< of a nonblocking call
  Persistent persistent_; ///< of a persistent one
  const CandidateFacts *schedule_ = nullptr;
  MPI_Request handle_ = MPI_REQUEST_NULL;
  bool isActive_ = false, hasEnded_ = false;
  std::chrono::steady_clock::time_point begin_; ///< when it was started, if the summary is on
  Status status_; ///< once it has ended
  std::vector<MPI_Datatype> types_;
  MPI_Op op_ = MPI_OP_NULL;
};

class Flights {
public:
  /// Whether there are flights. If not, all requests are the MPI library's.
  static bool areAny() { return count_.load(std::memory_order_acquire) != 0; }
  /// Whether the MPI library lets others make progress while it waits. If it does not, no
  /// nonblocking call is taken over, since two ranks might wait for each other. Tries it once, with
  /// a communicator that was prepared.
  static bool arePossible(const OwnComm &own);

  /// Starts the work that make(memory) returns. False if no schedule admits the call. Throws
  /// std::bad_alloc, before anything was started.
  template <class Make> static bool start(const Origin &origin, Make make, MPI_Request *request) {
    auto made = std::make_unique<Of<decltype(make(origin.own.memory))>>(origin, make);
    Collectives &library = origin.own.collectives();
    auto &work = made->work;
    Flight &flight = enter(std::move(made), origin);
    activate(flight);
    bool isRefused = false;
    {
      const Turn turn(flight.own_);
      flight.request_ = library.start([&]() -> Status {
        const Status bad = work.put();
        return bad ? bad : work.call(library);
      });
      flight.schedule_ = library.lastChosen();
      isRefused = flight.request_.test() && flight.request_.status().code() == ErrorCode::UnsupportedSize;
    }
    return hasBegun(flight, isRefused, request);
  }

  /// Prepares such work for `start`. Returns and throws the same.
  template <class Make> static bool prepare(const Origin &origin, Make make, MPI_Request *request) {
    auto made = std::make_unique<Of<decltype(make(origin.own.memory))>>(origin, make);
    Collectives &library = origin.own.collectives();
    auto &work = made->work;
    Flight &flight = enter(std::move(made), origin);
    {
      const Turn turn(flight.own_);
      flight.persistent_ = library.prepare([&] { return work.call(library); });
      flight.schedule_ = library.lastChosen();
    }
    return hasBegun(flight, flight.persistent_.status().code() == ErrorCode::UnsupportedSize, request);
  }

  /// Starts a flight that was prepared and is not active.
  static void start(Flight &flight);
  /// The flight of a request; null if it is the MPI library's.
  static Flight *of(MPI_Request request);
  /// Completes a flight that has ended, and frees it unless it is persistent. Returns the code
  /// for the program.
  static int land(Flight &flight, MPI_Request *request);
  /// Frees a persistent flight that is not active.
  static void free(Flight &flight, MPI_Request *request);
  /// Makes progress with all calls under way, and with the MPI library's messages.
  static void progress();

  /// Frees what is kept for calls, at the end of MPI.
  static void end();

  /// Whether a flight uses the type or operator, which the program frees. If so, it is freed when
  /// no flight uses it any more.
  static bool keepsType(MPI_Datatype type);
  static bool keepsOp(MPI_Op op);

private:
  template <class Work> struct Of final : Flight {
    template <class Make> Of(const Origin &origin, Make make) : Flight(origin), work(make(memory_)) {}
    Status put() override { return work.put(); }
    Status get() override { return work.get(); }
    Work work;
  };
  static Flight &enter(std::unique_ptr<Flight> flight, const Origin &origin);
  /// Gives the flight to the program as a request, or deletes it if it was refused.
  static bool hasBegun(Flight &flight, bool isRefused, MPI_Request *request);
  static void activate(Flight &flight);
  static void deactivate(Flight &flight);
  /// Deletes the flight.
  static void leave(Flight &flight);
  /// Counts a call that is completed, with the time since it was started.
  static void note(const Flight &flight);

  /// The number of flights. Release and acquire: a thread that sees a flight counted sees
  /// it in the list. A program that hands a request to another thread orders the two, so the
  /// other thread sees the flight counted.
  static std::atomic<unsigned> count_;
};

} // namespace preload
} // namespace quadrille

#endif // QUADRILLE_RUNTIME_PRELOAD_FLIGHTS_H
