//===- Interval.h - Intervals of integers ---------------------------------------------------------------------*- C++ -*-===//
//
// The compiler's only domain of intervals. It is used to show that numbers fit in 64 bits (prove/overflow), to bound numbers in emitted
// code (emit/Bounds.h), and to find loops over ranks that need no checks (evaluate/Columns.h). IntervalMeaning.h has the operations.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_ARITHMETIC_INTERVAL_H
#define QUADRILLE_ARITHMETIC_INTERVAL_H

#include "Extended.h"

#include <algorithm>
#include <limits>

namespace quadrille::compiler::arithmetic {

/// The integers from lo to hi, both included. An infinite end is no bound.
struct Interval {
  constexpr Interval() = default;
  /// A lower end of +infinity becomes the largest finite number, an upper end of -infinity the smallest one.
  constexpr Interval(Extended lo, Extended hi)
      : lo(std::min(lo, Extended::largest())), hi(std::max(hi, -Extended::largest())) {}

  Extended lo = 0, hi = 0;

  friend constexpr bool operator==(const Interval &, const Interval &) = default;
  friend constexpr auto operator<=>(const Interval &, const Interval &) = default;

  /// Whether the interval is empty.
  constexpr bool isNothing() const { return lo > hi; }
  constexpr bool contains(const Interval &other) const { return other.isNothing() || (lo <= other.lo && other.hi <= hi); }
  constexpr Extended magnitude() const { return std::max(abs(lo), abs(hi)); }
  /// Whether all its numbers fit in 64 bits. -2^63 does not: it stands for `none`.
  constexpr bool fits() const {
    constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();
    return lo >= -largest && hi <= largest;
  }
};

constexpr Interval point(Extended value) { return {value, value}; }

inline constexpr std::int64_t largestCount = 2147483647; // of p, ranks and parameters
inline constexpr Interval truth{0, 1}, yes{1, 1}, no{0, 0}, count{0, largestCount};
inline constexpr Interval anything{-Extended::infinity(), Extended::infinity()}, nothing{1, 0};

constexpr Interval join(const Interval &a, const Interval &b) {
  return a.isNothing() ? b : b.isNothing() ? a : Interval{std::min(a.lo, b.lo), std::max(a.hi, b.hi)};
}
constexpr Interval meet(const Interval &a, const Interval &b) { return {std::max(a.lo, b.lo), std::min(a.hi, b.hi)}; }

} // namespace quadrille::compiler::arithmetic

#endif // QUADRILLE_ARITHMETIC_INTERVAL_H
