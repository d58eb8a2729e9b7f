//===- LinearCost.cpp - The value of a cost clause ----------------------------------------------------------------------------------===//

#include "LinearCost.h"

#include "arithmetic/Integers.h"
#include "evaluate/Work.h"
#include "limits/Limits.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/SaveAndRestore.h"

#include <cassert>

namespace quadrille::compiler {

using ir::Op;
using Signs = Polynomial::Signs;

std::string LinearCost::text(bool withGamma, std::int64_t step) const {
  std::string result;
  auto add = [&](const Polynomial &factor, const char *unit) {
    const std::string number = factor.text(step);
    if (number == "0")
      return;
    std::string part = *unit == '\0' ? number : number == "1" ? unit : number + "*" + unit;
    result += (result.empty() ? "" : " + ") + part;
  };
  add(constant, "");
  add(a, "alpha");
  add(b, "beta");
  if (withGamma)
    add(c, "gamma");
  return result.empty() ? "0" : result;
}

namespace {
/// Evaluates an expression at the step `here`, to polynomials that are valid from `here` to `last`. Every decision (a sign, a
/// comparison, a rounding) lowers `last` to the last step at which it is the same. With fixed lengths all polynomials are numbers.
class FormulaEvaluator {
public:
  FormulaEvaluator(const Frame &frame, const GrowingLengths &lengths, std::int64_t step, std::uint64_t &operations)
      : operations(operations), frame(frame), unit(lengths.unit), scale(Polynomial::line(lengths.first, lengths.width)),
        mostFactor(lengths.width ? lengths.maxWidth / lengths.width : 1), here(step), last(lengths.lastStep()) {}

  CostStretch stretch(const ir::Expr &formula) {
    LinearCost cost = term(formula);
    return {std::move(cost), last};
  }

  LinearCost value(const ir::Expr &expr) {
    ++operations;
    Work::count(Work::ofCostOperation);
    LinearCost result;
    switch (expr.op) {
    case Op::Alpha:
      result.a = 1;
      return result;
    case Op::Beta:
      result.b = 1;
      return result;
    case Op::Gamma:
      result.c = 1;
      return result;
    case Op::Add:
    case Op::Subtract: {
      LinearCost x = term(*expr.operands[0]), y = term(*expr.operands[1]);
      auto join = [&](const Polynomial &u, const Polynomial &v) { return expr.op == Op::Add ? u + v : u - v; };
      return check(expr, LinearCost{join(x.constant, y.constant), join(x.a, y.a), join(x.b, y.b), join(x.c, y.c)});
    }
    case Op::Negate: {
      LinearCost x = term(*expr.operands[0]);
      return check(expr, LinearCost{0 - x.constant, 0 - x.a, 0 - x.b, 0 - x.c});
    }
    case Op::Multiply: {
      LinearCost x = term(*expr.operands[0]), y = term(*expr.operands[1]);
      if (!x.isNumber())
        std::swap(x, y);
      if (!x.isNumber())
        throw EvaluationError{expr.range, diag::CostNotLinear{}};
      const Polynomial &f = x.constant;
      return check(expr, LinearCost{f * y.constant, f * y.a, f * y.b, f * y.c});
    }
    case Op::Ratio: {
      LinearCost x = term(*expr.operands[0]);
      Polynomial divisor = number(*expr.operands[1]);
      if (!divisor.isConstant()) {
        x = hereOnly(expr, x);
        divisor = hereOnly(expr, divisor);
      }
      const Rational &f = divisor.constant();
      if (f.isZero())
        throw EvaluationError{expr.range, diag::DivisionByZero{}};
      return check(expr, LinearCost{x.constant / f, x.a / f, x.b / f, x.c / f});
    }
    case Op::Select:
      return value(*expr.operands[truth(*expr.operands[0]) ? 1 : 2]);
    case Op::SumOver:
      forEachOver(expr, [&](const ir::Expr &each) {
        const LinearCost x = term(each);
        for (Polynomial LinearCost::*part : {&LinearCost::constant, &LinearCost::a, &LinearCost::b, &LinearCost::c})
          result.*part += x.*part;
        result = check(expr, std::move(result));
      });
      return result;
    default:
      result.constant = plainNumber(expr);
      return result;
    }
  }

private:
  /// Returns the value, or throws EvaluationError if its coefficients do not fit.
  template <typename Value> static Value check(const ir::Expr &expr, Value value) {
    if (!value.valid())
      throw EvaluationError{expr.range,
                            diag::Overflow{.what = std::string(expr.range.Start.getPointer(), expr.range.End.getPointer())}};
    return value;
  }

