//===- quadrille/calls_in_order.h - Calls that depend on others -*- C++ -*-===//
//
// What communicators of all backends offer for several calls that are one, and
// for calls that depend on data which earlier ones move.
//
//===----------------------------------------------------------------------===//

#ifndef QUADRILLE_CALLS_IN_ORDER_H
#define QUADRILLE_CALLS_IN_ORDER_H

#include "quadrille/request.h"
#include "quadrille/status.h"

#include <new>
#include <utility>

namespace quadrille {
namespace detail {

/// A base of `Communicator`, which has `start`, `isRecording` and `putOff`.
template <class Communicator> class CallsInOrder {
public:
  /// Makes the calls of `body()` as one call: if one fails, all do. Among them may be
  /// some that `then` puts off. Returns when all have ended, or, within what `start`
  /// or `prepare` runs, when they have been recorded.
  template <class Body> Status together(Body body) {
    return self().isRecording() ? body() : self().start(std::move(body)).wait();
  }

  /// Makes the calls of `body()`, a copy of which is kept, when the calls before this
  /// one have ended: for calls that depend on data which those move. Within what
  /// `start` or `prepare` runs that is later, each time that it is started; success
  /// says only that there is memory for it. Elsewhere it is now.
  template <class Body> Status then(Body body) {
    if (!self().isRecording())
      return body();
    try {
      return self().putOff(KeptBody(std::move(body)));
    } catch (const std::bad_alloc &) {
      return Status(ErrorCode::OutOfMemory, "no memory for calls that are made later");
    }
  }

private:
  Communicator &self() { return static_cast<Communicator &>(*this); }
};

} // namespace detail
} // namespace quadrille

#endif // QUADRILLE_CALLS_IN_ORDER_H
