//===- ReversalOfLoops.cpp - Loops run backwards --------------------------------------------------------------------===//
//
// A loop runs through the same values in the opposite order. If the language has no such loop, iterations are counted, and the value is
// computed from the count.
//
//===----------------------------------------------------------------------------------------------------------------===//

#include "Reversal.h"

namespace quadrille::compiler::sema {

using ir::LoopKind;
using ir::Op;
using ir::Type;

/// Whether a schedule requires that this is a power of two.
static bool isRequiredPowerOfTwo(const ir::Expr &number, const ir::Expr &condition) {
  if (condition.op == Op::And)
    return llvm::any_of(condition.operands, [&](const ir::Expr *part) { return isRequiredPowerOfTwo(number, *part); });
  return condition.op == Op::IsPow2 && areSame(condition.operands[0], &number);
}

void Reversal::loop(const ir::ForStmt &stmt, ir::Body &into) {
  ir::ForStmt &result = append<ir::ForStmt>(into, stmt.range, stmt.keyword);
  result.containsStep = stmt.containsStep;
  result.variable = stmt.variable;
  result.second = stmt.second;
  const ir::Expr *by = stmt.factor ? stmt.factor : number(1);
  // The first statements of the new body: they define the variables of the forward loop.
  ir::Body head;
  llvm::DenseMap<unsigned, const ir::Expr *> next; // what variables would be in the next iteration forwards
  const auto variable = [&](unsigned index) { return exprs.variable(index, place); };
  const auto define = [&](unsigned index, const ir::Expr *value) {
    ir::LetStmt &let = append<ir::LetStmt>(head, stmt.range, stmt.keyword);
    let.variable = index;
    let.value = value;
    lets[index] = value;
  };
  const auto counter = [&](bool dependsOnRank) {
    return result.variable = exprs.newVariable(unused("d"), Type::Integer, dependsOnRank, stmt.keyword);
  };
  const auto isRankDependent = [&] { return schedule.variables[stmt.variable].dependsOnRank; };
  bool isKnown = true; // `next`
  switch (stmt.loop) {
  case LoopKind::Ascending: {
    if (goesApart && !stmt.factor) { // proofs about such ranks count upwards
      const ir::Expr *last = plus(stmt.hi, -1);
      const bool isFromZero = stmt.lo->op == Op::Constant && stmt.lo->value == 0;
      const unsigned iteration = counter(isRankDependent());
      result.loop = LoopKind::Ascending;
      result.lo = number(0);
      result.hi = isFromZero ? stmt.hi : integer(Op::Subtract, stmt.hi, stmt.lo);
      define(stmt.variable, integer(Op::Subtract, last, variable(iteration)));
      isKnown = false;
      break;
    }
    result.loop = LoopKind::Descending;
    result.factor = stmt.factor;
    const ir::Expr *last = plus(stmt.hi, -1);
    result.hi = stmt.factor ? integer(Op::Add, stmt.lo, integer(Op::Multiply, by, integer(Op::Divide, integer(Op::Subtract, last, stmt.lo), by)))
                            : last;
    result.lo = stmt.lo;
    next[stmt.variable] = integer(Op::Add, variable(stmt.variable), by);
    break;
  }
  case LoopKind::Descending:
    result.loop = LoopKind::Ascending;
    result.factor = stmt.factor;
    result.lo = stmt.factor ? integer(Op::Subtract, stmt.hi, integer(Op::Multiply, by, integer(Op::Divide, integer(Op::Subtract, stmt.hi, stmt.lo), by)))
                            : stmt.lo;
    result.hi = plus(stmt.hi, 1);
    next[stmt.variable] = integer(Op::Subtract, variable(stmt.variable), by);
    break;
  case LoopKind::Times: {
    if (by->op != Op::Constant || by->value != 2 || !stmt.lo || stmt.lo->op != Op::Constant || stmt.lo->value < 1) {
      refuse(stmt.keyword, "a loop with `times` has a counterpart if it begins at a constant and doubles; count its iterations otherwise");
      return;
    }
    const std::int64_t from = stmt.lo->value;
    const bool isRanks = stmt.hi->op == Op::Variable && stmt.hi->variable == ir::Schedule::variableP;
    const ir::Expr *end = isRanks ? stmt.hi : integer(Op::Maximum, stmt.hi, number(1));
    if (from > 1)
      end = integer(Op::Divide, plus(end, from - 1), number(from));
    const ir::Expr *count = exprs.make(Op::CeilLog2, Type::Integer, place, {end});
    const unsigned exponent = counter(isRankDependent());
    result.loop = LoopKind::Descending;
    result.hi = plus(count, -1);
    result.lo = number(0);
    define(stmt.variable, integer(Op::ShiftLeft, number(from), variable(exponent)));
    next[stmt.variable] = integer(Op::ShiftLeft, number(from), plus(variable(exponent), 1));
    break;
  }
  case LoopKind::Half: {
    if (stmt.lo->op != Op::Constant || stmt.lo->value != 1) {
      refuse(stmt.keyword, "a loop with `half` has a counterpart if it ends at 1; count its iterations otherwise");
      return;
    }
    const ir::Expr *whole = stmt.hi->op == Op::Divide && stmt.hi->operands[1]->op == Op::Constant && stmt.hi->operands[1]->value == 2
                                ? stmt.hi->operands[0]
                                : nullptr;
    if (whole && llvm::any_of(schedule.requirements, [&](const ir::Requirement &requirement) {
          return requirement.condition && isRequiredPowerOfTwo(*whole, *requirement.condition);
        })) {
      result.loop = LoopKind::Times;
      result.lo = number(1);
      result.hi = whole;
      result.factor = number(2);
      next[stmt.variable] = integer(Op::Divide, variable(stmt.variable), number(2));
      break;
    }
    const ir::Expr *isNone = exprs.make(Op::Less, Type::Boolean, place, {stmt.hi, number(1)});
    const ir::Expr *last = exprs.make(Op::FloorLog2, Type::Integer, place, {stmt.hi});
    const unsigned exponent = counter(isRankDependent());
    result.loop = LoopKind::Descending;
    result.hi = exprs.make(Op::Select, Type::Integer, place, {isNone, number(-1), last});
    result.lo = number(0);
    define(stmt.variable, integer(Op::ShiftRight, stmt.hi, variable(exponent)));
    next[stmt.variable] = integer(Op::ShiftRight, stmt.hi, plus(variable(exponent), 1));
    break;
  }
  case LoopKind::Halvings:
  case LoopKind::HalvingsReversed:
    result.loop = stmt.loop == LoopKind::Halvings ? LoopKind::HalvingsReversed : LoopKind::Halvings;
    result.hi = stmt.hi;
    if (stmt.loop == LoopKind::Halvings) {
      next[stmt.variable] = integer(Op::Divide, plus(variable(stmt.variable), 1), number(2));
      next[stmt.second] = variable(stmt.variable);
    } else {
      next[stmt.variable] = variable(stmt.second);
    }
    break;
  case LoopKind::Others: {
    isKnown = false;
    result.loop = LoopKind::Descending;
    result.hi = plus(variable(ir::Schedule::variableP), -1);
    result.lo = number(0);
    break;
  }
  case LoopKind::Children: {
    // The children from right to left.
    isKnown = false;
    result.loop = LoopKind::Ascending;
    result.lo = number(0);
    result.hi = number(2);
    const unsigned side = counter(false);
    const auto child = [&](ir::TreeFieldKind field) {
      ir::Expr *expr = exprs.make(Op::TreeField, Type::Integer, place, {stmt.tree, variable(ir::Schedule::variableMe)});
      expr->field = field;
      expr->mayBeNone = true;
      return expr;
    };
    define(stmt.variable, exprs.make(Op::Select, Type::Integer, place,
                                     {exprs.make(Op::Equal, Type::Boolean, place, {variable(side), number(0)}),
                                      child(ir::TreeFieldKind::Right), child(ir::TreeFieldKind::Left)}));
    break;
  }
  }
  if (isKnown)
    invariants(stmt, next, result);
  // Buffers that an iteration fills may hold something in the next one.
  for (const ir::Buffer *buffer : readBuffers(stmt.body))
    filled.insert(other.contains(buffer) ? other.lookup(buffer) : buffer);
  const auto around = filled;
  ir::Body inner = body(stmt.body);
  if (stmt.loop == LoopKind::Others || stmt.loop == LoopKind::Children) {
    const bool isOthers = stmt.loop == LoopKind::Others;
    ir::IfStmt &exists = append<ir::IfStmt>(head, stmt.range, stmt.keyword);
    exists.condition = exprs.make(Op::NotEqual, Type::Boolean, place,
                                  {variable(stmt.variable), isOthers ? variable(ir::Schedule::variableMe) : number(ir::none)});
    exists.containsStep = stmt.containsStep;
    exists.yes = std::move(inner);
  } else {
    llvm::move(inner, std::back_inserter(head));
  }
  result.body = std::move(head);
  filled = around;
}

/// A forward invariant says which ranks hold a copy of a block. If there are no other copies, these ranks together hold all operands of
/// the product that returns to the block: that is the invariant backwards.
void Reversal::invariants(const ir::ForStmt &stmt, const llvm::DenseMap<unsigned, const ir::Expr *> &next, ir::ForStmt &into) {
  if (!folds() || !schedule.requiresCommutative)
    return;
  for (const ir::Invariant &stated : stmt.invariants) {
    if (!stated.buffer || stated.isFold || stated.holder || (stated.condition && !stated.elseEmpty))
      continue;
    const auto output = grown.find(stated.buffer);
    if (output == grown.end() || stated.buffer != onlySource)
      continue;
    // The promised product must have an operand from each rank.
    const ir::Buffer &input = *schedule.inputs[output->second];
    const bool isOfAll = llvm::any_of(schedule.collective->promises, [&](const ir::Promise &promise) {
      return promise.term.isFold && promise.term.input < schedule.collective->inputs.size();
    });
    if (!isOfAll || input.isArray != stated.blockVariable.has_value())
      continue;
    ir::Invariant result;
    result.range = stated.range;
    result.buffer = stated.buffer;
    result.blockVariable = stated.blockVariable;
    result.packetVariable = stated.packetVariable;
    const auto bound = [&](llvm::StringRef name) {
      const unsigned variable = exprs.newVariable(unused(name), Type::Integer, true, stated.range);
      schedule.variables[variable].ofInvariant = true;
      return variable;
    };
    result.holder = bound("r");
    result.binder = bound("i");
    result.input = output->second;
    result.index = stated.blockVariable ? exprs.variable(*stated.blockVariable, stated.range) : nullptr;
    result.isFold = true;
    result.lo = number(0);
    result.hi = exprs.variable(ir::Schedule::variableP, stated.range);
    llvm::DenseMap<unsigned, const ir::Expr *> by = next;
    by[ir::Schedule::variableMe] = exprs.variable(*result.holder, stated.range);
    result.condition = replaced(stated.condition, by);
    into.invariants.push_back(std::move(result));
  }
}

} // namespace quadrille::compiler::sema
