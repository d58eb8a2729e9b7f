//===- IntervalMeaning.h - What the operations of the language make of intervals ----------------------------------*- C++ -*-===//
//
// The functions that ir/Operations.def names, on what their operands lie in: the result lies in what they yield wherever there is
// one. None of the operands is empty. Truth values are 0 and 1.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_PROVE_OVERFLOW_INTERVALMEANING_H
#define QUADRILLE_PROVE_OVERFLOW_INTERVALMEANING_H

#include "Interval.h"

namespace quadrille::compiler::prove::widths::meaning {

// ---- one operand

inline Interval negate(Interval a) { return {-a.hi, -a.lo}; }
inline Interval absolute(Interval a) { return {std::max({0.0L, a.lo, -a.hi}), a.magnitude()}; }
inline Interval logicalNot(Interval a) { return {1 - a.hi, 1 - a.lo}; }
inline Interval floorLog2(Interval a) { return {widths::floorLog2(a.lo), widths::floorLog2(a.hi)}; }
inline Interval ceilLog2(Interval a) { return {widths::ceilLog2(a.lo), widths::ceilLog2(a.hi)}; }
inline Interval log2(Interval a) { return floorLog2(a); }
inline Interval trailingZeros(Interval a) { return {0, widths::floorLog2(a.magnitude())}; }
inline Interval isPow2(Interval) { return truth; }
inline Interval isEven(Interval) { return truth; }
inline Interval isOdd(Interval) { return truth; }
inline Interval squareRoot(Interval a) { return {0, std::sqrt(std::max(0.0L, a.hi))}; }

// ---- two operands

/// Rounded down, by positive numbers.
inline Interval quotient(Interval a, Interval by) {
  return {std::floor(a.lo / (a.lo < 0 ? by.lo : by.hi)), std::floor(a.hi / (a.hi < 0 ? by.hi : by.lo))};
}

/// Of two; a negative exponent has none.
inline Interval powers(Interval exponent) {
  return {std::exp2(std::max(0.0L, exponent.lo)), std::exp2(std::max(0.0L, exponent.hi))};
}

/// Of bits, which may fill up what is below the next power of two.
inline Interval bits(Interval a, Interval b) {
  const long double most = filled(std::max(a.magnitude(), b.magnitude()));
  return {a.lo < 0 || b.lo < 0 ? -most - 1 : 0, most};
}

/// A comparison that is known to hold, or known not to.
inline Interval known(bool always, bool never) { return always ? yes : never ? no : truth; }

inline Interval add(Interval a, Interval b) { return {a.lo + b.lo, a.hi + b.hi}; }
inline Interval subtract(Interval a, Interval b) { return {a.lo - b.hi, a.hi - b.lo}; }
inline Interval multiply(Interval a, Interval b) { return product(a, b); }
/// A divisor is at least 1, or there is no value.
inline Interval divide(Interval a, Interval b) { return quotient(a, {std::max(1.0L, b.lo), std::max(1.0L, b.hi)}); }
inline Interval modulo(Interval a, Interval b) {
  const long double most = std::max(0.0L, b.hi - 1);
  return {0, a.lo >= 0 ? std::min(a.hi, most) : most};
}
inline Interval power(Interval a, Interval b) {
  if (b.hi <= 0)
    return {1, 1};
  const long double most = std::max(1.0L, std::pow(a.magnitude(), b.hi));
  if (a.lo >= 1)
    return {std::pow(a.lo, std::max(0.0L, b.lo)), most};
  return {a.lo < 0 ? -most : 0, most};
}
inline Interval shiftLeft(Interval a, Interval b) { return product(a, powers(b)); }
inline Interval shiftRight(Interval a, Interval b) { return quotient(a, powers(b)); }
inline Interval bitAnd(Interval a, Interval b) {
  if (a.lo >= 0 || b.lo >= 0)
    return {0, a.lo < 0 ? b.hi : b.lo < 0 ? a.hi : std::min(a.hi, b.hi)};
  return bits(a, b);
}
inline Interval bitOr(Interval a, Interval b) { return bits(a, b); }
inline Interval bitXor(Interval a, Interval b) { return bits(a, b); }
inline Interval bit(Interval, Interval) { return truth; }
inline Interval minimum(Interval a, Interval b) { return {std::min(a.lo, b.lo), std::min(a.hi, b.hi)}; }
inline Interval maximum(Interval a, Interval b) { return {std::max(a.lo, b.lo), std::max(a.hi, b.hi)}; }
inline Interval equal(Interval a, Interval b) { return known(a.lo == a.hi && a == b, a.hi < b.lo || b.hi < a.lo); }
inline Interval notEqual(Interval a, Interval b) { return meaning::logicalNot(equal(a, b)); }
inline Interval less(Interval a, Interval b) { return known(a.hi < b.lo, a.lo >= b.hi); }
inline Interval lessEqual(Interval a, Interval b) { return known(a.hi <= b.lo, a.lo > b.hi); }
/// Where both operands have a value.
inline Interval logicalAnd(Interval a, Interval b) { return {std::min(a.lo, b.lo), std::min(a.hi, b.hi)}; }
inline Interval logicalOr(Interval a, Interval b) { return {std::max(a.lo, b.lo), std::max(a.hi, b.hi)}; }

} // namespace quadrille::compiler::prove::widths::meaning

#endif // QUADRILLE_PROVE_OVERFLOW_INTERVALMEANING_H
