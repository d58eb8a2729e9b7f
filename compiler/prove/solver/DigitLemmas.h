//===- DigitLemmas.h - What a linear solver has to be told about digits of numbers in mixed radix ---------------*- C++ -*-===//
//
// If ranks form a grid, the coordinate of rank x in a dimension of e ranks at distance w is the digit x div w mod e. The solver
// knows neither digits nor the products w*e. As in Lemmas.h each lemma holds for all integers, independent of the formulas.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_PROVE_SOLVER_DIGITLEMMAS_H
#define QUADRILLE_PROVE_SOLVER_DIGITLEMMAS_H

#include "prove/terms/Term.h"

#include <vector>

namespace quadrille::compiler::prove {

/// Lemmas for the digits in the formulas, in an order that depends only on the formulas. They contain remainders by w*e, for
/// which lemmasFor adds further lemmas. Throws TermOverflow.
std::vector<Term> digitLemmasFor(TermPool &pool, llvm::ArrayRef<Term> formulas);

} // namespace quadrille::compiler::prove

#endif // QUADRILLE_PROVE_SOLVER_DIGITLEMMAS_H
