//===- Attempt.cpp - What one symbolic execution shows of a schedule ----------------------------------------------------===//
//
// Every obligation belongs to a claim. A claim is shown if all of its obligations are, and if all claims are on which it depends.
//
//===----------------------------------------------------------------------------------------------------------------===//

#include "Attempt.h"

#include "instantiate/CaseRun.h"
#include "ir/Walk.h"
#include "prove/overflow/Widths.h"
#include "prove/ranks/RankExecution.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/SaveAndRestore.h"

namespace quadrille::compiler::prove {

std::vector<Claim> claimsOf(const ir::Schedule &schedule) {
  std::vector<Claim> claims{Claim::Defined, Claim::Matching};
  if (schedule.model)
    claims.push_back(Claim::Port);
  claims.push_back(Claim::Deadlock);
  if (!schedule.clocks.empty())
    claims.push_back(Claim::Clock);
  llvm::append_range(claims, std::initializer_list<Claim>{Claim::Initialization, Claim::Range, Claim::Race, Claim::Invariant,
                                                          Claim::Result});
  if (schedule.usesOperator)
    claims.push_back(Claim::Operator);
  if (schedule.cost)
    claims.push_back(Claim::Cost);
  if (schedule.rounds)
    claims.push_back(Claim::Rounds);
  return claims;
}

void markAll(std::vector<ClaimVerdict> &claims, const NotModelled &why) {
  for (ClaimVerdict &claim : claims)
    claim.open = why;
}

ClaimVerdict &Attempt::verdictOn(Claim claim) {
  for (ClaimVerdict &verdict : claims)
    if (verdict.claim == claim)
      return verdict;
  claims.push_back({claim});
  return claims.back();
}

unsigned Attempt::openClaims(const ir::Schedule &schedule) const {
  const std::vector<Claim> made = claimsOf(schedule);
  return static_cast<unsigned>(llvm::count_if(claims, [&](const ClaimVerdict &c) {
    return !c.isProved() && llvm::is_contained(made, c.claim);
  }));
}

bool Attempt::showsNothing(const ir::Schedule &schedule) const {
  const std::vector<Claim> made = claimsOf(schedule);
  return llvm::none_of(claims, [&](const ClaimVerdict &c) {
    return c.isProved() && llvm::is_contained(made, c.claim);
  });
}

namespace {
/// What an attempt follows.
enum class Followed {
  AnyRank,   // one generic rank: all ranks take the same steps
  EachRank,  // each rank by itself
  Transfers, // only the transfers of each rank, without contents: for clocks
};

class Attempter {
public:
  Attempter(const ir::Schedule &schedule, Followed followed, Decisions &decisions, const UsedAlone *alone, bool isByTime)
      : schedule(schedule), followed(followed), decisions(decisions), alone(alone), isByTime(isByTime) {
    result.ranksDiffer = followed != Followed::AnyRank;
    for (Claim claim : claimsOf(schedule))
      if (followed == Followed::EachRank || (claim == Claim::Clock) == (followed == Followed::Transfers))
        result.claims.push_back({claim});
    result.defined = std::make_unique<DefinedTerms>(
        schedule, decisions.pool, [&decisions](const Obligation &obligation) { return decisions.isProved(obligation); },
        [&decisions](const Obligation &obligation) { return decisions.ranOut(obligation); });
  }

  Attempt run(Products products) {
    if (!execute(products))
      return std::move(result);
    result.overflows = whatMayOverflow(
        schedule, [&](const ir::Function &function) { return result.defined->factsOf(function); }, !result.execution->whyNoCost() && !result.execution->whyNoRounds());
    result.obligations = result.execution->obligations().vec();
    llvm::append_range(result.obligations, result.defined->laterObligations());
    decideAll();
    noteGaps();
    spread();
    return std::move(result);
  }

private:
  /// Executes the schedule symbolically; false, and all claims marked, if that is not possible to the end.
  bool execute(Products products) {
    std::unique_ptr<RankOperations> program;
    try {
      if (result.ranksDiffer) {
        program = std::make_unique<RankOperations>(schedule, decisions.pool, decisions, *result.defined);
        auto ranks = std::make_unique<RankExecution>(schedule, decisions.pool, decisions, *result.defined, *program, products);
        RankExecution &execution = *ranks;
        result.execution = std::move(ranks);
        if (alone)
          execution.standAlone(*alone);
        followed == Followed::EachRank ? execution.runRanks() : execution.runForClocks();
      } else {
        result.execution = std::make_unique<Execution>(schedule, decisions.pool, decisions, products, *result.defined);
        if (isByTime)
          result.execution->countByTime();
        if (alone)
          result.execution->standAlone(*alone);
        result.execution->run();
      }
      return true;
    } catch (const NotModelled &gap) {
      const bool isForMemory = decisions.outOfMemory && !gap.limit;
      markAll(result.claims, {gap.gap, gap.subject, gap.range, isForMemory ? solverMemory() : gap.limit});
    } catch (const TermOverflow &overflow) {
      markAll(result.claims, {overflow, schedule.nameRange});
    } catch (const EvaluationError &error) {
      cannotFollow(error.range);
    } catch (const Finding &finding) {
      cannotFollow(finding.diagnostic.range);
    }
    return false;
  }

