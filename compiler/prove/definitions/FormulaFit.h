//===- FormulaFit.h - Formulas that have given values in small cases ----------------------------------------------*- C++ -*-===//
//
// Guesses contents of messages and iterations of loops: a formula of few atoms that has the wanted values at all messages of small cases.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_PROVE_DEFINITIONS_FORMULAFIT_H
#define QUADRILLE_PROVE_DEFINITIONS_FORMULAFIT_H

#include "prove/terms/Term.h"

#include <vector>

namespace quadrille::compiler::prove {

/// A term, and its values at some points.
struct FitColumn {
  Term term;
  std::vector<std::int64_t> values;
};

/// The simplest formula with the wanted values, one per point: an atom, an atom and a small constant, the sum or the difference of two
/// atoms, the same modulo `modulus`, or the smaller or larger one of two. Null if there is none, or no points.
Term fitFormula(TermPool &pool, llvm::ArrayRef<FitColumn> atoms, const FitColumn &modulus, llvm::ArrayRef<std::int64_t> wanted);

/// If a partner is a function of v xor w, where v numbers the rank `me` and w does not depend on it, ranks meet in groups of w numbers: the values of the
/// function at both ends of the group of v, which tell its ranks. So it is where pairs of neighbours join until a power of two of ranks is left.
std::vector<Term> endsOfGroup(TermPool &pool, Term partner, Term me);

/// The ranks from which the text counts others by hand, as in (me - root) mod p: terms without `me`, which are no numbers.
std::vector<Term> originsByHand(TermPool &pool, llvm::ArrayRef<Term> terms, Term me, Term p);

/// The integer terms that some terms are made of, each once, without constants.
std::vector<Term> partsOf(llvm::ArrayRef<Term> terms);

} // namespace quadrille::compiler::prove

#endif // QUADRILLE_PROVE_DEFINITIONS_FORMULAFIT_H
