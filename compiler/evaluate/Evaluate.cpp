//===- Evaluate.cpp - Numbers of a schedule at one p, one rank ----------------------------------------------------------===//

#include "Evaluate.h"

#include "arithmetic/Integers.h"

#include <cassert>

namespace quadrille {

using ir::Op;

// ---- expressions -------------------------------------------------------------------------------------------------------

namespace {
std::string textOf(llvm::SMRange range) { return std::string(range.Start.getPointer(), range.End.getPointer()); }

[[noreturn]] void overflow(const ir::Expr &expr) {
  throw EvaluationError{diag::Id::Overflow, expr.range, {textOf(expr.range)}};
}

std::int64_t number(const ir::Expr &operand, const Frame &frame, unsigned callDepth) {
  std::int64_t value = evaluate(operand, frame, callDepth);
  if (value == ir::none)
    throw EvaluationError{diag::Id::ArithmeticOnNone, operand.range, {}};
  return value;
}

/// The result of an operation, which is a number: the least one that there is stands for `none`.
std::int64_t fitting(bool overflows, const std::int64_t &result, const ir::Expr &expr) {
  if (overflows || result == ir::none)
    overflow(expr);
  return result;
}

std::int64_t power(const ir::Expr &expr, std::int64_t base, std::int64_t exponent) {
  if (exponent < 0)
    throw EvaluationError{diag::Id::NegativeArgument, expr.range, {"an exponent", std::to_string(exponent)}};
  std::int64_t result = 1;
  if (base == 0 || base == 1 || base == -1)
    return exponent == 0 ? 1 : base == -1 ? (exponent % 2 ? -1 : 1) : base;
  for (; exponent > 0; --exponent)
    if (__builtin_mul_overflow(result, base, &result))
      overflow(expr);
  return fitting(false, result, expr);
}

std::int64_t squareRoot(const ir::Expr &expr, std::int64_t x) {
  if (x < 0)
    throw EvaluationError{diag::Id::NegativeArgument, expr.range, {"the square root", std::to_string(x)}};
  std::int64_t lo = 0, hi = 3037000499; // floor(sqrt(2^63 - 1))
  while (lo < hi) {
    std::int64_t middle = lo + (hi - lo + 1) / 2;
    if (middle <= x / middle)
      lo = middle;
    else
      hi = middle - 1;
  }
  if (lo * lo != x)
    throw EvaluationError{diag::Id::InexactFunction, expr.range, {"sqrt(" + std::to_string(x) + ")"}};
  return lo;
}

std::int64_t positive(const ir::Expr &expr, std::int64_t x, llvm::StringRef function) {
  if (x <= 0)
    throw EvaluationError{diag::Id::InexactFunction, expr.range, {function.str() + "(" + std::to_string(x) + ")"}};
  return x;
}

std::int64_t shift(const ir::Expr &expr, std::int64_t a, std::int64_t b) {
  if (b < 0)
    throw EvaluationError{diag::Id::NegativeArgument, expr.range, {"a shift", std::to_string(b)}};
  if (expr.op == Op::ShiftRight)
    return b > 63 ? (a < 0 ? -1 : 0) : a >> b;
  if (a == 0)
    return 0;
  if (b > 62)
    overflow(expr);
  std::int64_t result;
  return fitting(__builtin_mul_overflow(a, std::int64_t(1) << b, &result), result, expr);
}

std::int64_t call(const ir::Expr &expr, const Frame &frame, unsigned callDepth) {
  const ir::Function &function = *expr.function;
  // A function that calls itself twice stays shallow and yet never ends.
  static thread_local unsigned calls = 0;
  calls = callDepth == 0 ? 1 : calls + 1;
  if (calls > maxCalls)
    throw EvaluationError{diag::Id::TooManyCalls, expr.range, {function.name, std::to_string(maxCalls)}};
  if (const unsigned most = frame.trees ? frame.trees->callDepth : maxCallDepth; callDepth >= most)
    throw EvaluationError{diag::Id::RecursionTooDeep, expr.range, {function.name, std::to_string(most)}};
  Frame inner;
  inner.trees = frame.trees;
  inner.values.assign(function.variables.size(), 0);
  for (unsigned i = 0; i < expr.operands.size(); ++i)
    inner[i] = evaluate(*expr.operands[i], frame, callDepth);
  TreeCache::CallKey key(&function, inner.values);
  if (const TreeCache::Result *known = frame.trees ? frame.trees->find(key) : nullptr) {
    // Emitted code computes it anew, so the calls count all the same.
    calls += known->calls;
    if (calls > maxCalls)
      throw EvaluationError{diag::Id::TooManyCalls, expr.range, {function.name, std::to_string(maxCalls)}};
    return known->value;
  }
  unsigned before = calls;
  std::int64_t value = evaluate(*function.body, inner, callDepth + 1);
  if (frame.trees)
    frame.trees->insert(std::move(key), {value, calls - before});
  return value;
}
} // namespace

std::int64_t evaluate(const ir::Expr &expr, const Frame &frame, unsigned callDepth) {
  auto operand = [&](unsigned i) { return number(*expr.operands[i], frame, callDepth); };
  std::int64_t result;
  switch (expr.op) {
  case Op::Constant:
    return expr.value;
  case Op::Variable:
    return frame[expr.variable];
  case Op::Negate:
    if (__builtin_sub_overflow(std::int64_t(0), operand(0), &result))
      overflow(expr);
    return result;
  case Op::Absolute: {
    std::int64_t x = operand(0);
    if (__builtin_mul_overflow(x, x < 0 ? -1 : 1, &result))
      overflow(expr);
    return result;
  }
  case Op::Not:
    return !operand(0);
  case Op::Log2: {
    std::int64_t x = operand(0);
    if (!arithmetic::isPow2(x))
      throw EvaluationError{diag::Id::InexactFunction, expr.range, {"log2(" + std::to_string(x) + ")"}};
    return arithmetic::floorLog2(x);
  }
  case Op::FloorLog2:
    return arithmetic::floorLog2(positive(expr, operand(0), "floor_log2"));
  case Op::CeilLog2:
    return arithmetic::ceilLog2(positive(expr, operand(0), "ceil_log2"));
  case Op::TrailingZeros: {
    std::int64_t x = operand(0);
    if (x == 0)
      throw EvaluationError{diag::Id::InexactFunction, expr.range, {"trailing_zeros(0)"}};
    return llvm::countr_zero(static_cast<std::uint64_t>(x));
  }
  case Op::IsPow2:
    return arithmetic::isPow2(operand(0));
  case Op::IsEven:
    return (operand(0) & 1) == 0;
  case Op::IsOdd:
    return operand(0) & 1;
  case Op::SquareRoot:
    return squareRoot(expr, operand(0));
  case Op::Add:
    return fitting(__builtin_add_overflow(operand(0), operand(1), &result), result, expr);
  case Op::Subtract:
    return fitting(__builtin_sub_overflow(operand(0), operand(1), &result), result, expr);
  case Op::Multiply:
    return fitting(__builtin_mul_overflow(operand(0), operand(1), &result), result, expr);
  case Op::Divide:
  case Op::Modulo: {
    std::int64_t a = operand(0), b = operand(1);
    if (b == 0)
      throw EvaluationError{diag::Id::DivisionByZero, expr.range, {}};
    if (b == -1) {
      if (expr.op == Op::Modulo)
        return 0;
      if (__builtin_sub_overflow(std::int64_t(0), a, &result))
        overflow(expr);
      return result;
    }
    return expr.op == Op::Divide ? arithmetic::floorDiv(a, b) : arithmetic::floorMod(a, b);
  }
  case Op::Power:
    return power(expr, operand(0), operand(1));
  case Op::ShiftLeft:
  case Op::ShiftRight:
    return shift(expr, operand(0), operand(1));
  case Op::BitAnd:
    return fitting(false, operand(0) & operand(1), expr);
  case Op::BitOr:
    return fitting(false, operand(0) | operand(1), expr);
  case Op::BitXor:
    return fitting(false, operand(0) ^ operand(1), expr);
  case Op::Bit: {
    std::int64_t d = operand(1);
    if (d < 0)
      throw EvaluationError{diag::Id::NegativeArgument, expr.range, {"bit", std::to_string(d)}};
    return (operand(0) >> std::min<std::int64_t>(d, 63)) & 1;
  }
  case Op::Minimum:
    return std::min(operand(0), operand(1));
  case Op::Maximum:
    return std::max(operand(0), operand(1));
  case Op::Equal:
    return evaluate(*expr.operands[0], frame, callDepth) == evaluate(*expr.operands[1], frame, callDepth);
  case Op::NotEqual:
    return evaluate(*expr.operands[0], frame, callDepth) != evaluate(*expr.operands[1], frame, callDepth);
  case Op::Less:
    return operand(0) < operand(1);
  case Op::LessEqual:
    return operand(0) <= operand(1);
  case Op::And:
    return operand(0) && operand(1);
  case Op::Or:
    return operand(0) || operand(1);
  case Op::Select:
    return evaluate(*expr.operands[operand(0) ? 1 : 2], frame, callDepth);
  case Op::Call:
    return call(expr, frame, callDepth);
  case Op::BuildTree: {
    std::vector<std::int64_t> arguments;
    for (unsigned i = 0; i < expr.operands.size(); ++i)
      arguments.push_back(operand(i));
    return frame.trees->get(*expr.tree, std::move(arguments), expr.range);
  }
  case Op::TreeField: {
    std::int64_t tree = operand(0);
    if (!frame.trees->has(tree)) // its `let` failed
      throw EvaluationError{diag::Id::ArithmeticOnNone, expr.range, {}};
    return (*frame.trees)[tree].field(expr.field, expr.operands.size() > 1 ? operand(1) : 0);
  }
  default:
    assert(ir::isCostOnly(expr.op)); // cost formulas have an evaluator of their own (cost/Formula.h)
    break;
  }
  throw EvaluationError{diag::Id::CostNotLinear, expr.range, {}};
}

Frame caseFrame(const ir::Schedule &schedule, std::int64_t p, const std::vector<std::int64_t> &numbers, TreeCache &trees) {
  Frame frame;
  frame.trees = &trees;
  frame.values.assign(schedule.variables.size(), 0);
  frame[ir::Schedule::variableP] = p;
  for (size_t i = 0; i < numbers.size(); ++i)
    frame[static_cast<unsigned>(ir::Schedule::firstNumber + i)] = numbers[i];
  return frame;
}

Frame clauseFrame(const ir::Schedule &schedule, std::int64_t p, const std::vector<std::int64_t> &numbers,
                  TreeCache &trees) {
  Frame frame = caseFrame(schedule, p, numbers, trees);
  for (const auto &s : schedule.body)
    if (auto *let = llvm::dyn_cast<ir::LetStmt>(s.get()); let && !let->value->dependsOnRank)
      try {
        frame[let->variable] = evaluate(*let->value, frame);
      } catch (const EvaluationError &) {
        // Reported where the statement runs.
      }
  return frame;
}

} // namespace quadrille
