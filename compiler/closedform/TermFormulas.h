//===- TermFormulas.h - Formulas from the prover's terms ---------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_CLOSEDFORM_TERMFORMULAS_H
#define QUADRILLE_CLOSEDFORM_TERMFORMULAS_H

#include "algebra/Formula.h"
#include "ir/Schedule.h"
#include "prove/DerivedCost.h"

namespace quadrille::compiler {

/// The same number as a formula in p and the schedule's numbers. Nothing if the term mentions what has no value beyond the
/// proof, such as the variable of a loop that has ended.
std::optional<Formula> formulaOf(prove::Term term, const ir::Schedule &schedule);

/// Startups, and words with `n`, of a derived cost: exact, or bounds from above, as that says.
struct DerivedFormulas {
  Formula startups, words;
};
std::optional<DerivedFormulas> formulasOf(const prove::DerivedCost &cost, const ir::Schedule &schedule);

} // namespace quadrille::compiler

#endif // QUADRILLE_CLOSEDFORM_TERMFORMULAS_H
