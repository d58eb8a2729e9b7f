//===- RegionTest.cpp - Blocks somewhere in memory ------------------------===//

#include "quadrille/region.h"

#include <gtest/gtest.h>

#include <numeric>

using namespace quadrille;

namespace {

/// Elements of four bytes, numbered from 0.
struct RegionTest : testing::Test {
  RegionTest() { std::iota(data.begin(), data.end(), 0); }
  Region blocks(Index count, Index n) { return Region::uniform(data.data(), 4, count, n); }

  /// The numbers of a region's elements, in order, by its segments.
  std::vector<int> numbers(const Region &region) {
    std::vector<int> result;
    const std::byte *end = nullptr;
    for (const Segment &segment : region.segments()) {
      EXPECT_GT(segment.elements, 0);
      EXPECT_NE(segment.data, end) << "neighbours are not merged";
      end = segment.data + 4 * segment.elements;
      const int *from = reinterpret_cast<const int *>(segment.data);
      result.insert(result.end(), from, from + segment.elements);
    }
    EXPECT_EQ(static_cast<Index>(result.size()), region.elements());
    return result;
  }
  /// The same block by block.
  std::vector<int> numbersByBlock(const Region &region) {
    std::vector<int> result;
    for (Index i = 0; i < region.count(); ++i) {
      const std::vector<int> block = numbers(region[i]);
      EXPECT_EQ(static_cast<Index>(block.size()), region.length(i));
      result.insert(result.end(), block.begin(), block.end());
    }
    return result;
  }
  std::size_t segments(const Region &region) {
    std::size_t count = 0;
    for (const Segment &segment : region.segments())
      count += segment.elements > 0;
    return count;
  }
  using Ints = std::vector<int>;

