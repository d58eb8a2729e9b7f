//===- PlanObserver.h - Who looks at plans, and at what becomes of them ---===//
//
// Private to the runtime. The operations of a rank depend only on numbers, so a
// single process can record plans for all ranks of any p, and carry out none. Or
// plans are carried out as always, and the observer is told of every operation.
//
//===----------------------------------------------------------------------===//

#ifndef QUADRILLE_PLAN_PLANOBSERVER_H
#define QUADRILLE_PLAN_PLANOBSERVER_H

#include "Plan.h"
#include "Recorder.h"

#include "quadrille/status.h"

#include <memory>

namespace quadrille {
namespace detail {

class PlanObserver {
public:
  virtual ~PlanObserver() = default;

  /// The stage of a plan at which the observer sees it.
  enum class Stage {
    Recorded,           ///< as the emitted code states it, operation after operation
    CombinesOnArrival,  ///< finished, for a backend that combines on arrival
    CombinesFromMemory, ///< finished, for a backend that receives first, then combines
    CarriedOut          ///< finished, for the backend at hand, which then carries it out
  };
  virtual Stage stage() const = 0;
  /// Whether messages are received first, and then combined.
  virtual bool receivesFirst() const { return stage() == Stage::CombinesFromMemory; }

  /// Called when a call has a plan: a recorded one, or at the stage CarriedOut also
  /// one that was known before. The call returns the result if that is an error, or if
  /// the plan is not carried out. `recorder` knows its arguments, `n` is its length.
  virtual Status see(std::shared_ptr<Plan> plan, const Recorder &recorder, Index n) = 0;

  /// While a blocking call is carried out: the rank tries to begin an operation of
  /// the plan that was seen last, whose operands are ready. If that is in vain, it
  /// tries again later.
  virtual void tries(const Operation &) {}
  /// The operation is done. `bytes`: what it has moved or combined.
  virtual void isDone(const Operation &, Index /*bytes*/) {}
};

} // namespace detail
} // namespace quadrille

#endif // QUADRILLE_PLAN_PLANOBSERVER_H
