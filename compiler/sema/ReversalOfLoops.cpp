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

/// A loop on its way from the forward to the backward one.
struct Reversal::Turn {
  const ir::ForStmt &forward;
  ir::ForStmt &backward;
  ir::Body head; // the first statements of the new body: they define the variables of the forward loop
  /// What the variables would be in the next iteration forwards; nothing if that has no expression.
  std::optional<llvm::DenseMap<unsigned, const ir::Expr *>> next;
};

void Reversal::loop(const ir::ForStmt &stmt, ir::Body &into) {
  ir::ForStmt &result = append<ir::ForStmt>(into, stmt.range, stmt.keyword);
  result.containsStep = stmt.containsStep;
  result.variable = stmt.variable;
  result.second = stmt.second;
  Turn turn{stmt, result, {}, {}};
  if (!turnVariables(turn))
    return;
  if (turn.next)
    invariants(stmt, *turn.next, result);
  // Buffers that an iteration fills may hold something in the next one.
  for (const ir::Buffer *buffer : readBuffers(stmt.body))
    filled.insert(other.contains(buffer) ? other.lookup(buffer) : buffer);
  const auto around = filled;
  ir::Body inner = body(stmt.body);
  if (stmt.loop == LoopKind::Others || stmt.loop == LoopKind::Children) {
    const bool isOthers = stmt.loop == LoopKind::Others;
    ir::IfStmt &exists = append<ir::IfStmt>(turn.head, stmt.range, stmt.keyword);
    exists.condition = exprs.make(Op::NotEqual, Type::Boolean, place,
                                  {variable(stmt.variable), isOthers ? variable(ir::Schedule::variableMe) : number(ir::none)});
    exists.containsStep = stmt.containsStep;
    exists.yes = std::move(inner);
  } else {
    llvm::move(inner, std::back_inserter(turn.head));
  }
  result.body = std::move(turn.head);
  filled = around;
}

bool Reversal::turnVariables(Turn &turn) {
  switch (turn.forward.loop) {
  case LoopKind::Ascending: ascending(turn); return true;
  case LoopKind::Descending: descending(turn); return true;
  case LoopKind::Times: return doubling(turn);
  case LoopKind::Half: return halving(turn);
  case LoopKind::Halvings:
  case LoopKind::HalvingsReversed: halvings(turn); return true;
  case LoopKind::Others: others(turn); return true;
  case LoopKind::Children: children(turn); return true;
  }
  return true;
}

const ir::Expr *Reversal::variable(unsigned index) { return exprs.variable(index, place); }

/// The variable of the backward loop, if it is not that of the forward one.
unsigned Reversal::counter(Turn &turn, bool dependsOnRank) {
  return turn.backward.variable = exprs.newVariable(unused("d"), Type::Integer, dependsOnRank, turn.forward.keyword);
}

void Reversal::define(Turn &turn, unsigned index, const ir::Expr *value) {
  ir::LetStmt &let = append<ir::LetStmt>(turn.head, turn.forward.range, turn.forward.keyword);
  let.variable = index;
  let.value = value;
  lets[index] = value;
}

/// `from` moved up or down (Op::Add or Op::Subtract) by the largest multiple of `by` that is at most `distance`.
const ir::Expr *Reversal::moved(Op direction, const ir::Expr *from, const ir::Expr *distance, const ir::Expr *by) {
  return integer(direction, from, integer(Op::Multiply, by, integer(Op::Divide, distance, by)));
}

void Reversal::ascending(Turn &turn) {
  const ir::ForStmt &stmt = turn.forward;
  ir::ForStmt &result = turn.backward;
  const ir::Expr *last = plus(stmt.hi, -1);
  if (goesApart && !stmt.factor) { // proofs about such ranks count upwards
    const bool isFromZero = stmt.lo->op == Op::Constant && stmt.lo->value == 0;
    const unsigned iteration = counter(turn, schedule.variables[stmt.variable].dependsOnRank);
    result.loop = LoopKind::Ascending;
    result.lo = number(0);
    result.hi = isFromZero ? stmt.hi : integer(Op::Subtract, stmt.hi, stmt.lo);
    define(turn, stmt.variable, integer(Op::Subtract, last, variable(iteration)));
    return;
  }
  result.loop = LoopKind::Descending;
  result.factor = stmt.factor;
  result.hi = stmt.factor ? moved(Op::Add, stmt.lo, integer(Op::Subtract, last, stmt.lo), stmt.factor) : last;
  result.lo = stmt.lo;
  turn.next = {{stmt.variable, integer(Op::Add, variable(stmt.variable), stmt.factor ? stmt.factor : number(1))}};
}

