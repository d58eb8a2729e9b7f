//===- quadrille/math.h - The integer functions of schedules ----*- C++ -*-===//
//
// Operations of the language for which C++ has no operator. They compute the
// mathematical functions; a result that needs more than 64 bits wraps, without
// undefined behaviour. An argument outside the stated domain is a bug of the
// caller, which an assertion reports.
//
//===----------------------------------------------------------------------===//

#ifndef QUADRILLE_MATH_H
#define QUADRILLE_MATH_H

#include "quadrille/index.h"

#include <cassert>
#include <limits>

namespace quadrille {

/// The quotient rounded towards minus infinity; `divisor` != 0.
constexpr Index floorDiv(Index a, Index divisor) {
  assert(divisor != 0 && "division by zero");
  const Index quotient = a / divisor;
  return a % divisor != 0 && (a < 0) != (divisor < 0) ? quotient - 1 : quotient;
}

/// The quotient rounded towards plus infinity; `divisor` != 0.
constexpr Index ceilDiv(Index a, Index divisor) {
  assert(divisor != 0 && "division by zero");
  const Index quotient = a / divisor;
  return a % divisor != 0 && (a < 0) == (divisor < 0) ? quotient + 1 : quotient;
}

/// The remainder in 0 ..< |m|, for all signs; `m` != 0.
constexpr Index floorMod(Index a, Index m) {
  assert(m != 0 && "modulo zero");
  const Index remainder = a % m;
  if (remainder >= 0)
    return remainder;
  return m < 0 ? remainder - m : remainder + m;
}

constexpr Index minimum(Index a, Index b) { return b < a ? b : a; }
constexpr Index maximum(Index a, Index b) { return a < b ? b : a; }
constexpr Index absolute(Index a) {
  return a < 0 ? static_cast<Index>(0 - static_cast<std::uint64_t>(a)) : a;
}

/// Saturating sum, difference and product: a result that does not fit becomes
/// the nearest 64-bit number. Loops step with these to their end.
constexpr Index addCapped(Index a, Index b) {
  constexpr Index most = std::numeric_limits<Index>::max(), least = std::numeric_limits<Index>::min();
  return b > 0 ? (a > most - b ? most : a + b) : (a < least - b ? least : a + b);
}
constexpr Index subtractCapped(Index a, Index b) {
  constexpr Index most = std::numeric_limits<Index>::max(), least = std::numeric_limits<Index>::min();
  return b > 0 ? (a < least + b ? least : a - b) : (a > most + b ? most : a - b);
}
/// `a` >= 0, `b` >= 1.
constexpr Index multiplyCapped(Index a, Index b) {
  constexpr Index most = std::numeric_limits<Index>::max();
  return a > most / b ? most : a * b;
}

constexpr bool isEven(Index a) { return (static_cast<std::uint64_t>(a) & 1) == 0; }
constexpr bool isOdd(Index a) { return !isEven(a); }
constexpr bool isPow2(Index a) { return a > 0 && (a & (a - 1)) == 0; }

/// a * 2**d; `d` >= 0. Zero once every bit has been shifted out.
constexpr Index shl(Index a, Index d) {
  assert(d >= 0 && "shift by a negative distance");
  return d < 64 ? static_cast<Index>(static_cast<std::uint64_t>(a) << d) : 0;
}

/// floor(a / 2**d); `d` >= 0.
constexpr Index shr(Index a, Index d) {
  assert(d >= 0 && "shift by a negative distance");
  // Fills in the sign without shifting negative numbers, which is
  // implementation-defined.
  const Index distance = d < 64 ? d : 63;
  return a >= 0 ? a >> distance : ~(~a >> distance);
}

/// Bit `d` of `i` in two's complement; `d` >= 0.
constexpr bool bit(Index i, Index d) { return isOdd(shr(i, d)); }

/// The largest d with 2**d <= a; `a` >= 1.
constexpr Index floorLog2(Index a) {
  assert(a >= 1 && "logarithm of a number below one");
  Index d = 0;
  while (a > 1) {
    a >>= 1;
    ++d;
  }
  return d;
}

/// The smallest d with 2**d >= a; `a` >= 1.
constexpr Index ceilLog2(Index a) { return floorLog2(a) + (isPow2(a) ? 0 : 1); }

/// The exact logarithm; `a` is a power of two.
constexpr Index log2(Index a) {
  assert(isPow2(a) && "log2 of a number that is no power of two");
  return floorLog2(a);
}

/// The number of zero bits below the lowest one bit; `a` != 0.
constexpr Index trailingZeros(Index a) {
  assert(a != 0 && "trailing zeros of zero");
  Index d = 0;
  while (d < 63 && !bit(a, d))
    ++d;
  return d;
}

/// base ** exponent; `exponent` >= 0; power(0, 0) is 1.
constexpr Index power(Index base, Index exponent) {
  assert(exponent >= 0 && "negative exponent");
  std::uint64_t result = 1, square = static_cast<std::uint64_t>(base);
  for (; exponent > 0; exponent >>= 1) {
    if (isOdd(exponent))
      result *= square;
    square *= square;
  }
  return static_cast<Index>(result);
}

/// floor(sqrt(a)); `a` >= 0.
constexpr Index floorSqrt(Index a) {
  assert(a >= 0 && "square root of a negative number");
  // Binary digit by digit: exact on all 63 bits, which floating point is not.
  std::uint64_t rest = static_cast<std::uint64_t>(a), root = 0;
  for (std::uint64_t digit = std::uint64_t{1} << 62; digit != 0; digit >>= 2) {
    if (rest >= root + digit) {
      rest -= root + digit;
      root = (root >> 1) + digit;
    } else {
      root >>= 1;
    }
  }
  return static_cast<Index>(root);
}

constexpr bool isSquare(Index a) {
  return a >= 0 && floorSqrt(a) * floorSqrt(a) == a;
}

/// The exact square root; `a` is a square.
constexpr Index sqrtExact(Index a) {
  assert(isSquare(a) && "square root of a number that is no square");
  return floorSqrt(a);
}

/// The length of packet `index` if n elements are split into `packets` >= 1
/// packets whose lengths differ by at most one, the longer ones first.
constexpr Index packetLength(Index n, Index packets, Index index) {
  return n / packets + (index < n % packets ? 1 : 0);
}

} // namespace quadrille

#endif // QUADRILLE_MATH_H
