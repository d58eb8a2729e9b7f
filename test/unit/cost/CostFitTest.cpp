//===- CostFitTest.cpp - Parameters from times of whole collectives ------------------------------------------------------===//

#include "machines/CostFit.h"

#include <gtest/gtest.h>

#include <vector>

using namespace quadrille::compiler;

namespace {

std::vector<TimedCost> timesOf(const MachineParameters &machine) {
  std::vector<TimedCost> times;
  for (std::int64_t p : {2, 4, 8})
    for (std::int64_t n : {1, 100, 10000, 1000000})
      for (const Cost &cost : {Cost{p - 1, (p - 1) * n, 0}, Cost{2 * (p - 1), 2 * n, n}, Cost{p, p * n, p * n}})
        times.push_back({cost, machine.seconds(cost)});
  return times;
}

constexpr MachineParameters nothing{0, 0, 0};

} // namespace

TEST(CostFit, FindsTheParametersThatTimesHave) {
  const auto fit = fitCosts(timesOf({2e-6, 3e-10, 5e-10}), nothing);
  ASSERT_TRUE(fit);
  EXPECT_NEAR(fit->parameters.alpha, 2e-6, 1e-12);
  EXPECT_NEAR(fit->parameters.beta, 3e-10, 1e-16);
  EXPECT_NEAR(fit->parameters.gamma, 5e-10, 1e-16);
  EXPECT_EQ(fit->times, 36u);
  EXPECT_NEAR(fit->typicalError, 0, 1e-6);
}

TEST(CostFit, LeavesOutWhatWouldBeNegative) {
  std::vector<TimedCost> times = timesOf({2e-6, 3e-10, 0});
  for (TimedCost &time : times)
    if (time.cost.c > 0)
      time.seconds *= 0.9; // what combines is faster than what does not
  const auto fit = fitCosts(times, nothing);
  ASSERT_TRUE(fit);
  EXPECT_GT(fit->parameters.alpha, 0);
  EXPECT_GT(fit->parameters.beta, 0);
  EXPECT_EQ(fit->parameters.gamma, 0);
  EXPECT_GT(fit->typicalError, 0.01);
  EXPECT_LT(fit->typicalError, 0.1);
}

TEST(CostFit, ShortCallsCountAsMuchAsLongOnes) {
  std::vector<TimedCost> times = timesOf({2e-6, 3e-10, 0});
  times.push_back({{1, 1000000000, 0}, 3}); // ten times what the others say
  const auto fit = fitCosts(times, nothing);
  ASSERT_TRUE(fit);
  EXPECT_NEAR(fit->parameters.alpha, 2e-6, 1e-7);
}

TEST(CostFit, NeedsTimesThatTellSomething) {
  EXPECT_FALSE(fitCosts({}, nothing));
  EXPECT_FALSE(fitCosts(std::vector<TimedCost>{{{1, 0, 0}, 1}, {{1, 0, 0}, 1}}, nothing));
  EXPECT_FALSE(fitCosts(std::vector<TimedCost>(5, TimedCost{{0, 0, 0}, 1}), nothing));
  // Barriers have startups alone; all calls may even cost the same.
  const auto barriers = fitCosts(std::vector<TimedCost>(5, TimedCost{{3, 0, 0}, 6e-6}), nothing);
  ASSERT_TRUE(barriers);
  EXPECT_NEAR(barriers->parameters.alpha, 2e-6, 1e-12);
  EXPECT_EQ(barriers->parameters.beta, 0);
  const auto alike = fitCosts(std::vector<TimedCost>(5, TimedCost{{1, 1000, 0}, 6e-6}), nothing);
  ASSERT_TRUE(alike);
  EXPECT_NEAR(alike->typicalError, 0, 1e-9);
}

TEST(CostFit, LeavesWhatTimesDoNotTell) {
  const MachineParameters before{1e-6, 4e-10, 7e-10};
  std::vector<TimedCost> times;
  for (std::int64_t rounds = 1; rounds <= 30; ++rounds)
    times.push_back({{rounds, rounds, 0}, static_cast<double>(rounds) * 3e-6}); // short calls, in which nothing is combined
  const auto fit = fitCosts(times, before);
  ASSERT_TRUE(fit);
  EXPECT_NEAR(fit->parameters.alpha, 2.5e-6, 0.1e-6);
  EXPECT_NEAR(fit->parameters.beta, before.beta, 0.01 * before.beta);
  EXPECT_NEAR(fit->parameters.gamma, before.gamma, 0.01 * before.gamma);
}
