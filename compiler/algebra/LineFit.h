//===- LineFit.h - Lines through measured times -------------------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_ALGEBRA_LINEFIT_H
#define QUADRILLE_ALGEBRA_LINEFIT_H

#include "llvm/ADT/ArrayRef.h"

#include <cstdint>
#include <vector>

namespace quadrille::compiler {

/// Times of one size: the median and the quartiles of its repetitions, in seconds, above zero.
struct MeasuredPoint {
  std::int64_t words = 0;
  double lowerQuartile = 0, median = 0, upperQuartile = 0;
};

/// The point of repetitions of one experiment, at least one.
MeasuredPoint summarize(std::int64_t words, std::vector<double> seconds);

/// t = startup + words*perWord, in seconds.
struct LineFit {
  double startup = 0, perWord = 0;
  double r2 = 0;                 // of the relative errors: 1 - (their squares) / (the squares around the best constant)
  double worstRelativeError = 0; // of the line at a measured point: |line - median| / median
  std::int64_t worstWords = 0;   // where
};

/// The line of a range of sizes, up to `upToWords` inclusive.
struct LineSegment {
  std::int64_t upToWords = 0;
  double startup = 0, perWord = 0;
};

/// The line that minimizes the squares of the relative errors at the medians, with neither coefficient below zero. Errors
/// are relative because sizes range over six orders of magnitude: otherwise the longest message alone would decide.
/// At least two points.
LineFit fitLine(llvm::ArrayRef<MeasuredPoint> points);

/// Two lines, if together they have at most a quarter of the single line's squared errors and that line is wrong by more
/// than 15 % somewhere; else nothing. Each has at least three points.
std::vector<LineSegment> fitSegments(llvm::ArrayRef<MeasuredPoint> points);

} // namespace quadrille::compiler

#endif // QUADRILLE_ALGEBRA_LINEFIT_H
