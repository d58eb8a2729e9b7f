//===- Bounds.cpp - How small and how large numbers can be -----------------------------------------------------------------===//

#include "Bounds.h"

#include "Queries.h"

#include "llvm/Support/Casting.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>

namespace quadrille::compiler::emit {

using namespace ir;
using End = std::optional<Linear>;

static End plus(End a, End b) {
  Linear sum;
  if (!a || !b || llvm::AddOverflow(a->perRank, b->perRank, sum.perRank) ||
      llvm::AddOverflow(a->constant, b->constant, sum.constant))
    return std::nullopt;
  return sum;
}

static End times(End a, std::int64_t factor) {
  Linear product;
  if (!a || llvm::MulOverflow(a->perRank, factor, product.perRank) ||
      llvm::MulOverflow(a->constant, factor, product.constant))
    return std::nullopt;
  return product;
}

/// Whether a <= b for all p >= 1.
static bool neverMore(Linear a, Linear b) {
  std::int64_t perRank, constant, atOne;
  return !llvm::SubOverflow(b.perRank, a.perRank, perRank) && !llvm::SubOverflow(b.constant, a.constant, constant) &&
         !llvm::AddOverflow(perRank, constant, atOne) && perRank >= 0 && atOne >= 0;
}

static End constantEnd(std::int64_t value) { return Linear{0, value}; }

/// The smaller (larger) of two ends if one of them always is.
static End smaller(End a, End b) {
  if (!a || !b)
    return std::nullopt;
  return neverMore(*a, *b) ? a : neverMore(*b, *a) ? b : End();
}
static End larger(End a, End b) {
  if (!a || !b)
    return std::nullopt;
  return neverMore(*a, *b) ? b : neverMore(*b, *a) ? a : End();
}
static End eitherSmaller(End a, End b) { return !a ? b : !b ? a : neverMore(*a, *b) ? a : b; }
static End eitherLarger(End a, End b) { return !a ? b : !b ? a : neverMore(*a, *b) ? b : a; }

std::optional<std::int64_t> largestOf(const Interval &interval) {
  constexpr std::int64_t maxRanks = (std::int64_t(1) << 31) - 1;
  std::int64_t result = 0;
  if (!interval.upper || __builtin_mul_overflow(interval.upper->perRank, interval.upper->perRank < 0 ? 1 : maxRanks, &result) ||
      __builtin_add_overflow(result, interval.upper->constant, &result))
    return std::nullopt;
  return result;
}

bool isAtLeast(const Interval &interval, std::int64_t least) {
  return interval.lower && neverMore(Linear{0, least}, *interval.lower);
}

static std::optional<std::int64_t> constantValue(const Interval &interval) {
  if (interval.lower && interval.upper && interval.lower->perRank == 0 && interval.upper->perRank == 0 &&
      interval.lower->constant == interval.upper->constant)
    return interval.lower->constant;
  return std::nullopt;
}

static Interval negated(const Interval &a) { return {times(a.upper, -1), times(a.lower, -1)}; }
static Interval sum(const Interval &a, const Interval &b) { return {plus(a.lower, b.lower), plus(a.upper, b.upper)}; }

static Interval product(const Interval &a, const Interval &b) {
  for (auto [x, y] : {std::pair(&a, &b), std::pair(&b, &a)})
    if (std::optional<std::int64_t> factor = constantValue(*x))
      return *factor >= 0 ? Interval{times(y->lower, *factor), times(y->upper, *factor)}
                          : Interval{times(y->upper, *factor), times(y->lower, *factor)};
  if (isAtLeast(a, 1) && isAtLeast(b, 1))
    return {constantEnd(1), std::nullopt};
  if (isAtLeast(a, 0) && isAtLeast(b, 0))
    return {constantEnd(0), std::nullopt};
  return {};
}

static Interval boundsOf(const Expr &expr, const IntervalFrame &frame, unsigned depth) {
  auto operand = [&](unsigned i) { return boundsOf(*expr.operands[i], frame, depth); };
  const Interval atLeastZero{constantEnd(0), std::nullopt};
  switch (expr.op) {
  case Op::Constant:
    if (expr.value == none)
      return {};
    return {constantEnd(expr.value), constantEnd(expr.value)};
  case Op::Variable:
    return expr.variable < frame.size() ? frame[expr.variable] : Interval();
  case Op::Negate:
    return negated(operand(0));
  case Op::Add:
    return sum(operand(0), operand(1));
  case Op::Subtract:
    return sum(operand(0), negated(operand(1)));
  case Op::Multiply:
    return product(operand(0), operand(1));
  case Op::Divide: {
    Interval a = operand(0), b = operand(1);
    if (isAtLeast(a, 0) && isAtLeast(b, 1))
      return {constantEnd(0), a.upper};
    return {};
  }
  case Op::Modulo: {
    Interval a = operand(0), m = operand(1);
    End upper = isAtLeast(m, 1) ? plus(m.upper, constantEnd(-1)) : End();
    if (isAtLeast(a, 0))
      upper = eitherSmaller(upper, a.upper);
    return {constantEnd(0), upper};
  }
  case Op::Minimum: {
    Interval a = operand(0), b = operand(1);
    return {smaller(a.lower, b.lower), eitherSmaller(a.upper, b.upper)};
  }
  case Op::Maximum: {
    Interval a = operand(0), b = operand(1);
    return {eitherLarger(a.lower, b.lower), larger(a.upper, b.upper)};
  }
  case Op::Select: {
    Interval a = operand(1), b = operand(2);
    if (expr.operands[1]->mayBeNone || expr.operands[2]->mayBeNone)
      return {};
    return {smaller(a.lower, b.lower), larger(a.upper, b.upper)};
  }
  case Op::ShiftLeft:
  case Op::Power: {
    Interval a = operand(0);
    if (isAtLeast(a, 1))
      return {constantEnd(1), std::nullopt};
    return isAtLeast(a, 0) ? atLeastZero : Interval();
  }
  case Op::ShiftRight: {
    Interval a = operand(0);
    return isAtLeast(a, 0) ? Interval{constantEnd(0), a.upper} : Interval();
  }
  case Op::BitAnd: {
    Interval a = operand(0), b = operand(1);
    if (isAtLeast(a, 0))
      return {constantEnd(0), a.upper};
    return isAtLeast(b, 0) ? Interval{constantEnd(0), b.upper} : Interval();
  }
  case Op::BitOr:
  case Op::BitXor:
    return isAtLeast(operand(0), 0) && isAtLeast(operand(1), 0) ? atLeastZero : Interval();
  case Op::Bit:
    return {constantEnd(0), constantEnd(1)};
  case Op::Absolute:
  case Op::Log2:
  case Op::FloorLog2:
  case Op::CeilLog2:
  case Op::TrailingZeros:
  case Op::SquareRoot:
    return atLeastZero;
  case Op::Call: {
    // What a function yields for these arguments; recursion is cut off.
    if (depth >= 3 || !expr.function || !expr.function->body)
      return {};
    IntervalFrame inner(expr.function->variables.size());
    for (unsigned i = 0; i < expr.operands.size() && i < inner.size(); ++i)
      inner[i] = operand(i);
    return boundsOf(*expr.function->body, inner, depth + 1);
  }
  case Op::TreeField:
    if (expr.field == TreeFieldKind::Depth || expr.field == TreeFieldKind::Size)
      return atLeastZero;
    return {};
  default:
    return {};
  }
}

Interval boundsOf(const Expr &expr, const IntervalFrame &frame) { return boundsOf(expr, frame, 0); }

namespace {

class Binder {
public:
  explicit Binder(const Schedule &schedule) : schedule(schedule), frame(schedule.variables.size()) {}

