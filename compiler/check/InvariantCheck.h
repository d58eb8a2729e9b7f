//===- InvariantCheck.h - Do stated invariants hold? --------------------------------------------------------------------*- C++ -*-===//
//
// An invariant states what buffers hold at the head of a loop. A proof checks it for every p, but a failed proof does not say
// what is wrong. This check evaluates the invariants in one case and names the first rank and block that contradict one.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_CHECK_INVARIANTCHECK_H
#define QUADRILLE_CHECK_INVARIANTCHECK_H

#include "HeardTracker.h"

#include "instantiate/Round.h"

namespace quadrille::compiler {

/// Throws Finding where an invariant does not hold. Invariants of schedules that are used are not checked here: they speak of
/// their own inputs, and each schedule is checked by itself.
class InvariantCheck : public RunObserver {
public:
  /// Whether the schedule states any invariants.
  static bool concerns(const ir::Schedule &schedule);
  /// Whether some belong to loops whose bounds differ between ranks. Only the simulation shows the heads of these.
  static bool needsRanks(const ir::Schedule &schedule);

  /// `heard` may be null if the collective promises nothing about `heard`; invariants about it are not checked then.
  InvariantCheck(const ir::Schedule &schedule, const HeardTracker *heard) : schedule(schedule), heard(heard) {}

  bool wantsTransfers() const override { return false; }
  bool wantsLoops() const override { return true; }
  void onLoopHead(const LoopVisit &visit, const Machine &machine) override;
  bool wantsStated() const override { return true; }
  void onRankHead(const RankVisit &visit, const Machine &machine) override;
  void onHeadsLeftOut() override { leftOut = limits::clockHeads; }

  /// Warnings about invariants that were not checked, or not at all slots, in the case `instance`.
  std::vector<Diagnostic> warnings(const diag::Values &instance) const;

private:
  bool mayGoOn();

  const ir::Schedule &schedule;
  const HeardTracker *heard;
  std::uint64_t slots = 0;
  std::optional<LimitInForce> leftOut; // the limit because of which slots or heads were not checked; nothing: all were
  std::vector<const ir::Invariant *> unread;
};

} // namespace quadrille::compiler

#endif // QUADRILLE_CHECK_INVARIANTCHECK_H