  std::vector<int> data = std::vector<int>(1000);
};

TEST_F(RegionTest, Uniform) {
  const Region r = blocks(3, 2);
  EXPECT_EQ(r.count(), 3);
  EXPECT_EQ(r.elements(), 6);
  EXPECT_EQ(numbers(r[1]), (Ints{2, 3}));
  EXPECT_EQ(r[1].count(), 1);
  EXPECT_EQ(segments(r), 1u);
  EXPECT_EQ(r.longest(), 2);
}

TEST_F(RegionTest, Empty) {
  EXPECT_EQ(Region().count(), 0);
  EXPECT_EQ(Region().elements(), 0);
  EXPECT_EQ(segments(Region()), 0u);
  // No blocks, and blocks without elements, are not the same.
  EXPECT_EQ(blocks(0, 5).count(), 0);
  EXPECT_EQ(blocks(5, 0).count(), 5);
  EXPECT_EQ(blocks(5, 0).elements(), 0);
  EXPECT_EQ(segments(blocks(5, 0)), 0u);
  EXPECT_EQ(blocks(3, 2).slice(2, 1).count(), 0);
  EXPECT_EQ(blocks(3, 2).cyclic(7, 0, 3).count(), 0);
  // Null memory is fine as long as nothing is in it.
  EXPECT_EQ(segments(Region::uniform(nullptr, 4, 3, 0).split(2)[1]), 0u);
}

TEST_F(RegionTest, SplitHasTheLongerPacketsFirst) {
  const Region r = blocks(1, 11).split(4);
  ASSERT_EQ(r.count(), 4);
  EXPECT_EQ(numbers(r[0]), (Ints{0, 1, 2}));
  EXPECT_EQ(numbers(r[1]), (Ints{3, 4, 5}));
  EXPECT_EQ(numbers(r[2]), (Ints{6, 7, 8}));
  EXPECT_EQ(numbers(r[3]), (Ints{9, 10}));
  EXPECT_EQ(r.longest(), 3);
  EXPECT_EQ(r.slice(3, 4).longest(), 2);
  for (Index n = 0; n <= 40; ++n)
    for (Index k = 1; k <= 45; ++k) {
      const Region s = blocks(1, n).split(k);
      Ints expected(static_cast<std::size_t>(n));
      std::iota(expected.begin(), expected.end(), 0);
      EXPECT_EQ(s.count(), k);
      EXPECT_EQ(numbersByBlock(s), expected);
      EXPECT_LE(s.length(0) - s.length(k - 1), 1);
      EXPECT_EQ(s.length(0), (n + k - 1) / k);
    }
}

TEST_F(RegionTest, NestedSplit) {
  const Region r = blocks(3, 5).split(2);
  EXPECT_EQ(r.count(), 3);
  EXPECT_EQ(numbers(r[1]), (Ints{5, 6, 7, 8, 9}));
  EXPECT_EQ(numbers(r[1][0]), (Ints{5, 6, 7}));
  EXPECT_EQ(numbers(r[1][1]), (Ints{8, 9}));
  EXPECT_EQ(numbers(r.slice(1, 3)[1][1]), (Ints{13, 14}));
  // One block that happens to be the only one.
  EXPECT_EQ(blocks(1, 5).split(2).count(), 2);
  EXPECT_EQ(blocks(1, 5).splitEach(2).count(), 1);
  EXPECT_EQ(numbers(blocks(1, 5).splitEach(2)[0][1]), (Ints{3, 4}));
  // Packets of packets, and a packet split again.
  EXPECT_EQ(numbers(blocks(1, 11).split(4).split(2)[3][0]), (Ints{9}));
  EXPECT_EQ(numbers(blocks(1, 11).split(4)[2].split(3)[1]), (Ints{7}));
  EXPECT_EQ(numbers(blocks(3, 5)[2].split(2)[0]), (Ints{10, 11, 12}));
}

TEST_F(RegionTest, Cyclic) {
  const Region r = blocks(5, 2);
  EXPECT_EQ(numbers(r.cyclic(3, 4, 5)), (Ints{6, 7, 8, 9, 0, 1, 2, 3}));
  EXPECT_EQ(segments(r.cyclic(3, 4, 5)), 2u);
  EXPECT_EQ(segments(r.cyclic(1, 4, 5)), 1u);
  EXPECT_EQ(numbers(r.cyclic(-1, 2, 5)), (Ints{8, 9, 0, 1}));
  EXPECT_EQ(numbers(r.cyclic(13, 2, 5)), (Ints{6, 7, 8, 9}));
  EXPECT_EQ(numbers(r.cyclic(2, 2, 3)), (Ints{4, 5, 0, 1}));
  // Longer than the cycle.
  EXPECT_EQ(numbers(r.cyclic(1, 5, 2)), (Ints{2, 3, 0, 1, 2, 3, 0, 1, 2, 3}));
}

TEST_F(RegionTest, SlicesOfSlices) {
  const Region r = blocks(10, 3);
  for (Index lo = 0; lo < 10; ++lo)
    for (Index len = 0; len <= 10; ++len) {
      const Region c = r.cyclic(lo, len, 10);
      ASSERT_EQ(c.count(), len);
      for (Index from = 0; from <= len; ++from)
        for (Index to = from; to <= len; ++to) {
          const Region s = c.slice(from, to);
          Ints expected;
          for (Index i = from; i < to; ++i)
            for (int e = 0; e < 3; ++e)
              expected.push_back(static_cast<int>((lo + i) % 10 * 3) + e);
          ASSERT_EQ(numbers(s), expected);
          ASSERT_EQ(numbersByBlock(s), expected);
        }
    }
}

TEST_F(RegionTest, Select) {
  const Region r = blocks(12, 2);
  const auto third = [](Index j) { return j % 3 == 0; };
  const Region s = r.select(1, 12, third); // more ranges than are held inline
  EXPECT_EQ(s.count(), 3);
  EXPECT_EQ(numbers(s), (Ints{6, 7, 12, 13, 18, 19}));
  EXPECT_EQ(numbersByBlock(s), numbers(s));
  EXPECT_EQ(numbers(s.slice(1, 3)), (Ints{12, 13, 18, 19}));
  EXPECT_EQ(numbers(s.cyclic(2, 2, 3)), (Ints{18, 19, 6, 7}));
  EXPECT_EQ(numbers(s.select(0, 3, [](Index j) { return j != 1; })),
            (Ints{6, 7, 18, 19}));
  EXPECT_EQ(segments(r.select(0, 12, [](Index) { return true; })), 1u);
  EXPECT_EQ(r.select(0, 12, [](Index) { return false; }).count(), 0);
  const Region many = r.select(0, 12, [](Index j) { return j % 2 == 1; });
  for (Index j = 0; j < 6; ++j)
    EXPECT_EQ(numbers(many[j]), (Ints{static_cast<int>(4 * j + 2), static_cast<int>(4 * j + 3)}));
}

TEST_F(RegionTest, SegmentsMergeAcrossEmptyBlocks) {
  // Packets 0 and 1 have one element each, the others none.
  const Region r = blocks(1, 2).split(6);
  const Region s = r.select(0, 6, [](Index j) { return j != 3; });
  EXPECT_EQ(s.count(), 5);
  EXPECT_EQ(segments(s), 1u);
  EXPECT_EQ(numbers(r.slice(2, 6)), Ints{});
  EXPECT_EQ(numbers(r.cyclic(4, 4, 6)), (Ints{0, 1}));
}

TEST_F(RegionTest, ShapeKeepsLengthsAndSplit) {
  const auto check = [&](const Region &r) {
    const Region shape = r.shape();
    ASSERT_EQ(shape.count(), r.count());
    EXPECT_GE(shape.spanElements(), shape.elements());
    std::vector<int> memory(static_cast<std::size_t>(shape.spanElements()));
    const Region at = shape.at(memory.data());
    for (Index i = 0; i < r.count(); ++i) {
      EXPECT_EQ(at.length(i), r.length(i));
      EXPECT_EQ(at[i].count(), r[i].count());
      const Region block = at[i];
      for (const Segment &segment : block.segments()) {
        EXPECT_GE(segment.data, reinterpret_cast<std::byte *>(memory.data()));
        EXPECT_LE(segment.data + 4 * segment.elements,
                  reinterpret_cast<std::byte *>(memory.data() + memory.size()));
      }
    }
  };
  const Region split = blocks(1, 11).split(4);
  check(Region());
  check(blocks(3, 2));
  check(blocks(3, 0));
  check(split);
  check(split.slice(1, 4));
  check(split.slice(3, 4));
  check(split.cyclic(2, 3, 4));
  check(blocks(10, 3).cyclic(8, 5, 10));
  check(blocks(10, 3).select(3, 10, [](Index j) { return j % 2 == 0; }));
  check(blocks(3, 5).split(2).slice(1, 3));
  // Uniform blocks are moved together.
  EXPECT_EQ(blocks(10, 3).select(3, 10, [](Index j) { return j % 2 == 0; }).shape().spanElements(), 9);
  EXPECT_EQ(split.slice(3, 4).shape().spanElements(), 2);
}

/// Five blocks of 3, 0, 5, 1 and 4 elements, at 0, 3, 3, 8, 9.
struct UnevenRegionTest : RegionTest {
  Region blocks() { return Region::uneven(data.data(), 4, 5, offsets.data()); }

