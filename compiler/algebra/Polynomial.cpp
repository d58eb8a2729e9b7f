//===- Polynomial.cpp - Polynomials in a step number -----------------------------------------------------------------===//

#include "Polynomial.h"

#include "Formula.h"

#include "limits/Limits.h"

#include "llvm/ADT/APInt.h"
#include "llvm/ADT/STLExtras.h"

#include <cassert>
#include <numeric>

namespace quadrille::compiler {

Polynomial Polynomial::line(std::int64_t atZero, std::int64_t slope) {
  Polynomial result(atZero);
  result.coefficients.push_back(slope);
  result.trim();
  return result;
}

void Polynomial::trim() {
  assert(!coefficients.empty() && "a polynomial has at least c0");
  while (coefficients.size() > 1 && coefficients.back().isZero())
    coefficients.pop_back();
}

bool Polynomial::valid() const {
  return llvm::all_of(coefficients, [](const Rational &c) { return c.valid(); });
}

std::int64_t Polynomial::denominator() const {
  std::int64_t result = 1;
  for (const Rational &c : llvm::drop_begin(coefficients))
    if (!c.valid() || __builtin_mul_overflow(result / std::gcd(result, c.den()), c.den(), &result))
      return 0;
  return result;
}

Polynomial &Polynomial::operator+=(const Polynomial &other) {
  if (other.isZero())
    return *this;
  coefficients.resize(std::max(coefficients.size(), other.coefficients.size()));
  for (auto [sum, c] : llvm::zip(coefficients, other.coefficients))
    sum = sum + c;
  trim();
  return *this;
}

Polynomial operator+(const Polynomial &x, const Polynomial &y) {
  Polynomial result = x;
  result += y;
  return result;
}

Polynomial operator-(const Polynomial &x, const Polynomial &y) { return x + y * Polynomial(-1); }

Polynomial operator*(const Polynomial &x, const Polynomial &y) {
  Polynomial result;
  const size_t degree = x.coefficients.size() + y.coefficients.size() - 2;
  if (degree > limits::polynomialDegree) {
    result.coefficients[0] = Rational(0, 0);
    return result;
  }
  result.coefficients.resize(degree + 1);
  for (size_t i = 0; i < x.coefficients.size(); ++i)
    for (size_t j = 0; j < y.coefficients.size(); ++j)
      result.coefficients[i + j] = result.coefficients[i + j] + x.coefficients[i] * y.coefficients[j];
  result.trim();
  return result;
}

Polynomial operator/(const Polynomial &x, const Rational &divisor) { return x * Polynomial(Rational(1) / divisor); }

Rational Polynomial::at(std::int64_t q) const {
  Rational result;
  for (const Rational &c : llvm::reverse(coefficients))
    result = result * Rational(q) + c;
  return result;
}

std::string Polynomial::text(std::int64_t q) const {
  Formula result;
  for (const Rational &c : llvm::reverse(coefficients))
    result = result * Formula(q) + Formula(c);
  return result.text();
}

// ---- signs ---------------------------------------------------------------------------------------------------------------

namespace {

/// A positive multiple of a polynomial with integer coefficients, in integers wide enough for all values and differences.
class WholePolynomial {
public:
  explicit WholePolynomial(llvm::ArrayRef<Rational> from) {
    // Coefficients are below 2**63 times the product of all denominators; q is below 2**63.
    const unsigned bits = static_cast<unsigned>(64 * (2 * from.size() + 3));
    for (const Rational &c : from) {
      llvm::APInt whole(bits, static_cast<std::uint64_t>(c.num()), /*isSigned=*/true);
      for (const Rational &other : from)
        if (&other != &c)
          whole *= llvm::APInt(bits, static_cast<std::uint64_t>(other.den()));
      coefficients.push_back(whole);
    }
  }

