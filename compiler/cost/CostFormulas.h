//===- CostFormulas.h - Cost clauses as formulas --------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_COST_COSTFORMULAS_H
#define QUADRILLE_COST_COSTFORMULAS_H

#include "algebra/Formula.h"
#include "evaluate/Lengths.h"

namespace quadrille::compiler {

/// The factors of T = alpha*... + beta*... + gamma*..., and the number of rounds: formulas in p, n and the numbers of the schedule.
struct CostFormulas {
  Formula rounds, alpha, beta, gamma;

  /// T itself.
  Formula total() const;
};

/// How calls of functions that are not recursive appear in formulas. Recursive ones and fields of trees are always calls.
enum class PlainFunctions {
  WrittenOut, // for algebra
  Called,     // for readers
};

/// The formulas of a `cost` or `rounds` clause; nothing if it is not linear in alpha, beta and gamma, or if the formulas become
/// too large. Names defined by a `let` of the schedule are replaced by their definitions.
std::optional<CostFormulas> clauseFormulas(const ir::CostClause &claim, const ir::Schedule &schedule,
                                           PlainFunctions functions = PlainFunctions::WrittenOut);

/// The cost of a schedule, and whether it is exact.
struct ScheduleCost {
  CostFormulas formulas;
  // The actual cost may be below the formula.
  bool isUpperBound = false, isRoundsUpperBound = false;
  bool hasGamma = false; // if false, operator applications are unknown, and the formula is 0
};

/// The cost as the clauses of the schedule state it; nothing if there is no `cost` clause, or it has no formulas.
std::optional<ScheduleCost> costFormulas(const ir::Schedule &schedule,
                                         PlainFunctions functions = PlainFunctions::WrittenOut);

/// The facts about p that follow from the `requires` clauses.
FormulaFacts factsOf(const ir::Schedule &schedule);

/// Evaluates calls of functions and trees in the formulas of a schedule. Remembers results. Thread-safe.
class ScheduleFunctions {
public:
  explicit ScheduleFunctions(const ir::Schedule &schedule);

  /// The values of the symbols in one case, and of calls with any arguments.
  std::unique_ptr<FormulaValues> at(std::int64_t p, llvm::ArrayRef<std::int64_t> numbers, const Lengths &lengths) const;

private:
  struct Store;
  std::shared_ptr<Store> store;
};

} // namespace quadrille::compiler

#endif // QUADRILLE_COST_COSTFORMULAS_H
