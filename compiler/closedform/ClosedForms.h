//===- ClosedForms.h - The cost of a schedule as formulas in p, n, k ---------------------------------------*- C++ -*-===//
//
// A formula has one of three sources, which its Evidence names:
//   - derived: the prover adds up the rounds for all ranks and all p at once (prove/DerivedCost.h), which is a proof;
//   - the author's: a `cost` or `rounds` clause, which agrees with the exact costs of small cases;
//   - fitted: a sum of usual terms that agrees with the exact costs of small cases.
// Numbers of operator applications are never derived. The asynchronous cost is derived if it equals the synchronous one because
// one rank takes part in all rounds; otherwise it is fitted, or bounded by the synchronous one.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_CLOSEDFORM_CLOSEDFORMS_H
#define QUADRILLE_CLOSEDFORM_CLOSEDFORMS_H

#include "CostSamples.h"

#include "cost/CostFormulas.h"
#include "limits/Limits.h"
#include "prove/DerivedCost.h"
#include "prove/terms/Obligation.h"

namespace quadrille::compiler {

namespace prove {
class SharedAnswers;
}

/// The evidence for a formula.
enum class Evidence {
  Proved,  // proved for all p that `requires` admits
  Claimed, // claimed by a clause, and equal to the cost in small cases
  Reached, // claimed by a clause as an upper bound, and equal to the cost in small cases
  Fitted,  // fitted to the costs of small cases
};

/// One factor of T = a*alpha + b*beta + c*gamma.
struct CostFactor {
  Formula formula;
  Evidence evidence = Evidence::Proved;
  bool isBound = false; // an upper bound
  /// For a pipeline of k packets, the formula is steps(k)*(n div k) + steps(n mod k) with steps(0) = 0. This is steps(k).
  std::optional<Formula> steps = std::nullopt;
};

/// The factors of alpha, beta and gamma; absent if no formula was found.
struct CostReading {
  std::optional<CostFactor> alpha, beta, gamma;
};

struct ClosedForms {
  CostReading synchronous, asynchronous;
  CostSamples samples;       // the small cases with which other formulas were compared
  std::optional<prove::NotModelled> whyNotDerived; // why no cost was derived; nothing if one was
  bool outOfMemory = false;  // the prover ran out of memory; with more it might prove more
  std::optional<Evidence> clause; // the evidence for the `cost` or `rounds` clause
};

struct ClosedFormOptions {
  Limits limits;
  std::uint64_t transfers = limits::costTransfers; // approximate total number of transfers in the small cases
  bool fromClauses = true;          // use the clauses of the schedule
  prove::SharedAnswers *shared = nullptr; // answers of the solver that serve other schedules too; null: none
};

/// What formulas are found from: the cost that is derived for all p, and the exact costs of small cases.
struct CostEvidence {
  prove::CostDerivation derivation;
  CostSamples samples;
};

/// For a schedule without maps to nodes. Throws Finding if a check of a small case fails.
CostEvidence costEvidence(const ir::Schedule &schedule, const ClosedFormOptions &options);

/// Finds the formulas of a schedule. Without evidence it finds that, too, and throws Finding if a check of a small case fails.
ClosedForms closedForms(const ir::Schedule &schedule, const CostEvidence &evidence, const ClosedFormOptions &options);
ClosedForms closedForms(const ir::Schedule &schedule, const ClosedFormOptions &options);

/// The best known synchronous cost: proved if possible, else from the clauses of the schedule. If there are no clauses, or they do
/// not count operator applications and `wantGamma` is set, closed forms are searched. Nothing if none are found. Throws Finding.
std::optional<ScheduleCost> scheduleCost(const ir::Schedule &schedule, bool wantGamma, const ClosedFormOptions &options);

} // namespace quadrille::compiler

#endif // QUADRILLE_CLOSEDFORM_CLOSEDFORMS_H
