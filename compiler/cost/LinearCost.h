//===- LinearCost.h - The value of a cost clause -----------------------------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_COST_LINEARCOST_H
#define QUADRILLE_COST_LINEARCOST_H

#include "Meter.h"

#include "algebra/Polynomial.h"
#include "evaluate/Lengths.h"

namespace quadrille::compiler {

/// constant + a*alpha + b*beta + c*gamma. A cost has the constant 0; a number of rounds is the constant alone. The factors are
/// numbers for given lengths, and polynomials in the number of the step for growing ones (GrowingLengths).
struct LinearCost {
  Polynomial constant, a, b, c;

  static LinearCost of(const Cost &cost) { return {0, cost.a, cost.b, cost.c}; }

  bool valid() const { return constant.valid() && a.valid() && b.valid() && c.valid(); }
  bool isNumber() const { return a.isZero() && b.isZero() && c.isZero(); }
  /// "6*alpha + 12*beta": the value at a step, without terms that are zero, and without gamma unless `withGamma`.
  std::string text(bool withGamma, std::int64_t step = 0) const;
};

/// Evaluates the formula of a clause at the given lengths of blocks. `frame`: of the schedule, with the values of its top-level
/// lets. Throws EvaluationError, also if the formula is not linear in alpha, beta, gamma.
LinearCost evaluateClause(const ir::Expr &formula, const Frame &frame, const Lengths &lengths);

/// Growing lengths: in step q = 0, 1, 2, ... n and all entries of tables are those of `unit` times first + width*q.
struct GrowingLengths {
  const Lengths &unit;
  std::int64_t first = 1, width = 0;
  std::int64_t maxWidth = 0; // WiderSteps asks for no larger width

  /// The largest multiple considered. A little more still fits into 64 bits.
  static constexpr std::int64_t mostScale = (std::int64_t(1) << 62) - 1;

  std::int64_t scale(std::int64_t step) const { return first + width * step; }
  std::int64_t lastStep() const { return width ? (mostScale - first) / width : 0; }
};

/// Thrown if the formula becomes a polynomial when the width is multiplied by `factor`: ceil(n/3) is one if n grows by 3.
struct WiderSteps {
  std::int64_t factor;
};

/// A cost from some step up to the step `last`, as polynomials in the number of the step.
struct CostStretch {
  LinearCost cost;
  std::int64_t last;
};

/// Evaluates the formula of a clause for a range of steps that begins with `step`: as long as conditions keep their truth, maxima
/// and minima their operand, and roundings their polynomial. Adds the number of operations to `operations`. Throws
/// EvaluationError, also if coefficients do not fit, and WiderSteps.
CostStretch evaluateClause(const ir::Expr &formula, const Frame &frame, const GrowingLengths &lengths, std::int64_t step,
                               std::uint64_t &operations);

} // namespace quadrille::compiler

#endif // QUADRILLE_COST_LINEARCOST_H
