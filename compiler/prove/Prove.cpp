//===- Prove.cpp - From a schedule to a verdict ---------------------------------------------------------------------------===//

#include "Prove.h"

#include "Attempt.h"
#include "Refute.h"

#include "check/CaseSearch.h"
#include "instantiate/CaseRun.h"
#include "prove/definitions/SamplePoints.h"

#include "llvm/ADT/STLExtras.h"

namespace quadrille::compiler::prove {

llvm::StringRef claimName(Claim claim) {
  switch (claim) {
  case Claim::Defined: return "numbers";
  case Claim::Matching: return "matching";
  case Claim::Port: return "port model";
  case Claim::Deadlock: return "no deadlock";
  case Claim::Clock: return "clock";
  case Claim::Initialization: return "initialization";
  case Claim::Range: return "ranges";
  case Claim::Race: return "races";
  case Claim::Invariant: return "invariants";
  case Claim::Result: return "result";
  case Claim::Operator: return "operand order";
  case Claim::Cost: return "cost";
  case Claim::Rounds: return "rounds";
  }
  return "";
}

llvm::ArrayRef<Claim> allClaims() {
  static constexpr Claim all[] = {Claim::Defined,        Claim::Matching, Claim::Port, Claim::Deadlock,  Claim::Clock,
                                  Claim::Initialization, Claim::Range,    Claim::Race, Claim::Invariant, Claim::Result,
                                  Claim::Operator,       Claim::Cost,     Claim::Rounds};
  return all;
}

std::optional<Claim> claimNamed(llvm::StringRef name) {
  for (Claim claim : allClaims())
    if (claimName(claim) == name)
      return claim;
  return std::nullopt;
}

std::string admittedRanks(const ir::Schedule &schedule) {
  std::string text = schedule.usesNodes ? "p and maps to nodes" : "p", word = " with ";
  for (const ir::Requirement &requirement : schedule.requirements)
    text += std::exchange(word, " and ") + requirement.text;
  return text;
}

std::string scopeOf(const ir::Schedule &schedule) { return "all " + admittedRanks(schedule); }

bool ProofVerdict::isProved() const {
  return !isRefuted() && !claims.empty() &&
         llvm::all_of(claims, [](const ClaimVerdict &claim) { return claim.isProved(); });
}

bool ProofVerdict::isProved(Claim claim) const {
  return !isRefuted() && llvm::any_of(claims, [&](const ClaimVerdict &verdict) {
    return verdict.claim == claim && verdict.isProved();
  });
}

bool ProofVerdict::areClausesProved() const {
  return (schedule->cost || schedule->rounds) && (!schedule->cost || isProved(Claim::Cost)) &&
         (!schedule->rounds || isProved(Claim::Rounds));
}

/// Whether the hypotheses can hold together: Proved if numbers are found that satisfy them, Refuted if there are none. Trying small
/// numbers is faster than asking for a model, and evaluates functions of trees exactly. For a function without definition, such as the
/// location of a contribution, three are tried: a hash of the arguments, and the functions that return the first or the second one.
static Answer satisfiability(llvm::ArrayRef<Term> hypotheses, DefinedTerms &defined, TermPool &pool, Solver &solver, Effort effort) {
  for (std::optional<unsigned> argument : std::initializer_list<std::optional<unsigned>>{std::nullopt, 0, 1}) {
    defined.letUndefinedYield(argument);
    const bool isFound = SamplePoints(defined, pool, hypotheses, 1).any();
    defined.letUndefinedYield(std::nullopt);
    if (isFound)
      return Answer::Proved;
    const bool hasFunctions = llvm::any_of(hypotheses, [](Term hypothesis) {
      bool result = false;
      forEachNode({hypothesis}, [&](Term a) { result |= a->kind == TermKind::Apply; });
      return result;
    });
    if (!hasFunctions)
      break;
  }
  return solver.satisfiable(hypotheses, effort);
}

/// What is shown of a schedule holds only if it is shown of the schedules by which ranks tell each other lengths, too. Clauses speak of
/// the schedule alone.
static void proveTellings(const ir::Schedule &schedule, const ProofOptions &options, ProofVerdict &verdict) {
  for (const ir::Knowledge &known : schedule.knowledge) {
    if (!known.toldBy)
      continue;
    ProofOptions own = options;
    own.checked = nullptr;
    own.like = nullptr;
    own.check.lengths.clear();
    own.check.model.reset();
    own.wantObligations = own.wantExplanations = own.wantVacuous = false;
    const ProofVerdict told = prove(*known.toldBy, own);
    if (told.isRefuted()) {
      verdict.checked = told.checked;
      verdict.checked.failure->note(known.range, diag::WhileTelling{});
      return;
    }
    for (ClaimVerdict &claim : verdict.claims) {
      const bool isOfClause = claim.claim == Claim::Port || claim.claim == Claim::Cost || claim.claim == Claim::Rounds;
      const auto same = llvm::find_if(told.claims, [&](const ClaimVerdict &other) { return other.claim == claim.claim; });
      if (!isOfClause && claim.isProved() && same != told.claims.end() && !same->isProved())
        claim.open = NotModelled(Gap::LengthsTold, known.toldBy->path(), known.range);
    }
  }
}

/// Tries the ways in which a schedule may be proved, until one shows everything; else the one that leaves fewest claims open.
static Attempt bestAttempt(const ir::Schedule &schedule, Decisions &decisions) {
  // If ranks take different steps, each rank is followed by itself.
  const bool ranksDiffer = needsSimulation(schedule);
  std::optional<Attempt> best;
  // If no way shows anything, the reason of the first one that comes to the end is reported, or of the first one: it is about the schedule as
  // written.
  auto consider = [&](Attempt tried) {
    const unsigned open = tried.openClaims(schedule);
    const bool goesFurther = best && best->obligations.empty() && !tried.obligations.empty();
    if (!best || goesFurther || (!tried.showsNothing(schedule) && open < best->openClaims(schedule)))
      best = std::move(tried);
  };
  auto tryAll = [&](bool eachRank) {
    for (Products way : waysOf(schedule, eachRank)) {
      consider(attempt(schedule, way, eachRank, decisions));
      if (best->openClaims(schedule) == 0)
        break;
    }
  };
  // Perhaps ranks differ only by `use`s in groups, which some ranks skip: then one generic rank may suffice.
  if (ranksDiffer && usesGroups(schedule))
    tryAll(false);
  if (!best || best->showsNothing(schedule)) {
    if (best && best->obligations.empty()) // one rank could not be followed to the end: why not tells nothing of the schedule
      best.reset();
    tryAll(ranksDiffer);
  }
  // What ranks go through different steps for may be no more than conditions around steps that all of them could take.
  if (ranksDiffer && best->openClaims(schedule) > 0)
    if (const std::shared_ptr<const AlignedSchedule> aligned = align(schedule))
      for (Products way : waysOf(schedule, /*ranksDiffer=*/false)) {
        consider(attempt(aligned, way, decisions));
        if (best->openClaims(schedule) == 0)
          break;
      }
  // Ranks may take the same steps and yet meet in different ones: then follow each rank by itself too.
  if (!ranksDiffer && !best->overflows.evaluated && !best->verdictOn(Claim::Matching).isProved())
    consider(attempt(schedule, Products::Ordered, true, decisions));
  // The proof for a generic rank needs no clock, but a stated clock is a claim.
  if (!best->ranksDiffer && !schedule.clocks.empty())
    addClocks(schedule, decisions, *best);
  return std::move(*best);
}

/// Adds the obligations as text, and which of them have hypotheses that contradict each other, as far as that is wanted.
static void addObligations(const Attempt &best, TermPool &pool, Decisions &decisions, const ProofOptions &options, ProofVerdict &verdict) {
  if (!options.wantObligations && !options.wantVacuous)
    return;
  for (const Obligation &obligation : best.obligations) {
    const Answer satisfiable = satisfiability(obligation.hypotheses, *best.defined, pool, decisions.solver, options.effort);
    if (satisfiable == Answer::Refuted)
      verdict.vacuous.push_back({obligation.claim, obligation.name, obligation.range});
    if (!options.wantObligations)
      continue;
    const bool proved = decisions.isProved(obligation);
    verdict.smtlib.push_back("; claim: " + claimName(obligation.claim).str() + "\n; status: " + (proved ? "proved" : "open") +
                             "\n; hypotheses: " +
                             (satisfiable == Answer::Proved    ? "satisfiable"
                              : satisfiable == Answer::Refuted ? "contradict each other"
                                                               : "not known to be satisfiable") +
                             "\n" + decisions.solver.smtlib(Decisions::questionOf(obligation)));
  }
}

/// Adds the invariants and the clocks that the proof uses.
static void addExplanations(const ir::Schedule &schedule, const Attempt &best, TermPool &pool, ProofVerdict &verdict) {
  if (!best.execution)
    return;
  for (const auto &[head, invariant] : best.execution->invariants())
    verdict.explanations.push_back(invariantText(head, invariant, schedule, pool, StateSymbols(pool)));
  for (const ClockText &clock : best.execution->clockTexts())
    verdict.explanations.push_back({clock.range, {clock.text}});
}

ProofVerdict prove(const ir::Schedule &schedule, const ProofOptions &options) {
  ProofVerdict verdict;
  verdict.schedule = &schedule;
  if (options.checked)
    verdict.checked = *options.checked;
  else if (!options.proofOnly)
    verdict.checked = checkSchedule(schedule, admittedOptions(schedule, options.check));
  if (verdict.checked.failure)
    return verdict;
  for (Claim claim : claimsOf(schedule))
    verdict.claims.push_back({claim});
  if (!solverMemoryLeft()) {
    markAll(verdict.claims, {Gap::Memory, schedule.nameRange, solverMemory()});
    verdict.outOfMemory = true;
    return verdict;
  }
  TermPool pool;
  Candidates candidates(schedule, pool, options.like);
  Decisions decisions(pool, candidates, options);
  const Attempt best = bestAttempt(schedule, decisions);
  // Attempts show things about the cost even if no clause claims it: keep the claims that the schedule makes.
  const std::vector<Claim> made = claimsOf(schedule);
  verdict.claims.clear();
  llvm::copy_if(best.claims, std::back_inserter(verdict.claims), [&](const ClaimVerdict &c) { return llvm::is_contained(made, c.claim); });
  verdict.obligations = static_cast<unsigned>(best.obligations.size());
  verdict.undecided = best.undecided;
  if (best.openClaims(schedule) > 0 && !options.proofOnly) {
    const bool mayOverflow = best.overflows.evaluated.has_value();
    // A model of an obligation names no map from ranks to nodes.
    std::optional<Verdict> failure = schedule.usesNodes ? refuteByCases(schedule, options)
                                                        : refute(schedule, verdict.claims, best.open, mayOverflow, pool, decisions.solver, options);
    if (failure)
      verdict.checked = std::move(*failure);
  }
  // If no p satisfies `requires`, every proof is vacuous.
  if (best.execution && decisions.solver.satisfiable(best.execution->countableAssumptions(), options.effort) == Answer::Refuted) {
    markAll(verdict.claims, {Gap::NothingAdmitted, schedule.nameRange});
    verdict.nothingAdmitted = true;
  }
  addObligations(best, pool, decisions, options, verdict);
  if (options.wantExplanations)
    addExplanations(schedule, best, pool, verdict);
  if (best.execution)
    verdict.warnings = best.execution->doubts().vec();
  if (!best.ranksDiffer)
    for (const auto &clock : schedule.clocks)
      verdict.warnings.push_back(Diagnostic(clock->range, diag::ClockUnneeded{}).mend(deletion("take the clock out", clock->range)));
  verdict.outOfMemory = decisions.outOfMemory;
  verdict.resources = decisions.solver.resourcesUsed();
  if (!options.proofOnly)
    proveTellings(schedule, options, verdict);
  return verdict;
}

} // namespace quadrille::compiler::prove
