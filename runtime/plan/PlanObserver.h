//===- PlanObserver.h - Who looks at plans instead of carrying them out ---===//
//
// Private to the runtime. What a rank does depends on numbers alone, so one
// process can record it for every rank of any number of ranks.
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

  /// What is to be seen.
  enum class Stage {
    Recorded,          ///< as the emitted code says it, operation after operation
    CombinesOnArrival, ///< ready to be carried out, by who combines while it receives
    CombinesFromMemory ///< the same, by who receives first
  };
  virtual Stage stage() const = 0;
  /// Whether what arrives is received first, and then combined.
  virtual bool receivesFirst() const { return stage() == Stage::CombinesFromMemory; }

  /// A call has been recorded, and returns what this returns. `recorder` knows
  /// its arguments; `n` is its length.
  virtual Status see(std::shared_ptr<Plan> plan, const Recorder &recorder, Index n) = 0;
};

} // namespace detail
} // namespace quadrille

#endif // QUADRILLE_PLAN_PLANOBSERVER_H
