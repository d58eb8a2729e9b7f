//===- PolynomialTest.cpp - Polynomials in a number that counts -----------------------------------------------------------------===//

#include "algebra/Polynomial.h"
#include "limits/Limits.h"

#include <gtest/gtest.h>
#include <limits>
#include <random>

namespace quadrille::compiler {
namespace {

using Signs = Polynomial::Signs;

constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();
const Polynomial q = Polynomial::line(0, 1);

TEST(Polynomial, SignsUpToTheLargestNumber) {
  EXPECT_EQ((q - 5).lastWith(Signs::Negative, 0, largest), 4);
  EXPECT_EQ((q - 5).lastWith(Signs::NotPositive, 0, largest), 5);
  EXPECT_EQ((q - 5).lastWith(Signs::Zero, 5, largest), 5);
  EXPECT_EQ((q - 5).lastWith(Signs::Positive, 6, largest), largest);
  EXPECT_EQ((largest - q).lastWith(Signs::Positive, 0, largest), largest - 1);
  // Values that are far beyond 64 bits, and beyond 128.
  EXPECT_EQ((q * q - q * (largest / 2)).lastWith(Signs::NotPositive, 0, largest), largest / 2);
  EXPECT_EQ((q * q * q - q * q * (largest - 1)).lastWith(Signs::NotPositive, 0, largest), largest - 1);
}

TEST(Polynomial, ZerosBetweenWholeNumbers) {
  const Polynomial f = (2 * q - 7) * (2 * q - 9); // negative at 4 alone
  EXPECT_EQ(f.lastWith(Signs::Positive, 0, 100), 3);
  EXPECT_EQ(f.lastWith(Signs::Negative, 4, 100), 4);
  EXPECT_EQ(f.lastWith(Signs::Positive, 5, 100), 100);
  const Polynomial touching = (q - 1000) * (q - 1000);
  EXPECT_EQ(touching.lastWith(Signs::Positive, 0, largest), 999);
  EXPECT_EQ(touching.lastWith(Signs::NotNegative, 0, largest), largest);
}

TEST(Polynomial, SignsOfRandomOnes) {
  std::mt19937 random(1);
  auto upTo = [&](int most) { return static_cast<std::int64_t>(random() % static_cast<unsigned>(most + 1)); };
  for (int round = 0; round < 2000; ++round) {
    Polynomial f = 1;
    for (std::int64_t i = upTo(4); i >= 0; --i)
      f = f * (q * (1 + upTo(2)) - upTo(40)) / Rational(1 + upTo(3)) + upTo(2);
    ASSERT_TRUE(f.valid());
    for (Signs signs : {Signs::Negative, Signs::NotPositive, Signs::Zero, Signs::NotNegative, Signs::Positive}) {
      const std::int64_t from = upTo(30);
      if (!Polynomial::isAmong(f.sign(from), signs))
        continue;
      std::int64_t last = from;
      while (last < 60 && Polynomial::isAmong(f.at(last + 1).num() < 0 ? -1 : f.at(last + 1).num() > 0, signs))
        ++last;
      EXPECT_EQ(f.lastWith(signs, from, 60), last);
    }
  }
}

TEST(Polynomial, WhatDoesNotFitIsInvalid) {
  EXPECT_FALSE((q * largest * 2).valid());
  EXPECT_FALSE((q / Rational(0)).valid());
  EXPECT_FALSE((q * q).at(largest).valid());
  Polynomial power = 1;
  for (size_t i = 0; i <= limits::polynomialDegree; ++i) {
    EXPECT_TRUE(power.valid());
    power = power * q;
  }
  EXPECT_FALSE(power.valid());
  EXPECT_FALSE((power - power).valid());
}

TEST(Polynomial, TextsOfAnySize) {
  EXPECT_EQ((q * q + 1).text(largest), "85070591730234615847396907784232501250");
  EXPECT_EQ((q / Rational(2)).text(3), "3/2");
  EXPECT_EQ(q.text(0), "0");
}

TEST(Polynomial, Denominators) {
  EXPECT_EQ((q / Rational(6) + q * q / Rational(4) + Rational(1, 5)).denominator(), 12);
  EXPECT_EQ(Polynomial(Rational(1, 5)).denominator(), 1);
}

} // namespace
} // namespace quadrille::compiler
