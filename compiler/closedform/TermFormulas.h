//===- TermFormulas.h - Formulas from the prover's terms ---------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_CLOSEDFORM_TERMFORMULAS_H
#define QUADRILLE_CLOSEDFORM_TERMFORMULAS_H

#include "algebra/Formula.h"
#include "ir/Schedule.h"
#include "prove/DerivedCost.h"

namespace quadrille::compiler {

/// A term of the prover as a formula in p and the numbers of the schedule. Nothing if the term mentions symbols that only the
/// proof knows, such as the variable of a loop that has ended.
std::optional<Formula> formulaOf(prove::Term term, const ir::Schedule &schedule);

/// Startups and words of a derived cost, as formulas. The DerivedCost says whether they are exact or upper bounds.
struct DerivedFormulas {
  Formula startups, words;
};
std::optional<DerivedFormulas> formulasOf(const prove::DerivedCost &cost, const ir::Schedule &schedule);

} // namespace quadrille::compiler

#endif // QUADRILLE_CLOSEDFORM_TERMFORMULAS_H
