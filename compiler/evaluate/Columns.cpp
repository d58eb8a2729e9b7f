//===- Columns.cpp - Evaluation for many ranks at once ---------------------------------------------------------------===//

#include "Columns.h"

#include "Work.h"

#include "arithmetic/Integers.h"

#include "llvm/ADT/STLExtras.h"

#include <cassert>

namespace quadrille::compiler {

using ir::Op;

void ColumnEvaluator::select(size_t firstRank, size_t ranks, const std::uint8_t *activeRanks) {
  if (firstRank != first || ranks != count || activeRanks != active)
    ++generation;
  assert(ranks <= chunkSize && "columns have room for one chunk");
  first = firstRank;
  count = ranks;
  active = activeRanks;
  used = 0;
}

std::int64_t *ColumnEvaluator::allocate() {
  if (used == pool.size())
    pool.push_back(std::make_unique<std::array<std::int64_t, chunkSize>>());
  return pool[used++]->data();
}

static Column scalarColumn(std::int64_t value) {
  Column column;
  column.scalar = value;
  column.bounds = arithmetic::point(value);
  return column;
}

Column ColumnEvaluator::variable(unsigned index) {
  assert(index < variables.size() && "a variable of another frame");
  const ColumnVariable &variable = variables[index];
  if (variable.kind == ColumnVariable::Scalar)
    return scalarColumn(variable.scalar);
  if (variable.kind == ColumnVariable::Array) {
    Column column;
    column.isScalar = false;
    column.values = variable.array + first;
    column.bounds = variable.bounds;
    return column;
  }
  if (cache.size() < variables.size())
    cache.resize(variables.size());
  if (cache[index].stamp == generation)
    return cache[index].column;
  Column column = evaluate(*variable.lazy);
  if (!column.isScalar) {
    // Copy the values, since `release` would free them.
    if (!cache[index].storage)
      cache[index].storage = std::make_unique<std::array<std::int64_t, chunkSize>>();
    std::copy_n(column.values, count, cache[index].storage->data());
    column.values = cache[index].storage->data();
  }
  cache[index].stamp = generation;
  cache[index].column = column;
  return column;
}

const ColumnEvaluator::Needs &ColumnEvaluator::needsOf(const ir::Expr &expr) {
  Needs &result = needs[&expr];
  if (result.shape == shape)
    return result;
  std::vector<std::uint8_t> isNeeded(variables.size(), 0);
  auto visit = [&](auto &self, const ir::Expr &part) -> void {
    if (part.op == Op::Variable && !isNeeded[part.variable]) {
      isNeeded[part.variable] = 1;
      if (variables[part.variable].kind == ColumnVariable::Lazy)
        self(self, *variables[part.variable].lazy);
    }
    for (const ir::Expr *operand : part.operands)
      self(self, *operand);
  };
  visit(visit, expr);
  result.shape = shape;
  result.plain.clear();
  result.lets.clear();
  for (unsigned i = 0; i < variables.size(); ++i)
    if (isNeeded[i])
      (variables[i].kind == ColumnVariable::Lazy ? result.lets : result.plain).push_back(i);
  return result;
}

void ColumnEvaluator::fillFrame(Frame &frame, const Needs &wanted, size_t rank) {
  frame.trees = &trees;
  if (frame.nodes != nodes)
    frame.nodes = nodes;
  frame.values.resize(variables.size());
  for (unsigned i : wanted.plain)
    frame.values[i] = valueOf(i, rank);
  assert(llvm::is_sorted(wanted.lets) && "in the order of evaluation");
  // Lets refer to earlier variables only, so they are evaluated in ascending order.
  for (unsigned i : wanted.lets)
    frame.values[i] = compiler::evaluate(*variables[i].lazy, frame);
}

Frame ColumnEvaluator::frameOf(llvm::ArrayRef<const ir::Expr *> exprs, size_t rank) {
  Frame frame;
  for (unsigned i = 0; i < variables.size(); ++i)
    frame.values.push_back(valueOf(i, rank));
  for (const ir::Expr *expr : exprs)
    fillFrame(frame, needsOf(*expr), rank);
  return frame;
}

std::int64_t ColumnEvaluator::evaluateAt(const ir::Expr &expr, size_t rank) {
  fillFrame(scratch, needsOf(expr), rank);
  return compiler::evaluate(expr, scratch);
}

/// Evaluates an expression whose value is the same for all ranks.
Column ColumnEvaluator::sameForAll(const ir::Expr &expr) {
  for (size_t i = 0; i < count; ++i) {
    if (!activeAt(i))
      continue;
    try {
      return scalarColumn(evaluateAt(expr, first + i));
    } catch (EvaluationError &error) {
      if (error.rank < 0 && expr.dependsOnRank)
        error.rank = static_cast<std::int64_t>(first + i);
      throw;
    }
  }
  return scalarColumn(0);
}

Column ColumnEvaluator::rankByRank(const ir::Expr &expr) {
  std::int64_t *out = allocate();
  Column column;
  column.isScalar = false;
  column.values = out;
  std::int64_t least = 0, most = 0;
  const Needs &wanted = needsOf(expr);
  for (size_t i = 0; i < count; ++i) {
    out[i] = 0;
    if (!activeAt(i))
      continue;
    try {
      fillFrame(scratch, wanted, first + i);
      out[i] = compiler::evaluate(expr, scratch);
    } catch (EvaluationError &error) {
      if (error.rank < 0)
        error.rank = static_cast<std::int64_t>(first + i);
      throw;
    }
    least = std::min(least, out[i]);
    most = std::max(most, out[i]);
  }
  column.bounds = {least, most};
  return column;
}

template <typename F> static void fill(std::int64_t *out, size_t count, const Column &a, const Column &b, F f) {
  if (a.isScalar)
    for (size_t i = 0; i < count; ++i)
      out[i] = f(a.scalar, b.values[i]);
  else if (b.isScalar)
    for (size_t i = 0; i < count; ++i)
      out[i] = f(a.values[i], b.scalar);
  else
    for (size_t i = 0; i < count; ++i)
      out[i] = f(a.values[i], b.values[i]);
}

/// Computes the remainders of a column by m > 0. The values of most columns are within 2*m of 0, and need no division.
static void fillRemainders(std::int64_t *out, size_t count, const Column &a, std::int64_t m) {
  const arithmetic::Extended lo = a.bounds.lo, hi = a.bounds.hi, once = m, twice = once + once;
  if (lo >= 0 && hi < twice) {
    for (size_t i = 0; i < count; ++i)
      out[i] = a.values[i] >= m ? a.values[i] - m : a.values[i];
  } else if (lo >= -once && hi < once) {
    for (size_t i = 0; i < count; ++i)
      out[i] = a.values[i] < 0 ? a.values[i] + m : a.values[i];
  } else if (lo >= -twice && hi < twice) {
    for (size_t i = 0; i < count; ++i) {
      std::int64_t x = a.values[i];
      x += x < 0 ? m : 0;
      x += x < 0 ? m : 0;
      out[i] = x >= m ? x - m : x;
    }
  } else if (arithmetic::isPow2(m)) {
    for (size_t i = 0; i < count; ++i)
      out[i] = a.values[i] & (m - 1);
  } else {
    for (size_t i = 0; i < count; ++i)
      out[i] = arithmetic::floorMod(a.values[i], m);
  }
}

/// Evaluates by a fast loop. If there is none, returns a column that is no scalar and has null values.
Column ColumnEvaluator::binary(const ir::Expr &expr, const Column &a, const Column &b) {
  Column out;
  out.isScalar = false;
  out.bounds = intervalOf(expr, a.bounds, b.bounds);
  if (!out.bounds.fits())
    return out;
  auto with = [&](auto f) {
    std::int64_t *values = allocate();
    fill(values, count, a, b, f);
    out.values = values;
    return out;
  };
  const bool dividesByPositive = b.isScalar && b.scalar > 0;
  const bool isShift = arithmetic::Interval(0, 63).contains(b.bounds);
  switch (expr.op) {
  case Op::Add:
    return with([](std::int64_t x, std::int64_t y) { return x + y; });
  case Op::Subtract:
    return with([](std::int64_t x, std::int64_t y) { return x - y; });
  case Op::Multiply:
    return with([](std::int64_t x, std::int64_t y) { return x * y; });
  case Op::Modulo:
    if (dividesByPositive) {
      std::int64_t *values = allocate();
      fillRemainders(values, count, a, b.scalar);
      out.values = values;
    }
    return out;
  case Op::Divide:
    return dividesByPositive ? with([](std::int64_t x, std::int64_t y) { return arithmetic::floorDiv(x, y); }) : out;
  case Op::BitAnd:
    return with([](std::int64_t x, std::int64_t y) { return x & y; });
  case Op::BitOr:
    return with([](std::int64_t x, std::int64_t y) { return x | y; });
  case Op::BitXor:
    return with([](std::int64_t x, std::int64_t y) { return x ^ y; });
  case Op::Bit:
    return isShift ? with([](std::int64_t x, std::int64_t y) { return (x >> y) & 1; }) : out;
  case Op::ShiftRight:
    return isShift ? with([](std::int64_t x, std::int64_t y) { return x >> y; }) : out;
  case Op::Minimum:
    return with([](std::int64_t x, std::int64_t y) { return std::min(x, y); });
  case Op::Maximum:
    return with([](std::int64_t x, std::int64_t y) { return std::max(x, y); });
  case Op::Equal:
    return with([](std::int64_t x, std::int64_t y) { return std::int64_t(x == y); });
  case Op::NotEqual:
    return with([](std::int64_t x, std::int64_t y) { return std::int64_t(x != y); });
  case Op::Less:
    return with([](std::int64_t x, std::int64_t y) { return std::int64_t(x < y); });
  case Op::LessEqual:
    return with([](std::int64_t x, std::int64_t y) { return std::int64_t(x <= y); });
  default:
    return out;
  }
}

Column ColumnEvaluator::unary(const ir::Expr &expr, const Column &a) {
  Column out;
  out.isScalar = false;
  out.bounds = intervalOf(expr, a.bounds, a.bounds);
  if (!out.bounds.fits())
    return out;
  auto with = [&](auto f) {
    std::int64_t *values = allocate();
    for (size_t i = 0; i < count; ++i)
      values[i] = f(a.values[i]);
    out.values = values;
    return out;
  };
  switch (expr.op) {
  case Op::Negate:
    return with([](std::int64_t x) { return -x; });
  case Op::Not:
    return with([](std::int64_t x) { return std::int64_t(!x); });
  case Op::IsEven:
    return with([](std::int64_t x) { return std::int64_t((x & 1) == 0); });
  case Op::IsOdd:
    return with([](std::int64_t x) { return x & 1; });
  case Op::IsPow2:
    return with([](std::int64_t x) { return std::int64_t(arithmetic::isPow2(x)); });
  default:
    return out;
  }
}

Column ColumnEvaluator::evaluate(const ir::Expr &expr) {
  if (expr.op == Op::Constant)
    return scalarColumn(expr.value);
  if (expr.op == Op::Variable)
    return variable(expr.variable);
  if (!expr.dependsOnRank)
    return sameForAll(expr);
  Work::count(count / 4); // several ranks per operation of the machine
  bool comparesNone = expr.op == Op::Equal || expr.op == Op::NotEqual;
  switch (expr.op) {
  case Op::TreeField: {
    Column tree = evaluate(*expr.operands[0]);
    if (!tree.isScalar || expr.operands.size() < 2 || expr.operands[1]->mayBeNone)
      return rankByRank(expr);
    Column rank = evaluate(*expr.operands[1]);
    const TreeInstance &instance = trees[tree.scalar];
    std::int64_t *values = allocate();
    for (size_t i = 0; i < count; ++i)
      values[i] = instance.field(expr.field, rank[i]);
    Column out;
    out.isScalar = false;
    out.values = values;
    out.bounds = join(join(arithmetic::no, {instance.lo, instance.hi}), rank.bounds);
    return out; // bounds do not cover `none`: arithmetic on it is done rank by rank
  }
  case Op::Select:
  case Op::And:
  case Op::Or: {
    // Evaluate both sides for all ranks. If that fails, the error may be on a rank that takes the other side.
    size_t mark = used;
    try {
      Column condition = evaluate(*expr.operands[0]);
      if (expr.op == Op::Select) {
        Column yes = evaluate(*expr.operands[1]), no = evaluate(*expr.operands[2]);
        std::int64_t *values = allocate();
        for (size_t i = 0; i < count; ++i)
          values[i] = condition[i] ? yes[i] : no[i];
        Column out;
        out.isScalar = false;
        out.values = values;
        // Leave a constant `none` out of the bounds: no expression computes with it.
        bool yesNone = yes.isScalar && yes.scalar == ir::none, noNone = no.isScalar && no.scalar == ir::none;
        out.bounds = yesNone ? no.bounds : noNone ? yes.bounds : join(yes.bounds, no.bounds);
        return out;
      }
      Column other = evaluate(*expr.operands[1]);
      std::int64_t *values = allocate();
      for (size_t i = 0; i < count; ++i)
        values[i] = expr.op == Op::And ? (condition[i] && other[i]) : (condition[i] || other[i]);
      Column out;
      out.isScalar = false;
      out.values = values;
      out.bounds = intervalOf(expr, condition.bounds, other.bounds);
      return out;
    } catch (const EvaluationError &) {
      used = mark;
      return rankByRank(expr);
    }
  }
  default:
    break;
  }
  // The bounds of a column do not cover `none`.
  auto hasNoBounds = [&](unsigned operand, const Column &column) {
    return expr.operands[operand]->mayBeNone && !column.isScalar && !comparesNone;
  };
  if (expr.operands.size() == 1) {
    Column a = evaluate(*expr.operands[0]);
    if (a.isScalar)
      return sameForAll(expr);
    if (!hasNoBounds(0, a))
      if (Column out = unary(expr, a); out.values)
        return out;
  } else if (expr.operands.size() == 2) {
    Column a = evaluate(*expr.operands[0]), b = evaluate(*expr.operands[1]);
    if (a.isScalar && b.isScalar)
      return sameForAll(expr);
    const bool isNone = !comparesNone && ((a.isScalar && a.scalar == ir::none) || (b.isScalar && b.scalar == ir::none));
    // There is no fast loop for the remainder of a scalar by a column, which is rare.
    if (!isNone && !hasNoBounds(0, a) && !hasNoBounds(1, b) && !(expr.op == Op::Modulo && a.isScalar))
      if (Column out = binary(expr, a, b); out.values)
        return out;
  }
  return rankByRank(expr);
}

} // namespace quadrille::compiler
