//===- Prove.h - A schedule, for all p -----------------------------------------------------------------------------*- C++ -*-===//
//
// The checks show that a schedule is right for the p that were tried. This stage proves the same claims for every p, by induction
// over the loops, or says which claim was not proved and why. docs/proofs.md describes the method.
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
  CheckOptions check;                     // of the small cases, which are checked first
  const Verdict *checked = nullptr;       // their verdict if they have been checked already; else null
  Effort effort{limits::solverSteps, limits::solverStepsOther}; // of the solver for one obligation, per arithmetic
  LimitInForce totalResources = limits::proofSteps;             // of the solver for one schedule, in both arithmetics
  SharedAnswers *shared = nullptr;        // answers that serve other schedules too; null: none
  /// Neither checks small cases nor searches for counterexamples. For tests, which run proofs on wrong schedules.
  bool proofOnly = false;
  const ir::Schedule *like = nullptr;     // a schedule with the same loops, whose invariants are tried too; or null
  bool wantObligations = false;           // keep the obligations, to be written out
  bool wantExplanations = false;         // keep the invariants and clocks that were found
  bool wantVacuous = false;               // search for obligations whose hypotheses contradict each other
};

struct ClaimVerdict {
  Claim claim;
  unsigned obligations = 0;
  std::optional<NotModelled> open = std::nullopt; // why it was not proved for all p that the schedule admits; nothing: it was

  bool isProved() const { return !open; }
};

/// An obligation whose hypotheses contradict each other, so that its proof says nothing.
struct Vacuous {
  Claim claim;
  std::string name;
  llvm::SMRange range;
};

struct ProofVerdict {
  const ir::Schedule *schedule = nullptr;
  Verdict checked;                  // the verdict for small p, with the failure if there is one
  std::vector<ClaimVerdict> claims; // the claims that the schedule makes
  bool needsCommutative = false;    // the proof assumes a commutative operator
  bool nothingAdmitted = false;     // no p and numbers satisfy `requires`
  unsigned obligations = 0, undecided = 0;
  std::uint64_t resources = 0;
  bool outOfMemory = false;               // with more memory more might be proved
  std::vector<Obligation> written;        // if wanted
  std::vector<std::string> smtlib;        // the obligations in SMT-LIB 2
  std::vector<Vacuous> vacuous;           // if wanted
  std::vector<Explanation> explanations;  // if wanted: invariants and clocks that were found
  std::vector<Diagnostic> warnings;       // about stated invariants and clocks that the proof did not use

  bool isProved() const;
  bool isProved(Claim claim) const;
  /// Whether the schedule has clauses about cost or rounds, and all of them are proved.
  bool areClausesProved() const;
  bool isRefuted() const { return checked.failure && !checked.reachedLimit(); }
};

/// Checks small cases, then proves. For obligations that cannot be proved it searches for counterexamples, which count only if
/// the checks confirm them.
ProofVerdict prove(const ir::Schedule &schedule, const ProofOptions &options);

/// What `requires` admits, as text: "p", "p with pow2(p) and k <= p".
std::string admittedRanks(const ir::Schedule &schedule);
/// For which p a proof holds, as text: "all p", "all p with pow2(p)".
std::string scopeOf(const ir::Schedule &schedule);

/// The name of a claim in reports: "matching", "port model", ...
llvm::StringRef claimName(Claim claim);
/// All claims, in the order in which they are reported.
llvm::ArrayRef<Claim> allClaims();
std::optional<Claim> claimNamed(llvm::StringRef name);

} // namespace quadrille::compiler::prove

#endif // QUADRILLE_PROVE_PROVE_H
