//===- Attempt.cpp - What one symbolic execution shows of a schedule ----------------------------------------------------===//
//
// Every obligation belongs to a claim, which is shown if all of its obligations are. A claim that rests on another one, which
// is not shown, is not shown either.
//
//===----------------------------------------------------------------------------------------------------------------===//

#include "Attempt.h"

#include "instantiate/CaseRun.h"
#include "prove/overflow/Widths.h"
#include "prove/ranks/RankExecution.h"

#include "llvm/ADT/STLExtras.h"

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
  if (schedule.cost || schedule.rounds)
    claims.push_back(Claim::Cost);
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
/// Whom an attempt follows.
enum class Followed {
  AnyRank,   // all ranks, which take the same steps
  EachRank,  // by itself
  Transfers, // of each rank, whatever they carry: for clocks alone
};

/// Makes an attempt.
class Attempter {
public:
  Attempter(const ir::Schedule &schedule, Followed followed, Decisions &decisions)
      : schedule(schedule), followed(followed), decisions(decisions) {
    result.ranksDiffer = followed != Followed::AnyRank;
    for (Claim claim : claimsOf(schedule))
      if (followed == Followed::EachRank || (claim == Claim::Clock) == (followed == Followed::Transfers))
        result.claims.push_back({claim});
    result.defined = std::make_unique<DefinedTerms>(
        schedule, decisions.pool, [&decisions](const Obligation &obligation) { return decisions.isProved(obligation); });
  }

