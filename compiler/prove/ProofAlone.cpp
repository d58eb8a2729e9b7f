//===- ProofAlone.cpp - Schedules that are used in groups, proved by themselves -----------------------------------------===//
//
// A group relies on all claims about what the schedule does. It does not rely on the schedule's clauses, nor on stated invariants
// and clocks. The claims are shown as for an outermost schedule: for all p and numbers that the schedule admits.
//
//===----------------------------------------------------------------------------------------------------------------===//

#include "Attempt.h"

#include "instantiate/CaseRun.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/SaveAndRestore.h"

namespace quadrille::compiler::prove {

/// Whether groups rely on the claim. The port model is a claim of the schedule that has the groups: its obligations are handed on.
static bool isReliedOn(Claim claim) {
  switch (claim) {
  case Claim::Port:
  case Claim::Clock:
  case Claim::Invariant: // those that are relied on are relied on by Result
  case Claim::Cost:
  case Claim::Rounds:
    return false;
  default:
    return true;
  }
}

/// The cost as a formula in p and the numbers of the schedule; without one, `unknown` says why.
static SymbolicCost costAlone(const ir::Schedule &schedule, const Attempt &attempt, TermPool &pool) {
  const Execution &execution = *attempt.execution;
  SymbolicCost cost = execution.totalCost();
  auto giveUp = [&](Gap gap) {
    if (!cost.unknown)
      cost.unknown = NotModelled{gap, schedule.nameRange};
  };
  if (cost.unknown)
    return cost;
  if (cost.chains)
    for (Chain &chain : *cost.chains)
      chain = {attempt.execution->machineRank(chain.from), attempt.execution->machineRank(chain.to)};
  for (Term SymbolicCost::*part : {&SymbolicCost::startups, &SymbolicCost::own, &SymbolicCost::ownReceived, &SymbolicCost::blocks, &SymbolicCost::packets}) {
    // The start of a loop may be the last value of another loop's variable.
    for (unsigned i = 0; i <= execution.lastValues().size(); ++i)
      cost.*part = pool.substitute(cost.*part, execution.lastValues());
    forEachNode({cost.*part}, [&](Term node) {
      const bool isKnown = node == execution.symbols().p || llvm::is_contained(execution.numbers(), node);
      if (node->kind == TermKind::Apply || (node->kind == TermKind::Variable && !isKnown))
        giveUp(Gap::DerivedWithoutFormula);
    });
  }
  return cost;
}

const ProofAlone *Decisions::proofAlone(const UsedAlone &how) {
  for (const auto &known : alone)
    if (known->first == how)
      return &known->second;
  const ir::Schedule &schedule = *how.callee;
  Candidates ofSchedule(schedule, pool);
  // The laws that the using schedule supposes are not about this schedule's functions.
  const llvm::SaveAndRestore<Candidates *> searching(candidates, &ofSchedule);
  const llvm::SaveAndRestore<DefinedTerms *> supposed(supposing, nullptr);
  const llvm::SaveAndRestore<llvm::SetVector<Term> *> owing(owed, nullptr);
  ProofAlone proof;
  auto isOpen = [](const ClaimVerdict &verdict) { return isReliedOn(verdict.claim) && !verdict.isProved(); };
  const bool ranksDiffer = needsSimulation(schedule);
  auto isShown = [&](const Attempt &tried, Products way) {
    const auto open = llvm::find_if(tried.claims, isOpen);
    if (open != tried.claims.end()) {
      if (!proof.open)
        proof.open = open->open;
      return false;
    }
    proof.open.reset();
    proof.isUpToOrder = way != Products::Ordered;
    llvm::copy_if(tried.obligations, std::back_inserter(proof.obligations), [](const Obligation &obligation) {
      return obligation.claim != Claim::Clock && !obligation.isStatedOnly;
    });
    proof.numbers = tried.execution->numbers();
    proof.packets = tried.execution->splits();
    proof.emptyElsewhere = tried.execution->emptyElsewhere();
    proof.cost = costAlone(schedule, tried, pool);
    proof.packetsPerBlock = tried.execution->packetsPerBlock();
    proof.rounds = tried.execution->roundsAlone();
    return true;
  };
  auto isShownBy = [&](bool eachRank) {
    if (eachRank && how.hasParts()) {
      proof.open = NotModelled{Gap::UsedInGroups, schedule.nameRange};
      return false;
    }
    return llvm::any_of(waysOf(schedule, eachRank), [&](Products way) { return isShown(attempt(schedule, way, eachRank, *this, &how), way); });
  };
  auto isShownInStep = [&] {
    const std::shared_ptr<const AlignedSchedule> aligned = align(schedule);
    return aligned && llvm::any_of(waysOf(aligned->schedule, false), [&](Products way) { return isShown(attempt(aligned, way, *this, &how), way); });
  };
  if (!(ranksDiffer && ((usesGroups(schedule) && isShownBy(false)) || isShownInStep()))) {
    proof.open.reset(); // the reason of the other ways is about the schedule as written
    isShownBy(ranksDiffer);
  }
  alone.push_back(std::make_unique<std::pair<UsedAlone, ProofAlone>>(how, std::move(proof)));
  return &alone.back()->second;
}

} // namespace quadrille::compiler::prove
