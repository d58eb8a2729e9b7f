//===- Interval.h - What values lie in ---------------------------------------------------------------------------------*- C++ -*-===//
//
// Private to this folder: intervals of numbers that may be beyond 64 bits.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_PROVE_OVERFLOW_INTERVAL_H
#define QUADRILLE_PROVE_OVERFLOW_INTERVAL_H

#include <algorithm>
#include <cmath>
#include <utility>

namespace quadrille::compiler::prove::widths {

/// What values lie in. A long double tells integers up to 2^64 apart, and larger ones only have to be seen to be large.
struct Interval {
  long double lo = 0, hi = 0;
  bool operator==(const Interval &) const = default;
  bool operator<(const Interval &other) const { return std::pair(lo, hi) < std::pair(other.lo, other.hi); }
  long double magnitude() const { return std::max(std::fabs(lo), std::fabs(hi)); }
  /// There is no value: nothing gets there.
  bool isNothing() const { return lo > hi; }
  bool contains(Interval other) const { return other.isNothing() || (lo <= other.lo && other.hi <= hi); }
};

inline constexpr long double largest = 2147483647.0L;             // of p, ranks and parameters
inline constexpr long double tooWide = 9223372036854775808.0L;    // 2^63
inline constexpr long double unlimited = 0x1p200L;                // stands for all that is larger
inline constexpr Interval truth{0, 1}, yes{1, 1}, no{0, 0}, count{0, largest}, anything{-unlimited, unlimited}, nothing{1, 0};

inline Interval join(Interval a, Interval b) {
  return a.isNothing() ? b : b.isNothing() ? a : Interval{std::min(a.lo, b.lo), std::max(a.hi, b.hi)};
}
inline Interval meet(Interval a, Interval b) { return {std::max(a.lo, b.lo), std::min(a.hi, b.hi)}; }

/// 0 times what is unbounded is 0.
inline long double times(long double a, long double b) { return a == 0 || b == 0 ? 0 : a * b; }

inline Interval product(Interval a, Interval b) {
  const auto [lo, hi] = std::minmax({times(a.lo, b.lo), times(a.lo, b.hi), times(a.hi, b.lo), times(a.hi, b.hi)});
  return {lo, hi};
}

/// Of integers; 0 for what has no logarithm.
inline long double floorLog2(long double x) { return x < 2 ? 0 : std::ilogb(x); }
inline long double ceilLog2(long double x) { return x < 2 ? 0 : std::ilogb(x - 1) + 1; }

/// All that is below the next power of two.
inline long double filled(long double x) { return x < 1 ? 0 : std::exp2(floorLog2(x) + 1) - 1; }

} // namespace quadrille::compiler::prove::widths

#endif // QUADRILLE_PROVE_OVERFLOW_INTERVAL_H
