//===- Expressions.cpp - Random expressions of all operations -----------------------------------------------------------===//

#include "Expressions.h"

#include "ir/Operations.h"

#include "llvm/ADT/StringExtras.h"

namespace quadrille::compiler::differential {

using ir::Op;
using ir::Type;

std::string Sample::text() const {
  std::string result;
  for (unsigned i = 0; i < variableCount; ++i)
    result += std::string(variableNames[i]) + " = " + std::to_string(values[i]) + ", ";
  return result + "n = " + std::to_string(n);
}

Subject::Subject() {
  for (unsigned i = 0; i < variableCount; ++i)
    schedule.variables.push_back({variableNames[i], Type::Integer, i == Me || i == I, {}});
  schedule.name = "random";
  collective.name = "numbers";
  collective.numberCount = 1;
  schedule.collective = &collective;
  schedule.parameterCount = 2;
  schedule.numberCount = 3;
}

ir::Expr *Subject::make(Op op, Type type, llvm::ArrayRef<const ir::Expr *> operands) {
  ir::Expr &expr = program.expressions.emplace_back();
  expr.op = op;
  expr.type = type;
  expr.operands.assign(operands.begin(), operands.end());
  for (const ir::Expr *operand : operands)
    expr.dependsOnRank |= operand->dependsOnRank;
  if (op == Op::Select)
    expr.mayBeNone = operands[1]->mayBeNone || operands[2]->mayBeNone;
  return &expr;
}

const ir::Expr *Subject::constant(std::int64_t value, Type type) {
  ir::Expr *expr = make(Op::Constant, type, {});
  expr->value = value;
  expr->mayBeNone = value == ir::none;
  return expr;
}

const ir::Expr *Subject::variable(unsigned index) {
  ir::Expr *expr = make(Op::Variable, Type::Integer, {});
  expr->variable = index;
  expr->dependsOnRank = schedule.variables[index].dependsOnRank;
  return expr;
}

// ---- making

namespace {
class Maker {
public:
  Maker(Subject &subject, Random &random, const Wishes &wishes) : subject(subject), random(random), wishes(wishes) {
    for (const ir::Operation &operation : ir::operations())
      if (operation.signature != ir::Signature::Own && (wishes.ofCosts || !operation.isCostOnly()))
        (operation.result == Type::Integer ? numbers : conditions).push_back(operation);
  }

  const ir::Expr *expression(Type type, unsigned depth) {
    const ir::Expr *result = another(type, depth);
    if (type == Type::Integer && sizeOf(*result) <= 7)
      made.push_back(result);
    return result;
  }

private:
  const ir::Expr *another(Type type, unsigned depth) {
    if (depth == 0 || random.chance(12))
      return leaf(type);
    // Reuse an expression: identities apply where operands are equal.
    if (type == Type::Integer && !made.empty() && random.chance(8))
      return random.pick(made);
    if (random.chance(8))
      return subject.make(Op::Select, type, {expression(Type::Boolean, depth - 1), expression(type, depth - 1), expression(type, depth - 1)});
    const ir::Operation &operation = random.pick(type == Type::Integer ? numbers : conditions);
    if (operation.signature == ir::Signature::Equality && random.chance(30))
      return equality(operation, depth);
    const ir::Expr *a = expression(operation.operands, depth - 1);
    const ir::Expr *b = operation.signature == ir::Signature::Unary ? nullptr : expression(operation.operands, depth - 1);
    if (random.chance(88))
      fit(operation.op, a, b);
    if (b && type == operation.operands && random.chance(6))
      a = subject.make(operation.op, type, {a, b}); // with equal operands
    return b ? subject.make(operation.op, type, {a, b}) : subject.make(operation.op, type, {a});
  }

  const ir::Expr *literal() {
    if (!wishes.small && random.chance(6)) { // near the limits of 64 bits
      const std::int64_t power = std::int64_t(1) << random.below(63);
      return subject.constant(power - 1 + static_cast<std::int64_t>(random.below(2)));
    }
    return subject.constant(random.chance(70) ? random.between(0, 4) : random.between(0, wishes.small ? 17 : 40));
  }

