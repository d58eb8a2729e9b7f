//===- Intervals.h - What an operation of an expression makes of intervals ------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_EVALUATE_INTERVALS_H
#define QUADRILLE_EVALUATE_INTERVALS_H

#include "arithmetic/Interval.h"
#include "ir/Expr.h"

namespace quadrille::compiler {

/// What the value of an operation on one or two operands lies in, where it has one; the operands lie in `a` and `b`, and the only
/// one in `a`. Of an operand that may be `none` this is what it lies in where it is a number. Nothing if an operand or the result
/// never has a value; anything of operations without a meaning for intervals.
arithmetic::Interval intervalOf(const ir::Expr &operation, const arithmetic::Interval &a, const arithmetic::Interval &b);

} // namespace quadrille::compiler

#endif // QUADRILLE_EVALUATE_INTERVALS_H
