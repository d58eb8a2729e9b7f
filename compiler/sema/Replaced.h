//===- Replaced.h - Expressions with parts replaced --------------------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_SEMA_REPLACED_H
#define QUADRILLE_SEMA_REPLACED_H

#include "ir/Schedule.h"

namespace quadrille::compiler::sema {

/// The expression with parts replaced: `by` returns the replacement of a part, or null to keep it.
template <typename By> const ir::Expr *replaced(const ir::Expr &expr, By by, ir::Program &program) {
  if (const ir::Expr *other = by(expr))
    return other;
  if (expr.operands.empty())
    return &expr;
  ir::Expr copy = expr;
  for (const ir::Expr *&operand : copy.operands) {
    operand = replaced(*operand, by, program);
    copy.dependsOnRank |= operand->dependsOnRank;
  }
  return &program.expressions.emplace_back(std::move(copy));
}

} // namespace quadrille::compiler::sema

#endif // QUADRILLE_SEMA_REPLACED_H
