//===- Intervals.h - Intervals of the values of operations ----------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_EVALUATE_INTERVALS_H
#define QUADRILLE_EVALUATE_INTERVALS_H

#include "arithmetic/Interval.h"
#include "ir/Expr.h"

namespace quadrille::compiler {

/// An interval that contains the value of an operation, if it has one, for operands in `a` and `b`; a single operand is in `a`. The
/// interval of an operand that may be `none` contains its other values. Returns `nothing` if an operand or the result never has a
/// value, and `anything` for operations that have no meaning for intervals.
arithmetic::Interval intervalOf(const ir::Expr &operation, const arithmetic::Interval &a, const arithmetic::Interval &b);

} // namespace quadrille::compiler

#endif // QUADRILLE_EVALUATE_INTERVALS_H
