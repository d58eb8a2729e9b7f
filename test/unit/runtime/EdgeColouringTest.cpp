//===- EdgeColouringTest.cpp - Who sends when, for any amounts ------------===//

#include "quadrille/edge_colouring.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

using namespace quadrille;

namespace {

/// Every packet between two ranks is sent once, in h steps, and no rank sends
/// or receives twice in one.
void expectProper(const std::vector<Index> &packets, Index p) {
  const EdgeColouring colouring(packets, p);
  Index h = 0;
  for (Index i = 0; i < p; ++i) {
    Index sent = 0, received = 0;
    for (Index j = 0; j < p; ++j)
      if (i != j) {
        sent += packets[static_cast<std::size_t>(i * p + j)];
        received += packets[static_cast<std::size_t>(j * p + i)];
      }
    h = std::max({h, sent, received});
  }
  ASSERT_EQ(colouring.colours(), h);
  std::vector<Index> done(packets.size(), 0);
  for (Index c = 0; c < h; ++c)
    for (Index i = 0; i < p; ++i) {
      const Index j = colouring.receiver(i, c);
      if (j != none) {
        ++done[static_cast<std::size_t>(i * p + j)];
        ASSERT_EQ(colouring.sender(j, c), i); // so nobody receives twice
      }
      if (const Index k = colouring.sender(i, c); k != none)
        ASSERT_EQ(colouring.receiver(k, c), i);
    }
  for (Index i = 0; i < p; ++i)
    for (Index j = 0; j < p; ++j)
      ASSERT_EQ(done[static_cast<std::size_t>(i * p + j)],
                i == j ? 0 : packets[static_cast<std::size_t>(i * p + j)]);
}

TEST(EdgeColouring, Nothing) {
  expectProper({0}, 1);
  expectProper({7}, 1); // to itself
  expectProper(std::vector<Index>(25, 0), 5);
}

TEST(EdgeColouring, Even) {
  for (Index p = 1; p <= 9; ++p)
    for (Index each : {1, 2, 65})
      expectProper(std::vector<Index>(static_cast<std::size_t>(p * p), each), p);
}

TEST(EdgeColouring, OnePair) {
  std::vector<Index> packets(16, 0);
  packets[1 * 4 + 3] = 130;
  expectProper(packets, 4);
}

TEST(EdgeColouring, NeedsAlternatingPaths) {
  // 0 -> 1, 1 -> 2, 2 -> 1 and 0 -> 2 in this order: first come, first served
  // would take three colours.
  expectProper({0, 1, 1, 0, 0, 1, 0, 1, 0}, 3);
}

TEST(EdgeColouring, Random) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 600; ++round) {
    const Index p = 1 + static_cast<Index>(random() % 12);
    const std::uint64_t most = 1 + random() % 9;
    std::vector<Index> packets(static_cast<std::size_t>(p * p));
    for (Index &count : packets)
      count = random() % 3 == 0 ? static_cast<Index>(random() % most) : 0;
    expectProper(packets, p);
  }
}

TEST(EdgeColouring, TheSameEverywhere) {
  const std::vector<Index> packets{0, 3, 1, 2, 0, 2, 2, 1, 0};
  const EdgeColouring a(packets, 3), b(packets, 3);
  for (Index c = 0; c < a.colours(); ++c)
    for (Index i = 0; i < 3; ++i)
      EXPECT_EQ(a.receiver(i, c), b.receiver(i, c));
}

} // namespace
