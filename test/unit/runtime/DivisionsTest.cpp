//===- DivisionsTest.cpp - Parts of buffers, for every number of elements ===//

#include "../../../runtime/plan/Divisions.h"

#include <gtest/gtest.h>

using namespace quadrille;
using namespace quadrille::detail;

namespace {

Blocks blocks(Divisions::Id division, std::int32_t lo, std::int32_t len) {
  Blocks result;
  result.division = division;
  result.lo = lo;
  result.len = len;
  return result;
}

TEST(Divisions, NumbersForEveryN) {
  Divisions divisions;
  // Three blocks of n elements; block 1 in 4 packets; packet 2 of these in 3.
  const auto whole = divisions.uniform(7, 3, Divisions::callLength);
  const auto packets = divisions.packets(whole, 1, 4);
  const auto parts = divisions.packets(packets, 2, 3);
  EXPECT_EQ(divisions.packets(whole, 1, 4), packets); // is the same one
  EXPECT_EQ(divisions.bufferOf(parts), 7u);
  for (const Index n : {0, 1, 2, 3, 4, 5, 11, 1000, 1 << 30}) {
    const Numbers numbers(divisions, n);
    EXPECT_EQ(numbers.offset(whole, 2), 2 * n);
    Index at = n;
    for (Index j = 0; j < 4; ++j) {
      EXPECT_EQ(numbers.offset(packets, j), at);
      if (j == 2) {
        Index part = at;
        const Index length = n / 4 + (2 < n % 4 ? 1 : 0);
        for (Index i = 0; i < 3; ++i) {
          EXPECT_EQ(numbers.offset(parts, i), part);
          part += length / 3 + (i < length % 3 ? 1 : 0);
        }
        EXPECT_EQ(numbers.offset(parts, 3), part);
      }
      at += n / 4 + (j < n % 4 ? 1 : 0);
    }
    EXPECT_EQ(numbers.elements(blocks(whole, 0, 3)), 3 * n);
    EXPECT_EQ(numbers.elements(divisions.whole(packets)), n);
  }
}

TEST(Divisions, WhatMayOverlap) {
  Divisions divisions;
  const auto x = divisions.uniform(0, 3, Divisions::callLength);
  const auto y = divisions.uniform(1, 3, Divisions::callLength);
  const auto inFour = divisions.packets(x, 1, 4), inThree = divisions.packets(x, 1, 3);
  const auto other = divisions.packets(x, 2, 4);
  EXPECT_FALSE(divisions.mayOverlap(blocks(x, 0, 3), blocks(y, 0, 3)));
  EXPECT_FALSE(divisions.mayOverlap(blocks(x, 0, 1), blocks(x, 1, 2)));
  EXPECT_TRUE(divisions.mayOverlap(blocks(x, 0, 2), blocks(x, 1, 2)));
  EXPECT_FALSE(divisions.mayOverlap(blocks(inFour, 0, 2), blocks(inFour, 2, 2)));
  EXPECT_TRUE(divisions.mayOverlap(blocks(inFour, 0, 2), blocks(x, 1, 1)));
  EXPECT_FALSE(divisions.mayOverlap(blocks(inFour, 0, 2), blocks(x, 2, 1)));
  EXPECT_FALSE(divisions.mayOverlap(blocks(inFour, 0, 4), blocks(other, 0, 4)));
  // Where packets of four and of three begin depends on n.
  EXPECT_TRUE(divisions.mayOverlap(blocks(inFour, 0, 1), blocks(inThree, 2, 1)));
  EXPECT_TRUE(divisions.areSame(blocks(inFour, 1, 2), blocks(inFour, 1, 2)));
  EXPECT_FALSE(divisions.areSame(blocks(inFour, 1, 2), blocks(inThree, 1, 2)));
}

} // namespace
