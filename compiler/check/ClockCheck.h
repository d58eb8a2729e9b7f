//===- ClockCheck.h - Do stated clocks run? ------------------------------------------------------------------------------*- C++ -*-===//
//
// A clock that is stated says when transfers happen: both sides of a message say the same, and a rank's later steps say more
// than its earlier ones.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_CHECK_CLOCKCHECK_H
#define QUADRILLE_CHECK_CLOCKCHECK_H

#include "instantiate/Round.h"

namespace quadrille::compiler {

/// Throws Finding where clocks contradict each other. Only those of the outermost schedule are its claims: with the times of
/// schedules that it uses behind them.
class ClockCheck : public RunObserver {
public:
  explicit ClockCheck(std::uint32_t ranks) : ranks(ranks) {}

  bool wantsStated() const override { return true; }
  void onRound(const Round &round, const Machine &machine) override;
  void onStepEnd(std::uint32_t first, std::uint32_t count) override;

private:
  /// One side of a message of a rank.
  struct Event {
    const ir::Clock *clock = nullptr; // null: there was none yet
    std::vector<std::int64_t> time;
    bool isSend = false;
    std::uint32_t peer = 0;
  };
  struct Rank {
    Event latest;  // of the steps that are done
    Event current; // the latest of the step that is not
  };

  void happens(std::uint32_t rank, Event event);

  std::vector<Rank> ranks;
};

} // namespace quadrille::compiler

#endif // QUADRILLE_CHECK_CLOCKCHECK_H
