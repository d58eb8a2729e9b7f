//===- Polynomial.h - Polynomials in a step number ---------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_ALGEBRA_POLYNOMIAL_H
#define QUADRILLE_ALGEBRA_POLYNOMIAL_H

#include "Rational.h"

#include "limits/Limits.h"

#include "llvm/ADT/SmallVector.h"

namespace quadrille::compiler {

/// c0 + c1*q + c2*q**2 + ..., for integers q >= 0. If a coefficient overflows or the degree exceeds `limits::polynomialDegree`, the result is
/// invalid, and so is everything computed from it.
class Polynomial {
public:
  Polynomial(std::int64_t constant = 0) : Polynomial(Rational(constant)) {}
  Polynomial(const Rational &constant) : coefficients{constant} {}
  static Polynomial line(std::int64_t atZero, std::int64_t slope);

  bool valid() const;
  bool isConstant() const { return coefficients.size() == 1; }
  bool isZero() const { return isConstant() && constant().isZero(); }
  /// The coefficient c0.
  const Rational &constant() const { return coefficients.front(); }
  /// The least common denominator of all coefficients but the constant; 0 if it does not fit.
  std::int64_t denominator() const;

  Polynomial &operator+=(const Polynomial &other);
  friend Polynomial operator+(const Polynomial &x, const Polynomial &y);
  friend Polynomial operator-(const Polynomial &x, const Polynomial &y);
  friend Polynomial operator*(const Polynomial &x, const Polynomial &y);
  /// Invalid if `divisor` is zero.
  friend Polynomial operator/(const Polynomial &x, const Rational &divisor);
  bool operator==(const Polynomial &) const = default;

  /// Invalid if it does not fit.
  Rational at(std::int64_t q) const;
  /// The value as a text. Works for values that do not fit, too.
  std::string text(std::int64_t q) const;
  /// The sign of the value at q: -1, 0 or 1.
  int sign(std::int64_t q) const;

  enum class Signs { Negative, NotPositive, Zero, NotNegative, Positive };
  static bool isAmong(int sign, Signs signs);
  /// The largest q in from .. last such that all values at from .. q have one of these signs. The one at `from` must.
  std::int64_t lastWith(Signs signs, std::int64_t from, std::int64_t last) const;

private:
  void trim();
  llvm::SmallVector<Rational, 2> coefficients; // the last one is not 0, unless it is c0
};

} // namespace quadrille::compiler

#endif // QUADRILLE_ALGEBRA_POLYNOMIAL_H