void Reversal::descending(Turn &turn) {
  const ir::ForStmt &stmt = turn.forward;
  ir::ForStmt &result = turn.backward;
  result.loop = LoopKind::Ascending;
  result.factor = stmt.factor;
  result.lo = stmt.factor ? moved(Op::Subtract, stmt.hi, integer(Op::Subtract, stmt.hi, stmt.lo), stmt.factor) : stmt.lo;
  result.hi = plus(stmt.hi, 1);
  turn.next = {{stmt.variable, integer(Op::Subtract, variable(stmt.variable), stmt.factor ? stmt.factor : number(1))}};
}

/// for i = c, 2*c, 4*c, ... below hi: i is c << d for d = ..., 1, 0.
bool Reversal::doubling(Turn &turn) {
  const ir::ForStmt &stmt = turn.forward;
  ir::ForStmt &result = turn.backward;
  const bool doubles = stmt.factor && stmt.factor->op == Op::Constant && stmt.factor->value == 2;
  if (!doubles || !stmt.lo || stmt.lo->op != Op::Constant || stmt.lo->value < 1) {
    refuse(stmt.keyword, diag::OneWayTimes{});
    return false;
  }
  const std::int64_t from = stmt.lo->value;
  const bool isRanks = stmt.hi->op == Op::Variable && stmt.hi->variable == ir::Schedule::variableP;
  const ir::Expr *end = isRanks ? stmt.hi : integer(Op::Maximum, stmt.hi, number(1));
  if (from > 1)
    end = integer(Op::Divide, plus(end, from - 1), number(from));
  const ir::Expr *count = exprs.make(Op::CeilLog2, Type::Integer, place, {end});
  const unsigned exponent = counter(turn, schedule.variables[stmt.variable].dependsOnRank);
  result.loop = LoopKind::Descending;
  result.hi = plus(count, -1);
  result.lo = number(0);
  define(turn, stmt.variable, integer(Op::ShiftLeft, number(from), variable(exponent)));
  turn.next = {{stmt.variable, integer(Op::ShiftLeft, number(from), plus(variable(exponent), 1))}};
  return true;
}

/// for i = hi, hi div 2, ..., 1: 1, 2, 4, ... if these are powers of two, otherwise i is hi >> d for d = ..., 1, 0.
bool Reversal::halving(Turn &turn) {
  const ir::ForStmt &stmt = turn.forward;
  ir::ForStmt &result = turn.backward;
  if (stmt.lo->op != Op::Constant || stmt.lo->value != 1) {
    refuse(stmt.keyword, diag::OneWayHalf{});
    return false;
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
    turn.next = {{stmt.variable, integer(Op::Divide, variable(stmt.variable), number(2))}};
    return true;
  }
  const ir::Expr *isNone = exprs.make(Op::Less, Type::Boolean, place, {stmt.hi, number(1)});
  const ir::Expr *last = exprs.make(Op::FloorLog2, Type::Integer, place, {stmt.hi});
  const unsigned exponent = counter(turn, schedule.variables[stmt.variable].dependsOnRank);
  result.loop = LoopKind::Descending;
  result.hi = exprs.make(Op::Select, Type::Integer, place, {isNone, number(-1), last});
  result.lo = number(0);
  define(turn, stmt.variable, integer(Op::ShiftRight, stmt.hi, variable(exponent)));
  turn.next = {{stmt.variable, integer(Op::ShiftRight, stmt.hi, plus(variable(exponent), 1))}};
  return true;
}

void Reversal::halvings(Turn &turn) {
  const ir::ForStmt &stmt = turn.forward;
  turn.backward.hi = stmt.hi;
  if (stmt.loop == LoopKind::Halvings) {
    turn.backward.loop = LoopKind::HalvingsReversed;
    turn.next = {{stmt.variable, integer(Op::Divide, plus(variable(stmt.variable), 1), number(2))},
                 {stmt.second, variable(stmt.variable)}};
  } else {
    turn.backward.loop = LoopKind::Halvings;
    turn.next = {{stmt.variable, variable(stmt.second)}};
  }
}

void Reversal::others(Turn &turn) {
  turn.backward.loop = LoopKind::Descending;
  turn.backward.hi = plus(variable(ir::Schedule::variableP), -1);
  turn.backward.lo = number(0);
}

/// The children from right to left.
void Reversal::children(Turn &turn) {
  turn.backward.loop = LoopKind::Ascending;
  turn.backward.lo = number(0);
  turn.backward.hi = number(2);
  const unsigned side = counter(turn, false);
  const auto child = [&](ir::TreeFieldKind field) {
    ir::Expr *expr = exprs.make(Op::TreeField, Type::Integer, place, {turn.forward.tree, variable(ir::Schedule::variableMe)});
    expr->field = field;
    expr->mayBeNone = true;
    return expr;
  };
  define(turn, turn.forward.variable,
         exprs.make(Op::Select, Type::Integer, place,
                    {exprs.make(Op::Equal, Type::Boolean, place, {variable(side), number(0)}), child(ir::TreeFieldKind::Right),
                     child(ir::TreeFieldKind::Left)}));
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