  IntervalFrame run() {
    const Linear p{1, 0};
    frame[Schedule::variableP] = {p, p};
    frame[Schedule::variableMe] = rank;
    for (unsigned i = 0; i < schedule.numberCount; ++i)
      if (i >= schedule.parameterCount)
        frame[Schedule::firstNumber + i] = rank;
    for (const Requirement &requirement : schedule.requirements)
      assume(*requirement.condition);
    for (const auto &buffer : schedule.buffers)
      if (buffer->parts && buffer->parts->op == Op::Variable && buffer->parts->variable < Schedule::firstNumber + schedule.numberCount)
        raise(buffer->parts->variable, 1);
    for (const auto *list : {&schedule.inputs, &schedule.outputs})
      for (const Buffer *buffer : *list)
        blockNumber(*buffer);
    body(schedule.body);
    return std::move(frame);
  }

private:
  const Interval rank{constantEnd(0), Linear{1, -1}};

  void raise(unsigned variable, std::int64_t least) {
    if (!isAtLeast(frame[variable], least))
      frame[variable].lower = constantEnd(least);
  }

  /// What a condition that holds says about variables: c <= v, c < v and conjunctions of these.
  void assume(const Expr &condition) {
    if (condition.op == Op::And) {
      assume(*condition.operands[0]);
      assume(*condition.operands[1]);
    } else if ((condition.op == Op::Less || condition.op == Op::LessEqual) && condition.operands[0]->op == Op::Constant &&
               condition.operands[1]->op == Op::Variable && condition.operands[1]->variable >= Schedule::firstNumber) {
      raise(condition.operands[1]->variable, condition.operands[0]->value + (condition.op == Op::Less));
    }
  }

