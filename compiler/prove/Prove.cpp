//===- Prove.cpp - From a schedule to a verdict ---------------------------------------------------------------------------===//

#include "Prove.h"

#include "Candidates.h"
#include "Execution.h"
#include "Refute.h"
#include "Solver.h"

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

bool ProofVerdict::isProved() const {
  return !isRefuted() && !claims.empty() &&
         llvm::all_of(claims, [](const ClaimVerdict &claim) { return claim.strength == Strength::Proved; });
}

namespace {

/// "all p", "all p with pow2(p) and k <= p"
std::string scopeText(const ir::Schedule &schedule) {
  std::string text;
  for (const ir::Requirement &requirement : schedule.requirements)
    text += (text.empty() ? "all p with " : " and ") + requirement.text;
  return text.empty() ? "all p" : text;
}

/// Decides obligations, each once, within what one schedule may take.
class Decisions : public Oracle {
public:
  Decisions(TermPool &pool, Candidates &candidates, const ProofOptions &options)
      : pool(pool), solver(pool), candidates(candidates), options(options) {}

  std::vector<Invariant> invariants(const LoopHead &head, const StateSymbols &symbols) override {
    return candidates.invariants(head, symbols);
  }

  bool isProved(const Obligation &obligation) override { return decide(obligation).answer == Answer::Proved; }

  const Outcome &decide(const Obligation &obligation) {
    // Hypotheses that say the same are the same term, so this is the whole question.
    Term question = pool.implies(pool.conjunction(obligation.hypotheses), obligation.goal);
    auto [entry, isNew] = known.try_emplace(question);
    if (!isNew)
      return entry->second;
    if (pool.isTrue(question)) {
      entry->second.answer = Answer::Proved;
    } else if (solver.resourcesUsed() > options.totalResources) {
      entry->second.answer = Answer::Unknown;
      entry->second.reason = "the proof of this schedule takes more than it may";
    } else {
      Outcome outcome = solver.prove(questionOf(obligation), options.resources);
      known[question] = outcome; // `entry` need not be there any more
    }
    return known[question];
  }

  static Question questionOf(const Obligation &obligation) {
    return {obligation.name, obligation.hypotheses, obligation.goal};
  }

  TermPool &pool;
  Solver solver;

private:
  Candidates &candidates;
  const ProofOptions &options;
  llvm::DenseMap<Term, Outcome> known;
};

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

Attempt attempt(const ir::Schedule &schedule, Products products, Decisions &decisions) {
  Attempt result;
  for (Claim claim : claimsOf(schedule))
    result.claims.push_back({claim, Strength::Proved, {}, {}, 0});
  result.execution = std::make_unique<Execution>(schedule, decisions.pool, decisions, products);
  Execution &execution = *result.execution;
  try {
    execution.run();
  } catch (const NotModelled &gap) {
    markAll(result.claims, gap.reason, gap.range);
    return result;
  } catch (const TermOverflow &) {
    markAll(result.claims, "numbers beyond 64 bits", schedule.nameRange);
    return result;
  }
  result.obligations = execution.obligations();
  for (const Obligation &obligation : result.obligations) {
    const Outcome outcome = decisions.decide(obligation);
    ClaimVerdict &claim = claimIn(result.claims, obligation.claim);
    ++claim.obligations;
    if (outcome.answer == Answer::Proved)
      continue;
    ++result.undecided;
    result.open.push_back(obligation);
    if (claim.strength == Strength::Proved) {
      claim.strength = Strength::Checked;
      claim.reason = "not shown that " + obligation.name;
      claim.range = obligation.range;
    }
  }
  if (execution.whyNoCost()) {
    ClaimVerdict &claim = claimIn(result.claims, Claim::Cost);
    claim.strength = Strength::Checked;
    claim.reason = execution.whyNoCost()->reason;
    claim.range = execution.whyNoCost()->range;
  }
  // Results follow from invariants, and so does that nothing empty is sent.
  const ClaimVerdict invariants = claimIn(result.claims, Claim::Invariant);
  if (invariants.strength == Strength::Checked)
    for (Claim claim : {Claim::Initialization, Claim::Result, Claim::Operator})
      for (ClaimVerdict &verdict : result.claims)
        if (verdict.claim == claim && verdict.strength == Strength::Proved) {
          verdict.strength = Strength::Checked;
          verdict.reason = invariants.reason;
          verdict.range = invariants.range;
        }
  // All ranks take the same steps and every step's messages meet: nobody waits for ever.
  const ClaimVerdict matching = claimIn(result.claims, Claim::Matching);
  if (matching.strength == Strength::Checked) {
    ClaimVerdict &deadlock = claimIn(result.claims, Claim::Deadlock);
    deadlock = matching;
    deadlock.claim = Claim::Deadlock;
  }
  return result;
}

unsigned openClaims(const Attempt &attempt) {
  return static_cast<unsigned>(
      llvm::count_if(attempt.claims, [](const ClaimVerdict &c) { return c.strength == Strength::Checked; }));
}

} // namespace

ProofVerdict prove(const ir::Schedule &schedule, const ProofOptions &options) {
  ProofVerdict verdict;
  verdict.schedule = &schedule;
  verdict.scope = scopeText(schedule);
  verdict.checked = checkSchedule(schedule, options.check);
  if (verdict.checked.failure)
    return verdict;
  for (Claim claim : claimsOf(schedule))
    verdict.claims.push_back({claim, Strength::Proved, {}, {}, 0});
  if (needsSimulation(schedule)) {
    markAll(verdict.claims, "ranks go through different steps", schedule.nameRange);
    return verdict;
  }
  TermPool pool;
  Candidates candidates(schedule, pool);
  Decisions decisions(pool, candidates, options);
  std::vector<Products> ways{Products::Ordered};
  if (schedule.usesOperator && schedule.requiresCommutative)
    ways = {Products::Cyclic, Products::Members};
  std::optional<Attempt> best;
  for (Products way : ways) {
    Attempt tried = attempt(schedule, way, decisions);
    if (!best || openClaims(tried) < openClaims(*best))
      best = std::move(tried);
    if (openClaims(*best) == 0)
      break;
  }
  verdict.claims = best->claims;
  verdict.obligations = static_cast<unsigned>(best->obligations.size());
  verdict.undecided = best->undecided;
  if (!best->open.empty()) {
    if (std::optional<Verdict> failure = refute(schedule, best->open, pool, decisions.solver, options))
      verdict.checked = std::move(*failure);
  }
  if (options.wantObligations)
    for (const Obligation &obligation : best->obligations)
      verdict.smtlib.push_back(decisions.solver.smtlib(Decisions::questionOf(obligation)));
  if (options.wantInvariants)
    for (const auto &[head, invariant] : best->execution->invariants())
      verdict.invariants.push_back(invariantText(head, invariant, schedule, pool, StateSymbols(pool)));
  verdict.resources = decisions.solver.resourcesUsed();
  return verdict;
}

} // namespace quadrille::prove
