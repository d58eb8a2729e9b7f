//===- Rational.cpp - Exact fractions ---------------------------------------------------------------------------------------------===//

#include "Rational.h"

#include "arithmetic/Integers.h"

#include <cassert>

namespace quadrille::compiler {

Rational Rational::make(__int128 n, __int128 d) {
  Rational result;
  result.denominator = 0;
  if (d == 0)
    return result;
  if (d != 1) { // most numbers are integers, and divisions are slow
    __int128 a = n < 0 ? -n : n, b = d < 0 ? -d : d;
    while (b != 0) {
      __int128 r = a % b;
      a = b;
      b = r;
    }
    assert(a > 0 && "the divisor of a number that is not 0");
    n /= a;
    d /= a;
    if (d < 0) {
      n = -n;
      d = -d;
    }
  }
  if (n > INT64_MAX || n < -INT64_MAX || d > INT64_MAX)
    return result;
  result.numerator = static_cast<std::int64_t>(n);
  result.denominator = static_cast<std::int64_t>(d);
  assert(result.denominator > 0 && "a fraction has a positive denominator");
  return result;
}

Rational::Rational(std::int64_t n, std::int64_t d) { *this = make(n, d); }

Rational Rational::operator+(const Rational &o) const {
  return make(static_cast<__int128>(numerator) * o.denominator + static_cast<__int128>(o.numerator) * denominator,
              static_cast<__int128>(denominator) * o.denominator);
}

Rational Rational::operator-(const Rational &o) const {
  return make(static_cast<__int128>(numerator) * o.denominator - static_cast<__int128>(o.numerator) * denominator,
              static_cast<__int128>(denominator) * o.denominator);
}

Rational Rational::operator*(const Rational &o) const {
  return make(static_cast<__int128>(numerator) * o.numerator, static_cast<__int128>(denominator) * o.denominator);
}

Rational Rational::operator/(const Rational &o) const {
  if (!valid() || !o.valid())
    return make(0, 0);
  return make(static_cast<__int128>(numerator) * o.denominator, static_cast<__int128>(denominator) * o.numerator);
}

bool Rational::operator<(const Rational &o) const {
  return static_cast<__int128>(numerator) * o.denominator < static_cast<__int128>(o.numerator) * denominator;
}

Rational Rational::floor() const { return valid() ? Rational(arithmetic::floorDiv(numerator, denominator)) : *this; }

Rational Rational::ceil() const { return valid() ? Rational(-arithmetic::floorDiv(-numerator, denominator)) : *this; }

std::string Rational::text() const {
  if (!valid())
    return "?";
  return isInteger() ? std::to_string(numerator) : std::to_string(numerator) + "/" + std::to_string(denominator);
}

} // namespace quadrille::compiler
