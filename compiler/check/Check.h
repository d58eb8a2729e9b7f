//===- Check.h - All checks of a schedule, for p in a range -------------------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_CHECK_CHECK_H
#define QUADRILLE_CHECK_CHECK_H

#include "CostClaims.h"
#include "LemmaTrials.h"
#include "PortModelCheck.h"
#include "Result.h"

#include <functional>

namespace quadrille::compiler {

struct CheckOptions {
  std::vector<std::int64_t> ps;
  bool psAreUsual = false;              // the user has not chosen these p, so others may replace them (CaseSearch.h, admittedOptions)
  std::vector<std::int64_t> parameters; // values of the schedule's own parameters to try; empty: chosen here
  std::optional<std::int64_t> root;     // the only root to try; empty: all
  NodeChoice nodes;                     // the only map from ranks to nodes to try; not given: all, or some (NodeMap.h, mapsToTry)
  std::optional<ModelInForce> model;    // checked instead of the declared one
  std::vector<std::int64_t> lengths;    // values of n; empty: chosen here
  LengthChoice tables;                  // how tables of lengths are filled, if `lengths` are given
  Limits limits;
  bool wantBrackets = true;
  bool wantCosts = true;  // measure the costs of a case, and compare its clauses with them
  bool wantStated = true; // check the invariants and clocks that the author states for proofs
  std::function<bool(std::int64_t p)> goesOn; // asked before each p; if it returns false the checks end; may be empty
  std::shared_ptr<LemmaTrials> lemmas = std::make_shared<LemmaTrials>(); // shared by copies of the options; null: lemmas are not tried
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
  std::vector<Diagnostic> warnings; // redundant transfers (searched up to p = 8); invariants that were not checked
};

/// Runs and checks one case; throws Finding. `extra` sees the run as well and may be null.
CaseResult checkCase(const ir::Schedule &schedule, const Case &instance, const CheckOptions &options, bool commutative,
                     TreeCache &trees, RunObserver *extra = nullptr);

struct Verdict {
  const ir::Schedule *schedule = nullptr;
  bool ok = false;
  std::optional<Diagnostic> failure; // its last note is the smallest case that fails
  std::vector<Diagnostic> warnings;
  std::vector<std::int64_t> checkedPs; // admitted by `requires`, up to the one that fails
  std::optional<std::int64_t> endedBefore; // the p at which `goesOn` has ended the checks
  bool allRoots = true, allMaps = true; // of those that are asked for
  std::optional<std::int64_t> root;     // the only one that is asked for, of a schedule that has one
  std::vector<std::int64_t> parameters; // the values of its parameters, if the user has given them
  bool mapsGiven = false; // the user has given the map of ranks to nodes
  std::uint64_t cases = 0, transfers = 0;
  std::uint64_t guessedCases = 0;  // the number of guessed cases beyond checkedPs that were accepted (CaseSearch.h),
  std::int64_t mostRanks = 0;      //   and the largest p among them
  ModelInForce strictest;
  ClauseReach clauses;
  bool needsCommutative = false;
  bool bracketsKnown = false, sameBracketing = true, bracketingDependsOnRoot = false;

  /// The failure says nothing about the schedule: a limit was reached before it could be seen whether it is right.
  bool reachedLimit() const { return failure && isLimit(failure->id()); }
};

/// Checks every case of the options that the schedule admits, smallest first, up to the first that fails.
Verdict checkSchedule(const ir::Schedule &schedule, const CheckOptions &options);

/// Whether the `requires` clauses admit this case. Throws EvaluationError as a Finding.
bool admits(const ir::Schedule &schedule, const Case &instance, TreeCache &trees);

/// The same for cases that the compiler chooses: a condition whose evaluation fails does not hold.
bool isAdmitted(const ir::Schedule &schedule, const Case &instance, TreeCache &trees);

/// The model that the schedule declares, if it does. Throws EvaluationError.
std::optional<ModelInForce> declaredModel(const ir::Schedule &schedule, const Case &instance, TreeCache &trees);

/// p and the numbers of a case, with their names.
diag::Values valuesOf(const ir::Schedule &schedule, const Case &instance);

/// The smallest failing case that a note of the diagnostic names; null if none does.
const diag::Values *smallestCase(const Diagnostic &diagnostic);

/// "p = 4, root = 2, k = 3"
std::string caseText(const ir::Schedule &schedule, const Case &instance);

/// Whether casesAt, at some of these p, tries some of the maps from ranks to nodes only.
bool triesSomeMaps(const ir::Schedule &schedule, const CheckOptions &options, llvm::ArrayRef<std::int64_t> ps);

/// All cases at one p, without a map of ranks to nodes: each parameter of the schedule takes each of `parameters`, each number of the
/// collective each of `roots`.
std::vector<Case> allCases(const ir::Schedule &schedule, std::int64_t p, llvm::ArrayRef<std::int64_t> parameters,
                           llvm::ArrayRef<std::int64_t> roots);

/// Whether a `requires` clause mentions this number of the schedule: a parameter, or behind these one of the collective.
bool isRequired(const ir::Schedule &schedule, unsigned number);

/// The largest parameter that casesAt tries where a schedule admits none of the usual ones, if p is not smaller.
std::int64_t largestSought(const ir::Schedule &schedule);

/// The cases to try at one p: parameters from `options`, and all roots or, for large p, some; then `allRoots` is set to false. If the
/// schedule admits none of these, some that it admits, if any are found. Of a schedule that asks for the map from ranks to nodes, with
/// all maps or some (triesSomeMaps).
std::vector<Case> casesAt(const ir::Schedule &schedule, std::int64_t p, const CheckOptions &options, bool &allRoots);

} // namespace quadrille::compiler

#endif // QUADRILLE_CHECK_CHECK_H
