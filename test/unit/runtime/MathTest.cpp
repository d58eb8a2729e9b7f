//===- MathTest.cpp - The integer functions of schedules ------------------===//

#include "quadrille/math.h"

#include <gtest/gtest.h>

#include <limits>

using namespace quadrille;

static constexpr Index largest = std::numeric_limits<Index>::max();
static constexpr Index smallest = std::numeric_limits<Index>::min();

// They are usable in constant expressions.
static_assert(log2(8) == 3 && floorMod(-1, 5) == 4 && sqrtExact(49) == 7);

TEST(Math, DivisionRoundsDownwardsWithEverySign) {
  for (Index a = -20; a <= 20; ++a)
    for (Index m = -7; m <= 7; ++m) {
      if (m == 0)
        continue;
      EXPECT_LE(static_cast<double>(floorDiv(a, m)), static_cast<double>(a) / static_cast<double>(m));
      EXPECT_GT(static_cast<double>(floorDiv(a, m) + 1), static_cast<double>(a) / static_cast<double>(m));
      EXPECT_EQ(ceilDiv(a, m), -floorDiv(-a, m));
      EXPECT_GE(floorMod(a, m), 0);
      EXPECT_LT(floorMod(a, m), absolute(m));
      EXPECT_EQ((a - floorMod(a, m)) % m, 0);
    }
  EXPECT_EQ(floorMod(smallest, 10), 2);
}

TEST(Math, CappedResultsStayInRange) {
  EXPECT_EQ(addCapped(3, -5), -2);
  EXPECT_EQ(addCapped(largest - 1, 1), largest);
  EXPECT_EQ(addCapped(largest, 1), largest);
  EXPECT_EQ(addCapped(smallest, -1), smallest);
  EXPECT_EQ(subtractCapped(3, 5), -2);
  EXPECT_EQ(subtractCapped(smallest + 1, 2), smallest);
  EXPECT_EQ(subtractCapped(largest, -1), largest);
  EXPECT_EQ(multiplyCapped(0, largest), 0);
  EXPECT_EQ(multiplyCapped(shl(1, 61), 2), shl(1, 62));
  EXPECT_EQ(multiplyCapped(shl(1, 62), 2), largest);
}

TEST(Math, Logarithms) {
  for (Index a = 1; a <= 5000; ++a) {
    const Index d = floorLog2(a);
    EXPECT_LE(shl(1, d), a);
    EXPECT_GT(shl(1, d + 1), a);
    const Index c = ceilLog2(a);
    EXPECT_GE(shl(1, c), a);
    EXPECT_TRUE(c == 0 || shl(1, c - 1) < a);
    EXPECT_EQ(isPow2(a), c == d);
  }
  EXPECT_EQ(floorLog2(largest), 62);
  EXPECT_EQ(ceilLog2(largest), 63);
  EXPECT_FALSE(isPow2(0));
  EXPECT_FALSE(isPow2(-4));
  EXPECT_EQ(log2(Index{1} << 62), 62);
}

TEST(Math, BitsAndShifts) {
  EXPECT_EQ(shl(3, 4), 48);
  EXPECT_EQ(shl(1, 64), 0);
  EXPECT_EQ(shl(-1, 1), -2);
  EXPECT_EQ(shr(-5, 1), -3);
  EXPECT_EQ(shr(-1, 100), -1);
  EXPECT_EQ(shr(5, 100), 0);
  EXPECT_TRUE(bit(5, 0) && !bit(5, 1) && bit(5, 2) && !bit(5, 80));
  EXPECT_TRUE(bit(-1, 80));
  EXPECT_EQ(trailingZeros(12), 2);
  EXPECT_EQ(trailingZeros(smallest), 63);
  EXPECT_TRUE(isEven(-2) && isOdd(-1) && isEven(0));
}

TEST(Math, PowersAndRoots) {
  EXPECT_EQ(power(3, 0), 1);
  EXPECT_EQ(power(-3, 3), -27);
  EXPECT_EQ(power(2, 62), Index{1} << 62);
  EXPECT_EQ(power(7, 22), 3909821048582988049);
  for (Index a = 0; a <= 3000; ++a) {
    EXPECT_LE(floorSqrt(a) * floorSqrt(a), a);
    EXPECT_GT((floorSqrt(a) + 1) * (floorSqrt(a) + 1), a);
  }
  EXPECT_EQ(floorSqrt(largest), 3037000499);
  EXPECT_TRUE(isSquare(Index{3037000499} * 3037000499));
  EXPECT_FALSE(isSquare(-1) || isSquare(largest));
}

TEST(Math, Extremes) {
  EXPECT_EQ(minimum(2, -3), -3);
  EXPECT_EQ(maximum(2, -3), 2);
  EXPECT_EQ(absolute(-7), 7);
  EXPECT_EQ(absolute(smallest), smallest); // wraps, but is defined
}
