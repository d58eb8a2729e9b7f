//===- Integers.cpp - Exact functions on integers -------------------------------------------------------------------===//

#include "Integers.h"

#include "llvm/ADT/bit.h"

namespace quadrille::compiler::arithmetic {


std::int64_t floorDiv(std::int64_t a, std::int64_t b) {
  std::int64_t q = a / b;
  return a % b != 0 && (a < 0) != (b < 0) ? q - 1 : q;
}

std::int64_t floorMod(std::int64_t a, std::int64_t b) {
  std::int64_t r = a % b;
  return r < 0 ? r + (b < 0 ? -b : b) : r;
}

std::int64_t floorLog2(std::int64_t x) { return 63 - llvm::countl_zero(static_cast<std::uint64_t>(x)); }

bool isPow2(std::int64_t x) { return x > 0 && (x & (x - 1)) == 0; }

std::int64_t ceilLog2(std::int64_t x) { return floorLog2(x) + (isPow2(x) ? 0 : 1); }

std::int64_t floorSqrt(std::int64_t x) {
  std::int64_t lo = 0, hi = 3037000499; // floor(sqrt(2^63 - 1))
  while (lo < hi) {
    const std::int64_t middle = lo + (hi - lo + 1) / 2;
    if (middle <= x / middle)
      lo = middle;
    else
      hi = middle - 1;
  }
  return lo;
}

} // namespace quadrille::compiler::arithmetic
