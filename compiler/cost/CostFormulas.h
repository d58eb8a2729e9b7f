//===- CostFormulas.h - What a schedule costs, for all p --------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_COST_COSTFORMULAS_H
#define QUADRILLE_COST_COSTFORMULAS_H

#include "algebra/Formula.h"
#include "evaluate/Lengths.h"

namespace quadrille::compiler {

/// T = alpha's factor * alpha + beta's * beta + gamma's * gamma, in the symbols p, n and the names of the schedule's numbers.
struct CostFormulas {
  Formula rounds, alpha, beta, gamma;

  /// T itself.
  Formula total() const;
};

/// What becomes of functions that are not recursive. Others, and the heights and roots of trees, are calls.
enum class PlainFunctions {
  WrittenOut, // for algebra
  Called,     // for readers
};

/// What a `cost` (or `rounds`) clause says; nothing if it is not linear in alpha, beta and gamma, or has no form that is
/// small enough. What a `let` of the schedule names is written out.
std::optional<CostFormulas> clauseFormulas(const ir::Claim &claim, const ir::Schedule &schedule,
                                           PlainFunctions functions = PlainFunctions::WrittenOut);

/// What is known of the cost of a schedule, and how well.
struct ScheduleCost {
  CostFormulas formulas;
  // The cost may be less than the formula says.
  bool isUpperBound = false, isRoundsUpperBound = false;
  bool hasGamma = false; // else nothing is known of operator applications, and the formula says 0
};

/// From the clauses of the schedule; nothing if there is no `cost` clause that has formulas.
std::optional<ScheduleCost> costFormulas(const ir::Schedule &schedule,
                                         PlainFunctions functions = PlainFunctions::WrittenOut);

/// The facts that the schedule's `requires` clauses give.
FormulaFacts factsOf(const ir::Schedule &schedule);

/// The functions and trees that the clauses of a schedule mention, for formulas that call them. What was called once is
/// remembered; several threads may ask.
class ScheduleFunctions {
public:
  explicit ScheduleFunctions(const ir::Schedule &schedule);

  /// The values of the symbols of the schedule's formulas in one case, and of what they call, with whatever arguments.
  std::unique_ptr<FormulaValues> at(std::int64_t p, llvm::ArrayRef<std::int64_t> numbers, const Lengths &lengths) const;

private:
  struct Store;
  std::shared_ptr<Store> store;
};

} // namespace quadrille::compiler

#endif // QUADRILLE_COST_COSTFORMULAS_H
