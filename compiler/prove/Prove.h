//===- Prove.h - A schedule, for all p -----------------------------------------------------------------------------*- C++ -*-===//
//
// The checks show that a schedule is right for the p that were tried. Here the same claims are shown for every p, by
// induction over the loops, or it is said plainly what was not shown and why. docs/proofs.md tells how.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_PROVE_PROVE_H
#define QUADRILLE_PROVE_PROVE_H

#include "check/Check.h"
#include "prove/guess/Explanation.h"
#include "prove/solver/Solver.h"
#include "prove/terms/Obligation.h"

#include <functional>

namespace quadrille::compiler::prove {

struct ProofOptions {
  CheckOptions check;                     // the small cases, first of all
  const Verdict *checked = nullptr;       // what was found in them, if they have been run; they are not run again then
  Effort effort{limits::solverSteps, limits::solverStepsOther}; // of the solver, for one obligation
  LimitInForce totalResources = limits::proofSteps;             // of both kinds, for one schedule
  /// Proves without looking at a single case first, nor for a counterexample later: for those who test the proofs
  /// themselves, with schedules that are wrong.
  bool proofOnly = false;
  const ir::Schedule *like = nullptr;     // with the same loops, whose invariants are to be tried
  bool wantObligations = false;           // keep them, to be written out
  bool wantExplanations = false;         // invariants and clocks
  bool wantVacuous = false;               // see whether hypotheses contradict each other
};

struct ClaimVerdict {
  Claim claim;
  unsigned obligations = 0;
  std::optional<NotModelled> open = std::nullopt; // why it was not shown; nothing: it was, for all p that the schedule admits

  bool isProved() const { return !open; }
};

/// An obligation that says nothing: its hypotheses contradict each other.
struct Vacuous {
  Claim claim;
  std::string name;
  llvm::SMRange range;
};

struct ProofVerdict {
  const ir::Schedule *schedule = nullptr;
  Verdict checked;                  // for small p, and the failure if there is one
  std::vector<ClaimVerdict> claims; // those that the schedule makes
  std::string scope;                // "all p", "all p with pow2(p)"
  bool needsCommutative = false;    // the proof does
  bool nothingAdmitted = false;     // no p and numbers satisfy `requires`
  unsigned obligations = 0, undecided = 0;
  std::uint64_t resources = 0;
  bool outOfMemory = false;               // there may be more to be shown where there is more memory
  std::vector<Obligation> written;        // if wanted
  std::vector<std::string> smtlib;        //   in SMT-LIB 2
  std::vector<Vacuous> vacuous;           // if wanted
  std::vector<Explanation> explanations;  // if wanted: what was found and is not stated
  std::vector<Diagnostic> warnings;       // about what is stated to help the proof

  bool isProved() const;
  bool isProved(Claim claim) const;
  bool isRefuted() const { return checked.failure && !checked.reachedLimit(); }
};

/// Checks small cases, then proves. What cannot be proved is sought for a counterexample, which counts only if the
/// checks confirm it.
ProofVerdict prove(const ir::Schedule &schedule, const ProofOptions &options);

/// What `requires` admits: "all p", "all p with pow2(p) and k <= p".
std::string scopeOf(const ir::Schedule &schedule);

/// "matching", "port model", ...
llvm::StringRef claimName(Claim claim);

} // namespace quadrille::compiler::prove

#endif // QUADRILLE_PROVE_PROVE_H
