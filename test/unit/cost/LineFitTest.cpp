//===- LineFitTest.cpp - Lines through measured times -------------------------------------------------------------------------===//

#include "machines/LineFit.h"

#include <gtest/gtest.h>
#include <cmath>

using namespace quadrille::compiler;

static MeasuredPoint point(std::int64_t words, double seconds) { return {words, seconds, seconds, seconds}; }

static std::vector<MeasuredPoint> line(double startup, double perWord) {
  std::vector<MeasuredPoint> points;
  for (std::int64_t words = 1; words <= 1 << 20; words *= 2)
    points.push_back(point(words, startup + perWord * static_cast<double>(words)));
  return points;
}

TEST(Summary, TakesMedianAndQuartiles) {
  const MeasuredPoint odd = summarize(7, {5, 1, 4, 2, 3});
  EXPECT_EQ(odd.words, 7);
  EXPECT_DOUBLE_EQ(odd.lowerQuartile, 2);
  EXPECT_DOUBLE_EQ(odd.median, 3);
  EXPECT_DOUBLE_EQ(odd.upperQuartile, 4);
  const MeasuredPoint even = summarize(7, {4, 1, 3, 2});
  EXPECT_DOUBLE_EQ(even.median, 2.5);
  EXPECT_DOUBLE_EQ(even.lowerQuartile, 1.75);
  const MeasuredPoint one = summarize(7, {6});
  EXPECT_DOUBLE_EQ(one.lowerQuartile, 6);
  EXPECT_DOUBLE_EQ(one.upperQuartile, 6);
}

TEST(LineFit, FindsALineAgain) {
  const std::vector<MeasuredPoint> points = line(2e-6, 5e-10);
  const LineFit fit = fitLine(points);
  EXPECT_NEAR(fit.startup, 2e-6, 1e-12);
  EXPECT_NEAR(fit.perWord, 5e-10, 1e-16);
  EXPECT_NEAR(fit.r2, 1, 1e-9);
  EXPECT_LT(fit.worstRelativeError, 1e-6);
  EXPECT_TRUE(fitSegments(points).empty());
}

TEST(LineFit, WeighsShortMessagesAsMuchAsLongOnes) {
  // The longest message takes twice as long as the line. By absolute errors it would decide alone.
  std::vector<MeasuredPoint> points = line(2e-6, 5e-10);
  points.back().median *= 2;
  const LineFit fit = fitLine(points);
  EXPECT_NEAR(fit.startup, 2e-6, 1e-7);
  EXPECT_EQ(fit.worstWords, 1 << 20);
  EXPECT_GT(fit.worstRelativeError, 0.3);
  EXPECT_LT(fit.r2, 0.999);
}

TEST(LineFit, HasNoNegativeCoefficients) {
  // The best line through these begins below zero, and that through the others falls.
  const std::vector<MeasuredPoint> steep{point(1, 1e-9), point(2, 4e-9), point(3, 9e-9)};
  const LineFit proportional = fitLine(steep);
  EXPECT_EQ(proportional.startup, 0);
  EXPECT_GT(proportional.perWord, 0);
  const std::vector<MeasuredPoint> falling{point(1, 9e-9), point(2, 4e-9), point(3, 1e-9)};
  const LineFit constant = fitLine(falling);
  EXPECT_GT(constant.startup, 0);
  EXPECT_EQ(constant.perWord, 0);
}

TEST(LineFit, FindsTwoLines) {
  std::vector<MeasuredPoint> points;
  for (std::int64_t words = 1; words <= 1 << 20; words *= 2)
    points.push_back(words <= 1024 ? point(words, 1e-6 + 1e-10 * static_cast<double>(words))
                                   : point(words, 9e-6 + 8e-10 * static_cast<double>(words)));
  const std::vector<LineSegment> segments = fitSegments(points);
  ASSERT_EQ(segments.size(), 2u);
  EXPECT_EQ(segments[0].upToWords, 1024);
  EXPECT_NEAR(segments[0].startup, 1e-6, 1e-9);
  EXPECT_EQ(segments[1].upToWords, 1 << 20);
  EXPECT_NEAR(segments[1].perWord, 8e-10, 1e-13);
  // Too few points for two lines of three each.
  EXPECT_TRUE(fitSegments(llvm::ArrayRef(points).take_front(5)).empty());
}