  // ---- decisions

  /// The sign of the polynomial here. Lowers `last` to where it changes.
  int sign(const Polynomial &x) {
    const int result = x.sign(here);
    holdsWhile(x, result < 0 ? Signs::Negative : result > 0 ? Signs::Positive : Signs::Zero);
    return result;
  }
  bool isNegative(const Polynomial &x) {
    const bool result = x.sign(here) < 0;
    holdsWhile(x, result ? Signs::Negative : Signs::NotNegative);
    return result;
  }
  void holdsWhile(const Polynomial &x, Signs signs) { last = x.lastWith(signs, here, last); }
  /// Lowers `last` to where the value, which is in least .. most here, leaves this range.
  void holdsWithin(const ir::Expr &expr, const Polynomial &x, std::int64_t least, std::int64_t most) {
    holdsWhile(check(expr, x - least), Signs::NotNegative);
    holdsWhile(check(expr, x - most), Signs::NotPositive);
  }
  /// The value here as a number; if it grows, the result is valid for this step only.
  Polynomial hereOnly(const ir::Expr &expr, const Polynomial &x) {
    if (x.isConstant())
      return x;
    last = here;
    return check(expr, x.at(here));
  }
  LinearCost hereOnly(const ir::Expr &expr, const LinearCost &x) {
    return {hereOnly(expr, x.constant), hereOnly(expr, x.a), hereOnly(expr, x.b), hereOnly(expr, x.c)};
  }

  /// Whether values at different steps differ by integers. Throws WiderSteps if they would with wider steps.
  bool growsWhole(const Polynomial &x) const {
    const std::int64_t factor = x.denominator();
    if (factor > 1 && factor <= mostFactor)
      throw WiderSteps{factor};
    return factor == 1;
  }

  Polynomial floor(const ir::Expr &expr, const Polynomial &x) {
    if (growsWhole(x))
      return check(expr, x - x.constant() + x.constant().floor());
    const Rational result = check(expr, x.at(here)).floor();
    holdsWhile(check(expr, x - result), Signs::NotNegative);
    holdsWhile(check(expr, x - result - 1), Signs::Negative);
    return result;
  }

  /// floor(x / divisor).
  Polynomial quotient(const ir::Expr &expr, const Polynomial &x, const Polynomial &divisor) {
    const int sign = this->sign(divisor);
    if (sign == 0)
      throw EvaluationError{expr.range, diag::DivisionByZero{}};
    if (divisor.isConstant())
      return floor(expr, x / divisor.constant());
    const Rational result = check(expr, x.at(here) / divisor.at(here)).floor();
    const Polynomial rest = check(expr, (x - result * divisor) * sign), next = check(expr, rest - divisor * sign);
    holdsWhile(rest, Signs::NotNegative);
    holdsWhile(next, Signs::Negative);
    return result;
  }

  /// The remainder, in 0 ..< |divisor|.
  Polynomial modulo(const ir::Expr &expr, const Polynomial &x, const Polynomial &divisor) {
    const Polynomial size = divisor * sign(divisor);
    return x - quotient(expr, x, size) * size;
  }

  /// floor(sign * operand); with sign = -1 this is -ceiling(operand). A ratio is divided and rounded at once.
  Polynomial rounded(const ir::Expr &expr, const ir::Expr &operand, int sign) {
    if (operand.op != Op::Ratio)
      return floor(expr, number(operand) * sign);
    const Polynomial x = number(*operand.operands[0]), divisor = number(*operand.operands[1]);
    return quotient(operand, x * sign, divisor);
  }

  // ---- numbers

  static bool mayBeCost(Op op) {
    switch (op) {
    case Op::Alpha:
    case Op::Beta:
    case Op::Gamma:
    case Op::Add:
    case Op::Subtract:
    case Op::Negate:
    case Op::Multiply:
    case Op::Ratio:
    case Op::Select:
    case Op::SumOver:
      return true;
    default:
      return false;
    }
  }

  /// Throws for `none`, which functions may return: it has no arithmetic.
  static void refuseNone(const ir::Expr &expr, const Polynomial &x) {
    if (x == Polynomial(ir::none))
      throw EvaluationError{expr.range, diag::ArithmeticOnNone{}};
  }

  LinearCost term(const ir::Expr &expr) {
    LinearCost x = value(expr);
    refuseNone(expr, x.constant);
    return x;
  }

  Polynomial number(const ir::Expr &expr) {
    Polynomial x = numberOrNone(expr);
    refuseNone(expr, x);
    return x;
  }

