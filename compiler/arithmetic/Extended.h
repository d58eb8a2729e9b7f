//===- Extended.h - Integers with two infinities ---------------------------------------------------------------*- C++ -*-===//
//
// Exact below 2^126 in size, which is enough for sums and products of any two numbers of 64 bits. What is larger counts as infinite.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_ARITHMETIC_EXTENDED_H
#define QUADRILLE_ARITHMETIC_EXTENDED_H

#include <bit>
#include <cassert>
#include <compare>
#include <cstdint>
#include <optional>

namespace quadrille::compiler::arithmetic {

/// An integer, or one of the two infinities.
class Extended {
public:
  constexpr Extended(std::int64_t value = 0) : value(value) {}

  static constexpr Extended infinity() { return Extended(limit, Exactly()); }
  /// The largest one that is not infinite.
  static constexpr Extended largest() { return Extended(limit - 1, Exactly()); }

  constexpr bool isFinite() const { return value != limit && value != -limit; }
  /// The number, if it fits in 64 bits.
  constexpr std::optional<std::int64_t> word() const {
    const auto result = static_cast<std::int64_t>(value);
    return result == value ? std::optional(result) : std::nullopt;
  }

  friend constexpr bool operator==(Extended, Extended) = default;
  friend constexpr auto operator<=>(Extended, Extended) = default;

  friend constexpr Extended operator-(Extended a) { return {-a.value, Exactly()}; }
  /// The operands must not be infinities of different signs.
  friend constexpr Extended operator+(Extended a, Extended b) {
    assert((a.isFinite() || b.isFinite() || a == b) && "a sum that may be anything");
    return !a.isFinite() ? a : !b.isFinite() ? b : beyond(a.value + b.value);
  }
  friend constexpr Extended operator-(Extended a, Extended b) { return a + -b; }
  /// 0 times what is infinite is 0.
  friend constexpr Extended operator*(Extended a, Extended b) {
    if (a.word() && b.word())
      return beyond(a.value * b.value);
    if (a.value == 0 || b.value == 0)
      return 0;
    const bool isNegative = (a.value < 0) != (b.value < 0);
    const Wide x = a.value < 0 ? -a.value : a.value, y = b.value < 0 ? -b.value : b.value;
    const Wide product = x >= limit || y > limit / x ? limit : x * y;
    return beyond(isNegative ? -product : product);
  }

  /// Rounded down; b must be at least 1. An infinite dividend stays as it is.
  friend constexpr Extended floorDiv(Extended a, Extended b) {
    assert(b.value >= 1);
    if (!a.isFinite())
      return a;
    const Wide quotient = a.value / b.value;
    return {quotient - (a.value < 0 && quotient * b.value != a.value), Exactly()};
  }

  /// The logarithm to base 2, rounded down; 0 for numbers below 1.
  friend constexpr Extended floorLog2(Extended a) {
    if (!a.isFinite())
      return a.value < 0 ? 0 : a;
    if (a.value < 1)
      return 0;
    const auto high = static_cast<std::uint64_t>(a.value >> 64), low = static_cast<std::uint64_t>(a.value);
    return high != 0 ? 127 - std::countl_zero(high) : 63 - std::countl_zero(low);
  }

  /// 2 to the power of a; a must not be negative.
  friend constexpr Extended power2(Extended a) {
    assert(a.value >= 0);
    return {a.value < 126 ? Wide(1) << a.value : limit, Exactly()};
  }

  /// The square root, rounded down; 0 for negative numbers.
  friend constexpr Extended floorRoot(Extended a) {
    if (a.value <= 0)
      return 0;
    if (!a.isFinite())
      return a;
    Wide lo = 0, hi = Wide(1) << 63;
    while (lo < hi) {
      const Wide middle = (lo + hi + 1) / 2;
      if (middle <= a.value / middle)
        lo = middle;
      else
        hi = middle - 1;
    }
    return {lo, Exactly()};
  }

private:
  using Wide = __int128;
  static constexpr Wide limit = Wide(1) << 126; // infinity; twice as much fits

  struct Exactly {};
  constexpr Extended(Wide value, Exactly) : value(value) {}
  static constexpr Extended beyond(Wide value) {
    return {value > limit ? limit : value < -limit ? -limit : value, Exactly()};
  }

  Wide value;
};

constexpr Extended abs(Extended a) { return a < 0 ? -a : a; }

/// `base` to the power of `exponent`; neither may be negative.
constexpr Extended power(Extended base, Extended exponent) {
  assert(base >= 0 && exponent >= 0);
  if (base == 0 || base == 1 || exponent == 0)
    return exponent == 0 ? 1 : base;
  Extended result = 1;
  for (; exponent > 0 && result.isFinite(); exponent = exponent - 1)
    result = result * base;
  return result;
}

constexpr Extended ceilLog2(Extended a) { return a < 2 ? 0 : floorLog2(a - 1) + 1; }

/// The largest number with as many binary digits as `a`: all of them are ones. 0 for numbers below 1.
constexpr Extended filled(Extended a) { return a < 1 ? 0 : power2(floorLog2(a) + 1) - 1; }

} // namespace quadrille::compiler::arithmetic

#endif // QUADRILLE_ARITHMETIC_EXTENDED_H
