//===- LineFit.h - Lines through measured times -------------------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_MACHINES_LINEFIT_H
#define QUADRILLE_MACHINES_LINEFIT_H

#include "llvm/ADT/ArrayRef.h"

#include <cstdint>
#include <vector>

namespace quadrille::compiler {

/// Median and quartiles of the measured times for one size, in seconds, > 0.
struct MeasuredPoint {
  std::int64_t words = 0;
  double lowerQuartile = 0, median = 0, upperQuartile = 0;
};

/// Summarizes the repetitions of one experiment, of which there must be at least one.
MeasuredPoint summarize(std::int64_t words, std::vector<double> seconds);

/// t = startup + words*perWord, in seconds.
struct LineFit {
  double startup = 0, perWord = 0;
  double r2 = 0;                 // 1 - (sum of squared relative errors) / (the same for the best constant)
  double worstRelativeError = 0; // the largest |line - median| / median at a measured point
  std::int64_t worstWords = 0;   // the size of that point
};

/// The line for a range of sizes that ends with `upToWords`.
struct LineSegment {
  std::int64_t upToWords = 0;
  double startup = 0, perWord = 0;
};

/// The line with coefficients >= 0 that minimizes the sum of squared relative errors at the medians. Errors are relative
/// because sizes range over six orders of magnitude; otherwise the longest message would decide alone. At least two points.
LineFit fitLine(llvm::ArrayRef<MeasuredPoint> points);

/// Two lines, each through at least three points, if the single line has an error above 15 % somewhere and two lines reduce the
/// sum of squared errors to a quarter or less; else none.
std::vector<LineSegment> fitSegments(llvm::ArrayRef<MeasuredPoint> points);

} // namespace quadrille::compiler

#endif // QUADRILLE_MACHINES_LINEFIT_H