  Polynomial numberOrNone(const ir::Expr &expr) {
    if (!mayBeCost(expr.op))
      return plainNumber(expr);
    LinearCost x = value(expr);
    if (!x.isNumber())
      throw EvaluationError{expr.range, diag::CostNotLinear{}};
    return x.constant;
  }

  /// A polynomial with integer values, or `none`. Throws EvaluationError if the value is no integer.
  Polynomial whole(const ir::Expr &expr) {
    Polynomial x = numberOrNone(expr);
    if (!growsWhole(x))
      x = hereOnly(expr, x);
    if (!x.constant().isInteger())
      throw EvaluationError{expr.range, diag::InexactFunction{.call = x.constant().text()}};
    return x;
  }

  /// An index or a bound of a range: a number, which restricts the result to this step if it grows.
  std::int64_t integer(const ir::Expr &expr) {
    const Polynomial x = hereOnly(expr, whole(expr));
    refuseNone(expr, x);
    return x.constant().num();
  }

  bool truth(const ir::Expr &expr) { return sign(number(expr)) != 0; }

  Polynomial length(const ir::Expr &expr, std::int64_t ofUnit) const { return check(expr, scale * ofUnit); }

  Polynomial element(const ir::Expr &expr) {
    llvm::SmallVector<std::int64_t, 2> indices;
    for (const ir::Expr *index : expr.operands)
      indices.push_back(integer(*index));
    const LengthTable &table = (*unit.tables)[expr.variable];
    std::optional<std::uint32_t> entry = table.entry(indices);
    if (!entry)
      throw EvaluationError{expr.range, diag::NoSuchEntry{.rank = std::nullopt, .entry = table.text(indices), .table = table.name,
                                                          .size = table.size()}};
    return length(expr, unit.entries[*entry]);
  }

  /// Calls `visit` for each term of a sum, minimum or maximum, with its variable set.
  void forEachOver(const ir::Expr &expr, llvm::function_ref<void(const ir::Expr &)> visit) {
    const std::int64_t lo = integer(*expr.operands[0]), hi = integer(*expr.operands[1]);
    auto tooMany = [&] {
      return EvaluationError{
          expr.range, diag::TooManySteps{.limit = limits::summedTerms, .what = diag::WorkloadTerms{}}};
    };
    if (lo < hi && static_cast<std::uint64_t>(hi) - static_cast<std::uint64_t>(lo) > limits::summedTerms)
      throw tooMany();
    for (std::int64_t i = lo; i < hi; ++i) {
      if (++terms > limits::summedTerms)
        throw tooMany();
      frame[expr.variable] = i;
      if (expr.operands.size() <= 3 || truth(*expr.operands[3]))
        visit(*expr.operands[2]);
    }
  }

  /// A minimum or maximum over a range; 0 if the range is empty.
  Polynomial extremeOver(const ir::Expr &expr) {
    std::optional<Polynomial> result;
    forEachOver(expr, [&](const ir::Expr &each) {
      Polynomial x = number(each);
      if (!result || isNegative(check(expr, expr.op == Op::MinimumOver ? x - *result : *result - x)))
        result = std::move(x);
    });
    return result.value_or(0);
  }

  /// An operation whose result is a number.
  Polynomial plainNumber(const ir::Expr &expr) {
    ++operations;
    Work::count(Work::ofCostOperation);
    switch (expr.op) {
    case Op::Length:
      return length(expr, unit.n);
    case Op::Element:
      return element(expr);
    case Op::Constant:
      return expr.value;
    case Op::Variable:
      return variable(expr.variable);
    case Op::Call:
      return call(expr);
    case Op::MinimumOver:
    case Op::MaximumOver:
      return extremeOver(expr);
    case Op::Ceiling:
      return check(expr, rounded(expr, *expr.operands[0], -1) * -1);
    case Op::Floor:
      return rounded(expr, *expr.operands[0], 1);
    case Op::Minimum:
    case Op::Maximum: {
      Polynomial x = number(*expr.operands[0]), y = number(*expr.operands[1]);
      return isNegative(check(expr, x - y)) == (expr.op == Op::Minimum) ? x : y;
    }
    case Op::And:
      return truth(*expr.operands[0]) && truth(*expr.operands[1]);
    case Op::Or:
      return truth(*expr.operands[0]) || truth(*expr.operands[1]);
    case Op::Not:
      return !truth(*expr.operands[0]);
    default:
      return ofIntegers(expr);
    }
  }

