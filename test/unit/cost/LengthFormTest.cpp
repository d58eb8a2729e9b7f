//===- LengthFormTest.cpp - Sums of lengths and of maxima of such sums -----------------------------------------------------------===//

#include "cost/LengthForm.h"

#include <gtest/gtest.h>

#include <random>

namespace quadrille::compiler {
namespace {

constexpr std::uint32_t symbols = 4;

LengthForm length(std::uint32_t i) { return LengthForm::length(LengthForm::firstEntry + i); }
LengthForm sum(LengthForm x, const LengthForm &y, const Rational &times = 1) {
  x.add(y, times);
  return x;
}
LengthForm largest(const std::vector<LengthForm> &forms) { return *LengthForm::largest(forms); }
bool areEqual(const LengthForm &x, const LengthForm &y) { return sum(x, y, -1).isZero(); }
bool isNoLess(const LengthForm &x, const LengthForm &y) { return sum(x, y, -1).isNowhereNegative(); }

const LengthForm a = length(0), b = length(1), c = length(2);

TEST(LengthForm, OneWayToWriteIt) {
  EXPECT_TRUE(areEqual(largest({a, b}), largest({b, a, b})));
  EXPECT_TRUE(areEqual(largest({sum(a, b), a}), sum(a, b)));
  EXPECT_TRUE(areEqual(largest({sum(a, b), sum(a, c)}), sum(a, largest({b, c}))));
  EXPECT_TRUE(areEqual(largest({sum(a, a), sum(b, b)}), sum(largest({a, b}), largest({a, b}))));
  EXPECT_TRUE(areEqual(largest({largest({a, b}), c}), largest({a, largest({b, c})})));
  EXPECT_TRUE(areEqual(largest({sum(a, b, -1), LengthForm(0)}), sum(largest({a, b}), b, -1)));
  EXPECT_TRUE(areEqual(largest({a, LengthForm(0)}), a));
  EXPECT_FALSE(areEqual(largest({a, LengthForm(1)}), a));
  EXPECT_FALSE(areEqual(largest({a, b}), a));
  EXPECT_FALSE(areEqual(sum(largest({a, b}), largest({a, c})), sum(largest({a, b}), largest({b, c}))));
  const LengthForm two = sum(largest({a, b}), largest({b, c}));
  EXPECT_FALSE(LengthForm::largest({two, a}));
}

TEST(LengthForm, Bounds) {
  EXPECT_TRUE(isNoLess(sum(a, b), largest({a, b})));
  EXPECT_TRUE(isNoLess(largest({a, b, c}), largest({a, b})));
  EXPECT_FALSE(isNoLess(largest({a, b}), largest({a, b, c})));
  EXPECT_FALSE(isNoLess(largest({a, b}), sum(a, b)));
  EXPECT_FALSE(isNoLess(sum(largest({a, b}), c), sum(largest({a, c}), largest({b, c}))));
}

TEST(LengthForm, WhatIsSaidOfRandomOnes) {
  const LengthTables tables = std::make_shared<const std::vector<LengthTable>>(std::vector<LengthTable>{{"len", {symbols}, 0, symbols}});
  std::mt19937 random(1);
  auto upTo = [&](unsigned most) { return random() % (most + 1); };
  unsigned equal = 0, less = 0, open = 0;
  for (int round = 0; round < 3000; ++round) {
    std::vector<Lengths> points;
    for (int i = 0; i < 40; ++i) {
      std::vector<std::int64_t> entries;
      for (std::uint32_t j = 0; j < symbols; ++j)
        entries.push_back(static_cast<std::int64_t>(upTo(2) ? upTo(5) : 0));
      points.push_back(Lengths(0, tables, entries));
    }
    // Values are added up beside the form.
    auto make = [&](std::vector<Rational> &values) {
      LengthForm result;
      values.assign(points.size(), 0);
      for (auto terms = 1 + upTo(2); terms-- > 0;) {
        std::vector<LengthForm> operands;
        std::vector<std::vector<Rational>> of;
        for (auto more = 1 + upTo(2); more-- > 0;) {
          LengthForm &operand = operands.emplace_back();
          of.emplace_back(points.size(), 0);
          for (auto parts = 1 + upTo(2); parts-- > 0;) {
            const auto which = static_cast<std::uint32_t>(upTo(symbols - 1));
            operand.add(length(which));
            for (size_t i = 0; i < points.size(); ++i)
              of.back()[i] = of.back()[i] + points[i].entries[which];
          }
        }
        const Rational times = upTo(5) ? 1 : -1;
        result.add(largest(operands), times);
        for (size_t i = 0; i < points.size(); ++i) {
          Rational most = of[0][i];
          for (const std::vector<Rational> &each : of)
            most = most < each[i] ? each[i] : most;
          values[i] = values[i] + most * times;
        }
      }
      return result;
    };
    std::vector<Rational> xs, ys;
    const LengthForm x = make(xs), y = make(ys);
    bool isEqual = true, isLess = true;
    for (size_t i = 0; i < points.size(); ++i) {
      EXPECT_EQ(x.at(points[i]), xs[i]);
      isEqual &= xs[i] == ys[i];
      isLess &= ys[i] <= xs[i];
    }
    EXPECT_TRUE(isEqual || !areEqual(x, y));
    EXPECT_TRUE(isLess || !isNoLess(x, y));
    equal += areEqual(x, y);
    less += isNoLess(x, y);
    open += isLess && !isNoLess(x, y);
  }
  // Many of the true inequalities are found.
  EXPECT_GT(equal, 0u);
  EXPECT_GT(less, open / 2);
}

} // namespace
} // namespace quadrille::compiler
