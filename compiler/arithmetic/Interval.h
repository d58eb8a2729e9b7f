//===- Interval.h - What numbers lie in -----------------------------------------------------------------------*- C++ -*-===//
//
// The one domain of intervals: whether numbers fit in 64 bits (prove/overflow), how small and large they are in emitted code
// (emit/Bounds.h), and which loops over ranks need no checks (evaluate/Columns.h). What operations make of intervals is in
// IntervalMeaning.h.
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
  /// A lower end that is +infinity becomes the largest number, which is below it; an upper end likewise.
  constexpr Interval(Extended lo, Extended hi)
      : lo(std::min(lo, Extended::largest())), hi(std::max(hi, -Extended::largest())) {}

  Extended lo = 0, hi = 0;

  friend constexpr bool operator==(const Interval &, const Interval &) = default;
  friend constexpr auto operator<=>(const Interval &, const Interval &) = default;

  /// There is no value.
  constexpr bool isNothing() const { return lo > hi; }
  constexpr bool contains(const Interval &other) const { return other.isNothing() || (lo <= other.lo && other.hi <= hi); }
  constexpr Extended magnitude() const { return std::max(abs(lo), abs(hi)); }
  /// Whether it is of numbers of 64 bits, without -2^63, which stands for the rank that is not there.
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