  /// An operation on integers. Operands may grow, and may be ratios with integer values.
  Polynomial ofIntegers(const ir::Expr &expr) {
    llvm::SmallVector<Polynomial, 2> operands;
    for (const ir::Expr *operand : expr.operands)
      operands.push_back(whole(*operand));
    const bool isFixed = llvm::all_of(operands, [](const Polynomial &x) { return x.isConstant(); });
    if (!isFixed)
      if (std::optional<Polynomial> known = growing(expr, operands))
        return check(expr, *known);
    for (Polynomial &x : operands)
      x = hereOnly(expr, x);
    return applied(expr, operands);
  }

  /// Applies the operation to constant operands.
  Polynomial applied(const ir::Expr &expr, llvm::ArrayRef<Polynomial> operands) {
    ir::Expr copy = expr;
    std::vector<ir::Expr> constants(operands.size());
    for (size_t i = 0; i < operands.size(); ++i) {
      constants[i].op = Op::Constant;
      constants[i].value = operands[i].constant().num();
      constants[i].range = expr.operands[i]->range;
      copy.operands[i] = &constants[i];
    }
    return evaluate(copy, frame);
  }

  /// Applies the operation to operands of which some grow; nothing if it has to be evaluated step by step.
  std::optional<Polynomial> growing(const ir::Expr &expr, llvm::ArrayRef<Polynomial> x) {
    // A growing operand is never `none`.
    if (llvm::is_contained(x, Polynomial(ir::none)))
      return expr.op == Op::Equal || expr.op == Op::NotEqual ? std::optional<Polynomial>(expr.op == Op::NotEqual) : std::nullopt;
    auto difference = [&](unsigned a, unsigned b) { return check(expr, x[a] - x[b]); };
    // The second operand, if it is constant.
    const std::int64_t bits = x.size() > 1 && x[1].isConstant() ? x[1].constant().num() : -1;
    const bool isShift = 0 <= bits && bits < 63;
    const std::int64_t power = isShift ? std::int64_t(1) << bits : 0;
    switch (expr.op) {
    case Op::Absolute:
      return isNegative(x[0]) ? 0 - x[0] : x[0];
    case Op::Equal:
      return sign(difference(0, 1)) == 0;
    case Op::NotEqual:
      return sign(difference(0, 1)) != 0;
    case Op::Less:
      return isNegative(difference(0, 1));
    case Op::LessEqual:
      return !isNegative(difference(1, 0));
    case Op::Divide:
      return quotient(expr, x[0], x[1]);
    case Op::Modulo:
      return modulo(expr, x[0], x[1]);
    case Op::Power: {
      if (!isShift)
        return std::nullopt;
      Polynomial result = 1;
      for (std::int64_t i = 0; i < bits; ++i)
        result = check(expr, result * x[0]);
      return result;
    }
    case Op::ShiftLeft:
      return isShift ? std::optional(x[0] * power) : std::nullopt;
    case Op::ShiftRight:
      return isShift ? std::optional(floor(expr, x[0] / power)) : std::nullopt;
    case Op::Bit:
      return isShift ? std::optional(modulo(expr, floor(expr, x[0] / power), 2)) : std::nullopt;
    case Op::IsEven:
    case Op::IsOdd:
      return sign(modulo(expr, x[0], 2)) == (expr.op == Op::IsOdd);
    case Op::BitAnd:
    case Op::BitOr:
    case Op::BitXor:
      return ofBits(expr, x[0], x[1]);
    case Op::IsPow2:
    case Op::Log2:
    case Op::FloorLog2:
    case Op::CeilLog2:
      return ofPowers(expr, x[0]);
    default:
      return std::nullopt;
    }
  }

  /// Bitwise and, or, xor of a growing number and a constant.
  std::optional<Polynomial> ofBits(const ir::Expr &expr, const Polynomial &x, const Polynomial &y) {
    if (x.isConstant() == y.isConstant())
      return std::nullopt;
    const Polynomial &number = x.isConstant() ? y : x;
    const std::int64_t mask = (x.isConstant() ? x : y).constant().num();
    // A negative mask has infinitely many ones; use its complement.
    std::optional<Polynomial> both = masked(expr, number, mask < 0 ? ~mask : mask);
    if (!both)
      return std::nullopt;
    if (mask < 0)
      both = number - *both;
    return expr.op == Op::BitAnd ? *both : number + mask - (expr.op == Op::BitOr ? *both : *both * 2);
  }

