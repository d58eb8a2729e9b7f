//===- ClosedForms.h - What a schedule costs, as formulas in p, n, k ---------------------------------------*- C++ -*-===//
//
// Three sources, and every formula says which it is from:
//   - derived: the prover adds up the rounds for all ranks and all p at once (prove/DerivedCost.h), which is a proof;
//   - the author's: a `cost` or `rounds` clause, compared with the exact costs of small cases;
//   - fitted: a sum of usual terms that agrees with the exact costs of small cases.
// Operator applications have no derivation; they are the author's or fitted. The asynchronous reading is derived where it is
// the synchronous one, since one rank takes part in all rounds; else it is fitted, or bounded by the synchronous one.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_CLOSEDFORM_CLOSEDFORMS_H
#define QUADRILLE_CLOSEDFORM_CLOSEDFORMS_H

#include "CostSamples.h"

#include "cost/CostFormulas.h"

namespace quadrille::compiler {

/// How it is known that a formula is right.
enum class Evidence {
  Proved,  // for all p that `requires` admits
  Claimed, // the author says so, and small cases agree
  Reached, // the author says at most so, and small cases reach it
  Fitted,  // found from small cases, which agree
};

/// One factor of T = a*alpha + b*beta + c*gamma.
struct CostFactor {
  Formula formula;
  Evidence evidence = Evidence::Proved;
  bool isBound = false; // at most that
  /// Words of a pipeline of k packets, steps(k)*(n div k) + steps(n mod k) with steps(0) = 0, may be said by this alone.
  std::optional<Formula> steps = std::nullopt;
};

/// Absent factors have no formula.
struct CostReading {
  std::optional<CostFactor> alpha, beta, gamma;
};

struct ClosedForms {
  CostReading synchronous, asynchronous;
  std::string scope;         // of what is proved: "all p", "all p with pow2(p)"
  CostSamples samples;       // what the rest was compared with
  std::string whyNotDerived; // why nothing is proved; empty: something is
  llvm::SMRange whyNotRange;
  bool outOfMemory = false;  // more might be proved another time
  std::optional<Evidence> clause; // how the `cost` clause, or `rounds`, is known to hold
};

struct ClosedFormOptions {
  Limits limits;
  std::uint64_t transfers = 50000; // about so many in the small cases
  bool fromClauses = true;          // else the author is not asked
};

/// Throws Finding where a small case is wrong.
ClosedForms closedForms(const ir::Schedule &schedule, const ClosedFormOptions &options);

/// What is known of the synchronous cost: what is proved of it, else what the clauses of the schedule say and, where they
/// say nothing - of operator applications, if `wantGamma`, or of anything -, its closed forms. Nothing if there are none either. Throws Finding.
std::optional<ScheduleCost> scheduleCost(const ir::Schedule &schedule, bool wantGamma, const ClosedFormOptions &options);

} // namespace quadrille::compiler

#endif // QUADRILLE_CLOSEDFORM_CLOSEDFORMS_H
