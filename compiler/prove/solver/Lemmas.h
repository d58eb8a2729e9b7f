//===- Lemmas.h - What a linear solver has to be told about mod, bits and powers -------------------------------*- C++ -*-===//
//
// The solver knows linear arithmetic; all else (x mod p, bit(x, w), x xor w, 1 << d, s*b, ...) it takes for unknown functions. A
// lemma is an instance of a law of these functions for terms that occur in the formulas. It contains its side conditions, so it
// holds for all integers, independent of the formulas.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_PROVE_SOLVER_LEMMAS_H
#define QUADRILLE_PROVE_SOLVER_LEMMAS_H

#include "prove/terms/Term.h"

#include <vector>

namespace quadrille::compiler::prove {

/// Lemmas for the terms in the formulas, each once, in an order that depends only on the formulas. Lemmas introduce new terms
/// only to close the set: remainders and bits of every number for every power of two that occurs. Throws TermOverflow.
std::vector<Term> lemmasFor(TermPool &pool, llvm::ArrayRef<Term> formulas);

} // namespace quadrille::compiler::prove

#endif // QUADRILLE_PROVE_SOLVER_LEMMAS_H