  /// x & mask, for mask >= 0.
  std::optional<Polynomial> masked(const ir::Expr &expr, const Polynomial &x, std::int64_t mask) {
    if (mask == 0)
      return 0;
    const std::int64_t least = mask & -mask, highest = std::int64_t(1) << arithmetic::floorLog2(mask);
    if (highest > std::numeric_limits<std::int64_t>::max() / 2)
      return std::nullopt;
    // Only the bits from the lowest to the highest one of the mask matter.
    const Polynomial shifted = floor(expr, x / least);
    const Polynomial low = modulo(expr, shifted, 2 * (highest / least));
    if (mask == 2 * highest - least) // no zeros between the lowest and the highest one
      return low * least;
    if (!low.isConstant())
      return std::nullopt;
    return Polynomial((low.constant().num() * least) & mask);
  }

  /// pow2, floor_log2, ceil_log2 of a growing number.
  std::optional<Polynomial> ofPowers(const ir::Expr &expr, const Polynomial &x) {
    constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
    const Rational value = check(expr, x.at(here));
    if (value <= Rational(0)) {
      if (expr.op != Op::IsPow2)
        return std::nullopt;
      holdsWhile(x, Signs::NotPositive);
      return 0;
    }
    const std::int64_t number = value.num(), log = arithmetic::floorLog2(number), power = std::int64_t(1) << log;
    const std::int64_t next = log == 62 ? most : 2 * power;
    switch (expr.op) {
    case Op::FloorLog2:
      holdsWithin(expr, x, power, log == 62 ? most : next - 1);
      return log;
    case Op::CeilLog2:
      if (number == power)
        holdsWithin(expr, x, power / 2 + 1, power);
      else
        holdsWithin(expr, x, power + 1, next);
      return number == power ? log : log + 1;
    case Op::IsPow2:
      if (number == power)
        holdsWithin(expr, x, power, power);
      else
        holdsWithin(expr, x, power + 1, log == 62 ? most : next - 1);
      return number == power;
    default: // log2 has a value at powers of two only
      return std::nullopt;
    }
  }

  Polynomial variable(unsigned number) const {
    for (const auto &[other, polynomial] : growingVariables)
      if (other == number)
        return polynomial;
    return frame[number];
  }

  /// A call. With constant arguments the function is evaluated as usual; if one grows, its body is evaluated to polynomials.
  Polynomial call(const ir::Expr &expr) {
    llvm::SmallVector<Polynomial, 2> arguments;
    for (const ir::Expr *operand : expr.operands)
      arguments.push_back(whole(*operand));
    if (llvm::all_of(arguments, [](const Polynomial &x) { return x.isConstant(); }))
      return applied(expr, arguments);
    const ir::Function &function = *expr.function;
    if (callDepth >= limits::readDepth || ++calls > limits::readCalls)
      throw EvaluationError{expr.range, diag::TooManyCalls{.function = function.name, .limit = limits::readCalls}};
    Frame inner;
    inner.trees = frame.trees;
    inner.values.assign(function.variables.size(), 0);
    decltype(growingVariables) growing;
    for (auto [i, argument] : llvm::enumerate(arguments))
      if (argument.isConstant())
        inner[static_cast<unsigned>(i)] = argument.constant().num();
      else
        growing.push_back({static_cast<unsigned>(i), argument});
    const llvm::SaveAndRestore depth(callDepth, callDepth + 1);
    std::swap(frame, inner);
    std::swap(growingVariables, growing);
    Polynomial result = numberOrNone(*function.body);
    std::swap(frame, inner);
    std::swap(growingVariables, growing);
    return result;
  }

  std::uint64_t &operations;
  Frame frame; // a copy: variables of sums are set in it
  llvm::SmallVector<std::pair<unsigned, Polynomial>, 2> growingVariables; // variables of the frame whose values grow, with these values
  const Lengths &unit;
  const Polynomial scale;
  const std::int64_t mostFactor; // WiderSteps may ask for up to this factor
  const std::int64_t here;
  std::int64_t last;
  std::uint64_t terms = 0;
  unsigned callDepth = 0, calls = 0;
};
} // namespace

LinearCost evaluateClause(const ir::Expr &formula, const Frame &frame, const Lengths &lengths) {
  std::uint64_t operations = 0;
  return evaluateClause(formula, frame, {lengths}, 0, operations).cost;
}

CostStretch evaluateClause(const ir::Expr &formula, const Frame &frame, const GrowingLengths &lengths, std::int64_t step,
                               std::uint64_t &operations) {
  assert(lengths.first >= 0 && lengths.width >= 0 && step >= 0 && "lengths grow");
  CostStretch result = FormulaEvaluator(frame, lengths, step, operations).stretch(formula);
  assert(result.last >= step && "the cost is valid at least here");
  return result;
}

} // namespace quadrille::compiler
