//===- Solutions.h - Solving for a variable -------------------------------------------------------------------------*- C++ -*-===//
//
// The solutions are guesses: whoever uses one has to show that it solves the equation.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_PROVE_TERMS_SOLUTIONS_H
#define QUADRILLE_PROVE_TERMS_SOLUTIONS_H

#include "Term.h"

#include <vector>

namespace quadrille::compiler::prove {

/// Terms that may solve `formula == value` for the variable.
std::vector<Term> solutionsOf(TermPool &pool, Term formula, Term variable, Term value);

} // namespace quadrille::compiler::prove

#endif // QUADRILLE_PROVE_TERMS_SOLUTIONS_H
