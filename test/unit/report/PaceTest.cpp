#include "report/Pace.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

using namespace quadrille::compiler;

namespace {

/// Times of checks that are made up: those of p = 1, 2, ... `last`.
struct Checks {
  std::int64_t last;
  std::function<double(std::int64_t p)> casesOf;
  std::function<double(std::int64_t p)> secondsOfCase;

  std::vector<std::int64_t> ps() const {
    std::vector<std::int64_t> result;
    for (std::int64_t p = 1; p <= last; ++p)
      result.push_back(p);
    return result;
  }
};

/// The largest factor by which a time that is foretold for the whole is wrong, once a share of it has passed.
double worstFactor(const Checks &checks, double fromShare) {
  double whole = 0;
  for (std::int64_t p : checks.ps())
    whole += checks.casesOf(p) * checks.secondsOfCase(p);
  Pace pace(checks.ps(), checks.casesOf);
  double now = 0, worst = 1;
  for (std::int64_t p : checks.ps()) {
    pace.reach(p, now);
    if (const std::optional<double> left = pace.secondsLeft(); left && now >= whole * fromShare) {
      const double foretold = now + *left;
      worst = std::max({worst, foretold / whole, whole / foretold});
    }
    now += checks.casesOf(p) * checks.secondsOfCase(p);
  }
  return worst;
}

double few(std::int64_t p) { return p <= 64 ? static_cast<double>(p) : 4; }
double powersOnly(std::int64_t p) { return (p & (p - 1)) == 0 ? 1 : 0; }
/// Between 0.7 and 1.3, different for each p.
double disturbance(std::int64_t p) { return 0.7 + 0.6 * static_cast<double>((static_cast<std::uint64_t>(p) * 2654435761u >> 7) % 1000) / 1000; }

TEST(Pace, KnowsNothingAtFirst) {
  Pace pace({1, 2, 3}, [](std::int64_t) { return 1; });
  EXPECT_FALSE(pace.secondsLeft());
  pace.reach(1, 0);
  EXPECT_FALSE(pace.secondsLeft());
}

TEST(Pace, ForetellsPowersOfP) {
  for (double power : {0.0, 1.0, 1.5, 2.0, 3.0, 3.5})
    EXPECT_LT(worstFactor({2000, [](std::int64_t) { return 1; }, [=](std::int64_t p) { return 1e-2 * std::pow(p, power); }}, 0.05), 1.1) << power;
}

TEST(Pace, KnowsThatOnlySmallPHaveAllRoots) {
  for (double power : {1.0, 2.0})
    EXPECT_LT(worstFactor({5000, few, [=](std::int64_t p) { return 1e-3 * std::pow(p, power) * disturbance(p); }}, 0.01), 1.3) << power;
}

TEST(Pace, KnowsWhichPAreAdmitted) {
  EXPECT_LT(worstFactor({1 << 14, powersOnly, [](std::int64_t p) { return 1e-2 * static_cast<double>(p); }}, 0.1), 1.2);
  EXPECT_LT(worstFactor({1 << 14, powersOnly, [](std::int64_t) { return 1; }}, 0.3), 1.5);
}

TEST(Pace, HardlyJumpsWhereSomeStepsAreTheSameForAllP) {
  EXPECT_LT(worstFactor({3000, few, [](std::int64_t p) { return (1e-2 + 1e-7 * std::pow(p, 2)) * disturbance(p); }}, 0.2), 2);
}

TEST(Pace, NothingIsLeftAtTheEnd) {
  Pace pace({1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, [](std::int64_t) { return 1; });
  for (std::int64_t p = 1; p <= 10; ++p)
    pace.reach(p, static_cast<double>(p - 1));
  ASSERT_TRUE(pace.secondsLeft());
  EXPECT_NEAR(*pace.secondsLeft(), 1, 0.2); // p = 10 itself
}

TEST(Pace, Texts) {
  EXPECT_EQ(waitText(1.2), "1 second");
  EXPECT_EQ(waitText(50), "50 seconds");
  EXPECT_EQ(waitText(130), "2 minutes");
}

} // namespace