  Interval of(const Expr *expr) { return expr ? boundsOf(*expr, frame) : Interval(); }
  Interval between(const Interval &lo, const Interval &hi) { return {lo.lower, plus(hi.upper, constantEnd(-1))}; }

  /// The name that stands for the number of a block in `of len[j]`.
  void blockNumber(const Buffer &buffer) {
    if (buffer.length && buffer.length->binder)
      frame[*buffer.length->binder] = between({constantEnd(0), {}}, of(buffer.count));
  }

  void slice(const Slice &slice) {
    for (const Index *index : {&slice.blocks, &slice.packets})
      if (index->kind == IndexKind::Filter)
        frame[index->binder] = between(of(index->a), of(index->b));
  }

  void body(const Body &stmts) {
    visitStmts(stmts, [&](const Stmt &stmt) {
      visitSlices(stmt, [&](const Slice &s, bool) { slice(s); });
      if (const auto *let = llvm::dyn_cast<LetStmt>(&stmt)) {
        if (!let->value->mayBeNone)
          frame[let->variable] = of(let->value);
      } else if (const auto *declare = llvm::dyn_cast<DeclareStmt>(&stmt)) {
        blockNumber(*declare->buffer);
      } else if (const auto *use = llvm::dyn_cast<UseStmt>(&stmt)) {
        if (use->member)
          frame[use->binder] = between(of(use->lo), of(use->hi));
      } else if (const auto *loop = llvm::dyn_cast<ForStmt>(&stmt)) {
        head(*loop);
      }
    });
  }

  void head(const ForStmt &loop) {
    Interval lo = of(loop.lo), hi = of(loop.hi);
    switch (loop.loop) {
    case LoopKind::Ascending:
      frame[loop.variable] = between(lo, hi);
      return;
    case LoopKind::Times:
      // Only numbers from 1 on grow when multiplied.
      frame[loop.variable] = {isAtLeast(lo, 0) ? lo.lower : End(), plus(hi.upper, constantEnd(-1))};
      return;
    case LoopKind::Descending:
    case LoopKind::Half:
      frame[loop.variable] = {lo.lower, hi.upper};
      return;
    case LoopKind::Halvings:
    case LoopKind::HalvingsReversed:
      frame[loop.variable] = {constantEnd(1), hi.upper};
      frame[loop.second] = {constantEnd(2), hi.upper};
      return;
    case LoopKind::Others:
    case LoopKind::Children:
      frame[loop.variable] = rank;
      return;
    }
  }

  const Schedule &schedule;
  IntervalFrame frame;
};

} // namespace

IntervalFrame boundVariables(const Schedule &schedule) { return Binder(schedule).run(); }

} // namespace quadrille::compiler::emit