  int sign(std::int64_t q) const {
    llvm::APInt value(coefficients[0].getBitWidth(), 0), at(value.getBitWidth(), static_cast<std::uint64_t>(q));
    for (const llvm::APInt &c : llvm::reverse(coefficients))
      value = value * at + c;
    return value.isZero() ? 0 : value.isNegative() ? -1 : 1;
  }

  bool isConstant() const { return coefficients.size() == 1; }

  /// The polynomial f(q + 1) - f(q).
  WholePolynomial difference() const {
    WholePolynomial result = *this;
    // The coefficients of f(q + 1), by Horner's rule.
    for (size_t i = coefficients.size(); i-- > 0;)
      for (size_t j = i; j + 1 < coefficients.size(); ++j)
        result.coefficients[j] += result.coefficients[j + 1];
    for (size_t i = 0; i < coefficients.size(); ++i)
      result.coefficients[i] -= coefficients[i];
    result.coefficients.pop_back();
    return result;
  }

  std::int64_t lastWith(Polynomial::Signs signs, std::int64_t from, std::int64_t last) const {
    if (isConstant())
      return last;
    // While differences have one sign, values are monotonic, so a binary search finds where they leave the wanted signs.
    const WholePolynomial slope = difference();
    while (from < last) {
      const int direction = slope.sign(from);
      const Polynomial::Signs same = direction < 0 ? Polynomial::Signs::Negative
                                     : direction > 0 ? Polynomial::Signs::Positive
                                                     : Polynomial::Signs::Zero;
      const std::int64_t end = std::min(slope.lastWith(same, from, last - 1) + 1, last);
      if (!Polynomial::isAmong(sign(end), signs)) {
        std::int64_t outside = end;
        while (from + 1 < outside) {
          const std::int64_t middle = from + (outside - from) / 2;
          (Polynomial::isAmong(sign(middle), signs) ? from : outside) = middle;
        }
        return from;
      }
      from = end;
    }
    return last;
  }

private:
  llvm::SmallVector<llvm::APInt, 3> coefficients;
};

} // namespace

int Polynomial::sign(std::int64_t q) const {
  if (isConstant())
    return constant().num() < 0 ? -1 : constant().num() > 0;
  if (coefficients.size() == 2 && constant().isInteger() && coefficients[1].isInteger()) { // the usual case
    const __int128 value = static_cast<__int128>(coefficients[1].num()) * q + constant().num();
    return value < 0 ? -1 : value > 0;
  }
  return WholePolynomial(coefficients).sign(q);
}

bool Polynomial::isAmong(int sign, Signs signs) {
  switch (signs) {
  case Signs::Negative:
    return sign < 0;
  case Signs::NotPositive:
    return sign <= 0;
  case Signs::Zero:
    return sign == 0;
  case Signs::NotNegative:
    return sign >= 0;
  case Signs::Positive:
    return sign > 0;
  }
  return false;
}

std::int64_t Polynomial::lastWith(Signs signs, std::int64_t from, std::int64_t last) const {
  assert(0 <= from && from - 1 <= last && "a range of steps, which may be empty");
  assert((!valid() || isAmong(sign(from), signs)) && "the value at `from` has one of the signs");
  if (isConstant())
    return last;
  if (coefficients.size() > 2)
    return WholePolynomial(coefficients).lastWith(signs, from, last);
  // A line has one zero, at which the sign changes.
  const Rational &slope = coefficients[1];
  const bool rises = slope.num() > 0;
  if (signs == (rises ? Signs::Positive : Signs::Negative) || signs == (rises ? Signs::NotNegative : Signs::NotPositive))
    return last;
  if (signs == Signs::Zero)
    return from;
  const __int128 above = -static_cast<__int128>(constant().num()) * slope.den();
  const __int128 below = static_cast<__int128>(slope.num()) * constant().den();
  const bool excludesZero = above % below == 0 && (signs == Signs::Negative || signs == Signs::Positive);
  return static_cast<std::int64_t>(std::min<__int128>(above / below - excludesZero, last));
}

} // namespace quadrille::compiler
