//===- DigitLemmas.h - What a linear solver has to be told about digits of numbers in mixed radix ---------------*- C++ -*-===//
//
// Where ranks form a grid, the coordinate of rank x in a dimension is its digit x div w mod e: e ranks at distance w from one
// another. The solver knows neither digits nor the products w*e that they lead to. As in Lemmas.h each lemma holds for all
// integers, whatever the formulas say.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_PROVE_SOLVER_DIGITLEMMAS_H
#define QUADRILLE_PROVE_SOLVER_DIGITLEMMAS_H

#include "prove/terms/Term.h"

#include <vector>

namespace quadrille::compiler::prove {

/// Instances for the digits in the formulas, in an order that depends on the formulas alone. They speak of remainders by
/// w*e, of which lemmasFor tells the rest. Throws TermOverflow.
std::vector<Term> digitLemmasFor(TermPool &pool, llvm::ArrayRef<Term> formulas);

} // namespace quadrille::compiler::prove

#endif // QUADRILLE_PROVE_SOLVER_DIGITLEMMAS_H
