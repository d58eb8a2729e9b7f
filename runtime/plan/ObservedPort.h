//===- ObservedPort.h - Operations of which an observer is told -----------===//
//
// Private to the runtime.
//
//===----------------------------------------------------------------------===//

#ifndef QUADRILLE_PLAN_OBSERVEDPORT_H
#define QUADRILLE_PLAN_OBSERVEDPORT_H

#include "PlanObserver.h"
#include "Window.h"

namespace quadrille {
namespace detail {

/// A port of a window (see Window::advance) that does what `port` does, and tells an
/// observer. Calls without an observer do not use it, and pay nothing.
template <class Port> class ObservedPort {
public:
  ObservedPort(Port &port, PlanObserver &observer) : port_(port), observer_(observer) {}

  Progress begin(const Operation &operation) {
    observer_.tries(operation);
    return told(operation, port_.begin(operation));
  }
  Progress poll(const Operation &operation) { return told(operation, port_.poll(operation)); }
  bool takesLong(const Operation &operation) const { return port_.takesLong(operation); }
  bool failed() const { return port_.failed(); }

private:
  Progress told(const Operation &operation, Progress progress) {
    if (progress == Progress::Done && !port_.failed())
      observer_.isDone(operation, port_.movedBytes(operation));
    return progress;
  }

  Port &port_;
  PlanObserver &observer_;
};

} // namespace detail
} // namespace quadrille

#endif // QUADRILLE_PLAN_OBSERVEDPORT_H