  Attempt run(Products products) {
    if (!execute(products))
      return std::move(result);
    result.overflows = whatMayOverflow(
        schedule, [&](const ir::Function &function) { return result.defined->factsOf(function); }, !result.execution->whyNoCost());
    result.obligations = result.execution->obligations().vec();
    llvm::append_range(result.obligations, result.defined->laterObligations());
    decideAll();
    noteGaps();
    spread();
    return std::move(result);
  }

private:
  /// Follows the schedule; false if it cannot be followed to the end.
  bool execute(Products products) {
    std::unique_ptr<RankOperations> program;
    try {
      if (result.ranksDiffer) {
        program = std::make_unique<RankOperations>(schedule, decisions.pool, decisions, *result.defined);
        auto ranks = std::make_unique<RankExecution>(schedule, decisions.pool, decisions, *result.defined, *program);
        RankExecution &execution = *ranks;
        result.execution = std::move(ranks);
        followed == Followed::EachRank ? execution.runRanks() : execution.runForClocks();
      } else {
        result.execution = std::make_unique<Execution>(schedule, decisions.pool, decisions, products, *result.defined);
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

  /// What is wrong with a small case the checks tell, if they are asked.
  void cannotFollow(llvm::SMRange range) {
    markAll(result.claims, {Gap::SmallCase, range.isValid() ? range : schedule.nameRange});
  }

  void decideAll() {
    for (const Obligation &obligation : result.obligations) {
      ClaimVerdict &claim = result.verdictOn(obligation.claim);
      ++claim.obligations;
      // Every claim rests on what things are, so after one question about that has failed the others need no answer.
      const bool isMoot = obligation.claim == Claim::Defined && !claim.isProved();
      const Outcome outcome = isMoot ? Outcome() : decisions.decide(obligation);
      if (outcome.answer == Answer::Proved)
        continue;
      ++result.undecided;
      result.open.push_back(obligation);
      if (obligation.isStatedOnly) {
        if (!stated)
          stated = NotModelled{Gap::NotShown, obligation.name, obligation.range, outcome.ranOut};
        continue;
      }
      if (claim.isProved())
        claim.open = {Gap::NotShown, obligation.name, obligation.range, outcome.ranOut};
    }
  }

  /// What the execution could not make an obligation of.
  void noteGaps() {
    const Execution &execution = *result.execution;
    auto note = [&](Claim claim, const std::optional<NotModelled> &gap) {
      if (gap)
        result.verdictOn(claim).open = gap;
    };
    note(Claim::Cost, execution.whyNoCost() ? execution.whyNoCost() : result.overflows.cost);
    note(Claim::Clock, execution.unreadClock());
    note(Claim::Invariant, execution.missingInvariant());
    if (execution.missingInvariant()) {
      // What fails for want of it says nothing by itself.
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

  /// Claims that were shown under the condition that `basis` holds are not shown if that is not.
  void followsFrom(Claim basis, llvm::ArrayRef<Claim> dependent) {
    const ClaimVerdict from = result.verdictOn(basis);
    if (from.isProved())
      return;
    for (ClaimVerdict &verdict : result.claims)
      if (llvm::is_contained(dependent, verdict.claim) && verdict.isProved())
        verdict.open = from.open;
  }

  void spread() {
    // What is shown about the state is shown of one in which all numbers have values, messages arrive, blocks are in their
    // buffers and invariants hold.
    followsFrom(Claim::Defined, {Claim::Matching, Claim::Port, Claim::Initialization, Claim::Range, Claim::Race,
                                 Claim::Invariant, Claim::Result, Claim::Operator, Claim::Cost});
    followsFrom(Claim::Range, {Claim::Initialization, Claim::Invariant, Claim::Result, Claim::Operator, Claim::Cost});
    followsFrom(Claim::Matching, {Claim::Initialization, Claim::Invariant, Claim::Result, Claim::Operator, Claim::Cost});
    // Of a product whose operands need not be in order nothing is known but that it is taken for one.
    if (schedule.usesOperator)
      followsFrom(Claim::Operator, {Claim::Invariant, Claim::Result});
    followsFrom(Claim::Invariant, {Claim::Initialization, Claim::Result, Claim::Operator});
    followsFrom(Claim::Initialization, {Claim::Result, Claim::Operator});
    // All ranks take the same steps and every step's messages meet: nobody waits for ever.
    if (const ClaimVerdict matching = result.verdictOn(Claim::Matching); !matching.isProved()) {
      ClaimVerdict &deadlock = result.verdictOn(Claim::Deadlock);
      deadlock = matching;
      deadlock.claim = Claim::Deadlock;
    }
    // Contracts are kept by induction on the clock, so that everything about data rests on it, and on the laws of trees.
    if (result.ranksDiffer)
      for (Claim ground : {Claim::Defined, Claim::Matching, Claim::Deadlock}) {
        llvm::SmallVector<Claim, 12> all;
        for (const ClaimVerdict &verdict : result.claims)
          all.push_back(verdict.claim);
        followsFrom(ground, all);
      }
    // Nothing rests on what was not looked at, nor on what is stated beside what was found.
    for (const std::optional<NotModelled> &open : {stated, result.execution->unreadInvariant(), result.overflows.invariant})
      if (open && result.verdictOn(Claim::Invariant).isProved())
        result.verdictOn(Claim::Invariant).open = open;
  }

  const ir::Schedule &schedule;
  const Followed followed;
  Decisions &decisions;
  Attempt result;
  std::optional<NotModelled> stated; // by an invariant on which nothing rests, and not shown
};
} // namespace

Attempt attempt(const ir::Schedule &schedule, Products products, bool ranksDiffer, Decisions &decisions) {
  return Attempter(schedule, ranksDiffer ? Followed::EachRank : Followed::AnyRank, decisions).run(products);
}

void addClocks(const ir::Schedule &schedule, Decisions &decisions, Attempt &attempt) {
  Attempt clocks = Attempter(schedule, Followed::Transfers, decisions).run(Products::Ordered);
  auto isDeadlock = [](const ClaimVerdict &verdict) { return verdict.claim == Claim::Deadlock; };
  attempt.claims.insert(llvm::find_if(attempt.claims, isDeadlock) + 1, clocks.verdictOn(Claim::Clock));
  auto add = [](std::vector<Obligation> &from, std::vector<Obligation> &to) {
    llvm::copy_if(from, std::back_inserter(to), [](const Obligation &obligation) { return obligation.claim == Claim::Clock; });
  };
  add(clocks.obligations, attempt.obligations);
  add(clocks.open, attempt.open);
}

} // namespace quadrille::compiler::prove
