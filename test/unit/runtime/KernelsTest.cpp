//===- KernelsTest.cpp - Loops of the built-in operators, long copies -----===//

#include "../../../runtime/common/Kernels.h"
#include "../../../runtime/common/PastCache.h"

#include "quadrille/numbers.h"

#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <vector>

using namespace quadrille;

namespace {

struct Kind {
  NumberKind kind;
  std::size_t bytes;
};
constexpr Kind kinds[] = {{NumberKind::Int8, 1},   {NumberKind::Int16, 2},  {NumberKind::Int32, 4}, {NumberKind::Int64, 8},
                          {NumberKind::UInt8, 1},  {NumberKind::UInt16, 2}, {NumberKind::UInt32, 4}, {NumberKind::UInt64, 8},
                          {NumberKind::Float, 4},  {NumberKind::Double, 8}};
constexpr BuiltinOperator operators[] = {BuiltinOperator::Sum,  BuiltinOperator::Prod, BuiltinOperator::Min,
                                         BuiltinOperator::Max,  BuiltinOperator::Band, BuiltinOperator::Bor,
                                         BuiltinOperator::Bxor, BuiltinOperator::Land, BuiltinOperator::Lor};

std::vector<std::byte> randomBytes(std::size_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<std::byte> result(count);
  for (std::byte &byte : result)
    byte = static_cast<std::byte>(random());
  return result;
}

/// One element after the other, so that no loop is vectorized.
std::vector<std::byte> oneByOne(detail::Kernel *kernel, const std::vector<std::byte> &a, const std::vector<std::byte> &b,
                                std::size_t count, std::size_t bytes) {
  std::vector<std::byte> result(count * bytes);
  for (std::size_t i = 0; i < count; ++i)
    kernel(&result[i * bytes], &a[i * bytes], &b[i * bytes], 1);
  return result;
}

} // namespace

// units.test runs these once more with QUADRILLE_CACHE_BYTES=1, so that the long ones go past the cache.
TEST(Kernels, GiveTheSameForAnyLengthPlaceAndProcessor) {
  for (const Kind &kind : kinds)
    for (const BuiltinOperator op : operators) {
      detail::Kernel *const any = detail::kernelOfAny(op, kind.kind), *const here = detail::kernel(op, kind.kind);
      ASSERT_EQ(any == nullptr, here == nullptr);
      if (!any)
        continue;
      for (const std::size_t count : {0, 1, 63, 103, 5003, 40001})
        for (const std::size_t shift : {0, 1, 5}) { // elements from the beginning of a vector
          const auto a = randomBytes(count * kind.bytes, 1), b = randomBytes(count * kind.bytes, 2);
          const auto expected = oneByOne(any, a, b, count, kind.bytes);
          for (detail::Kernel *const kernel : {any, here}) {
            std::vector<std::byte> apart((count + shift + 1) * kind.bytes), left = a, right = b;
            std::byte *const to = &apart[shift * kind.bytes];
            kernel(to, a.data(), b.data(), count);
            EXPECT_TRUE(count == 0 || std::memcmp(to, expected.data(), expected.size()) == 0);
            EXPECT_EQ(to[count * kind.bytes], std::byte{0}) << "nothing behind the end is written";
            kernel(left.data(), left.data(), b.data(), count);
            EXPECT_EQ(left, expected);
            kernel(right.data(), a.data(), right.data(), count);
            EXPECT_EQ(right, expected);
          }
        }
    }
}

TEST(Kernels, LongCopiesMayOverlap) {
  // The second length takes several pieces, and a part of one.
  for (const std::size_t bytes : {10001, 100001})
    for (const auto copy : {detail::copyLongBytes, detail::copyWholeLines})
      for (const int shift : {-5000, -64, -1, 0, 1, 64, 9999, 10001, 15000, 100000, 100001, 120000}) {
        std::vector<std::byte> memory = randomBytes(250000, 3), expected = memory;
        std::byte *const from = &memory[20000];
        std::memmove(&expected[static_cast<std::size_t>(20000 + shift)], &expected[20000], bytes);
        copy(from + shift, from, bytes);
        EXPECT_TRUE(memory == expected) << bytes << " bytes, moved by " << shift;
      }
}

TEST(Kernels, WhatIsShorterThanTheCacheStaysInIt) {
  EXPECT_FALSE(detail::goesPastCache(4096));
  EXPECT_FALSE(detail::cacheBytes() != 1 && detail::goesPastCache(std::size_t{1} << 19));
}
