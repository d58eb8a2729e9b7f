//===- ArenaTest.cpp - Memory for temporaries -----------------------------===//

#include "quadrille/arena.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>

using quadrille::detail::Arena;

TEST(Arena, GivesDisjointAlignedMemory) {
  Arena arena;
  char *last = nullptr;
  for (std::size_t bytes : std::vector<std::size_t>{1, 63, 64, 65, 1000, 70000, 0, 5}) {
    char *now = static_cast<char *>(arena.allocate(bytes));
    ASSERT_NE(now, nullptr);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(now) % 64, 0u);
    EXPECT_NE(now, last);
    std::memset(now, 1, bytes);
    last = now;
  }
}

TEST(Arena, SteadyStateUsesTheSameMemory) {
  Arena arena;
  const Arena::Mark start = arena.mark();
  std::size_t capacity = 0;
  void *first = nullptr;
  for (int round = 0; round < 100; ++round) {
    void *begin = arena.allocate(50000);
    const Arena::Mark inner = arena.mark();
    EXPECT_NE(arena.allocate(300000), nullptr);
    arena.rewind(inner);
    void *again = arena.allocate(10);
    std::memset(again, 1, 10);
    std::memset(begin, 1, 50000);
    arena.rewind(start);
    if (round == 5) {
      capacity = arena.capacityBytes();
      first = begin;
    }
    if (round > 5) {
      EXPECT_EQ(arena.capacityBytes(), capacity);
      EXPECT_EQ(begin, first);
    }
  }
}

TEST(Arena, NoMemoryIsNullAndHarmless) {
  Arena arena;
  EXPECT_EQ(arena.allocate(~std::size_t{0}), nullptr);
  const Arena::Mark start = arena.mark();
  char *little = static_cast<char *>(arena.allocate(100));
  EXPECT_EQ(arena.allocate(std::size_t{1} << 55), nullptr);
  std::memset(little, 1, 100);
  char *more = static_cast<char *>(arena.allocate(100));
  ASSERT_NE(more, nullptr);
  std::memset(more, 1, 100);
  arena.rewind(start);
  EXPECT_NE(arena.allocate(100), nullptr);
}
