//===- Bounds.cpp - How small and how large numbers can be -----------------------------------------------------------------===//

#include "Bounds.h"

#include "Queries.h"
#include "arithmetic/IntervalMeaning.h"
#include "evaluate/Intervals.h"

#include "llvm/Support/Casting.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>

namespace quadrille::compiler::emit {

using namespace ir;
using End = std::optional<Linear>;
using arithmetic::Interval;
namespace intervals = arithmetic::intervals;

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

/// The end that is the smaller (larger) one for all p >= 1; nothing if neither is.
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
/// The tighter one of two upper (lower) ends of the same number, if it is known which one is; else the second (first).
static End eitherSmaller(End a, End b) { return !a ? b : !b ? a : neverMore(*a, *b) ? a : b; }
static End eitherLarger(End a, End b) { return !a ? b : !b ? a : neverMore(*a, *b) ? b : a; }

static End endOf(arithmetic::Extended number) {
  const std::optional<std::int64_t> word = number.word();
  return word ? constantEnd(*word) : End();
}
static End lowerOf(const Bounds &a) { return a.lower ? a.lower : endOf(a.numbers.lo); }
static End upperOf(const Bounds &a) { return a.upper ? a.upper : endOf(a.numbers.hi); }

/// The values of an end for p in 1 ..< 2^31.
static Interval numbersOf(Linear end) {
  return intervals::add(intervals::product(arithmetic::point(end.perRank), {1, arithmetic::largestCount}), arithmetic::point(end.constant));
}

/// `bounds` with `numbers` restricted to what the ends allow.
static Bounds closer(Bounds bounds) {
  if (bounds.lower)
    bounds.numbers.lo = std::max(bounds.numbers.lo, numbersOf(*bounds.lower).lo);
  if (bounds.upper)
    bounds.numbers.hi = std::min(bounds.numbers.hi, numbersOf(*bounds.upper).hi);
  return bounds.numbers.isNothing() ? Bounds() : bounds; // empty: the expression never has a value
}

std::optional<std::int64_t> largestOf(const Bounds &bounds) { return bounds.numbers.hi.word(); }

bool isAtLeast(const Bounds &bounds, std::int64_t least) { return bounds.numbers.lo >= least; }

static Bounds eitherOf(const Bounds &a, const Bounds &b) {
  return closer({join(a.numbers, b.numbers), smaller(lowerOf(a), lowerOf(b)), larger(upperOf(a), upperOf(b))});
}

/// The bounds of a result: `numbers`, and ends relative to p where they follow from the ends of the operands.
static Bounds withEnds(Op op, const Interval &numbers, const Bounds &a, const Bounds &b) {
  switch (op) {
  case Op::Negate:
    return {numbers, times(upperOf(a), -1), times(lowerOf(a), -1)};
  case Op::Add:
    return {numbers, plus(lowerOf(a), lowerOf(b)), plus(upperOf(a), upperOf(b))};
  case Op::Subtract:
    return {numbers, plus(lowerOf(a), times(upperOf(b), -1)), plus(upperOf(a), times(lowerOf(b), -1))};
  case Op::Multiply:
    for (auto [x, y] : {std::pair(&a, &b), std::pair(&b, &a)})
      if (const std::optional<std::int64_t> factor = x->numbers.lo.word(); factor && x->numbers.lo == x->numbers.hi) {
        const End lower = times(lowerOf(*y), *factor), upper = times(upperOf(*y), *factor);
        return *factor >= 0 ? Bounds{numbers, lower, upper} : Bounds{numbers, upper, lower};
      }
    return {numbers, {}, {}};
  case Op::Divide:
    return {numbers, {}, isAtLeast(a, 0) && isAtLeast(b, 1) ? upperOf(a) : End()};
  case Op::ShiftRight:
    return {numbers, {}, isAtLeast(a, 0) ? upperOf(a) : End()};
  case Op::Modulo: {
    const End upper = isAtLeast(b, 1) ? plus(upperOf(b), constantEnd(-1)) : End();
    return {numbers, {}, isAtLeast(a, 0) ? eitherSmaller(upper, upperOf(a)) : upper};
  }
  case Op::BitAnd:
    return {numbers, {}, isAtLeast(a, 0) ? upperOf(a) : isAtLeast(b, 0) ? upperOf(b) : End()};
  case Op::Minimum:
    return {numbers, smaller(lowerOf(a), lowerOf(b)), eitherSmaller(upperOf(a), upperOf(b))};
  case Op::Maximum:
    return {numbers, eitherLarger(lowerOf(a), lowerOf(b)), larger(upperOf(a), upperOf(b))};
  default:
    return {numbers, {}, {}};
  }
}

static Bounds boundsOf(const Expr &expr, const BoundsFrame &frame, unsigned depth) {
  auto operand = [&](unsigned i) { return boundsOf(*expr.operands[i], frame, depth); };
  switch (expr.op) {
  case Op::Constant:
    return expr.value == none ? Bounds() : Bounds{arithmetic::point(expr.value), {}, {}};
  case Op::Variable:
    return expr.variable < frame.size() ? frame[expr.variable] : Bounds();
  case Op::Select:
    if (expr.operands[1]->mayBeNone || expr.operands[2]->mayBeNone)
      return {};
    return eitherOf(operand(1), operand(2));
  case Op::Call: {
    // The bounds of the function's body for these arguments; recursion is cut off.
    if (depth >= 3 || !expr.function || !expr.function->body)
      return {};
    BoundsFrame inner(expr.function->variables.size());
    for (unsigned i = 0; i < expr.operands.size() && i < inner.size(); ++i)
      inner[i] = operand(i);
    return boundsOf(*expr.function->body, inner, depth + 1);
  }
  case Op::NodeOf:
  case Op::LocalRank:
  case Op::RankOn:
    return {{0, arithmetic::anything.hi}, {}, {}};
  case Op::NodeSize:
  case Op::Nodes:
  case Op::LargestNode:
    return {{1, arithmetic::anything.hi}, {}, {}};
  case Op::TreeField:
    if (expr.field == TreeFieldKind::Depth || expr.field == TreeFieldKind::Size)
      return {{0, arithmetic::anything.hi}, {}, {}};
    return {};
  default:
    break;
  }
  if (expr.operands.empty() || expr.operands.size() > 2)
    return {};
  const Bounds a = operand(0), b = expr.operands.size() > 1 ? operand(1) : a;
  return closer(withEnds(expr.op, intervalOf(expr, a.numbers, b.numbers), a, b));
}

Bounds boundsOf(const Expr &expr, const BoundsFrame &frame) { return boundsOf(expr, frame, 0); }

namespace {

class Binder {
public:
  explicit Binder(const Schedule &schedule) : schedule(schedule), frame(schedule.variables.size()) {}

