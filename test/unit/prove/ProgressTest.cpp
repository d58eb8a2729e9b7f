//===- ProgressTest.cpp - Assignments restore the progress of an execution -------------------------------------------------===//

#include "prove/execution/Progress.h"

#include <gtest/gtest.h>

namespace quadrille::compiler::prove {
namespace {

TEST(Trail, IsTakenBackByAnAssignment) {
  Trail<int> trail;
  trail.append(std::vector<int>{1, 2, 3});
  const Trail<int> before = trail;
  trail.push_back(4);
  EXPECT_EQ(before.all(), llvm::ArrayRef<int>({1, 2, 3}));
  EXPECT_EQ(trail.since(before.size()), llvm::ArrayRef<int>({4}));
  for (int tried : {5, 6}) {
    trail = before;
    EXPECT_EQ(trail.size(), 3u);
    trail.push_back(tried);
    EXPECT_EQ(trail.all(), llvm::ArrayRef<int>({1, 2, 3, tried}));
  }
  EXPECT_EQ(before.all(), llvm::ArrayRef<int>({1, 2, 3}));
}

TEST(Trail, ForgetsAtTheEndOfAScope) {
  Trail<int> trail;
  trail.push_back(1);
  {
    const Trail<int>::Scope scope(trail);
    trail.append(std::vector<int>{2, 3});
    EXPECT_EQ(trail.back(), 3);
  }
  EXPECT_EQ(trail.all(), llvm::ArrayRef<int>({1}));
  trail.push_back(4);
  EXPECT_EQ(trail.all(), llvm::ArrayRef<int>({1, 4}));
}

TEST(Progress, HasBuffersHoldWhatTheyHeld) {
  TermPool pool;
  Progress progress;
  SymbolicBuffer first, second;
  first.blocks = second.blocks = pool.variable("p");
  first.content.valid = pool.truth(true);
  progress.buffers.add(first);
  progress.facts.push_back(pool.truth(true));
  const Progress before = progress;
  for (int time : {1, 2}) {
    first.content.valid = pool.truth(false);
    first.hasShape = true;
    progress.buffers.add(second);
    progress.facts.push_back(pool.truth(false));
    progress.missing = NotModelled{Gap::NoInvariant, {}};
    progress.places = static_cast<unsigned>(time);
    progress = before;
    EXPECT_EQ(first.content.valid, pool.truth(true));
    EXPECT_FALSE(first.hasShape);
    EXPECT_EQ(progress.buffers.size(), 1u);
    EXPECT_EQ(progress.facts.size(), 1u);
    EXPECT_FALSE(progress.missing);
    EXPECT_EQ(progress.places, 0u);
  }
}

} // namespace
} // namespace quadrille::compiler::prove
