//===- ClosedForm.h - What a schedule costs, for all p ----------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_COST_CLOSEDFORM_H
#define QUADRILLE_COST_CLOSEDFORM_H

#include "Algebra.h"

#include "instantiate/Lengths.h"

namespace quadrille {

/// T = alpha's factor * alpha + beta's * beta + gamma's * gamma, in the symbols p, n and the names of the schedule's numbers.
struct CostFormulas {
  Formula rounds, alpha, beta, gamma;
};

/// What a `cost` (or `rounds`) clause says; nothing if it is not linear in alpha, beta and gamma. What a `let` of the
/// schedule names is written out, as are functions that are not recursive.
std::optional<CostFormulas> clauseFormulas(const ir::Claim &claim, const ir::Schedule &schedule);

/// The values of the symbols of a schedule's formulas in one case, and of the functions that they call.
std::unique_ptr<FormulaValues> valuesAt(const ir::Schedule &schedule, std::int64_t p, llvm::ArrayRef<std::int64_t> numbers,
                                        const Lengths &lengths, TreeCache &trees);

} // namespace quadrille

#endif // QUADRILLE_COST_CLOSEDFORM_H
