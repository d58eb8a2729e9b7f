//===- Checked.h - The meaning of operations on 64-bit numbers --------------------------------------------------*- C++ -*-===//
//
// Defines the operations of the language: each function returns the exact result, or why there is none. The functions are those
// that ir/Operations.def names. Truth values are 0 and 1. -2^63 stands for `none`: it must not be an operand, except of equal
// and notEqual, and as a result it counts as an overflow.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_ARITHMETIC_CHECKED_H
#define QUADRILLE_ARITHMETIC_CHECKED_H

#include "Integers.h"

#include "llvm/ADT/bit.h"

#include <algorithm>
#include <limits>

namespace quadrille::compiler::arithmetic {

/// Why an operation has no value.
enum class Fault : std::uint8_t {
  None,
  Overflow,       // the result does not fit
  DivisionByZero,
  Negative,       // the last operand must not be negative
  Inexact,        // no integer is the result: a logarithm or root
};

struct Checked {
  std::int64_t value = 0;
  Fault fault = Fault::None;

  Checked(std::int64_t value) : value(value) {}
  Checked(Fault fault) : fault(fault) {}
  explicit operator bool() const { return fault == Fault::None; }
};

namespace checked {

inline Checked fitting(bool overflows, std::int64_t result) {
  if (overflows || result == std::numeric_limits<std::int64_t>::min())
    return Fault::Overflow;
  return result;
}

// ---- one operand

inline Checked negate(std::int64_t a) { return -a; }
inline Checked absolute(std::int64_t a) { return a < 0 ? -a : a; }
inline Checked logicalNot(std::int64_t a) { return a == 0; }
inline Checked floorLog2(std::int64_t a) {
  if (a <= 0)
    return Fault::Inexact;
  return arithmetic::floorLog2(a);
}
inline Checked ceilLog2(std::int64_t a) {
  if (a <= 0)
    return Fault::Inexact;
  return arithmetic::ceilLog2(a);
}
inline Checked log2(std::int64_t a) {
  if (!arithmetic::isPow2(a))
    return Fault::Inexact;
  return arithmetic::floorLog2(a);
}
inline Checked trailingZeros(std::int64_t a) {
  if (a == 0)
    return Fault::Inexact;
  return llvm::countr_zero(static_cast<std::uint64_t>(a));
}
inline Checked isPow2(std::int64_t a) { return arithmetic::isPow2(a); }
inline Checked isEven(std::int64_t a) { return (a & 1) == 0; }
inline Checked isOdd(std::int64_t a) { return a & 1; }
inline Checked squareRoot(std::int64_t a) {
  if (a < 0)
    return Fault::Negative;
  const std::int64_t root = arithmetic::floorSqrt(a);
  if (root * root != a)
    return Fault::Inexact;
  return root;
}

// ---- two operands

inline Checked add(std::int64_t a, std::int64_t b) {
  std::int64_t result;
  const bool overflows = __builtin_add_overflow(a, b, &result);
  return fitting(overflows, result);
}
inline Checked subtract(std::int64_t a, std::int64_t b) {
  std::int64_t result;
  const bool overflows = __builtin_sub_overflow(a, b, &result);
  return fitting(overflows, result);
}
inline Checked multiply(std::int64_t a, std::int64_t b) {
  std::int64_t result;
  const bool overflows = __builtin_mul_overflow(a, b, &result);
  return fitting(overflows, result);
}
/// Rounded down, whatever the signs.
inline Checked divide(std::int64_t a, std::int64_t b) {
  if (b == 0)
    return Fault::DivisionByZero;
  return b == -1 ? -a : floorDiv(a, b);
}
/// In 0 ..< |b|, whatever the signs.
inline Checked modulo(std::int64_t a, std::int64_t b) {
  if (b == 0)
    return Fault::DivisionByZero;
  return b == -1 ? 0 : floorMod(a, b);
}
inline Checked power(std::int64_t base, std::int64_t exponent) {
  if (exponent < 0)
    return Fault::Negative;
  if (base == 0 || base == 1 || base == -1)
    return exponent == 0 ? 1 : base == -1 ? (exponent % 2 ? -1 : 1) : base;
  std::int64_t result = 1;
  for (; exponent > 0; --exponent)
    if (__builtin_mul_overflow(result, base, &result))
      return Fault::Overflow;
  return fitting(false, result);
}
/// a * 2**b
inline Checked shiftLeft(std::int64_t a, std::int64_t b) {
  if (b < 0)
    return Fault::Negative;
  if (a == 0)
    return 0;
  if (b > 62)
    return Fault::Overflow;
  return multiply(a, std::int64_t(1) << b);
}
/// floor(a / 2**b)
inline Checked shiftRight(std::int64_t a, std::int64_t b) {
  if (b < 0)
    return Fault::Negative;
  return a >> std::min<std::int64_t>(b, 63);
}
inline Checked bitAnd(std::int64_t a, std::int64_t b) { return fitting(false, a & b); }
inline Checked bitOr(std::int64_t a, std::int64_t b) { return fitting(false, a | b); }
inline Checked bitXor(std::int64_t a, std::int64_t b) { return fitting(false, a ^ b); }
inline Checked bit(std::int64_t a, std::int64_t b) {
  if (b < 0)
    return Fault::Negative;
  return (a >> std::min<std::int64_t>(b, 63)) & 1;
}
inline Checked minimum(std::int64_t a, std::int64_t b) { return std::min(a, b); }
inline Checked maximum(std::int64_t a, std::int64_t b) { return std::max(a, b); }
inline Checked equal(std::int64_t a, std::int64_t b) { return a == b; }
inline Checked notEqual(std::int64_t a, std::int64_t b) { return a != b; }
inline Checked less(std::int64_t a, std::int64_t b) { return a < b; }
inline Checked lessEqual(std::int64_t a, std::int64_t b) { return a <= b; }
inline Checked logicalAnd(std::int64_t a, std::int64_t b) { return a && b; }
inline Checked logicalOr(std::int64_t a, std::int64_t b) { return a || b; }

} // namespace checked

} // namespace quadrille::compiler::arithmetic

#endif // QUADRILLE_ARITHMETIC_CHECKED_H
