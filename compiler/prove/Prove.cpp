//===- Prove.cpp - From a schedule to a verdict ---------------------------------------------------------------------------===//

#include "Prove.h"

#include "Decisions.h"
#include "RankExecution.h"
#include "Refute.h"
#include "SamplePoints.h"
#include "Widths.h"

#include "instantiate/Run.h"

#include "llvm/ADT/STLExtras.h"

#include <map>

namespace quadrille::prove {

llvm::StringRef claimName(Claim claim) {
  switch (claim) {
  case Claim::Defined: return "numbers";
  case Claim::Matching: return "matching";
  case Claim::Port: return "port model";
  case Claim::Deadlock: return "no deadlock";
  case Claim::Initialization: return "initialization";
  case Claim::Range: return "ranges";
  case Claim::Race: return "races";
  case Claim::Invariant: return "invariants";
  case Claim::Result: return "result";
  case Claim::Operator: return "operand order";
  case Claim::Cost: return "cost";
  }
  return "";
}

std::string scopeOf(const ir::Schedule &schedule) {
  std::string text;
  for (const ir::Requirement &requirement : schedule.requirements)
    text += (text.empty() ? "all p with " : " and ") + requirement.text;
  return text.empty() ? "all p" : text;
}

bool ProofVerdict::isProved() const {
  return !isRefuted() && !claims.empty() &&
         llvm::all_of(claims, [](const ClaimVerdict &claim) { return claim.strength == Strength::Proved; });
}

namespace {

/// The claims that a schedule makes.
std::vector<Claim> claimsOf(const ir::Schedule &schedule) {
  std::vector<Claim> claims{Claim::Defined, Claim::Matching};
  if (schedule.model)
    claims.push_back(Claim::Port);
  llvm::append_range(claims, std::initializer_list<Claim>{Claim::Deadlock, Claim::Initialization, Claim::Range,
                                                          Claim::Race, Claim::Invariant, Claim::Result});
  if (schedule.usesOperator)
    claims.push_back(Claim::Operator);
  if (schedule.cost || schedule.rounds)
    claims.push_back(Claim::Cost);
  return claims;
}

/// What one execution could show.
struct Attempt {
  std::vector<ClaimVerdict> claims;
  std::vector<Obligation> obligations, open;
  unsigned undecided = 0;
  bool ranksDiffer = false;             // each rank is followed by itself
  std::optional<NotModelled> overflow;  // what the proof, which is about integers without bounds, does not hold for
  std::unique_ptr<DefinedTerms> defined;
  std::unique_ptr<Execution> execution; // keeps what the invariants are about
};

void markAll(std::vector<ClaimVerdict> &claims, const std::string &reason, llvm::SMRange range) {
  for (ClaimVerdict &claim : claims) {
    claim.strength = Strength::Checked;
    claim.reason = reason;
    claim.range = range;
  }
}

ClaimVerdict &claimIn(std::vector<ClaimVerdict> &claims, Claim claim) {
  for (ClaimVerdict &verdict : claims)
    if (verdict.claim == claim)
      return verdict;
  claims.push_back({claim, Strength::Proved, {}, {}, 0});
  return claims.back();
}

Attempt attempt(const ir::Schedule &schedule, Products products, bool ranksDiffer, Decisions &decisions) {
  Attempt result;
  result.ranksDiffer = ranksDiffer;
  for (Claim claim : claimsOf(schedule))
    result.claims.push_back({claim, Strength::Proved, {}, {}, 0});
  result.defined = std::make_unique<DefinedTerms>(
      schedule, decisions.pool, [&](const Obligation &obligation) { return decisions.isProved(obligation); });
  DefinedTerms &defined = *result.defined;
  // Lemmas about trees make questions larger; fewer candidates make fewer of them.
  decisions.patience = ranksDiffer ? 8 : 1;
  std::unique_ptr<RankProgram> program;
  std::unique_ptr<Execution> &running = result.execution;
  try {
    if (ranksDiffer) {
      program = std::make_unique<RankProgram>(schedule, decisions.pool, decisions, defined);
      auto ranks = std::make_unique<RankExecution>(schedule, decisions.pool, decisions, defined, *program);
      RankExecution &execution = *ranks;
      running = std::move(ranks);
      execution.runRanks();
    } else {
      running = std::make_unique<Execution>(schedule, decisions.pool, decisions, products, defined);
      running->run();
    }
  } catch (const NotModelled &gap) {
    markAll(result.claims, gap.reason + (decisions.outOfMemory ? ": memory" : ""), gap.range);
    return result;
  } catch (const TermOverflow &) {
    markAll(result.claims, "numbers beyond 64 bits", schedule.nameRange);
    return result;
  } catch (const EvaluationError &error) {
    // What is wrong with a small case the checks tell, if they are asked.
    markAll(result.claims, "a small case that cannot be followed", error.range.isValid() ? error.range : schedule.nameRange);
    return result;
  } catch (const Finding &finding) {
    const llvm::SMRange range = finding.diagnostic.range;
    markAll(result.claims, "a small case that cannot be followed", range.isValid() ? range : schedule.nameRange);
    return result;
  }
  const Execution &execution = *running;
  result.overflow = firstThatMayOverflow(schedule, defined.argumentBounds());
  result.obligations = execution.obligations();
  for (const Obligation &obligation : result.obligations) {
    ClaimVerdict &claim = claimIn(result.claims, obligation.claim);
    ++claim.obligations;
    // Every claim rests on what things are, so after one question about that has failed the others need no answer.
    const bool isMoot = obligation.claim == Claim::Defined && claim.strength == Strength::Checked;
    const Outcome outcome = isMoot ? Outcome() : decisions.decide(obligation);
    if (outcome.answer == Answer::Proved)
      continue;
    ++result.undecided;
    result.open.push_back(obligation);
    if (claim.strength == Strength::Proved) {
      claim.strength = Strength::Checked;
      claim.reason = "not shown that " + obligation.name + (outcome.outOfMemory ? ": memory" : "");
      claim.range = obligation.range;
    }
  }
  if (execution.whyNoCost()) {
    ClaimVerdict &claim = claimIn(result.claims, Claim::Cost);
    claim.strength = Strength::Checked;
    claim.reason = execution.whyNoCost()->reason;
    claim.range = execution.whyNoCost()->range;
  }
  if (execution.missingInvariant()) {
    ClaimVerdict &claim = claimIn(result.claims, Claim::Invariant);
    claim.strength = Strength::Checked;
    claim.reason = execution.missingInvariant()->reason;
    claim.range = execution.missingInvariant()->range;
    // What fails for want of it says nothing by itself.
    for (Claim dependent : {Claim::Initialization, Claim::Result, Claim::Operator})
      for (ClaimVerdict &verdict : result.claims)
        if (verdict.claim == dependent)
          verdict.strength = Strength::Proved;
    llvm::erase_if(result.open, [](const Obligation &o) {
      return o.claim == Claim::Initialization || o.claim == Claim::Result || o.claim == Claim::Operator;
    });
  }
  if (execution.unusedGap()) {
    ClaimVerdict &claim = claimIn(result.claims, Claim::Defined);
    claim.strength = Strength::Checked;
    claim.reason = execution.unusedGap()->reason;
    claim.range = execution.unusedGap()->range;
  }
  if (ClaimVerdict &claim = claimIn(result.claims, Claim::Defined);
      result.overflow && claim.strength == Strength::Proved) {
    claim.strength = Strength::Checked;
    claim.reason = result.overflow->reason;
    claim.range = result.overflow->range;
  }
  // What is shown about the state is shown of one in which all numbers have values, messages arrive, blocks are in their
  // buffers and invariants hold.
  auto followsFrom = [&](Claim basis, std::initializer_list<Claim> dependent) {
    const ClaimVerdict from = claimIn(result.claims, basis);
    if (from.strength == Strength::Proved)
      return;
    for (ClaimVerdict &verdict : result.claims)
      if (llvm::is_contained(dependent, verdict.claim) && verdict.strength == Strength::Proved) {
        verdict.strength = Strength::Checked;
        verdict.reason = from.reason;
        verdict.range = from.range;
      }
  };
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
  const ClaimVerdict matching = claimIn(result.claims, Claim::Matching);
  if (matching.strength == Strength::Checked) {
    ClaimVerdict &deadlock = claimIn(result.claims, Claim::Deadlock);
    deadlock = matching;
    deadlock.claim = Claim::Deadlock;
  }
  // Contracts are kept by induction on the clock, so that everything about data rests on it, and on the laws of trees.
  if (ranksDiffer)
    for (Claim ground : {Claim::Defined, Claim::Matching, Claim::Deadlock}) {
      const ClaimVerdict why = claimIn(result.claims, ground);
      if (why.strength == Strength::Proved)
        continue;
      for (ClaimVerdict &verdict : result.claims)
        if (verdict.strength == Strength::Proved) {
          verdict.strength = Strength::Checked;
          verdict.reason = why.reason;
          verdict.range = why.range;
        }
    }
  // Nothing rests on what was not looked at.
  ClaimVerdict &invariants = claimIn(result.claims, Claim::Invariant);
  if (execution.unreadInvariant() && invariants.strength == Strength::Proved) {
    invariants.strength = Strength::Checked;
    invariants.reason = execution.unreadInvariant()->reason;
    invariants.range = execution.unreadInvariant()->range;
  }
  return result;
}

/// How many of the claims that the schedule makes were not shown.
unsigned openClaims(const ir::Schedule &schedule, const Attempt &attempt) {
  const std::vector<Claim> made = claimsOf(schedule);
  return static_cast<unsigned>(llvm::count_if(attempt.claims, [&](const ClaimVerdict &c) {
    return c.strength == Strength::Checked && llvm::is_contained(made, c.claim);
  }));
}

} // namespace

ProofVerdict prove(const ir::Schedule &schedule, const ProofOptions &options) {
  ProofVerdict verdict;
  verdict.schedule = &schedule;
  verdict.scope = scopeOf(schedule);
  if (!options.proofOnly)
    verdict.checked = checkSchedule(schedule, options.check);
  if (verdict.checked.failure)
    return verdict;
  for (Claim claim : claimsOf(schedule))
    verdict.claims.push_back({claim, Strength::Proved, {}, {}, 0});
  if (!solverMemoryLeft()) {
    markAll(verdict.claims, "memory", schedule.nameRange);
    verdict.outOfMemory = true;
    return verdict;
  }
  // Ranks that go through different steps are followed each by itself.
  const bool ranksDiffer = needsSimulation(schedule);
  TermPool pool;
  Candidates candidates(schedule, pool, options.like);
  Decisions decisions(pool, candidates, options);
  std::vector<Products> ways{Products::Ordered};
  if (schedule.usesOperator && schedule.requiresCommutative && !ranksDiffer)
    ways = {Products::Cyclic, Products::Members};
  std::optional<Attempt> best;
  // Where nothing was shown in either way, the reason of the first is told: it is about the schedule as it is written.
  auto consider = [&](Attempt tried) {
    const unsigned open = openClaims(schedule, tried);
    if (!best || (open < claimsOf(schedule).size() && open < openClaims(schedule, *best)))
      best = std::move(tried);
  };
  for (Products way : ways) {
    consider(attempt(schedule, way, ranksDiffer, decisions));
    if (openClaims(schedule, *best) == 0)
      break;
  }
  // All ranks may take the same steps and yet meet in different ones.
  if (!ranksDiffer && !best->overflow && claimIn(best->claims, Claim::Matching).strength == Strength::Checked)
    consider(attempt(schedule, Products::Ordered, true, decisions));
  verdict.claims = best->claims;
  verdict.obligations = static_cast<unsigned>(best->obligations.size());
  verdict.undecided = best->undecided;
  if (openClaims(schedule, *best) > 0 && !options.proofOnly) {
    if (std::optional<Verdict> failure = refute(schedule, best->open, pool, decisions.solver, options))
      verdict.checked = std::move(*failure);
  }
  // What nobody satisfies would be proved whatever it says.
  if (best->execution &&
      decisions.solver.satisfiable(best->execution->assumptions(), options.resources) == Answer::Refuted) {
    markAll(verdict.claims, "nothing satisfies what the schedule requires", schedule.nameRange);
    verdict.nothingAdmitted = true;
  }
  if (options.wantObligations || options.wantVacuous)
    for (const Obligation &obligation : best->obligations) {
      // Small numbers are found sooner than models, and with the functions of trees as they are.
      const Answer satisfiable = SamplePoints(*best->defined, pool, obligation.hypotheses, 1).any()
                                     ? Answer::Proved
                                     : decisions.solver.satisfiable(obligation.hypotheses, options.resources);
      if (satisfiable == Answer::Refuted)
        verdict.vacuous.push_back({obligation.claim, obligation.name, obligation.range});
      if (!options.wantObligations)
        continue;
      const bool proved = decisions.isProved(obligation);
      verdict.smtlib.push_back("; claim: " + claimName(obligation.claim).str() + "\n; status: " +
                               (proved ? "proved" : "open") + "\n; hypotheses: " +
                               (satisfiable == Answer::Proved    ? "satisfiable"
                                : satisfiable == Answer::Refuted ? "contradict each other"
                                                                 : "not known to be satisfiable") +
                               "\n" + decisions.solver.smtlib(Decisions::questionOf(obligation)));
    }
  if (options.wantExplanations && best->execution) {
    for (const auto &[head, invariant] : best->execution->invariants())
      verdict.explanations.push_back(invariantText(head, invariant, schedule, pool, StateSymbols(pool)));
    for (const Execution::ClockText &clock : best->execution->clockTexts())
      verdict.explanations.push_back({clock.range, {clock.text}});
  }
  if (best->execution)
    verdict.warnings = best->execution->doubts();
  if (!best->ranksDiffer)
    for (const auto &clock : schedule.clocks)
      verdict.warnings.push_back({diag::Id::ClockUnneeded, clock->range, {}});
  verdict.outOfMemory = decisions.outOfMemory;
  verdict.resources = decisions.solver.resourcesUsed();
  return verdict;
}

} // namespace quadrille::prove
