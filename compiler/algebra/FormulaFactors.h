//===- FormulaFactors.h - Polynomials as products -------------------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_ALGEBRA_FORMULAFACTORS_H
#define QUADRILLE_ALGEBRA_FORMULAFACTORS_H

#include "FormulaImpl.h"

namespace quadrille::compiler {

/// A product of a number and powers of polynomials.
struct Factors {
  Number coefficient = 1;
  std::vector<std::pair<Formula, int>> factors; // polynomial with integer coefficients, mostly positive; exponent

  void add(const Formula &f, int exponent);
};

/// Factors a polynomial: extracts the common factors of its coefficients with respect to each atom, and factorizes completely
/// what is a polynomial in one atom.
Factors factorsOf(const Formula &polynomial);

} // namespace quadrille::compiler

#endif // QUADRILLE_ALGEBRA_FORMULAFACTORS_H
