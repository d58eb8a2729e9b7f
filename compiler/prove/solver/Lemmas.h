//===- Lemmas.h - What a linear solver has to be told about mod, bits and powers -------------------------------*- C++ -*-===//
//
// The solver knows linear arithmetic and takes everything else (x mod p, bit(x, w), x xor w, 1 << d, s*b, ...) for unknown
// functions. Lemmas are instances of laws of these functions for the terms that occur in the formulas, with their side
// conditions inside: each one holds for all integers, whatever the formulas say.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_PROVE_SOLVER_LEMMAS_H
#define QUADRILLE_PROVE_SOLVER_LEMMAS_H

#include "prove/terms/Term.h"

#include <vector>

namespace quadrille::compiler::prove {

/// Instances for the terms in the formulas, each once, in an order that depends on the formulas alone. New terms are added
/// only to close the set of terms: every number whose bits or remainders matter, at every power of two that occurs. Throws TermOverflow.
std::vector<Term> lemmasFor(TermPool &pool, llvm::ArrayRef<Term> formulas);

} // namespace quadrille::compiler::prove

#endif // QUADRILLE_PROVE_SOLVER_LEMMAS_H
