//===- Factors.h - Factors of products ----------------------------------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_PROVE_TERMS_FACTORS_H
#define QUADRILLE_PROVE_TERMS_FACTORS_H

#include "Term.h"

namespace quadrille::compiler::prove {

/// The factors of a product; the atom itself if it is none.
llvm::SmallVector<Term, 4> factorsOf(Term atom);

/// Takes the factors of `divisor` out of those of a product. False, and nothing is taken out, unless all are there.
bool takeOut(Term divisor, llvm::SmallVectorImpl<Term> &factors);

/// The x with a == divisor*x, if every monomial of `a` has all factors of the divisor; else null.
Term exactQuotient(TermPool &pool, Term a, Term divisor);

} // namespace quadrille::compiler::prove

#endif // QUADRILLE_PROVE_TERMS_FACTORS_H
