//===- LinearCost.h - The value of a cost clause -----------------------------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_COST_LINEARCOST_H
#define QUADRILLE_COST_LINEARCOST_H

#include "Meter.h"

#include "algebra/Polynomial.h"
#include "evaluate/Lengths.h"

namespace quadrille::compiler {

/// constant + a*alpha + b*beta + c*gamma. In a cost the constant is zero; in a number of rounds all else is. Where lengths grow,
/// each is a polynomial in the number of the step; for given lengths it is a number.
struct LinearCost {
  Polynomial constant, a, b, c;

  static LinearCost of(const Cost &cost) { return {0, cost.a, cost.b, cost.c}; }

  bool valid() const { return constant.valid() && a.valid() && b.valid() && c.valid(); }
  bool isNumber() const { return a.isZero() && b.isZero() && c.isZero(); }
  /// "6*alpha + 12*beta"; terms that are zero are left out, and gamma unless asked for.
  std::string text(bool withGamma, std::int64_t step = 0) const;
};

/// Evaluates the formula of a clause at the given lengths of blocks. The frame is that of the schedule, with the lets at its
/// top level. Throws EvaluationError, also if the formula is not linear in alpha, beta, gamma.
LinearCost evaluateFormula(const ir::Expr &formula, const Frame &frame, const Lengths &lengths);

/// Lengths that grow: in step q = 0, 1, 2, ... n and all entries of tables are first + width*q times what `unit` says.
struct GrowingLengths {
  const Lengths &unit;
  std::int64_t first = 1, width = 0;
  std::int64_t maxWidth = 0; // wider ones are not asked for

  /// Nobody has more elements, and what is a little more still fits.
  static constexpr std::int64_t mostScale = (std::int64_t(1) << 62) - 1;

  std::int64_t scale(std::int64_t step) const { return first + width * step; }
  std::int64_t lastStep() const { return width ? (mostScale - first) / width : 0; }
};

/// Thrown where a formula is made of polynomials if lengths grow by `factor` times as much: ceil(n/3) where n grows by 3.
struct WiderSteps {
  std::int64_t factor;
};

/// What a formula is from some step on, up to the step `last`.
struct FormulaStretch {
  LinearCost cost;
  std::int64_t last;
};

/// Evaluates the formula of a clause at once for all lengths from `step` on for which the same operand is the largest, the same
/// condition holds and every rounding is the same polynomial. At least for that step. Adds what it takes to `operations`. Throws
/// EvaluationError, also where coefficients do not fit, and WiderSteps.
FormulaStretch evaluateFormula(const ir::Expr &formula, const Frame &frame, const GrowingLengths &lengths, std::int64_t step,
                               std::uint64_t &operations);

} // namespace quadrille::compiler

#endif // QUADRILLE_COST_LINEARCOST_H
