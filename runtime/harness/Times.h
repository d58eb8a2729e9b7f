//===- Times.h - When a rank does the operations of a call ------*- C++ -*-===//

#ifndef QUADRILLE_HARNESS_TIMES_H
#define QUADRILLE_HARNESS_TIMES_H

#include "Report.h"

#include "../plan/PlanObserver.h"

#include <memory>
#include <vector>

namespace quadrille {
namespace harness {

/// The time in nanoseconds, by a clock of this machine that never goes back.
long long nowNs();

/// The name of that clock. Ranks have the same one only if they are on the same machine.
std::string clockName();

/// Notes when operations of calls are tried, begin and end.
class OperationTimes final : public quadrille::detail::PlanObserver {
public:
  Stage stage() const override { return Stage::CarriedOut; }
  Status see(std::shared_ptr<quadrille::detail::Plan> plan, const quadrille::detail::Recorder &, Index) override;
  void tries(const quadrille::detail::Operation &operation) override;
  void isDone(const quadrille::detail::Operation &operation, Index bytes) override;

  /// From here on operations are those of the next call.
  void nextCall() { calls_.push_back({{}, nowNs(), 0}); }
  /// The call that was begun last is over.
  void endCall() { calls_.back().leftNs = nowNs(); }

  /// Writes as many calls as fit into a limit for the operations of all `ranks` ranks
  /// together, and at least one.
  void write(Report &report, Index id, Index ranks) const;

private:
  struct Times {
    long long readyNs = 0; ///< when it was tried first
    long long beginNs = 0; ///< when it was tried last: then it began
    long long endNs = 0;
    Index bytes = 0;
  };
  struct Part {
    std::shared_ptr<quadrille::detail::Plan> plan;
    std::vector<Times> times; ///< by the plan's operations
  };
  struct Call {
    std::vector<Part> parts; ///< a call that makes calls has several plans
    long long enteredNs, leftNs;
  };
  Times *timesOf(const quadrille::detail::Operation &operation);

  std::vector<Call> calls_;
};

} // namespace harness
} // namespace quadrille

#endif // QUADRILLE_HARNESS_TIMES_H