  std::vector<Index> offsets{0, 3, 3, 8, 9, 13};
};

TEST_F(UnevenRegionTest, Blocks) {
  const Region r = blocks();
  EXPECT_EQ(r.count(), 5);
  EXPECT_EQ(r.elements(), 13);
  EXPECT_EQ(r.longest(), 5);
  EXPECT_EQ(r.length(1), 0);
  EXPECT_EQ(numbers(r[0]), (Ints{0, 1, 2}));
  EXPECT_EQ(numbers(r[1]), Ints{});
  EXPECT_EQ(numbers(r[2]), (Ints{3, 4, 5, 6, 7}));
  EXPECT_EQ(numbers(r[4]), (Ints{9, 10, 11, 12}));
  EXPECT_EQ(segments(r), 1u);
  EXPECT_EQ(numbersByBlock(r), numbers(r));
  // No blocks, and blocks without elements.
  const std::vector<Index> nothing{0, 0, 0};
  EXPECT_EQ(Region::uneven(data.data(), 4, 0, nothing.data()).count(), 0);
  const Region empty = Region::uneven(nullptr, 4, 2, nothing.data());
  EXPECT_EQ(empty.count(), 2);
  EXPECT_EQ(empty.longest(), 0);
  EXPECT_EQ(segments(empty), 0u);
}

TEST_F(UnevenRegionTest, Slices) {
  const Region r = blocks();
  EXPECT_EQ(numbers(r.slice(1, 4)), (Ints{3, 4, 5, 6, 7, 8}));
  EXPECT_EQ(r.slice(0, 2).longest(), 3);
  // A cyclic slice that goes around, and one of a slice.
  const Region c = r.cyclic(3, 4, 5);
  EXPECT_EQ(numbers(c), (Ints{8, 9, 10, 11, 12, 0, 1, 2}));
  EXPECT_EQ(numbersByBlock(c), numbers(c));
  EXPECT_EQ(segments(c), 2u);
  EXPECT_EQ(c.longest(), 4);
  EXPECT_EQ(c.length(3), 0);
  EXPECT_EQ(numbers(r.slice(1, 5).cyclic(3, 2, 4)), (Ints{9, 10, 11, 12}));
  // Blocks 0 and 2 touch, since block 1 is empty; 2 and 4 do not.
  const Region even = r.select(0, 5, [](Index j) { return j % 2 == 0; });
  EXPECT_EQ(numbers(even), (Ints{0, 1, 2, 3, 4, 5, 6, 7, 9, 10, 11, 12}));
  EXPECT_EQ(segments(even), 2u);
  EXPECT_EQ(numbers(even[1]), (Ints{3, 4, 5, 6, 7}));
}

TEST_F(UnevenRegionTest, Split) {
  const Region r = blocks().split(2);
  EXPECT_EQ(r.count(), 5);
  EXPECT_EQ(numbers(r[0][0]), (Ints{0, 1}));
  EXPECT_EQ(numbers(r[0][1]), (Ints{2}));
  EXPECT_EQ(numbers(r[1][0]), Ints{});
  EXPECT_EQ(numbers(r[2][0]), (Ints{3, 4, 5}));
  EXPECT_EQ(numbers(r[2][1]), (Ints{6, 7}));
  EXPECT_EQ(numbers(r.slice(2, 5)[2][1]), (Ints{11, 12}));
  EXPECT_EQ(numbers(r.cyclic(4, 2, 5)[1][1]), (Ints{2}));
  // Packets of one block have the lengths of packets, not those of blocks.
  EXPECT_EQ(r[2].longest(), 3);
  EXPECT_EQ(numbers(blocks()[2].split(4)[0]), (Ints{3, 4}));
  EXPECT_EQ(numbers(blocks()[2].split(4).slice(1, 3)), (Ints{5, 6}));
}

TEST_F(UnevenRegionTest, ShapeKeepsLengthsAndSplit) {
  const auto check = [&](const Region &r, Index span) {
    const Region shape = r.shape();
    ASSERT_EQ(shape.count(), r.count());
    EXPECT_EQ(shape.spanElements(), span);
    const Region at = shape.at(data.data());
    for (Index i = 0; i < r.count(); ++i) {
      EXPECT_EQ(at.length(i), r.length(i)) << "block " << i;
      EXPECT_EQ(at[i].count(), r[i].count());
      const Region block = at[i];
      for (const Segment &segment : block.segments()) {
        EXPECT_GE(segment.data, reinterpret_cast<std::byte *>(data.data()));
        EXPECT_LE(segment.data + 4 * segment.elements,
                  reinterpret_cast<std::byte *>(data.data() + span));
      }
    }
  };
  check(blocks(), 13);
  check(blocks().slice(2, 4), 6);
  check(blocks().slice(1, 2), 0);
  check(blocks().slice(2, 2), 0);
  check(blocks().slice(2, 5).shape(), 10);
  check(blocks().split(3), 13);
  check(blocks().split(3).slice(2, 5), 10);
  check(blocks()[4].split(3), 4);
  // Blocks apart from each other keep the gaps between them.
  check(blocks().cyclic(4, 2, 5), 13);
  check(blocks().select(2, 5, [](Index j) { return j != 3; }), 10);
  check(blocks().slice(1, 5).cyclic(2, 3, 4), 10);
}

} // namespace