  BoundsFrame run() {
    const Linear p{1, 0};
    frame[Schedule::variableP] = closer({arithmetic::anything, p, p});
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
  const Bounds rank = closer({atLeast(0), {}, Linear{1, -1}});

  static Interval atLeast(arithmetic::Extended least) { return {least, arithmetic::anything.hi}; }

  void raise(unsigned variable, std::int64_t least) {
    frame[variable] = closer({meet(frame[variable].numbers, atLeast(least)), frame[variable].lower, frame[variable].upper});
  }

  /// Narrows the bounds of variables by a condition that holds: c <= v, c < v and conjunctions of these.
  void assume(const Expr &condition) {
    if (condition.op == Op::And) {
      assume(*condition.operands[0]);
      assume(*condition.operands[1]);
    } else if ((condition.op == Op::Less || condition.op == Op::LessEqual) && condition.operands[0]->op == Op::Constant &&
               condition.operands[1]->op == Op::Variable && condition.operands[1]->variable >= Schedule::firstNumber) {
      raise(condition.operands[1]->variable, condition.operands[0]->value + (condition.op == Op::Less));
    }
  }

  Bounds of(const Expr *expr) { return expr ? boundsOf(*expr, frame) : Bounds(); }
  /// The bounds of a number in lo .. hi.
  Bounds within(const Bounds &lo, const Bounds &hi) { return closer({{lo.numbers.lo, hi.numbers.hi}, lowerOf(lo), upperOf(hi)}); }
  /// The bounds of a number in lo ..< hi.
  Bounds between(const Bounds &lo, const Bounds &hi) {
    return within(lo, {intervals::subtract(hi.numbers, arithmetic::yes), {}, plus(upperOf(hi), constantEnd(-1))});
  }
  static Bounds from(std::int64_t least) { return {atLeast(least), {}, {}}; }

  /// Sets the bounds of the variable j in `of len[j]`, the number of a block.
  void blockNumber(const Buffer &buffer) {
    if (buffer.length && buffer.length->binder)
      frame[*buffer.length->binder] = between(from(0), of(buffer.count));
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
    const Bounds lo = of(loop.lo), hi = of(loop.hi);
    switch (loop.loop) {
    case LoopKind::Ascending:
      frame[loop.variable] = between(lo, hi);
      return;
    case LoopKind::Times:
      // Multiplication does not lower a variable that begins at 0 or above; else its lower bound is not known.
      frame[loop.variable] = between(isAtLeast(lo, 0) ? lo : Bounds(), hi);
      return;
    case LoopKind::Descending:
    case LoopKind::Half:
      frame[loop.variable] = within(lo, hi);
      return;
    case LoopKind::Halvings:
    case LoopKind::HalvingsReversed:
      frame[loop.variable] = within(from(1), hi);
      frame[loop.second] = within(from(2), hi);
      return;
    case LoopKind::Others:
    case LoopKind::Children:
      frame[loop.variable] = rank;
      return;
    }
  }

  const Schedule &schedule;
  BoundsFrame frame;
};

} // namespace

BoundsFrame boundVariables(const Schedule &schedule) { return Binder(schedule).run(); }

} // namespace quadrille::compiler::emit
