//===- Integers.h - Exact functions on integers ---------------------------------------------------------------*- C++ -*-===//
//
// `div`, `mod` and logarithms as the language defines them: rounded down for all signs.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_ARITHMETIC_INTEGERS_H
#define QUADRILLE_ARITHMETIC_INTEGERS_H

#include <cstdint>

namespace quadrille::compiler::arithmetic {

/// floor(a / b); b != 0, and the quotient must not overflow (-2^63 div -1).
std::int64_t floorDiv(std::int64_t a, std::int64_t b);
/// The remainder in 0 ..< |b|; b != 0.
std::int64_t floorMod(std::int64_t a, std::int64_t b);

/// The logarithm to base 2, rounded down or up; x > 0.
std::int64_t floorLog2(std::int64_t x);
std::int64_t ceilLog2(std::int64_t x);

/// The largest b with b*b <= x; x >= 0.
std::int64_t floorSqrt(std::int64_t x);

/// Any x.
bool isPow2(std::int64_t x);

} // namespace quadrille::compiler::arithmetic

#endif // QUADRILLE_ARITHMETIC_INTEGERS_H
