//===- PlanObserver.h - Who looks at plans instead of carrying them out ---===//
//
// Private to the runtime. The operations of a rank depend only on numbers, so a
// single process can record plans for all ranks of any p.
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
    Recorded,          ///< as the emitted code states it, operation after operation
    CombinesOnArrival, ///< finished, for a backend that combines on arrival
    CombinesFromMemory ///< finished, for a backend that receives first, then combines
  };
  virtual Stage stage() const = 0;
  /// Whether messages are received first, and then combined.
  virtual bool receivesFirst() const { return stage() == Stage::CombinesFromMemory; }

  /// Called when a call has been recorded; the call returns the result.
  /// `recorder` knows its arguments, `n` is its length.
  virtual Status see(std::shared_ptr<Plan> plan, const Recorder &recorder, Index n) = 0;
};

} // namespace detail
} // namespace quadrille

#endif // QUADRILLE_PLAN_PLANOBSERVER_H
