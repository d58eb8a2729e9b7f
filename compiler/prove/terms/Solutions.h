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

/// Values of the variable that may fulfil a condition on its digits: `u mod (2*w) == w and u div (2*w) div k == s`, where u is the variable
/// or, such as `(c - variable) mod p`, a term that it can be solved for, suggests `u == 2*w*k*s + w`.
std::vector<Term> numbersWithDigits(TermPool &pool, Term condition, Term variable);

} // namespace quadrille::compiler::prove

#endif // QUADRILLE_PROVE_TERMS_SOLUTIONS_H
