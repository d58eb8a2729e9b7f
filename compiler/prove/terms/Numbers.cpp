//===- Numbers.cpp - Expressions of a schedule as terms --------------------------------------------------------------===//

#include "Symbols.h"
#include "TermMeaning.h"

#include "limits/Limits.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/MathExtras.h"

#include <cassert>

namespace quadrille::compiler::prove {

static Value of(Term term) { return {term, {}, {}}; }

Value Numbers::value(const ir::Expr &expr, const Variables &variables) { return value(expr, variables.values); }
Term Numbers::term(const ir::Expr &expr, const Variables &variables) { return term(expr, variables.values); }

void Numbers::need(Term condition, llvm::SMRange range, const char *what) {
  if (!path.empty())
    condition = pool.implies(pool.conjunction(path), condition);
  if (!pool.isTrue(condition))
    needs.push_back({condition, range, what});
}

Term Numbers::existing(const Value &value, llvm::SMRange range) {
  if (value.exists)
    need(value.exists, range, "a rank is there");
  return value.term;
}

Term Numbers::term(const ir::Expr &expr, const std::vector<Value> &variables) {
  return existing(value(expr, variables), expr.range);
}

/// Whether the function calls itself, directly or by way of others.
bool isRecursive(const ir::Function &function) {
  llvm::SmallVector<const ir::Function *, 8> seen, open{&function};
  while (!open.empty()) {
    const ir::Function *next = open.pop_back_val();
    std::function<void(const ir::Expr &)> walk = [&](const ir::Expr &expr) {
      if (expr.op == ir::Op::Call && !llvm::is_contained(seen, expr.function)) {
        seen.push_back(expr.function);
        open.push_back(expr.function);
      }
      for (const ir::Expr *operand : expr.operands)
        walk(*operand);
    };
    walk(*next->body);
  }
  return llvm::is_contained(seen, &function);
}

Value Numbers::call(const ir::Expr &expr, const std::vector<Value> &variables) {
  const ir::Function &function = *expr.function;
  if (definitions && isRecursive(function)) {
    std::vector<Value> arguments;
    for (const ir::Expr *operand : expr.operands)
      arguments.push_back(value(*operand, variables));
    Term isDefined;
    Value result = definitions->call(expr, arguments, isDefined);
    need(isDefined, expr.range, ("the calls of `" + function.name + "` come to an end").c_str());
    return result;
  }
  if (llvm::is_contained(calls, &function))
    throw NotModelled{Gap::RecursiveFunction, function.name, expr.range};
  std::vector<Value> inner(function.variables.size());
  for (size_t i = 0; i < expr.operands.size(); ++i)
    inner[i] = value(*expr.operands[i], variables);
  if (definitions) {
    Term isDefined;
    if (Term result = definitions->lemmaCall(function, llvm::ArrayRef(inner).take_front(expr.operands.size()), isDefined)) {
      need(isDefined, expr.range, ("what `" + function.name + "` is made of has a value").c_str());
      return of(result);
    }
  }
  if (calls.empty())
    bodies = 0;
  if (++bodies > limits::functionBodies)
    throw NotModelled{Gap::LongFunction, calls[0]->name, expr.range, limits::functionBodies};
  // Restores `calls` also if the body has no formula and throws.
  auto leave = llvm::make_scope_exit([&, depth = calls.size()] { calls.truncate(depth); });
  calls.push_back(&function);
  return value(*function.body, inner);
}

Value Numbers::select(const ir::Expr &expr, const std::vector<Value> &variables) {
  Term condition = term(*expr.operands[0], variables);
  path.push_back(condition);
  Value yes = value(*expr.operands[1], variables);
  path.back() = pool.negate(condition);
  Value no = value(*expr.operands[2], variables);
  path.pop_back();
  Value result = of(pool.select(condition, yes.term, no.term));
  if (yes.exists || no.exists) {
    Term always = pool.truth(true);
    result.exists = pool.select(condition, yes.exists ? yes.exists : always, no.exists ? no.exists : always);
    // If one side always is `none`, its number does not matter.
    if (yes.exists && pool.isFalse(yes.exists))
      result.term = no.term;
    else if (no.exists && pool.isFalse(no.exists))
      result.term = yes.term;
  }
  return result;
}

Term Numbers::equality(const ir::Expr &expr, const std::vector<Value> &variables) {
  Value a = value(*expr.operands[0], variables), b = value(*expr.operands[1], variables);
  Term equal = pool.equal(a.term, b.term);
  if (a.exists || b.exists) {
    Term always = pool.truth(true), ae = a.exists ? a.exists : always, be = b.exists ? b.exists : always;
    equal = pool.both(pool.equal(ae, be), pool.implies(ae, equal));
  }
  return expr.op == ir::Op::Equal ? equal : pool.negate(equal);
}

/// `and` and `or`: the right operand is evaluated only if the left one does not decide.
Term Numbers::junction(const ir::Expr &expr, const std::vector<Value> &variables) {
  const bool isAnd = expr.op == ir::Op::And;
  Term a = term(*expr.operands[0], variables);
  path.push_back(isAnd ? a : pool.negate(a));
  Term b = term(*expr.operands[1], variables);
  path.pop_back();
  return isAnd ? pool.both(a, b) : pool.either(a, b);
}

/// Why an operation has no term where there are no symbols with laws.
static Gap gapOf(ir::Op op) {
  switch (op) {
  case ir::Op::TrailingZeros: return Gap::TrailingZeros;
  case ir::Op::SquareRoot: return Gap::SquareRoot;
  default: return Gap::Tree;
  }
}

/// An operation whose result has no formula, so that a symbol with laws stands for it.
Value Numbers::defined(const ir::Expr &expr, const std::vector<Value> &variables) {
  using ir::Op;
  assert(definitions);
  auto operand = [&](unsigned i) { return term(*expr.operands[i], variables); };
  if (expr.op == Op::BuildTree) {
    std::vector<Value> arguments;
    for (const ir::Expr *argument : expr.operands)
      arguments.push_back(value(*argument, variables));
    return definitions->tree(expr, arguments);
  }
  if (expr.op == Op::TreeField)
    return definitions->field(expr, operand(0), expr.operands.size() > 1 ? operand(1) : Term());
  Term a = operand(0);
  if (expr.op == Op::SquareRoot) {
    const Term root = definitions->squareRoot(a);
    need(pool.both(pool.lessEqual(pool.integer(0), root), pool.equal(pool.multiply(root, root), a)), expr.range, "the square root of a square");
    return of(root);
  }
  assert(expr.op == Op::TrailingZeros);
  need(pool.notEqual(a, pool.integer(0)), expr.range, "the trailing zeros of a number that is not 0");
  return of(definitions->trailingZeros(a));
}

/// An operation on the map from ranks to nodes, whose operands must be ranks and nodes that are there.
Term Numbers::ofNodes(const ir::Expr &expr, const std::vector<Value> &variables) {
  using ir::Op;
  if (!definitions)
    throw NotModelled{Gap::NodesAreData, expr.range};
  llvm::SmallVector<Term, 2> operands;
  for (const ir::Expr *operand : expr.operands)
    operands.push_back(term(*operand, variables));
  const Term zero = pool.integer(0);
  if (expr.op == Op::NodeOf || expr.op == Op::LocalRank)
    need(pool.inRange(zero, operands[0], pool.variable("p")), expr.range, "a rank that is there");
  if (expr.op == Op::NodeSize || expr.op == Op::RankOn)
    need(pool.inRange(zero, operands[0], definitions->ofNodes(Op::Nodes, {})), expr.range, "a node that is there");
  if (expr.op == Op::RankOn)
    need(pool.inRange(zero, operands[1], definitions->ofNodes(Op::NodeSize, {operands[0]})), expr.range, "a rank of the node");
  return definitions->ofNodes(expr.op, operands);
}

/// Notes what the operands must be, as the operation has no value for others.
void Numbers::needOperands(const ir::Expr &expr, Term a, Term b) {
  using ir::Op;
  const Term zero = pool.integer(0), one = pool.integer(1);
  switch (expr.op) {
  case Op::Log2: need(pool.both(pool.lessEqual(one, a), pool.isPower2(a)), expr.range, "log2 of a power of two"); break;
  case Op::FloorLog2:
  case Op::CeilLog2: need(pool.lessEqual(one, a), expr.range, "a logarithm of a positive number"); break;
  case Op::Divide:
  case Op::Modulo: need(pool.lessEqual(one, b), expr.range, "a positive divisor"); break;
  case Op::Power: need(pool.lessEqual(zero, b), expr.range, "an exponent that is not negative"); break;
  case Op::ShiftLeft:
  case Op::ShiftRight: need(pool.lessEqual(zero, b), expr.range, "a shift that is not negative"); break;
  case Op::Bit: need(pool.lessEqual(zero, b), expr.range, "a bit whose number is not negative"); break;
  default: break;
  }
}

/// Whether the structure of a term shows that it is a power of two, if its parts have values.
static bool isPowerOfTwo(Term a) {
  if (const auto number = TermPool::asInteger(a))
    return llvm::isPowerOf2_64(static_cast<std::uint64_t>(std::max<std::int64_t>(*number, 0)));
  const auto parts = TermPool::monomialsOf(a);
  return parts.size() == 1 && TermPool::constantOf(a) == 0 && parts[0].coefficient > 0 &&
         llvm::isPowerOf2_64(static_cast<std::uint64_t>(parts[0].coefficient)) &&
         (parts[0].atom->kind == TermKind::Power2 || parts[0].atom->isPower);
}

/// `x & y` as a remainder if y has all bits below one, as in `me & (2*w - 1)`, or as a choice if y is one bit; null for other numbers.
static Term masked(TermPool &pool, Term x, Term y) {
  for (auto [number, mask] : {std::pair(x, y), std::pair(y, x)}) {
    if (const Term above = pool.add(mask, pool.integer(1)); isPowerOfTwo(above))
      return pool.modulo(number, above);
    if (isPowerOfTwo(mask))
      return pool.select(pool.bit(number, mask), mask, pool.integer(0));
  }
  return {};
}

Value Numbers::value(const ir::Expr &expr, const std::vector<Value> &variables) {
  using ir::Op;
  auto leave = llvm::make_scope_exit([&, depth = path.size()] { path.resize(depth); });
  switch (expr.op) {
  case Op::Constant:
    if (expr.value == ir::none)
      return {pool.integer(0), pool.truth(false), {}};
    return of(expr.type == ir::Type::Boolean ? pool.truth(expr.value != 0) : pool.integer(expr.value));
  case Op::Variable: {
    const Value &value = variables[expr.variable];
    if (!value.term)
      throw value.gap.value_or(NotModelled{Gap::VariableWithoutValue, expr.range});
    return value;
  }
  case Op::Select:
    return select(expr, variables);
  case Op::Equal:
  case Op::NotEqual:
    return of(equality(expr, variables));
  case Op::And:
  case Op::Or:
    return of(junction(expr, variables));
  case Op::Call:
    return call(expr, variables);
  case Op::BuildTree:
  case Op::TreeField:
  case Op::TrailingZeros:
  case Op::SquareRoot:
    if (!definitions)
      throw NotModelled{gapOf(expr.op), expr.range};
    return defined(expr, variables);
  default:
    break;
  }
  if (ir::isOfNodes(expr.op))
    return of(ofNodes(expr, variables));
  if (ir::isCostOnly(expr.op))
    throw NotModelled{Gap::CostAsNumber, expr.range};
  Term a = term(*expr.operands[0], variables), b = expr.operands.size() > 1 ? term(*expr.operands[1], variables) : Term();
  needOperands(expr, a, b);
  if (const Term rest = expr.op == Op::BitAnd ? masked(pool, a, b) : Term())
    return of(rest);
  if (Term result = termOf(pool, expr.op, a, b))
    return of(result);
  throw NotModelled{Gap::ExpressionWithoutFormula, expr.range};
}

} // namespace quadrille::compiler::prove
