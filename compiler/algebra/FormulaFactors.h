//===- FormulaFactors.h - Polynomials as products -------------------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_ALGEBRA_FORMULAFACTORS_H
#define QUADRILLE_ALGEBRA_FORMULAFACTORS_H

#include "FormulaImpl.h"

namespace quadrille::compiler {

/// Polynomials with more terms stay as they are: it takes long to factor them, and nobody reads such products.
inline constexpr unsigned maxFactoredTerms = 40;

/// A product of a number and powers of polynomials.
struct Factors {
  Number coefficient = 1;
  std::vector<std::pair<Formula, int>> factors; // with whole coefficients, the first positive; and their exponents

  void add(const Formula &f, int exponent);
};

/// The polynomial as product: by common factors of its coefficients with respect to each atom and, for polynomials in one
/// atom, by factorization.
Factors factorsOf(const Formula &polynomial);

} // namespace quadrille::compiler

#endif // QUADRILLE_ALGEBRA_FORMULAFACTORS_H
