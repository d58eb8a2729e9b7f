//===- Coefficients.h - What a cost clause says, term by term -----------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_COST_COEFFICIENTS_H
#define QUADRILLE_COST_COEFFICIENTS_H

#include "ir/Schedule.h"

#include <optional>
#include <string>

namespace quadrille::compiler {

/// The factors of alpha, beta and gamma in a cost, as formulas in the words of its author: of
/// `(p - 1) * (alpha + beta*n)`, these are `p - 1`, `(p - 1)*n` and `0`.
struct CoefficientTexts {
  std::string alpha, beta, gamma;
};

/// Splits the formula of a `cost` clause; nothing if it is not linear in alpha, beta and gamma. Names defined by a `let` of
/// the schedule are replaced by their definitions, which readers of the result do not see. A clause that no author has written, as
/// that of an instance which gives its base other arguments, is printed from the IR.
std::optional<CoefficientTexts> coefficientTexts(const ir::Expr &formula, const ir::Schedule &schedule);

/// A formula in one line, with names defined by a `let` of the schedule replaced by their definitions.
std::string formulaText(const ir::Expr &formula, const ir::Schedule &schedule);

} // namespace quadrille::compiler

#endif // QUADRILLE_COST_COEFFICIENTS_H
