//===- Solutions.h - Solving for a variable -------------------------------------------------------------------------*- C++ -*-===//
//
// Guesses: whether a term solves an equation has to be shown by who uses it.
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