  /// Marks all claims after an error in a small case, which the checks report in detail if they are run.
  void cannotFollow(llvm::SMRange range) {
    markAll(result.claims, {Gap::SmallCase, range.isValid() ? range : schedule.nameRange});
  }

  void decideAll() {
    for (const Obligation &obligation : result.obligations) {
      ClaimVerdict &claim = result.verdictOn(obligation.claim);
      ++claim.obligations;
      // Every claim depends on Defined, so once one of its obligations is not shown, the others need not be decided.
      const bool isMoot = obligation.claim == Claim::Defined && !claim.isProved();
      const SolverResult outcome = isMoot ? SolverResult() : decisions.decide(obligation);
      if (outcome.answer == Answer::Proved)
        continue;
      ++result.undecided;
      result.open.push_back(obligation);
      std::optional<NotModelled> &open = obligation.isStatedOnly ? stated : claim.open;
      if (!open)
        open = NotModelled{Gap::NotShown, obligation.name, obligation.range, limitOf(obligation, outcome)};
    }
  }

  /// The limit that ran out before the obligation was decided, or before what it needs to know of a function was found.
  std::optional<LimitInForce> limitOf(const Obligation &obligation, const SolverResult &outcome) const {
    return outcome.ranOut || outcome.answer == Answer::Refuted ? outcome.ranOut : result.defined->boundOfSearch(obligation);
  }

  /// Marks claims for which the execution could not state all obligations.
  void noteGaps() {
    const Execution &execution = *result.execution;
    auto note = [&](Claim claim, const std::optional<NotModelled> &gap) {
      if (gap)
        result.verdictOn(claim).open = gap;
    };
    auto noteClause = [&](Claim claim, const std::optional<ir::CostClause> &clause, const std::optional<NotModelled> &gap) {
      if (!clause)
        return;
      note(claim, gap ? gap : result.overflows.cost);
    };
    noteClause(Claim::Cost, schedule.cost, execution.whyNoCost());
    noteClause(Claim::Rounds, schedule.rounds, execution.whyNoRounds());
    note(Claim::Clock, execution.unreadClock());
    note(Claim::Invariant, execution.missingInvariant());
    if (execution.missingInvariant()) {
      // Obligations that fail because the invariant is missing are no reason of their own.
      auto isDependent = [](Claim claim) {
        return claim == Claim::Initialization || claim == Claim::Result || claim == Claim::Operator;
      };
      for (ClaimVerdict &verdict : result.claims)
        if (isDependent(verdict.claim))
          verdict.open.reset();
      llvm::erase_if(result.open, [&](const Obligation &o) { return isDependent(o.claim); });
    }
    note(Claim::Defined, execution.unusedGap());
    if (result.verdictOn(Claim::Defined).isProved())
      note(Claim::Defined, result.overflows.evaluated);
    if (result.ranksDiffer && !execution.unreadClock())
      note(Claim::Clock, result.overflows.clock);
  }

  /// Marks the claims that depend on `basis` if `basis` is not shown.
  void followsFrom(Claim basis, llvm::ArrayRef<Claim> dependent) {
    const ClaimVerdict from = result.verdictOn(basis);
    if (from.isProved())
      return;
    for (ClaimVerdict &verdict : result.claims)
      if (llvm::is_contained(dependent, verdict.claim) && verdict.isProved())
        verdict.open = from.open;
  }

