//===- Formula.cpp - The value of a cost clause -------------------------------------------------------------------------------------===//

#include "Formula.h"

namespace quadrille {

using ir::Op;

std::string LinearCost::text(bool withGamma) const {
  std::string result;
  auto add = [&](const Rational &factor, const char *unit) {
    if (factor.isZero())
      return;
    std::string part = *unit == '\0' ? factor.text() : factor == Rational(1) ? unit : factor.text() + "*" + unit;
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
class FormulaEvaluator {
public:
  FormulaEvaluator(const Frame &frame, const Lengths &lengths) : frame(frame), lengths(lengths) {}

  LinearCost value(const ir::Expr &expr) {
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
    case Op::Length:
      result.constant = lengths.n;
      return result;
    case Op::Add:
    case Op::Subtract: {
      LinearCost x = value(*expr.operands[0]), y = value(*expr.operands[1]);
      auto join = [&](const Rational &u, const Rational &v) { return expr.op == Op::Add ? u + v : u - v; };
      return check(expr, {join(x.constant, y.constant), join(x.a, y.a), join(x.b, y.b), join(x.c, y.c)});
    }
    case Op::Negate: {
      LinearCost x = value(*expr.operands[0]);
      return check(expr, {Rational(0) - x.constant, Rational(0) - x.a, Rational(0) - x.b, Rational(0) - x.c});
    }
    case Op::Multiply: {
      LinearCost x = value(*expr.operands[0]), y = value(*expr.operands[1]);
      if (!x.isNumber())
        std::swap(x, y);
      if (!x.isNumber())
        throw EvaluationError{diag::Id::CostNotLinear, expr.range, {}};
      const Rational &f = x.constant;
      return check(expr, {f * y.constant, f * y.a, f * y.b, f * y.c});
    }
    case Op::Ratio: {
      LinearCost x = value(*expr.operands[0]);
      Rational f = number(*expr.operands[1]);
      if (f.isZero())
        throw EvaluationError{diag::Id::DivisionByZero, expr.range, {}};
      return check(expr, {x.constant / f, x.a / f, x.b / f, x.c / f});
    }
    case Op::Select:
      return value(*expr.operands[truth(*expr.operands[0]) ? 1 : 2]);
    case Op::Ceiling:
      result.constant = number(*expr.operands[0]).ceil();
      return check(expr, result);
    case Op::Floor:
      result.constant = number(*expr.operands[0]).floor();
      return check(expr, result);
    case Op::Minimum:
    case Op::Maximum: {
      Rational x = number(*expr.operands[0]), y = number(*expr.operands[1]);
      result.constant = (x < y) == (expr.op == Op::Minimum) ? x : y;
      return result;
    }
    case Op::Element:
      result.constant = element(expr);
      return result;
    case Op::SumOver:
    case Op::MinimumOver:
    case Op::MaximumOver:
      return over(expr);
    default:
      result.constant = integer(expr);
      return result;
    }
  }

private:
  static LinearCost check(const ir::Expr &expr, LinearCost cost) {
    if (!cost.valid())
      throw EvaluationError{diag::Id::Overflow, expr.range,
                            {std::string(expr.range.Start.getPointer(), expr.range.End.getPointer())}};
    return cost;
  }

  std::int64_t element(const ir::Expr &expr) {
    llvm::SmallVector<std::int64_t, 2> indices;
    for (const ir::Expr *index : expr.operands)
      indices.push_back(whole(*index));
    const LengthTable &table = (*lengths.tables)[expr.variable];
    std::optional<std::uint32_t> entry = table.entry(indices);
    if (!entry)
      throw EvaluationError{diag::Id::NoSuchEntry, expr.range, {"the clause", table.text(indices), table.name, table.size()}};
    return lengths.entries[*entry];
  }

  /// A sum of costs; or the least or largest of numbers, 0 if there are none.
  LinearCost over(const ir::Expr &expr) {
    LinearCost result;
    bool any = false;
    std::int64_t lo = whole(*expr.operands[0]), hi = whole(*expr.operands[1]);
    for (std::int64_t i = lo; i < hi; ++i) {
      if (++terms > maxTerms)
        throw EvaluationError{diag::Id::TooManySteps, expr.range, {std::to_string(maxTerms)}};
      frame[expr.variable] = i;
      if (expr.operands.size() > 3 && !truth(*expr.operands[3]))
        continue;
      if (expr.op == Op::SumOver) {
        LinearCost x = value(*expr.operands[2]);
        result = check(expr, {result.constant + x.constant, result.a + x.a, result.b + x.b, result.c + x.c});
        continue;
      }
      Rational x = number(*expr.operands[2]);
      if (!any || (x < result.constant) == (expr.op == Op::MinimumOver))
        result.constant = x;
      any = true;
    }
    return result;
  }

  Rational number(const ir::Expr &expr) {
    LinearCost x = value(expr);
    if (!x.isNumber())
      throw EvaluationError{diag::Id::CostNotLinear, expr.range, {}};
    return x.constant;
  }

  std::int64_t whole(const ir::Expr &expr) {
    Rational x = number(expr);
    if (!x.isInteger())
      throw EvaluationError{diag::Id::InexactFunction, expr.range, {x.text()}};
    return x.num();
  }

  /// Other operations are those of integers; their operands may still mention n or a ratio that is whole.
  std::int64_t integer(const ir::Expr &expr) {
    if (expr.operands.empty() || expr.op == Op::TreeField || expr.op == Op::BuildTree || expr.op == Op::Call)
      return evaluate(expr, frame);
    ir::Expr copy = expr;
    std::vector<ir::Expr> constants(expr.operands.size());
    for (size_t i = 0; i < expr.operands.size(); ++i) {
      constants[i].op = Op::Constant;
      constants[i].value = expr.operands[i]->type == ir::Type::Boolean ? truth(*expr.operands[i]) : whole(*expr.operands[i]);
      constants[i].range = expr.operands[i]->range;
      copy.operands[i] = &constants[i];
    }
    return evaluate(copy, frame);
  }

  bool truth(const ir::Expr &expr) { return integer(expr) != 0; }

  static constexpr std::uint64_t maxTerms = std::uint64_t(1) << 24;
  Frame frame; // its own: sums have variables
  const Lengths &lengths;
  std::uint64_t terms = 0;
};
} // namespace

LinearCost evaluateFormula(const ir::Expr &formula, const Frame &frame, const Lengths &lengths) {
  return FormulaEvaluator(frame, lengths).value(formula);
}

} // namespace quadrille
