//===- Check.h - All checks of a schedule, for p in a range -------------------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_CHECK_CHECK_H
#define QUADRILLE_CHECK_CHECK_H

#include "CostClaims.h"
#include "LemmaTrials.h"
#include "PortModelCheck.h"
#include "Result.h"

namespace quadrille::compiler {

struct CheckOptions {
  std::vector<std::int64_t> ps;
  std::vector<std::int64_t> parameters; // values of the schedule's own parameters to try; empty: chosen here
  std::optional<std::int64_t> root;     // empty: all
  std::optional<ModelInForce> model;    // instead of the one declared
  std::vector<std::int64_t> lengths;    // values of n; empty: chosen here
  LengthChoice tables;                  // how tables of lengths are filled, if `lengths` are given
  Limits limits;
  bool wantBrackets = true;
  bool wantStated = true; // see whether invariants and clocks, which the author states for proofs, are true
  std::shared_ptr<LemmaTrials> lemmas = std::make_shared<LemmaTrials>(); // of functions, shared by copies; null: they are not tried
};

/// One case, run and checked.
struct CaseResult {
  ModelInForce strictest;
  MeasuredCost cost;
  std::int64_t unit = 1; // packets of a block
  std::uint32_t rounds = 0;
  ResultFacts result;
  std::uint64_t transfers = 0;
  ClauseReach clauses;
  std::vector<Diagnostic> warnings; // transfers that could be left out; followed up to p = 8
};

/// Runs and checks one case; throws Finding. `extra` sees the run as well and may be null.
CaseResult checkCase(const ir::Schedule &schedule, const Case &instance, const CheckOptions &options, bool commutative,
                     TreeCache &trees, RunObserver *extra = nullptr);

struct Verdict {
  const ir::Schedule *schedule = nullptr;
  bool ok = false;
  std::optional<Diagnostic> failure; // with the smallest case as its last note
  std::vector<Diagnostic> warnings;
  std::vector<std::int64_t> checkedPs; // those that `requires` admits, up to the failure
  bool allRoots = true;
  std::uint64_t cases = 0, transfers = 0;
  ModelInForce strictest;
  ClauseReach clauses;
  bool needsCommutative = false;
  bool bracketsKnown = false, sameBracketing = true, bracketingDependsOnRoot = false;
  std::vector<std::int64_t> parametersTried;

  /// The failure says nothing about the schedule: a limit was reached before it could be seen whether it is right.
  bool reachedLimit() const { return failure && isLimit(failure->id()); }
};

/// Checks every case of the options that the schedule admits, smallest first, up to the first that fails.
Verdict checkSchedule(const ir::Schedule &schedule, const CheckOptions &options);

/// Do the `requires` clauses admit this case? Throws EvaluationError as a Finding.
bool admits(const ir::Schedule &schedule, const Case &instance, TreeCache &trees);

/// The same for those who ask about cases that nobody gave: a condition without a value does not hold.
bool isAdmitted(const ir::Schedule &schedule, const Case &instance, TreeCache &trees);

/// The model that the schedule declares, if it does. Throws EvaluationError.
std::optional<ModelInForce> declaredModel(const ir::Schedule &schedule, const Case &instance, TreeCache &trees);

/// p and the numbers of a case, with their names.
diag::Values valuesOf(const ir::Schedule &schedule, const Case &instance);

/// The smallest case in which what is wrong was found, if it is about one.
const diag::Values *smallestCase(const Diagnostic &diagnostic);

/// "p = 4, root = 2, k = 3"
std::string caseText(const ir::Schedule &schedule, const Case &instance);

/// At one p every parameter with each of the values, and every number of the collective with each of the roots.
std::vector<Case> allCases(const ir::Schedule &schedule, std::int64_t p, llvm::ArrayRef<std::int64_t> parameters,
                           llvm::ArrayRef<std::int64_t> roots);

/// Numbers of cases to try at one p: parameters from `options`, all roots (`allRoots` is cleared if not all).
std::vector<Case> casesAt(const ir::Schedule &schedule, std::int64_t p, const CheckOptions &options, bool &allRoots);

} // namespace quadrille::compiler

#endif // QUADRILLE_CHECK_CHECK_H
