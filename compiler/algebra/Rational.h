//===- Rational.h - Exact fractions -----------------------------------------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_ALGEBRA_RATIONAL_H
#define QUADRILLE_ALGEBRA_RATIONAL_H

#include <cstdint>
#include <string>

namespace quadrille::compiler {

/// A fraction in lowest terms with a positive denominator. After an overflow it is invalid, and so is all that is computed from it.
class Rational {
public:
  Rational(std::int64_t value = 0) : numerator(value) {}
  Rational(std::int64_t numerator, std::int64_t denominator);

  bool valid() const { return denominator != 0; }
  bool isInteger() const { return denominator == 1; }
  bool isZero() const { return numerator == 0 && denominator != 0; }
  std::int64_t num() const { return numerator; }
  std::int64_t den() const { return denominator; }
  Rational floor() const;
  Rational ceil() const;
  std::string text() const;

  Rational operator+(const Rational &other) const;
  Rational operator-(const Rational &other) const;
  Rational operator*(const Rational &other) const;
  /// Invalid if `other` is zero.
  Rational operator/(const Rational &other) const;
  bool operator==(const Rational &) const = default;
  bool operator<(const Rational &other) const;
  bool operator<=(const Rational &other) const { return *this == other || *this < other; }

private:
  static Rational make(__int128 numerator, __int128 denominator);
  std::int64_t numerator = 0, denominator = 1;
};

} // namespace quadrille::compiler

#endif // QUADRILLE_ALGEBRA_RATIONAL_H
