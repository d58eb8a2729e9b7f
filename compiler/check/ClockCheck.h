//===- ClockCheck.h - Do stated clocks hold? -----------------------------------------------------------------------------*- C++ -*-===//
//
// A stated clock gives each transfer a time. Sender and receiver of a message must give the same time, and the times of a
// rank must grow from step to step.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_CHECK_CLOCKCHECK_H
#define QUADRILLE_CHECK_CLOCKCHECK_H

#include "instantiate/Round.h"

namespace quadrille::compiler {

/// Throws Finding where clocks contradict each other. Only clocks of the outermost schedule are checked. The time of a transfer
/// in a schedule that it uses is the time of the `use`, followed by the time that the used schedule states.
class ClockCheck : public RunObserver {
public:
  explicit ClockCheck(std::uint32_t ranks) : ranks(ranks) {}

  bool wantsStated() const override { return true; }
  void onRound(const Round &round, const Machine &machine) override;
  void onStepEnd(std::uint32_t first, std::uint32_t count) override;

private:
  /// One side of a message of a rank.
  struct Event {
    const ir::Clock *clock = nullptr; // null: no event yet
    std::vector<std::int64_t> time;
    bool isSend = false;
    std::uint32_t peer = 0;
  };
  struct Rank {
    Event latest;  // the latest event of completed steps
    Event current; // the latest event of the current step
  };

  void happens(std::uint32_t rank, Event event);

  std::vector<Rank> ranks;
};

} // namespace quadrille::compiler

#endif // QUADRILLE_CHECK_CLOCKCHECK_H