  const ir::Expr *leaf(Type type) {
    if (type == Type::Boolean)
      return random.chance(40) ? subject.constant(random.below(2), Type::Boolean) : subject.make(Op::IsEven, type, {leaf(Type::Integer)});
    if (wishes.ofCosts && random.chance(30))
      return subject.make(Op::Length, type, {});
    return random.chance(35) ? literal() : subject.variable(static_cast<unsigned>(random.below(variableCount)));
  }

  /// An equality of conditions, or of ranks that may be `none`.
  const ir::Expr *equality(const ir::Operation &operation, unsigned depth) {
    if (random.chance(50))
      return subject.make(operation.op, Type::Boolean, {expression(Type::Boolean, depth - 1), expression(Type::Boolean, depth - 1)});
    auto rank = [&]() -> const ir::Expr * {
      // A rank, not any number: in emitted code `none` is -1.
      const ir::Expr *there = subject.make(Op::Modulo, Type::Integer, {expression(Type::Integer, depth - 1), subject.variable(P)});
      if (random.chance(30))
        return there;
      const ir::Expr *none = subject.constant(ir::none), *condition = expression(Type::Boolean, depth - 1);
      return random.chance(20) ? none : subject.make(Op::Select, Type::Integer, {condition, there, none});
    };
    return subject.make(operation.op, Type::Boolean, {rank(), rank()});
  }

  /// Changes operands, so that the operation usually has a value.
  void fit(Op op, const ir::Expr *&a, const ir::Expr *&b) {
    auto number = [&](std::int64_t value) { return subject.constant(value); };
    auto both = [&](Op with, const ir::Expr *x, const ir::Expr *y) { return subject.make(with, Type::Integer, {x, y}); };
    auto below = [&](const ir::Expr *x, std::int64_t bound) { return both(Op::Modulo, x, number(bound)); };
    switch (op) {
    case Op::Divide:
    case Op::Modulo:
    case Op::Ratio:
      b = random.chance(60) ? number(1 + random.between(0, 8)) : random.chance(50) ? subject.variable(P) : both(Op::Maximum, b, number(1));
      break;
    case Op::Power:
      b = random.chance(60) ? number(random.between(0, 4)) : below(b, 5);
      if (random.chance(50))
        a = number(2);
      break;
    case Op::ShiftLeft:
    case Op::ShiftRight:
    case Op::Bit:
      b = random.chance(60) ? number(random.between(0, 6)) : below(b, 7);
      break;
    case Op::Log2:
      a = both(Op::ShiftLeft, number(1), below(a, 7));
      break;
    case Op::FloorLog2:
    case Op::CeilLog2:
    case Op::TrailingZeros:
      a = both(Op::Maximum, a, number(1));
      break;
    case Op::SquareRoot:
      a = both(Op::Multiply, a, a);
      break;
    case Op::Ceiling:
    case Op::Floor:
      a = both(Op::Ratio, a, number(1 + random.between(0, 6)));
      break;
    default:
      break;
    }
  }

