//===- BestKTest.cpp - The best number of packets against all others -----------------------------------------------------===//

#include "machines/BestK.h"

#include <gtest/gtest.h>
#include <cmath>
#include <random>

using namespace quadrille::compiler;
using F = FormulaFunction;

namespace {
const Formula p = Formula::symbol("p"), n = Formula::symbol("n"), k = Formula::symbol("k");
const Formula alpha = Formula::symbol("alpha"), beta = Formula::symbol("beta");

/// (a + c*k) * (alpha + beta*ceil(n/k))
Formula pipeline(const Formula &a, const Formula &c) {
  return (a + c * k) * (alpha + beta * Formula::apply(F::Ceiling, {n / k}));
}

TEST(BestK, Formulas) {
  std::optional<PacketCost> cost = packetCost(pipeline(p - 2, 1), "k");
  ASSERT_TRUE(cost);
  EXPECT_EQ(cost->bestK()->text(), "sqrt((p - 2)*beta*n/alpha)");
  EXPECT_EQ(cost->leastCost()->text(), "(p - 2)*alpha + beta*n + 2*sqrt((p - 2)*alpha*beta*n)");
  EXPECT_TRUE(cost->assumptions.empty());
  // Of a few ranks, something else may hold.
  Formula alone = Formula::apply(F::Select, {Formula::apply(F::Equal, {p, 1}), 0, p + k - 2});
  cost = packetCost(alone * (alpha + beta * n / k), "k");
  ASSERT_TRUE(cost);
  EXPECT_EQ(cost->bestK()->text(), "sqrt((p - 2)*beta*n/alpha)");
  ASSERT_EQ(cost->assumptions.size(), 1u);
  EXPECT_EQ(cost->assumptions[0].text, "p > 1");
  const std::pair<Formula, const char *> conditions[] = {{Formula::apply(F::Less, {p, 8}), "8 <= p"},
                                                         {Formula::apply(F::LessEqual, {p + 1, n}), "n < p + 1"},
                                                         {Formula::apply(F::Equal, {p, 3}), "p != 3"},
                                                         {Formula::apply(F::IsEven, {p}), "odd(p)"}};
  for (const auto &[condition, opposite] : conditions) {
    cost = packetCost(Formula::apply(F::Select, {condition, 0, p + k - 2}) * (alpha + beta * n / k), "k");
    ASSERT_TRUE(cost);
    ASSERT_EQ(cost->assumptions.size(), 1u);
    EXPECT_EQ(cost->assumptions[0].text, opposite);
  }
  // Rounds that do not depend on k: the more packets, the better; and the other way round.
  EXPECT_FALSE(packetCost(pipeline(p, 0), "k")->bestK());
  EXPECT_FALSE(packetCost(pipeline(0, p), "k")->bestK());
  EXPECT_FALSE(packetCost(k * k * alpha + beta * n / k, "k"));
  EXPECT_FALSE(packetCost(Formula::apply(F::Minimum, {k, p}) * alpha, "k"));
}

TEST(BestK, NoOtherIsBetter) {
  std::mt19937 random(1);
  const std::vector<std::string> symbols = {"p", "n", "alpha", "beta", "gamma", "k"};
  unsigned exact = 0;
  for (unsigned t = 0; t < 300; ++t) {
    Formula a = static_cast<std::int64_t>(random() % 12) - 2, c = static_cast<std::int64_t>(random() % 4);
    std::int64_t length = t % 10 == 0 ? static_cast<std::int64_t>(t % 3) : static_cast<std::int64_t>(random() % 3000);
    MachineParameters machine{1e-6, 1e-9 * static_cast<double>(1 << (random() % 12)), 0};
    Formula total = pipeline(a + 2, c); // a round at least, so that T is a cost
    std::optional<BestK> found = PacketChoice(total, "k", {"p", "n"}, machine, nullptr).at({1, static_cast<double>(length)});
    ASSERT_TRUE(found);
    CompiledFormula cost(total, symbols);
    double least = 0;
    for (std::int64_t i = 1; i <= std::max<std::int64_t>(1, length); ++i) {
      double seconds = cost({1, static_cast<double>(length), machine.alpha, machine.beta, 0, static_cast<double>(i)});
      least = i == 1 ? seconds : std::min(least, seconds);
    }
    EXPECT_NEAR(found->seconds, least, 1e-12 * least) << total.text() << ", n = " << length;
    EXPECT_LE(found->k, std::max<std::int64_t>(1, length));
    exact += found->isExact;
  }
  EXPECT_EQ(exact, 300u);
}

TEST(BestK, ManyElements) {
  // 2**40 elements: far too many to try; near the formula's k.
  MachineParameters machine{1e-6, 1e-9, 0};
  double length = 1099511627776.0;
  std::optional<BestK> found = PacketChoice(pipeline(14, 1), "k", {"p", "n"}, machine, nullptr).at({16, length});
  ASSERT_TRUE(found);
  double best = std::sqrt(14 * 1e-9 * length / 1e-6), least = 14e-6 + 1e-9 * length + 2 * std::sqrt(14 * 1e-6 * 1e-9 * length);
  EXPECT_NEAR(static_cast<double>(found->k), best, 1e-2 * best);
  EXPECT_NEAR(found->seconds, least, 1e-6 * least);
}
} // namespace
