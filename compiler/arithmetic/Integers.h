//===- Integers.h - Exact functions on integers ---------------------------------------------------------------*- C++ -*-===//
//
// What `div`, `mod` and the logarithms of the language mean: rounded down, whatever the signs.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_ARITHMETIC_INTEGERS_H
#define QUADRILLE_ARITHMETIC_INTEGERS_H

#include <cstdint>

namespace quadrille::compiler::arithmetic {

// b != 0, and not the one quotient that overflows.
std::int64_t floorDiv(std::int64_t a, std::int64_t b);
/// Never negative, whatever the signs; b != 0.
std::int64_t floorMod(std::int64_t a, std::int64_t b);

// x > 0
std::int64_t floorLog2(std::int64_t x);
std::int64_t ceilLog2(std::int64_t x);

/// Any x.
bool isPow2(std::int64_t x);

} // namespace quadrille::compiler::arithmetic

#endif // QUADRILLE_ARITHMETIC_INTEGERS_H