  Subject &subject;
  Random &random;
  const Wishes &wishes;
  std::vector<ir::Operation> numbers, conditions;
  std::vector<const ir::Expr *> made;
};
} // namespace

const ir::Expr *randomExpression(Subject &subject, Random &random, const Wishes &wishes) {
  const Type type = random.chance(75) ? Type::Integer : Type::Boolean;
  return Maker(subject, random, wishes).expression(type, 1 + static_cast<unsigned>(random.below(wishes.depth)));
}

std::vector<Sample> randomSamples(Random &random, unsigned cases, bool small) {
  std::vector<Sample> result;
  for (unsigned i = 0; i < cases; ++i) {
    Sample sample;
    const bool isLarge = !small && random.chance(20);
    sample.values[P] = isLarge ? std::int64_t(1) << random.below(31) : 1 + random.between(0, 19);
    sample.values[Root] = random.between(0, sample.values[P] - 1);
    sample.values[K] = isLarge ? 1 + random.between(0, std::numeric_limits<std::int32_t>::max() - 1) : 1 + random.between(0, 8);
    sample.n = isLarge ? random.between(0, std::int64_t(1) << 30) : random.between(0, 60);
    for (unsigned rank = 0; rank < ranksOfCase; ++rank) {
      sample.values[Me] = random.between(0, sample.values[P] - 1);
      sample.values[I] = isLarge ? random.between(-(std::int64_t(1) << 40), std::int64_t(1) << 62) : random.between(-9, 12);
      result.push_back(sample);
    }
  }
  return result;
}

// ---- texts

static std::string text(const ir::Expr &expr, ir::Binding least) {
  using ir::Binding;
  const ir::Operation &operation = ir::operationOf(expr.op);
  const std::string word = operation.word.str();
  auto tighter = [&](unsigned by) { return static_cast<Binding>(static_cast<unsigned>(operation.binding) + by); };
  auto operand = [&](unsigned i, Binding binding) { return text(*expr.operands[i], binding); };
  std::string result;
  switch (operation.form) {
  case ir::Form::Function:
    return word + "(" + operand(0, Binding::Select) + (expr.operands.size() > 1 ? ", " + operand(1, Binding::Select) : "") + ")";
  case ir::Form::Name:
    return word;
  case ir::Form::Prefix:
    result = word + (llvm::isAlpha(word.back()) ? " " : "") + operand(0, operation.binding);
    break;
  case ir::Form::Infix: {
    // Powers are right-associative, comparisons would form chains, all others are left-associative.
    const bool isPower = expr.op == Op::Power, isComparison = operation.binding == Binding::Compare;
    result = operand(0, tighter(isPower || isComparison)) + " " + word + " " + operand(1, tighter(!isPower));
    break;
  }
  default:
    if (expr.op == Op::Variable)
      return variableNames[expr.variable];
    if (expr.op == Op::Constant)
      return expr.type == Type::Boolean ? (expr.value ? "true" : "false") : expr.value == ir::none ? "none" : std::to_string(expr.value);
    result = "if " + operand(0, Binding::Or) + " then " + operand(1, Binding::Or) + " else " + operand(2, Binding::Select);
    break;
  }
  return operation.binding < least ? "(" + result + ")" : result;
}

std::string shortText(const ir::Expr &expr) { return text(expr, ir::Binding::Select); }

// ---- parts

std::size_t sizeOf(const ir::Expr &expr) {
  std::size_t result = 1;
  for (const ir::Expr *operand : expr.operands)
    result += sizeOf(*operand);
  return result;
}

std::vector<const ir::Expr *> smaller(Subject &subject, const ir::Expr &expr) {
  std::vector<const ir::Expr *> result;
  for (const ir::Expr *operand : expr.operands)
    if (operand->type == expr.type && !(operand->mayBeNone && !expr.mayBeNone))
      result.push_back(operand);
  if (expr.op != Op::Constant)
    for (std::int64_t value : {0, 1, 2})
      if (expr.type == Type::Integer || value < 2)
        result.push_back(subject.constant(value, expr.type));
  for (size_t i = 0; i < expr.operands.size(); ++i)
    for (const ir::Expr *part : smaller(subject, *expr.operands[i])) {
      llvm::SmallVector<const ir::Expr *, 3> operands(expr.operands);
      operands[i] = part;
      result.push_back(subject.make(expr.op, expr.type, operands));
    }
  return result;
}

const ir::Expr *withIn(Subject &subject, const ir::Expr &expr, Variable variable, Variable by) {
  if (expr.op == Op::Variable)
    return expr.variable == variable ? subject.variable(by) : &expr;
  llvm::SmallVector<const ir::Expr *, 3> operands;
  for (const ir::Expr *operand : expr.operands)
    operands.push_back(withIn(subject, *operand, variable, by));
  return operands.empty() ? &expr : subject.make(expr.op, expr.type, operands);
}

bool isSame(const ir::Expr &a, const ir::Expr &b) {
  return a.op == b.op && a.type == b.type && a.value == b.value && a.variable == b.variable &&
         llvm::equal(a.operands, b.operands, [](const ir::Expr *x, const ir::Expr *y) { return isSame(*x, *y); });
}

} // namespace quadrille::compiler::differential
