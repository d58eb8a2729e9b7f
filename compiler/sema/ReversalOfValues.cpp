//===- ReversalOfValues.cpp - Values that return ------------------------------------------------------------------------===//
//
// A value that returns to a buffer is stored if the buffer is empty, and combined if it may hold something: in the order of ranks, as far
// as that is known.
//
//===----------------------------------------------------------------------------------------------------------------===//

#include "Reversal.h"

namespace quadrille::compiler::sema {

using ir::Op;
using ir::Type;

const ir::Expr *Reversal::hasOutput(const ir::Buffer &buffer) {
  if (buffer.kind != ir::BufferKind::Output || !buffer.presence)
    return nullptr;
  const ir::Expr *me = exprs.variable(ir::Schedule::variableMe, place), *origin = schedule.origin;
  const ir::Expr *rank = !origin                            ? buffer.presence
                         : areSame(origin, buffer.presence) ? number(0)
                                                            : integer(Op::Modulo, integer(Op::Subtract, buffer.presence, origin),
                                                                      exprs.variable(ir::Schedule::variableP, place));
  const ir::Expr *result = exprs.make(Op::Equal, Type::Boolean, place, {me, rank});
  return llvm::any_of(conditions, [&](const ir::Expr *known) { return areSame(known, result); }) ? nullptr : result;
}

const ir::DataExpr *Reversal::leaf(const ir::Slice &slice) {
  ir::DataExpr &result = program.dataExpressions.emplace_back();
  result.slice = slice;
  result.range = slice.range;
  return &result;
}

const ir::DataExpr *Reversal::product(const ir::Slice &left, const ir::Slice &right) {
  const ir::DataExpr *a = leaf(left), *b = leaf(right);
  ir::DataExpr &result = program.dataExpressions.emplace_back();
  result.isCombine = true;
  result.left = a;
  result.right = b;
  result.range = place;
  schedule.usesOperator = true;
  return &result;
}

ir::AssignStmt &Reversal::assignment(const ir::Slice &target, const ir::DataExpr *value, llvm::SMRange range, llvm::SMRange keyword,
                                     ir::Body &into) {
  ir::AssignStmt &result = append<ir::AssignStmt>(into, range, keyword);
  result.target = target;
  result.value = value;
  return result;
}

void Reversal::put(const ir::Slice &target, const ir::Slice &value, llvm::SMRange range, llvm::SMRange keyword, ir::Body &into) {
  if (folds() && filled.contains(target.buffer))
    combine(target, value, nullptr, range, keyword, into);
  else
    assignment(target, leaf(value), range, keyword, into);
  filled.insert(target.buffer);
}

void Reversal::combine(const ir::Slice &target, const ir::Slice &value, const ir::Expr *from, llvm::SMRange range, llvm::SMRange keyword,
                       ir::Body &into) {
  bool isAlways = false;
  const ir::Expr *before = from && !schedule.requiresCommutative ? isBefore(*from, isAlways) : nullptr;
  const auto assign = [&](bool isFirst, ir::Body &to) {
    assignment(target, isFirst ? product(value, target) : product(target, value), range, keyword, to);
  };
  if (isAlways || !before)
    return assign(isAlways, into);
  ir::IfStmt &branch = append<ir::IfStmt>(into, range, keyword);
  branch.condition = before;
  assign(true, branch.yes);
  assign(false, branch.no);
}

const ir::Expr *Reversal::definition(const ir::Expr &expr) const {
  const ir::Expr *value = &expr;
  while (value->op == Op::Variable && lets.contains(value->variable))
    value = lets.lookup(value->variable);
  return value;
}

/// Whether an expression is certainly not negative, by its form.
static bool isNatural(const ir::Expr &expr) {
  if (expr.op == Op::Constant)
    return expr.value >= 0;
  return expr.op == Op::ShiftLeft && isNatural(*expr.operands[0]);
}

const ir::Expr *Reversal::isBefore(const ir::Expr &from, bool &isAlways) {
  const ir::Expr &value = *definition(from);
  if (value.op == Op::Constant)
    return value.value == ir::none ? nullptr : isBelowMe(exprs, from, /*mayBeNone=*/false, place);
  if (value.op == Op::TreeField && (value.field == ir::TreeFieldKind::Left || value.field == ir::TreeFieldKind::Right)) {
    const ir::Expr *tree = definition(*value.operands[0]);
    const bool ofMe = value.operands.size() > 1 && value.operands[1]->op == Op::Variable && value.operands[1]->variable == ir::Schedule::variableMe;
    if (tree->op == Op::BuildTree && !tree->tree->byRelatives && ofMe) {
      isAlways = value.field == ir::TreeFieldKind::Left;
      return nullptr;
    }
  }
  const auto isMe = [](const ir::Expr &expr) { return expr.op == Op::Variable && expr.variable == ir::Schedule::variableMe; };
  if ((value.op == Op::Add || value.op == Op::Subtract) && isMe(*value.operands[0]) && isNatural(*definition(*value.operands[1]))) {
    isAlways = value.op == Op::Subtract;
    return nullptr;
  }
  if (value.op == Op::Select && value.mayBeNone) {
    // If one branch is `none`, the other one decides.
    for (unsigned i : {1u, 2u})
      if (value.operands[i]->op == Op::Constant && value.operands[i]->value == ir::none) {
        const ir::Expr *rest = isBefore(*value.operands[3 - i], isAlways);
        if (!rest)
          return nullptr;
        const ir::Expr *exists = value.operands[0];
        if (i == 1)
          exists = exprs.make(Op::Not, Type::Boolean, place, {exists});
        return exprs.make(Op::And, Type::Boolean, place, {exists, rest});
      }
  }
  return isBelowMe(exprs, from, value.mayBeNone, place);
}

} // namespace quadrille::compiler::sema
