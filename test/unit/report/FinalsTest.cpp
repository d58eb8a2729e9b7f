//===- FinalsTest.cpp - The fastest schedules of a cell, timed by turns ----------------------------------------------------===//

#include "tune/Finals.h"

#include <gtest/gtest.h>

#include <deque>

using namespace quadrille::compiler;
using namespace quadrille::compiler::tune;

namespace {

class Finals : public testing::Test {
protected:
  Timed timed(std::optional<double> measured, bool commutative = false, bool restricted = false) {
    ir::Schedule &made = schedules.emplace_back();
    made.usesOperator = true;
    made.requiresCommutative = commutative;
    if (restricted)
      made.requirements.emplace_back().condition = &aboutRanks;
    return {&made, "", 1, measured, false, {}, true};
  }

  ir::Expr aboutRanks = [] {
    ir::Expr p;
    p.op = ir::Op::Variable; // the first one
    return p;
  }();
  std::deque<ir::Schedule> schedules;
};

using Indices = std::vector<size_t>;

TEST_F(Finals, areAmongThoseThatAreClose) {
  EXPECT_EQ(finalistsOf({"allreduce", 4, 8, {timed(10), timed(15), timed(17), timed(std::nullopt), timed(11)}}), (Indices{0, 1, 4}));
  EXPECT_EQ(finalistsOf({"allreduce", 4, 8, {timed(17), timed(10)}}), Indices{1});
  EXPECT_EQ(finalistsOf({"allreduce", 4, 8, {}}), Indices{});
  // Four of one kind are enough.
  EXPECT_EQ(finalistsOf({"allreduce", 4, 8, {timed(14), timed(13), timed(12), timed(11), timed(10)}}), (Indices{1, 2, 3, 4}));
}

TEST_F(Finals, areOfEachKindOfCall) {
  // Those with any operator are slower, and only one of them serves any number of ranks.
  EXPECT_EQ(finalistsOf({"allreduce", 4, 8, {timed(10, true), timed(30, false, true), timed(40, false, true), timed(50), timed(90)}}), (Indices{0, 1, 2, 3}));
}

TEST_F(Finals, countRatiosAndNotTimes) {
  FinalTimes times;
  const Indices both{0, 1};
  // The machine is slow in the last two rounds. The second one is slower by a tenth, but was not timed in the fastest round alone.
  const double rounds[][2] = {{1, 1.1}, {1, 1.1}, {4, 4.4}, {4, 4.4}, {4, 4.4}};
  for (unsigned i = 0; i < 5; ++i) {
    times.add(0, i, rounds[i][0]);
    times.add(1, i, rounds[i][1]);
  }
  times.add(0, 5, 0.1); // not complete
  EXPECT_EQ(times.completeRounds(both), 5u);
  const std::map<size_t, double> settled = times.settle(both);
  EXPECT_NEAR(settled.at(1) / settled.at(0), 1.1, 1e-12);
  EXPECT_NEAR(settled.at(0), 4, 1e-12);
  // One round in which a program took the core of the first one changes nothing.
  times.add(0, 6, 1000);
  times.add(1, 6, 1);
  EXPECT_NEAR(times.settle(both).at(1) / times.settle(both).at(0), 1.1, 1e-12);
}

// A time of 0 says nothing of how the machine has changed.
TEST_F(Finals, doNotDivideByNothing) {
  Cell cell{"allreduce", 4, 8, {timed(0), timed(0), timed(2)}};
  FinalTimes times;
  for (unsigned round = 1; round <= FinalTimes::leastRounds; ++round) {
    times.add(0, round, 3);
    times.add(1, round, 4);
  }
  ASSERT_TRUE(times.decide(cell, Indices{0, 1}));
  EXPECT_NEAR(*cell.schedules[0].measured, 3, 1e-12);
  EXPECT_EQ(*cell.schedules[2].measured, 2);
}

TEST_F(Finals, dropRoundsThatWereInterrupted) {
  FinalTimes times;
  const Indices both{0, 1};
  times.add(0, 1, 1);
  times.add(1, 1, 1);
  times.add(0, 2, 1);
  times.dropIncomplete(both);
  EXPECT_TRUE(times.has(0, 1));
  EXPECT_FALSE(times.has(0, 2));
  EXPECT_EQ(times.completeRounds(both), 1u);
}

TEST_F(Finals, scaleTheOthers) {
  Cell cell{"allreduce", 4, 8, {timed(1), timed(1.2), timed(1.9), timed(std::nullopt)}};
  FinalTimes times;
  const Indices finalists = finalistsOf(cell);
  ASSERT_EQ(finalists, (Indices{0, 1}));
  for (unsigned round = 0; round + 1 < FinalTimes::leastRounds; ++round) {
    times.add(0, round, 6);
    times.add(1, round, 5);
  }
  EXPECT_FALSE(times.decide(cell, finalists));
  EXPECT_EQ(cell.schedules[0].measured, 1);
  times.add(0, 9, 6);
  times.add(1, 9, 5);
  ASSERT_TRUE(times.decide(cell, finalists));
  EXPECT_NEAR(*cell.schedules[0].measured, 6, 1e-12);
  EXPECT_NEAR(*cell.schedules[1].measured, 5, 1e-12);
  // In the mean the machine takes five times as long as before: less than the two finalists now, and it must not win by that.
  EXPECT_NEAR(*cell.schedules[2].measured, 1.9 * 5, 1e-12);
  EXPECT_FALSE(cell.schedules[3].measured);
}

} // namespace
