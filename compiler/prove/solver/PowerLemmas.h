//===- PowerLemmas.h - What a linear solver has to be told about powers of any base ------------------------------*- C++ -*-===//
//
// If ranks are numbered to the base r, the digits of a rank are at the distances 1, r, r**2 and so on. The solver knows neither powers
// nor how one follows from another. As in Lemmas.h each lemma holds for all integers, independent of the formulas. Powers of two have
// lemmas of their own.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_PROVE_SOLVER_POWERLEMMAS_H
#define QUADRILLE_PROVE_SOLVER_POWERLEMMAS_H

#include "prove/terms/Term.h"

#include <vector>

namespace quadrille::compiler::prove {

/// Lemmas for the powers in the formulas, in an order that depends only on the formulas. They contain products and remainders, for
/// which lemmasFor adds further lemmas. Throws TermOverflow.
std::vector<Term> powerLemmasFor(TermPool &pool, llvm::ArrayRef<Term> formulas);

} // namespace quadrille::compiler::prove

#endif // QUADRILLE_PROVE_SOLVER_POWERLEMMAS_H
