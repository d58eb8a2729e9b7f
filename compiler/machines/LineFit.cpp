//===- LineFit.cpp - Lines through measured times ---------------------------------------------------------------------------===//

#include "LineFit.h"

#include "llvm/ADT/STLExtras.h"

#include <cassert>
#include <cmath>

namespace quadrille::compiler {

namespace {

struct Line {
  double startup = 0, perWord = 0;
  double at(const MeasuredPoint &point) const { return startup + perWord * static_cast<double>(point.words); }
};

/// With u = 1/t and v = words/t, the relative error of a point is startup*u + perWord*v - 1.
struct Sums {
  double u = 0, v = 0, uu = 0, uv = 0, vv = 0;
  explicit Sums(llvm::ArrayRef<MeasuredPoint> points) {
    for (const MeasuredPoint &point : points) {
      const double pu = 1 / point.median, pv = static_cast<double>(point.words) / point.median;
      u += pu, v += pv, uu += pu * pu, uv += pu * pv, vv += pv * pv;
    }
  }
};

double squaredErrors(const Line &line, llvm::ArrayRef<MeasuredPoint> points) {
  double sum = 0;
  for (const MeasuredPoint &point : points) {
    const double error = line.at(point) / point.median - 1;
    sum += error * error;
  }
  return sum;
}

Line bestLine(llvm::ArrayRef<MeasuredPoint> points) {
  const Sums s(points);
  const Line constant{s.u / s.uu, 0}, proportional{0, s.vv > 0 ? s.v / s.vv : 0};
  const double determinant = s.uu * s.vv - s.uv * s.uv;
  if (determinant > 1e-12 * s.uu * s.vv) {
    const Line line{(s.u * s.vv - s.v * s.uv) / determinant, (s.uu * s.v - s.uv * s.u) / determinant};
    if (line.startup >= 0 && line.perWord >= 0)
      return line;
  }
  // The unconstrained optimum is not unique or has a negative coefficient: the best line with coefficients >= 0 has one that is 0.
  return squaredErrors(constant, points) <= squaredErrors(proportional, points) ? constant : proportional;
}

} // namespace

MeasuredPoint summarize(std::int64_t words, std::vector<double> seconds) {
  assert(!seconds.empty() && "a point has measurements");
  llvm::sort(seconds);
  auto quantile = [&](double q) {
    const double at = q * static_cast<double>(seconds.size() - 1);
    const size_t below = static_cast<size_t>(at), above = std::min(below + 1, seconds.size() - 1);
    return seconds[below] + (at - static_cast<double>(below)) * (seconds[above] - seconds[below]);
  };
  return {words, quantile(0.25), quantile(0.5), quantile(0.75)};
}

LineFit fitLine(llvm::ArrayRef<MeasuredPoint> points) {
  assert(llvm::all_of(points, [](const MeasuredPoint &point) { return point.median > 0; }) && !points.empty() && "errors are relative");
  const Line line = bestLine(points);
  LineFit fit{line.startup, line.perWord, 1, 0, points[0].words};
  const Sums s(points);
  const double around = squaredErrors({s.u / s.uu, 0}, points);
  if (around > 0)
    fit.r2 = 1 - squaredErrors(line, points) / around;
  for (const MeasuredPoint &point : points)
    if (const double error = std::abs(line.at(point) / point.median - 1); error > fit.worstRelativeError) {
      fit.worstRelativeError = error;
      fit.worstWords = point.words;
    }
  return fit;
}

std::vector<LineSegment> fitSegments(llvm::ArrayRef<MeasuredPoint> points) {
  constexpr size_t fewest = 3;
  const LineFit whole = fitLine(points);
  if (points.size() < 2 * fewest || whole.worstRelativeError <= 0.15)
    return {};
  double least = squaredErrors({whole.startup, whole.perWord}, points) / 4;
  std::vector<LineSegment> best;
  for (size_t split = fewest; split + fewest <= points.size(); ++split) {
    const Line left = bestLine(points.take_front(split)), right = bestLine(points.drop_front(split));
    const double errors = squaredErrors(left, points.take_front(split)) + squaredErrors(right, points.drop_front(split));
    if (errors <= least) {
      least = errors;
      best = {{points[split - 1].words, left.startup, left.perWord}, {points.back().words, right.startup, right.perWord}};
    }
  }
  return best;
}

} // namespace quadrille::compiler