  void spread() {
    // Claims about the state assume that all numbers have values, messages arrive, blocks are in their buffers and invariants
    // hold.
    followsFrom(Claim::Defined, {Claim::Matching, Claim::Port, Claim::Initialization, Claim::Range, Claim::Race,
                                 Claim::Invariant, Claim::Result, Claim::Operator, Claim::Cost, Claim::Rounds});
    for (Claim ground : {Claim::Range, Claim::Matching})
      followsFrom(ground, {Claim::Initialization, Claim::Invariant, Claim::Result, Claim::Operator, Claim::Cost, Claim::Rounds});
    // The contents of a product are known only if its operands are combined in order.
    if (schedule.usesOperator)
      followsFrom(Claim::Operator, {Claim::Invariant, Claim::Result});
    followsFrom(Claim::Invariant, {Claim::Initialization, Claim::Result, Claim::Operator});
    followsFrom(Claim::Initialization, {Claim::Result, Claim::Operator});
    // If all ranks take the same steps and all messages of every step meet, no rank waits for ever.
    if (const ClaimVerdict matching = result.verdictOn(Claim::Matching); !matching.isProved()) {
      ClaimVerdict &deadlock = result.verdictOn(Claim::Deadlock);
      deadlock = matching;
      deadlock.claim = Claim::Deadlock;
    }
    // Contracts of messages are shown by induction on the clock, so all claims about data depend on it, and on the laws of trees.
    if (result.ranksDiffer)
      for (Claim ground : {Claim::Defined, Claim::Matching, Claim::Deadlock}) {
        llvm::SmallVector<Claim, 12> all;
        for (const ClaimVerdict &verdict : result.claims)
          all.push_back(verdict.claim);
        followsFrom(ground, all);
      }
    // Comes last, because no other claim depends on stated invariants that were not used.
    for (const std::optional<NotModelled> &open : {stated, result.execution->unreadInvariant(), result.overflows.invariant})
      if (open && result.verdictOn(Claim::Invariant).isProved())
        result.verdictOn(Claim::Invariant).open = open;
  }

  const ir::Schedule &schedule;
  const Followed followed;
  Decisions &decisions;
  const UsedAlone *const alone; // how the schedule is used in groups; null: it is not
  const bool isByTime;          // AnyRank: whether some ranks pass by what others do
  Attempt result;
  std::optional<NotModelled> stated; // the first part of an unused stated invariant that was not shown
};
} // namespace

Attempt attempt(const ir::Schedule &schedule, Products products, bool ranksDiffer, Decisions &decisions, const UsedAlone *alone) {
  return Attempter(schedule, ranksDiffer ? Followed::EachRank : Followed::AnyRank, decisions, alone, needsSimulation(schedule)).run(products);
}

Attempt attempt(std::shared_ptr<const AlignedSchedule> aligned, Products products, Decisions &decisions, const UsedAlone *alone) {
  Candidates ofAligned(aligned->schedule, decisions.pool);
  const llvm::SaveAndRestore<Candidates *> searching(decisions.candidates, &ofAligned);
  Attempt result = Attempter(aligned->schedule, Followed::AnyRank, decisions, alone, /*isByTime=*/true).run(products);
  result.aligned = std::move(aligned);
  return result;
}

bool usesGroups(const ir::Schedule &schedule) {
  return ir::anyStatement(schedule.body, [](const ir::Stmt &stmt) {
    auto *use = llvm::dyn_cast<ir::UseStmt>(&stmt);
    return use && (use->member || usesGroups(*use->callee));
  });
}

std::vector<Products> waysOf(const ir::Schedule &schedule, bool ranksDiffer) {
  const bool isOfSome = llvm::any_of(schedule.collective->promises, [](const ir::Promise &promise) {
    return !promise.isHeard && promise.term.isFold && promise.term.condition;
  });
  if (isOfSome && !ranksDiffer)
    return {Products::Members};
  if (!schedule.usesOperator || !schedule.requiresCommutative)
    return {Products::Ordered};
  if (ranksDiffer)
    return {Products::Ordered, Products::Cyclic, Products::Members};
  if (statesLocations(schedule.body))
    return {Products::Members};
  return {Products::Cyclic, Products::Members};
}

void addClocks(const ir::Schedule &schedule, Decisions &decisions, Attempt &attempt) {
  Attempt clocks = Attempter(schedule, Followed::Transfers, decisions, nullptr, /*isByTime=*/false).run(Products::Ordered);
  auto isDeadlock = [](const ClaimVerdict &verdict) { return verdict.claim == Claim::Deadlock; };
  attempt.claims.insert(llvm::find_if(attempt.claims, isDeadlock) + 1, clocks.verdictOn(Claim::Clock));
  auto add = [](std::vector<Obligation> &from, std::vector<Obligation> &to) {
    llvm::copy_if(from, std::back_inserter(to), [](const Obligation &obligation) { return obligation.claim == Claim::Clock; });
  };
  add(clocks.obligations, attempt.obligations);
  add(clocks.open, attempt.open);
}

} // namespace quadrille::compiler::prove
