//===- IntervalMeaning.h - The operations of the language on intervals --------------------------------------------*- C++ -*-===//
//
// Implements the functions that ir/Operations.def names on intervals of the operands, none of which may be empty. The result contains
// the exact value of the operation (Checked.h) for all operands for which it has one. Truth values are 0 and 1.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_ARITHMETIC_INTERVALMEANING_H
#define QUADRILLE_ARITHMETIC_INTERVALMEANING_H

#include "Interval.h"

namespace quadrille::compiler::arithmetic::intervals {

// ---- one operand

inline Interval negate(const Interval &a) { return {-a.hi, -a.lo}; }
inline Interval absolute(const Interval &a) { return {std::max({Extended(0), a.lo, -a.hi}), a.magnitude()}; }
inline Interval logicalNot(const Interval &a) { return {1 - a.hi, 1 - a.lo}; }
inline Interval floorLog2(const Interval &a) { return {floorLog2(a.lo), floorLog2(a.hi)}; }
inline Interval ceilLog2(const Interval &a) { return {arithmetic::ceilLog2(a.lo), arithmetic::ceilLog2(a.hi)}; }
inline Interval log2(const Interval &a) { return intervals::floorLog2(a); }
inline Interval trailingZeros(const Interval &a) { return {0, floorLog2(a.magnitude())}; }
inline Interval isPow2(const Interval &) { return truth; }
inline Interval isEven(const Interval &) { return truth; }
inline Interval isOdd(const Interval &) { return truth; }
inline Interval squareRoot(const Interval &a) { return {floorRoot(a.lo), floorRoot(a.hi)}; }

// ---- two operands

inline Interval product(const Interval &a, const Interval &b) {
  const auto [lo, hi] = std::minmax({a.lo * b.lo, a.lo * b.hi, a.hi * b.lo, a.hi * b.hi});
  return {lo, hi};
}

/// Division by positive numbers, rounded down.
inline Interval quotient(const Interval &a, const Interval &by) {
  return {floorDiv(a.lo, a.lo < 0 ? by.lo : by.hi), floorDiv(a.hi, a.hi < 0 ? by.hi : by.lo)};
}

/// Powers of two; negative exponents, which have none, are left out.
inline Interval powers(const Interval &exponent) {
  return {power2(std::max<Extended>(0, exponent.lo)), power2(std::max<Extended>(0, exponent.hi))};
}

/// Bitwise operations: the result has no more binary digits than the larger operand.
inline Interval bits(const Interval &a, const Interval &b) {
  const Extended most = filled(std::max(a.magnitude(), b.magnitude()));
  return {a.lo < 0 || b.lo < 0 ? -most - 1 : 0, most};
}

/// The truth value of a comparison that is known to hold always, or never.
inline Interval known(bool always, bool never) { return always ? yes : never ? no : truth; }

inline Interval add(const Interval &a, const Interval &b) { return {a.lo + b.lo, a.hi + b.hi}; }
inline Interval subtract(const Interval &a, const Interval &b) { return {a.lo - b.hi, a.hi - b.lo}; }
inline Interval multiply(const Interval &a, const Interval &b) { return product(a, b); }
inline Interval divide(const Interval &a, const Interval &b) {
  const Interval positive = meet(b, {1, Extended::infinity()}), negative = meet(negate(b), {1, Extended::infinity()});
  return join(positive.isNothing() ? nothing : quotient(a, positive), negative.isNothing() ? nothing : quotient(negate(a), negative));
}
/// The remainder is at least 0 and below the divisor's absolute value.
inline Interval modulo(const Interval &a, const Interval &b) {
  const Extended most = std::max<Extended>(0, b.magnitude() - 1);
  return {0, a.lo >= 0 ? std::min(a.hi, most) : most};
}
inline Interval power(const Interval &a, const Interval &b) {
  if (b.hi <= 0)
    return {1, 1};
  const Extended most = std::max<Extended>(1, arithmetic::power(a.magnitude(), b.hi));
  if (a.lo >= 1)
    return {arithmetic::power(a.lo, std::max<Extended>(0, b.lo)), most};
  return {a.lo < 0 ? -most : 0, most};
}
inline Interval shiftLeft(const Interval &a, const Interval &b) { return product(a, powers(b)); }
inline Interval shiftRight(const Interval &a, const Interval &b) { return quotient(a, powers(b)); }
inline Interval bitAnd(const Interval &a, const Interval &b) {
  if (a.lo >= 0 || b.lo >= 0)
    return {0, a.lo < 0 ? b.hi : b.lo < 0 ? a.hi : std::min(a.hi, b.hi)};
  return bits(a, b);
}
inline Interval bitOr(const Interval &a, const Interval &b) { return bits(a, b); }
inline Interval bitXor(const Interval &a, const Interval &b) { return bits(a, b); }
inline Interval bit(const Interval &, const Interval &) { return truth; }
inline Interval minimum(const Interval &a, const Interval &b) { return {std::min(a.lo, b.lo), std::min(a.hi, b.hi)}; }
inline Interval maximum(const Interval &a, const Interval &b) { return {std::max(a.lo, b.lo), std::max(a.hi, b.hi)}; }
inline Interval equal(const Interval &a, const Interval &b) {
  return known(a.lo == a.hi && a == b, a.hi < b.lo || b.hi < a.lo);
}
inline Interval notEqual(const Interval &a, const Interval &b) { return intervals::logicalNot(equal(a, b)); }
inline Interval less(const Interval &a, const Interval &b) { return known(a.hi < b.lo, a.lo >= b.hi); }
inline Interval lessEqual(const Interval &a, const Interval &b) { return known(a.hi <= b.lo, a.lo > b.hi); }
/// Like the operations of numbers, these suppose that both operands have a value.
inline Interval logicalAnd(const Interval &a, const Interval &b) { return minimum(a, b); }
inline Interval logicalOr(const Interval &a, const Interval &b) { return maximum(a, b); }

} // namespace quadrille::compiler::arithmetic::intervals

#endif // QUADRILLE_ARITHMETIC_INTERVALMEANING_H
