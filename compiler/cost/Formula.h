//===- Formula.h - The value of a cost clause --------------------------------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_COST_FORMULA_H
#define QUADRILLE_COST_FORMULA_H

#include "Meter.h"
#include "Rational.h"

#include "instantiate/Lengths.h"

namespace quadrille {

/// constant + a*alpha + b*beta + c*gamma. In a cost the constant is zero; in a number of rounds all else is.
struct LinearCost {
  Rational constant, a, b, c;

  static LinearCost of(const Cost &cost) { return {Rational(0), Rational(cost.a), Rational(cost.b), Rational(cost.c)}; }

  bool valid() const { return constant.valid() && a.valid() && b.valid() && c.valid(); }
  bool isNumber() const { return a.isZero() && b.isZero() && c.isZero(); }
  /// "6*alpha + 12*beta"; terms that are zero are left out, and gamma unless asked for.
  std::string text(bool withGamma) const;
};

/// Evaluates the formula of a clause at the given lengths of blocks. The frame is that of the schedule, with the lets at its
/// top level. Throws EvaluationError, also if the formula is not linear in alpha, beta, gamma.
LinearCost evaluateFormula(const ir::Expr &formula, const Frame &frame, const Lengths &lengths);

} // namespace quadrille

#endif // QUADRILLE_COST_FORMULA_H
