//===- Widths.cpp - Whether numbers fit in 64 bits --------------------------------------------------------------------------===//

#include "WidthsWalk.h"

#include "evaluate/Intervals.h"
#include "ir/Walk.h"
#include "limits/Limits.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <cassert>

namespace quadrille::compiler::prove {

namespace widths {

std::string shortText(llvm::SMRange range) {
  if (!range.isValid())
    return {};
  std::string result;
  for (const char *c = range.Start.getPointer(); c != range.End.getPointer() && result.size() <= 60; ++c)
    if (!llvm::isSpace(*c))
      result += *c;
    else if (!result.empty() && result.back() != ' ')
      result += ' ';
  return result.size() > 60 ? std::string() : result;
}

Found mayOverflow(llvm::SMRange range, const char *what) {
  const std::string text = shortText(range);
  return {NotModelled(Gap::MayOverflow, text.empty() ? std::string(what) : "`" + text + "`", range)};
}

void addFactors(const ir::Expr &product, llvm::SmallVectorImpl<const ir::Expr *> &factors) {
  if (product.op != ir::Op::Multiply)
    return factors.push_back(&product);
  for (const ir::Expr *operand : product.operands)
    addFactors(*operand, factors);
}

Interval Widths::of(const ir::Expr &expr, const Frame &frame) {
  if (++steps > limits::widthSteps)
    throw Found{{Gap::GrowthOfCalls, expr.range, limits::widthSteps}};
  const Interval result = operation(expr, frame);
  if (result.isNothing())
    return result;
  // Variables and calls take their values from other expressions, which are checked themselves.
  const bool standsForOther = expr.op == ir::Op::Variable || expr.op == ir::Op::Call;
  if (!isQuiet && !standsForOther && !result.fits())
    throw mayOverflow(expr.range, "this number");
  return result;
}

Interval Widths::operation(const ir::Expr &expr, const Frame &frame) {
  using ir::Op;
  switch (expr.op) {
  case Op::Constant:
    return expr.value == ir::none ? no : point(expr.value);
  case Op::Variable:
    assert(expr.variable < frame.size() && "a variable of another frame");
    return frame[expr.variable];
  case Op::Select: {
    const Interval condition = of(*expr.operands[0], frame);
    Interval result = nothing;
    for (bool holds : {true, false})
      if (condition.contains(holds ? yes : no))
        if (const std::optional<Frame> there = where(*expr.operands[0], holds, frame))
          result = join(result, of(*expr.operands[holds ? 1 : 2], *there));
    return result;
  }
  case Op::And:
  case Op::Or: {
    const bool isAnd = expr.op == Op::And;
    const Interval first = of(*expr.operands[0], frame);
    Interval result = first.contains(isAnd ? no : yes) ? (isAnd ? no : yes) : nothing; // the second operand is not evaluated
    if (first.contains(isAnd ? yes : no))
      if (const std::optional<Frame> there = where(*expr.operands[0], isAnd, frame))
        result = join(result, of(*expr.operands[1], *there));
    return result;
  }
  case Op::Call:
    return call(expr, frame);
  case Op::BuildTree:
    return tree(expr, frame);
  case Op::TreeField: {
    const Interval ranks = of(*expr.operands[0], frame);
    const Interval of = expr.operands.size() > 1 ? this->of(*expr.operands[1], frame) : ranks;
    switch (expr.field) {
    case ir::TreeFieldKind::Depth:
    case ir::TreeFieldKind::Size:
    case ir::TreeFieldKind::Height:
      return {0, std::max<Extended>(1, ranks.hi - ranks.lo + 1)};
    case ir::TreeFieldKind::Lo: // a rank that is not in the tree has itself as lo and hi
    case ir::TreeFieldKind::Hi:
      return join(ranks, {of.lo, of.hi + 1});
    default:
      return ranks;
    }
  }
  default:
    return ir::isOfNodes(expr.op) ? ofNodes(expr, frame) : arithmetic(expr, frame);
  }
}

/// Ranks, nodes and numbers of ranks are below 2^31, as p is.
Interval Widths::ofNodes(const ir::Expr &expr, const Frame &frame) {
  for (const ir::Expr *operand : expr.operands)
    of(*operand, frame);
  return expr.op == ir::Op::ConsecutiveNodes ? join(no, yes) : Interval{0, arithmetic::largestCount};
}

/// The arguments of the call whose body is being looked into, and those of the call around it (`outer`), whose variables they
/// use.
struct Widths::Given {
  llvm::ArrayRef<const ir::Expr *> arguments;
  const Given *outer;
};

/// Whether the structure of an expression shows that it is at most `other`: it is the same, that less a number, or a choice
/// between such. `given`: the values of its variables if it is in the body of a function; null: its variables are those of
/// `other`.
bool Widths::isAtMost(const ir::Expr &expr, const Given *given, const ir::Expr &other) {
  using ir::Op;
  switch (expr.op) {
  case Op::Variable:
    if (given && expr.variable < given->arguments.size())
      return isAtMost(*given->arguments[expr.variable], given->outer, other);
    break;
  case Op::Subtract:
    if (expr.operands[1]->op == Op::Constant && expr.operands[1]->value >= 0)
      return isAtMost(*expr.operands[0], given, other);
    break;
  case Op::Select:
    return isAtMost(*expr.operands[1], given, other) && isAtMost(*expr.operands[2], given, other);
  case Op::Call:
    if (isSameCall(expr, given, other))
      return true;
    if (callsItself(*expr.function))
      return false;
    {
      const Given inner{expr.operands, given};
      return isAtMost(*expr.function->body, &inner, other);
    }
  default:
    break;
  }
  return !given && ir::isSame(expr, other);
}

/// Whether two calls are the same once the arguments in `given` are inserted for variables.
bool Widths::isSameCall(const ir::Expr &call, const Given *given, const ir::Expr &other) {
  return other.op == ir::Op::Call && call.function == other.function &&
         llvm::equal(call.operands, other.operands, [&](const ir::Expr *x, const ir::Expr *y) {
           const Given *at = given;
           for (; at && x->op == ir::Op::Variable && x->variable < at->arguments.size(); at = at->outer)
             x = at->arguments[x->variable];
           return !at && ir::isSame(*x, *y);
         });
}

/// Whether two powers of the same base, which is positive, have exponents of which the second is the first plus a number.
bool Widths::isLowerPower(const ir::Expr &power, const ir::Expr &other, const Frame &frame) {
  using ir::Op;
  if (power.op != Op::Power || other.op != Op::Power || !ir::isSame(*power.operands[0], *other.operands[0]))
    return false;
  const ir::Expr &exponent = *other.operands[1];
  const Interval base = of(*power.operands[0], frame);
  return base.lo >= 1 && exponent.op == Op::Add && exponent.operands[1]->op == Op::Constant && exponent.operands[1]->value >= 0 &&
         ir::isSame(*exponent.operands[0], *power.operands[1]);
}

/// Whether y is a product of x and of numbers that are all positive, so that x is at most y if x is not negative.
bool Widths::isFactor(const ir::Expr &x, const ir::Expr &y, const Frame &frame) {
  if (y.op != ir::Op::Multiply || of(x, frame).lo < 0)
    return false;
  llvm::SmallVector<const ir::Expr *, 4> factors;
  addFactors(y, factors);
  const auto same = llvm::find_if(factors, [&](const ir::Expr *factor) { return ir::isSame(*factor, x); });
  return same != factors.end() &&
         llvm::all_of(factors, [&](const ir::Expr *factor) { return factor == *same || of(*factor, frame).lo >= 1; });
}

/// An interval for x * (b div y) if x <= y: the product is at most b.
std::optional<Interval> Widths::timesQuotient(const ir::Expr &factor, const ir::Expr &quotient, const Frame &frame) {
  if (quotient.op != ir::Op::Divide)
    return std::nullopt;
  const ir::Expr &divisor = *quotient.operands[1];
  if (!isAtMost(factor, nullptr, divisor) && !isLowerPower(factor, divisor, frame) && !isFactor(factor, divisor, frame))
    return std::nullopt;
  const Interval b = of(*quotient.operands[0], frame), q = of(quotient, frame), x = of(factor, frame);
  if (b.isNothing() || q.isNothing() || x.isNothing())
    return nothing;
  if (b.lo >= 0)
    return Interval{std::min<Extended>(0, x.lo * q.hi), b.hi};
  // y * (b div y) is b without its remainder.
  if (ir::isSame(factor, *quotient.operands[1]) && x.lo >= 1)
    return Interval{b.lo - x.hi, b.hi};
  return std::nullopt;
}

/// The quotient that bounds an expression from above: itself, or the one that it is a remainder by, or less a number. Null if there is none.
const ir::Expr *Widths::quotientAbove(const ir::Expr &expr) const {
  using ir::Op;
  const ir::Expr *bound = &expr;
  constexpr unsigned most = 4;
  for (unsigned i = 0; i < most; ++i) {
    if (bound->op == Op::Divide)
      return bound;
    if (bound->op == Op::Modulo)
      bound = bound->operands[1];
    else if (bound->op == Op::Subtract && bound->operands[1]->op == Op::Constant && bound->operands[1]->value >= 0)
      bound = bound->operands[0];
    else if (auto top = bound->op == Op::Variable ? tops.find(bound->variable) : tops.end(); top != tops.end() && top->second.plus <= 0)
      bound = top->second.expr;
    else
      break;
  }
  return nullptr;
}

/// The largest magnitude of a product that has all factors of y and moreover b div y, or a number below it: b times the other factors.
std::optional<Extended> Widths::timesFactorsOfDivisor(llvm::ArrayRef<const ir::Expr *> factors, const Frame &frame) {
  if (current.function || !openTrees.empty()) // the variables are not those of a schedule
    return std::nullopt;
  for (const ir::Expr *factor : factors) {
    const ir::Expr *quotient = quotientAbove(*factor);
    const Interval values = of(*factor, frame);
    if (!quotient || values.isNothing())
      continue;
    llvm::SmallVector<const ir::Expr *, 4> divisors;
    addFactors(*quotient->operands[1], divisors);
    Extended rest = 1, whole = 1; // the product of the factors that are left over, and of all but the quotient
    for (const ir::Expr *other : factors) {
      if (other == factor)
        continue;
      const Extended magnitude = of(*other, frame).magnitude();
      whole = whole * magnitude;
      const auto same = llvm::find_if(divisors, [&](const ir::Expr *divisor) { return ir::isSame(*divisor, *other); });
      if (same != divisors.end())
        divisors.erase(same);
      else
        rest = rest * magnitude;
    }
    const Interval dividend = of(*quotient->operands[0], frame);
    if (!divisors.empty() || dividend.isNothing() || dividend.lo < 0)
      continue;
    const Extended below = values.lo < 0 ? whole * Interval{values.lo, values.lo}.magnitude() : 0;
    return std::max(rest * dividend.hi, below);
  }
  return std::nullopt;
}

/// An interval for base ** exponent, if the exponent is bounded by a function that counts the digits of a number to this base.
std::optional<Interval> Widths::powerOfDigits(const ir::Expr &power, const Frame &frame) {
  using ir::Op;
  if (current.function || !openTrees.empty()) // the variables are not those of a schedule
    return std::nullopt;
  const ir::Expr &base = *power.operands[0], *exponent = power.operands[1];
  // The exponent is at most `exponent` + `more`.
  std::int64_t more = 0;
  auto isNumber = [](const ir::Expr &expr) { return expr.op == Op::Constant && std::abs(expr.value) <= limits::widthSummand; };
  for (;;) {
    if (exponent->op == Op::Add && isNumber(*exponent->operands[1])) {
      more += exponent->operands[1]->value;
      exponent = exponent->operands[0];
    } else if (exponent->op == Op::Subtract && isNumber(*exponent->operands[1])) {
      more -= exponent->operands[1]->value;
      exponent = exponent->operands[0];
    } else if (exponent->op == Op::Subtract && of(*exponent->operands[1], frame).lo >= 0) {
      exponent = exponent->operands[0];
    } else if (auto top = exponent->op == Op::Variable ? tops.find(exponent->variable) : tops.end(); top != tops.end()) {
      more += top->second.plus;
      exponent = top->second.expr;
    } else {
      break;
    }
  }
  constexpr std::int64_t most = 1;
  if (exponent->op != Op::Call || more > most)
    return std::nullopt;
  const Interval bases = of(base, frame);
  if (bases.isNothing() || bases.lo < 1)
    return std::nullopt;
  std::vector<Interval> arguments;
  for (const ir::Expr *operand : exponent->operands)
    arguments.push_back(of(*operand, frame));
  const llvm::ArrayRef<FunctionFacts> facts = factsOf(*exponent->function);
  for (const FunctionFacts &fact : facts) {
    const bool applies = llvm::all_of(llvm::zip(fact.least, arguments), [](auto pair) {
      const auto &[least, argument] = pair;
      return !argument.isNothing() && (!least || argument.lo >= *least);
    });
    // Proofs show that one of the facts applies.
    auto isInAll = [&](const FunctionFacts::Digits &digits) {
      return isProved && llvm::all_of(facts, [&](const FunctionFacts &other) { return llvm::is_contained(other.digits, digits); });
    };
    for (const FunctionFacts::Digits &digits : fact.digits)
      if ((applies || isInAll(digits)) && (digits.base ? ir::isSame(base, *exponent->operands[*digits.base]) : bases == point(digits.number))) {
        Extended largest = std::max<Extended>(1, arguments[digits.argument].hi); // of base ** (value - 1), or 1 if the value is 0
        for (std::int64_t i = 0; i <= more; ++i)
          largest = largest * bases.hi;
        return Interval{1, largest};
      }
  }
  return std::nullopt;
}

Interval Widths::arithmetic(const ir::Expr &expr, const Frame &frame) {
  using ir::Op;
  const Interval a = of(*expr.operands[0], frame);
  const bool isBinary = expr.operands.size() > 1;
  const Interval b = isBinary ? of(*expr.operands[1], frame) : a;
  if (a.isNothing() || b.isNothing())
    return nothing;
  switch (expr.op) {
  case Op::Multiply: {
    Interval result = compiler::intervalOf(expr, a, b);
    const ir::Expr &left = *expr.operands[0], &right = *expr.operands[1];
    for (const std::optional<Interval> &closer : {timesQuotient(left, right, frame), timesQuotient(right, left, frame)})
      if (closer)
        result = meet(result, *closer);
    if (!result.fits()) {
      llvm::SmallVector<const ir::Expr *, 4> factors;
      addFactors(expr, factors);
      if (const std::optional<Extended> most = timesFactorsOfDivisor(factors, frame))
        result = meet(result, {-*most, *most});
    }
    return result;
  }
  case Op::Power: {
    const Interval result = compiler::intervalOf(expr, a, b);
    if (result.fits() || result.isNothing())
      return result;
    const std::optional<Interval> closer = powerOfDigits(expr, frame);
    return closer ? meet(result, *closer) : result;
  }
  case Op::Divide:
  case Op::Modulo: // the divisor is shown to be positive elsewhere
    return compiler::intervalOf(expr, a, {std::max<Extended>(1, b.lo), std::max<Extended>(1, b.hi)});
  default:
    return compiler::intervalOf(expr, a, b);
  }
}

/// The frame narrowed to cases in which the condition holds (or does not); nothing if there are none.
std::optional<Frame> Widths::where(const ir::Expr &condition, bool holds, Frame frame) {
  using ir::Op;
  switch (condition.op) {
  case Op::Not:
    return where(*condition.operands[0], !holds, std::move(frame));
  case Op::And:
  case Op::Or: {
    const bool isBoth = holds == (condition.op == Op::And);
    if (isBoth) {
      std::optional<Frame> first = where(*condition.operands[0], holds, std::move(frame));
      return first ? where(*condition.operands[1], holds, std::move(*first)) : std::nullopt;
    }
    std::optional<Frame> first = where(*condition.operands[0], holds, frame);
    std::optional<Frame> second = where(*condition.operands[0], !holds, std::move(frame));
    if (second)
      second = where(*condition.operands[1], holds, std::move(*second));
    if (!first || !second)
      return first ? first : second;
    for (size_t i = 0; i < first->size(); ++i)
      (*first)[i] = join((*first)[i], (*second)[i]);
    return first;
  }
  case Op::Equal:
  case Op::NotEqual:
  case Op::Less:
  case Op::LessEqual:
    break;
  default:
    return frame;
  }
  const ir::Expr *left = condition.operands[0], *right = condition.operands[1];
  if (left->mayBeNone || right->mayBeNone)
    return frame;
  const Interval a = of(*left, frame), b = of(*right, frame);
  auto narrow = [&](const ir::Expr &variable, Interval to) {
    if (variable.op == Op::Variable)
      frame[variable.variable] = meet(frame[variable.variable], to);
    return variable.op != Op::Variable || !frame[variable.variable].isNothing();
  };
  auto isUnder = [&](bool isStrict, const ir::Expr &lower, Interval low, const ir::Expr &upper, Interval high) {
    const Extended step = isStrict ? 1 : 0;
    return narrow(lower, {anything.lo, high.hi - step}) && narrow(upper, {low.lo + step, anything.hi});
  };
  bool isPossible = true;
  if (condition.op == Op::Less || condition.op == Op::LessEqual) {
    const bool isStrict = condition.op == Op::Less;
    isPossible = holds ? isUnder(isStrict, *left, a, *right, b) : isUnder(!isStrict, *right, b, *left, a);
  } else if (holds == (condition.op == Op::Equal)) {
    isPossible = narrow(*left, b) && narrow(*right, a);
  } else {
    // If the variable differs from a single number at an end of its interval, the interval shrinks.
    auto isOther = [&](const ir::Expr &variable, Interval from, Interval other) {
      if (other.lo != other.hi)
        return true;
      return narrow(variable, {from.lo + (from.lo == other.lo), from.hi - (from.hi == other.lo)});
    };
    isPossible = isOther(*left, a, b) && isOther(*right, b, a);
  }
  return isPossible ? std::optional(std::move(frame)) : std::nullopt;
}

Interval Widths::intervalOf(const ir::Expr &expr, const Frame &frame) {
  isQuiet = true;
  return of(expr, frame);
}

Interval intervalOf(const ir::Expr &expr, const Frame &frame) {
  auto noFacts = [](const ir::Function &) { return llvm::ArrayRef<FunctionFacts>(); };
  return Widths(noFacts, /*costIsProved=*/false, /*byLevels=*/true).intervalOf(expr, frame);
}

} // namespace widths

Overflows whatMayOverflow(const ir::Schedule &schedule, FactsOf factsOf, bool costIsProved) {
  const Overflows found = widths::Widths(factsOf, costIsProved, /*byLevels=*/false).run(schedule);
  if (!found.evaluated && !found.cost && !found.clock && !found.invariant)
    return found;
  return widths::Widths(factsOf, costIsProved, /*byLevels=*/true).run(schedule);
}

} // namespace quadrille::compiler::prove
