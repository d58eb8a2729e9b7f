//===- InvariantCheck.h - Do stated invariants hold? --------------------------------------------------------------------*- C++ -*-===//
//
// A proof checks what a schedule states about the heads of its loops for every p, but a proof that fails does not tell what
// is wrong. In a small case one sees it.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_CHECK_INVARIANTCHECK_H
#define QUADRILLE_CHECK_INVARIANTCHECK_H

#include "HeardTracker.h"

#include "instantiate/Round.h"

namespace quadrille::compiler {

/// Throws Finding where an invariant does not hold. Only those of the schedule itself are looked at; a schedule that it uses
/// has inputs of its own, and is checked by itself.
class InvariantCheck : public RunObserver {
public:
  /// Slots that are looked at, of all loops together.
  static constexpr std::uint64_t maxSlots = std::uint64_t(1) << 24;

  /// Whether the schedule states any.
  static bool concerns(const ir::Schedule &schedule);
  /// Whether some are of loops that ranks go through each for itself, which lockstep does not show.
  static bool needsRanks(const ir::Schedule &schedule);

  /// `heard` may be null where nobody hears of anybody.
  InvariantCheck(const ir::Schedule &schedule, const HeardTracker *heard) : schedule(schedule), heard(heard) {}

  bool wantsTransfers() const override { return false; }
  bool wantsLoops() const override { return true; }
  void onLoopHead(const LoopVisit &visit, const Machine &machine) override;
  bool wantsStated() const override { return true; }
  void onRankHead(const RankVisit &visit, const Machine &machine) override;
  void onHeadsLeftOut() override { leftOut = true; }

  /// What could not be looked at. `where`: the case.
  std::vector<Diagnostic> warnings(const diag::Values &instance) const;

private:
  bool mayGoOn();

  const ir::Schedule &schedule;
  const HeardTracker *heard;
  std::uint64_t slots = 0;
  bool leftOut = false;
  std::vector<const ir::Invariant *> unread;
};

} // namespace quadrille::compiler

#endif // QUADRILLE_CHECK_INVARIANTCHECK_H
