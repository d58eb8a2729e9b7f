//===- WidthsOfClauses.cpp - Whether the fractions of cost clauses fit -------------------------------------------------------===//
//
// Clauses are evaluated in fractions of two 64-bit numbers: one fraction for the terms in alpha, one for those in beta, and so
// on.
//
//===----------------------------------------------------------------------------------------------------------------===//

#include "WidthsWalk.h"

#include "limits/Limits.h"

namespace quadrille::compiler::prove::widths {

/// Whether an expression contains n, entries of tables, or cost parameters, which occur in cost clauses only.
static bool asksForLengths(const ir::Expr &expr) {
  return ir::anyPart(expr, [](const ir::Expr &part) { return ir::isCostOnly(part.op); });
}

/// The values of the variable of a sum.
Interval Widths::rangeOf(const ir::Expr &sum, const Frame &frame) {
  if (asksForLengths(*sum.operands[0]) || asksForLengths(*sum.operands[1]))
    throw mayOverflow(sum.range, "this sum");
  const Interval lo = of(*sum.operands[0], frame), hi = of(*sum.operands[1], frame);
  return lo.isNothing() || hi.isNothing() ? nothing : Interval{lo.lo, hi.hi - 1};
}

/// The frame in which a sum's term is evaluated, for all values of its variable; nothing if there are none.
std::optional<Frame> Widths::insideOf(const ir::Expr &sum, Interval binder, Frame frame) {
  if (binder.isNothing())
    return std::nullopt;
  frame[sum.variable] = binder;
  tops[sum.variable] = {sum.operands[1], -1};
  if (sum.operands.size() <= 3)
    return frame;
  const ir::Expr &condition = *sum.operands[3];
  clause(condition, frame);
  return asksForLengths(condition) ? std::optional(std::move(frame)) : where(condition, true, std::move(frame));
}

/// The fractions of a sum's term for all values of its variable.
Widths::Fractions Widths::eachTerm(const ir::Expr &sum, Interval binder, Frame frame) {
  std::optional<Frame> inside = insideOf(sum, binder, std::move(frame));
  return inside ? clause(*sum.operands[2], std::move(*inside)) : Fractions();
}

/// Whether it is a rounded ratio of numbers, which is a whole number.
static bool isWhole(const ir::Expr &expr) {
  using ir::Op;
  return (expr.op == Op::Ceiling || expr.op == Op::Floor) && !ir::anyPart(expr, [](const ir::Expr &part) {
    return llvm::is_contained({Op::Alpha, Op::Beta, Op::Gamma, Op::Length, Op::Element}, part.op);
  });
}

/// Whether a part of the expression is a fraction whose denominator mentions the variable.
static bool dividesBy(const ir::Expr &expr, unsigned variable) {
  if (isWhole(expr))
    return false;
  return (expr.op == ir::Op::Ratio && ir::mentions(*expr.operands[1], variable)) ||
         llvm::any_of(expr.operands, [&](const ir::Expr *operand) { return dividesBy(*operand, variable); });
}

/// The terms of a product of sums, each the factors of a product. Nothing if it is a ratio of something, or there are many.
static std::optional<std::vector<std::vector<const ir::Expr *>>> termsOf(const ir::Expr &expr) {
  using ir::Op;
  using Terms = std::vector<std::vector<const ir::Expr *>>;
  constexpr std::size_t most = 16;
  if (expr.op == Op::Ratio && asksForLengths(expr))
    return std::nullopt;
  if (!asksForLengths(expr) || (expr.op != Op::Add && expr.op != Op::Multiply))
    return Terms{{&expr}};
  std::optional<Terms> left = termsOf(*expr.operands[0]), right = termsOf(*expr.operands[1]);
  if (!left || !right || left->size() * right->size() > most)
    return std::nullopt;
  if (expr.op == Op::Add) {
    llvm::append_range(*left, *right);
    return left;
  }
  Terms result;
  for (const auto &a : *left)
    for (const auto &b : *right) {
      result.push_back(a);
      llvm::append_range(result.back(), b);
    }
  return result;
}

/// The fractions of (b div y)*(u + v*y), say: v*(b div y)*y is at most v*b. Each product of the expression is counted `times` its
/// factors.
std::optional<Widths::Fractions> Widths::distributed(const ir::Expr &expr, const Frame &frame,
                                                     llvm::function_ref<Extended(llvm::ArrayRef<const ir::Expr *>)> times) {
  Fractions result;
  const auto terms = termsOf(expr);
  if (!terms)
    return std::nullopt;
  for (const auto &factors : *terms) {
    llvm::SmallVector<const ir::Expr *, 4> numbers;
    unsigned kind = 0;
    Extended most = times(factors);
    for (const ir::Expr *factor : factors) {
      if (!asksForLengths(*factor)) {
        addFactors(*factor, numbers);
        continue;
      }
      const Fractions of = clause(*factor, frame);
      if (of.size() != 1 || of.begin()->second.second != 1)
        return std::nullopt;
      kind |= of.begin()->first;
      most = most * of.begin()->second.first;
    }
    Extended all = 1;
    for (const ir::Expr *number : numbers)
      all = all * std::max<Extended>(1, this->of(*number, frame).magnitude());
    if (const std::optional<Extended> closer = timesFactorsOfDivisor(numbers, frame))
      all = std::min(all, std::max<Extended>(1, *closer));
    auto &into = result.try_emplace(kind, std::pair<Extended, Extended>(0, 1)).first->second;
    into.first = into.first + most * all;
  }
  return result;
}

/// Whether it is a sum over the numbers whose class is the value of the variable, which nothing else in it mentions: a number has
/// one class, so that all these sums together have no more terms than one over all numbers.
static bool isOverClass(const ir::Expr &sum, unsigned variable) {
  using ir::Op;
  if (sum.op != Op::SumOver || sum.operands.size() <= 3 ||
      llvm::any_of(llvm::ArrayRef(sum.operands).take_front(3), [&](const ir::Expr *part) { return ir::mentions(*part, variable); }))
    return false;
  llvm::SmallVector<const ir::Expr *, 4> conditions{sum.operands[3]};
  while (!conditions.empty()) {
    const ir::Expr &condition = *conditions.pop_back_val();
    if (condition.op == Op::And)
      conditions.append(condition.operands.begin(), condition.operands.end());
    if (condition.op != Op::Equal)
      continue;
    const ir::Expr &left = *condition.operands[0], &right = *condition.operands[1];
    auto isVariable = [&](const ir::Expr &expr) { return expr.op == Op::Variable && expr.variable == variable; };
    if ((isVariable(left) && !ir::mentions(right, variable)) || (isVariable(right) && !ir::mentions(left, variable)))
      return true;
  }
  return false;
}

/// The fractions of a sum: the number of terms times the largest term; if that does not fit and the terms are few, they are added
/// one by one.
Widths::Fractions Widths::sum(const ir::Expr &expr, Frame frame) {
  const Interval binder = rangeOf(expr, frame);
  const ir::Expr &term = *expr.operands[2];
  // If terms have different denominators, the common one is not known.
  if (dividesBy(term, expr.variable))
    throw mayOverflow(expr.range, "this sum");
  const Extended terms = std::max<Extended>(1, binder.isNothing() ? 0 : binder.hi - binder.lo + 1);
  Fractions result = eachTerm(expr, binder, frame);
  bool fits = true;
  for (auto &[kind, fraction] : result) {
    fraction.first = fraction.first * terms;
    fits &= point(fraction.first).fits();
  }
  auto isOverClass = [&](const ir::Expr &part) { return widths::isOverClass(part, expr.variable); };
  if (ir::anyPart(term, isOverClass))
    if (const std::optional<Frame> inside = insideOf(expr, binder, frame)) {
      auto times = [&](llvm::ArrayRef<const ir::Expr *> factors) {
        return llvm::any_of(factors, [&](const ir::Expr *factor) { return isOverClass(*factor); }) ? Extended(1) : terms;
      };
      if (const std::optional<Fractions> closer = distributed(term, *inside, times))
        return *closer;
    }
  if (fits || terms > limits::fractionTerms.value())
    return result;
  result.clear();
  for (Extended value = binder.lo; value <= binder.hi; value = value + 1)
    for (const auto &[kind, fraction] : eachTerm(expr, point(value), frame)) {
      auto &into = result[kind];
      into = {into.first + fraction.first, std::max(into.second, fraction.second)};
    }
  return result;
}

Widths::Fractions Widths::clause(const ir::Expr &expr, Frame frame) {
  using ir::Op;
  if (!asksForLengths(expr))
    return {{0u, {std::max<Extended>(1, of(expr, frame).magnitude()), 1}}};
  auto operand = [&](unsigned i) { return clause(*expr.operands[i], frame); };
  auto checked = [&](Fractions result) {
    for (const auto &[kind, fraction] : result)
      if (!point(std::max(fraction.first, fraction.second)).fits())
        throw mayOverflow(expr.range, "a clause");
    return result;
  };
  switch (expr.op) {
  case Op::Alpha:
  case Op::Beta:
  case Op::Gamma:
    return {{1u << (static_cast<unsigned>(expr.op) - static_cast<unsigned>(Op::Alpha)), {1, 1}}};
  case Op::Length:
  case Op::Element: // given by the caller: no bound is known, so they are left out
    for (const ir::Expr *index : expr.operands)
      of(*index, frame);
    return {{0u, {1, 1}}};
  case Op::Add:
  case Op::Subtract: {
    Fractions sum = operand(0);
    for (const auto &[kind, b] : operand(1))
      if (auto [a, isNew] = sum.try_emplace(kind, b); !isNew) {
        const auto [number, divisor] = a->second;
        a->second = divisor == b.second ? std::pair(number + b.first, divisor)
                                        : std::pair(number * b.second + b.first * divisor, divisor * b.second);
      }
    return checked(sum);
  }
  case Op::Multiply:
  case Op::Ratio: {
    Fractions product;
    const Fractions left = operand(0), right = operand(1);
    for (const auto &[kindA, a] : left)
      for (const auto &[kindB, b] : right) {
        const bool isRatio = expr.op == Op::Ratio;
        auto &into = product[kindA | kindB];
        into.first = std::max(into.first, a.first * (isRatio ? b.second : b.first));
        into.second = std::max(into.second, a.second * (isRatio ? b.first : b.second));
      }
    const auto fits = [](const auto &entry) { return point(std::max(entry.second.first, entry.second.second)).fits(); };
    if (expr.op == Op::Multiply && !llvm::all_of(product, fits))
      if (const std::optional<Fractions> closer = distributed(expr, frame, [](llvm::ArrayRef<const ir::Expr *>) { return Extended(1); }))
        product = *closer;
    return checked(product);
  }
  case Op::Ceiling:
  case Op::Floor: {
    Fractions result = operand(0);
    if (isWhole(expr))
      for (auto &[kind, fraction] : result)
        fraction.second = 1;
    return result;
  }
  case Op::SumOver:
    return checked(sum(expr, std::move(frame)));
  case Op::MinimumOver:
  case Op::MaximumOver: {
    const Interval binder = rangeOf(expr, frame);
    return eachTerm(expr, binder, std::move(frame));
  }
  default: { // the value is one of the operands, or not larger than the largest
    Fractions largest;
    for (const ir::Expr *part : expr.operands)
      for (const auto &[kind, fraction] : clause(*part, frame)) {
        auto &into = largest[kind];
        into = {std::max(into.first, fraction.first), std::max(into.second, fraction.second)};
      }
    return largest;
  }
  }
}

} // namespace quadrille::compiler::prove::widths
