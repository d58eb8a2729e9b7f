//===- PresenceTest.cpp - Which elements are there -------------------------===//

#include "quadrille/presence.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <random>
#include <vector>

using namespace quadrille;

namespace {

constexpr Index bytes = 4;

/// What a presence says of consecutive elements, one asked after the other in runs.
std::vector<bool> said(const Presence &presence, std::byte *memory, Index elements, bool backwards) {
  std::vector<bool> result;
  while (static_cast<Index>(result.size()) < elements) {
    const Index at = static_cast<Index>(result.size());
    const std::byte *first = memory + (backwards ? elements - 1 - at : at) * bytes;
    const Presence::Alike run = presence.alike(first, backwards ? -bytes : bytes, elements - at);
    EXPECT_GE(run.elements, 1);
    EXPECT_LE(run.elements, elements - at);
    result.insert(result.end(), static_cast<std::size_t>(run.elements), run.there);
  }
  if (backwards)
    result = std::vector<bool>(result.rbegin(), result.rend());
  return result;
}

} // namespace

TEST(Presence, IsWhatWasAddedAndNotRemoved) {
  constexpr Index elements = 24;
  std::vector<std::byte> memory(elements * bytes);
  std::mt19937 random(1);
  for (int round = 0; round < 200; ++round) {
    Presence presence;
    std::vector<bool> there(elements);
    for (int change = 0; change < 12; ++change) {
      const Index lo = static_cast<Index>(random() % elements), length = static_cast<Index>(random() % (elements - lo + 1));
      const bool isThere = random() % 2;
      if (random() % 2)
        presence.set(memory.data() + lo * bytes, bytes, length, isThere);
      else // from the last element on
        presence.set(memory.data() + (lo + length - 1) * bytes, -bytes, length, isThere);
      for (Index i = lo; i < lo + length; ++i)
        there[static_cast<std::size_t>(i)] = isThere;
      ASSERT_EQ(said(presence, memory.data(), elements, false), there);
      ASSERT_EQ(said(presence, memory.data(), elements, true), there);
      const Region part = Region::uniform(memory.data() + lo * bytes, bytes, 1, length);
      bool any = false;
      for (Index i = lo; i < lo + length; ++i)
        any |= there[static_cast<std::size_t>(i)];
      ASSERT_EQ(presence.any(part), any);
    }
  }
}

TEST(Presence, KnowsSlicesOfAnyKind) {
  std::vector<std::byte> memory(12 * bytes);
  const Region blocks = Region::uniform(memory.data(), bytes, 4, 3);
  Presence presence;
  presence.add(blocks.cyclic(3, 2, 4)); // blocks 3 and 0
  EXPECT_TRUE(presence.any(blocks[0]));
  EXPECT_FALSE(presence.any(blocks.slice(1, 3)));
  presence.remove(blocks[0].split(3)[1]);
  EXPECT_TRUE(presence.any(blocks[0].split(3)[0]));
  EXPECT_FALSE(presence.any(blocks[0].split(3)[1]));
  EXPECT_TRUE(presence.any(blocks[0].split(3)[2]));
  presence.set(blocks, false);
  EXPECT_FALSE(presence.any(blocks));
  presence.add(blocks);
  presence.clear();
  EXPECT_FALSE(presence.any(blocks));
  EXPECT_FALSE(presence.any(Region::uniform(memory.data(), bytes, 4, 0)));
  EXPECT_FALSE(nothing()->any(blocks));
}
