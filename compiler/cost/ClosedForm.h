//===- ClosedForm.h - What a schedule costs, for all p ----------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_COST_CLOSEDFORM_H
#define QUADRILLE_COST_CLOSEDFORM_H

#include "Algebra.h"

#include "ir/Schedule.h"

namespace quadrille {

/// T = alpha's factor * alpha + beta's * beta + gamma's * gamma, in the symbols p, n and the names of the schedule's numbers.
struct CostFormulas {
  Formula rounds, alpha, beta, gamma;

  /// T itself.
  Formula total() const;
};

/// What a `cost` (or `rounds`) clause says; nothing if it is not linear in alpha, beta and gamma, or has no form that is
/// small enough. What a `let` of the schedule names is written out, as are functions that are not recursive. Others, and
/// the heights and roots of trees, are calls.
std::optional<CostFormulas> clauseFormulas(const ir::Claim &claim, const ir::Schedule &schedule);

/// What is known of the cost of a schedule, and how well.
struct ScheduleCost {
  CostFormulas formulas;
  // The cost may be less than the formula says.
  bool isUpperBound = false, isRoundsUpperBound = false;
  bool hasGamma = false; // else nothing is known of operator applications, and the formula says 0
};

/// From the clauses of the schedule; nothing if there is no `cost` clause that has formulas.
std::optional<ScheduleCost> costFormulas(const ir::Schedule &schedule);

/// The facts that the schedule's `requires` clauses give.
FormulaFacts factsOf(const ir::Schedule &schedule);

/// The values of the symbols of a schedule's formulas in one case, and of the functions that they call. Functions and trees
/// are those that the clauses of the schedule mention; what they are called with need not be of this case.
std::unique_ptr<FormulaValues> valuesAt(const ir::Schedule &schedule, std::int64_t p, llvm::ArrayRef<std::int64_t> numbers,
                                        std::int64_t n);

} // namespace quadrille

#endif // QUADRILLE_COST_CLOSEDFORM_H
