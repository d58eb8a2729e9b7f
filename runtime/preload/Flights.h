//===- Flights.h - Calls that are under way ---------------------*- C++ -*-===//
//
// A flight is a nonblocking call of the program that the library carries out. To the
// program it is a request: one of the MPI library's that was never started, so that all
// functions which copy, compare and convert handles are right about it. The functions
// that complete requests are the library's, and look here whose a request is.
//
// Whoever makes progress with a communicator has its turn (OwnComm::turn): a thread
// that is in a call of the program's, or that waits in the MPI library, which calls
// `progress`.
//
//===----------------------------------------------------------------------===//

#ifndef QUADRILLE_RUNTIME_PRELOAD_FLIGHTS_H
#define QUADRILLE_RUNTIME_PRELOAD_FLIGHTS_H

#include "OwnComm.h"
#include "Works.h"

#include "quadrille/request.h"

#include <atomic>
#include <initializer_list>

namespace quadrille {
namespace preload {

class Flight {
public:
  virtual ~Flight() = default;
  Flight(const Flight &) = delete;

  /// Makes progress; whether the call has ended. Then the data are where they belong.
  bool test();
  /// The outcome, once it has ended.
  const Status &status() const { return status_; }
  OwnComm &own() const { return own_; }

protected:
  explicit Flight(OwnComm &own) : own_(own) {}
  virtual Status get() = 0;

  Memory memory_;
  Status status_;

private:
  friend class Flights;
  OwnComm &own_;
  Request request_;
  MPI_Request handle_ = MPI_REQUEST_NULL;
  bool hasEnded_ = false;
  std::vector<MPI_Datatype> types_;
  MPI_Op op_ = MPI_OP_NULL;
};

class Flights {
public:
  /// Whether any is under way. If not, all requests are the MPI library's.
  static bool areAny() { return count_.load(std::memory_order_acquire) != 0; }
  /// Whether the MPI library lets others make progress while it waits. Without that no
  /// nonblocking call is taken over, as a rank might wait for one that waits. Asks once, by a
  /// communicator that was prepared.
  static bool arePossible(const OwnComm &own);

  /// Starts the work that make(memory) returns. `types` and `op` are kept until the end if
  /// the program frees them. False if no schedule admits the call. Throws std::bad_alloc,
  /// before anything was started.
  template <class Make>
  static bool start(OwnComm &own, std::initializer_list<MPI_Datatype> types, MPI_Op op, Make make, MPI_Request *request) {
    auto flight = std::make_unique<Of<decltype(make(own.memory))>>(own, make);
    auto &work = flight->work;
    return begin(std::move(flight), types, op, request, [&]() -> Status {
      const Status bad = work.put();
      return bad ? bad : work.call(own.collectives());
    });
  }

  /// That of a request; null if it is the MPI library's.
  static Flight *of(MPI_Request request);
  /// Frees a flight that has ended, and its request. Returns the code for the program.
  static int land(Flight &flight, MPI_Request *request);
  /// Makes progress with all calls under way, and with the MPI library's messages.
  static void progress();

  /// Frees what is kept for calls, at the end of MPI.
  static void end();

  /// Frees a type or an operator later, if a flight uses it; then true.
  static bool keepsType(MPI_Datatype type);
  static bool keepsOp(MPI_Op op);

private:
  template <class Work> struct Of final : Flight {
    template <class Make> Of(OwnComm &own, Make make) : Flight(own), work(make(memory_)) {}
    Status get() override { return work.get(); }
    Work work;
  };
  template <class Body>
  static bool begin(std::unique_ptr<Flight> flight, std::initializer_list<MPI_Datatype> types, MPI_Op op, MPI_Request *request, Body body) {
    enter(*flight, types, op);
    Flight &held = *flight.release();
    bool isRefused = false;
    {
      const Turn turn(held.own_);
      held.request_ = held.own_.collectives().start(body);
      isRefused = held.request_.test() && held.request_.status().code() == ErrorCode::UnsupportedSize;
    }
    if (isRefused) {
      leave(held);
      return false;
    }
    *request = held.handle_;
    return true;
  }
  /// Deletes it.
  static void leave(Flight &flight);
  static void enter(Flight &flight, std::initializer_list<MPI_Datatype> types, MPI_Op op);

  static std::atomic<unsigned> count_;
};

} // namespace preload
} // namespace quadrille

#endif // QUADRILLE_RUNTIME_PRELOAD_FLIGHTS_H
