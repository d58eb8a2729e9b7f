//===- ExprSema.cpp - Names and expressions ---------------------------------------------------------------------------===//

#include "ExprSema.h"

#include "llvm/ADT/StringSwitch.h"

namespace quadrille::sema {

using ir::Op;
using ir::Type;

const Symbol *Names::find(llvm::StringRef name) const {
  for (auto scope = scopes.rbegin(); scope != scopes.rend(); ++scope)
    if (auto found = scope->find(name); found != scope->end())
      return &found->second;
  return nullptr;
}

std::string didYouMean(llvm::StringRef name, const std::vector<std::string> &candidates) {
  if (name.size() < 3)
    return ""; // every short name is near every other
  unsigned best = name.size() / 3 + 1;
  std::string nearest;
  for (const std::string &candidate : candidates) {
    unsigned distance = name.edit_distance(candidate, /*AllowReplacements=*/true, best);
    if (distance < best || (distance == best && !nearest.empty() && candidate < nearest && distance < best)) {
      best = distance;
      nearest = candidate;
    }
  }
  return nearest.empty() ? "" : "; did you mean `" + nearest + "`?";
}

std::string Names::suggestion(llvm::StringRef name) const {
  std::vector<std::string> known;
  for (const auto &scope : scopes)
    for (const auto &entry : scope)
      known.push_back(entry.getKey().str());
  llvm::sort(known);
  return didYouMean(name, known);
}

std::string plural(size_t count, llvm::StringRef noun) {
  return count == 0 ? "no " + noun.str() + "s" : std::to_string(count) + " " + noun.str() + (count == 1 ? "" : "s");
}

std::optional<DataAtRank> dataAtRank(const ast::Expr &expr) {
  const ast::Expr *at = &expr, *index = nullptr;
  if (at->kind == ast::ExprKind::Index && at->indexKind == ast::IndexKind::Point) {
    index = at->operands[1].get();
    at = at->operands[0].get();
  }
  if (at->kind != ast::ExprKind::AtRank || at->operands[0]->kind != ast::ExprKind::Name)
    return std::nullopt;
  return DataAtRank{at->operands[0].get(), at->operands[1].get(), index};
}

// ---- building ----------------------------------------------------------------------------------------------------------

unsigned ExprSema::newVariable(llvm::StringRef name, Type type, bool dependsOnRank, llvm::SMRange range) {
  variables.push_back({name.str(), type, dependsOnRank, range});
  return static_cast<unsigned>(variables.size() - 1);
}

ir::Expr *ExprSema::make(Op op, Type type, llvm::SMRange range, llvm::ArrayRef<const ir::Expr *> operands) {
  ir::Expr &expr = program.expressions.emplace_back();
  expr.op = op;
  expr.type = type;
  expr.range = range;
  expr.operands.assign(operands.begin(), operands.end());
  for (const ir::Expr *operand : operands)
    expr.dependsOnRank |= operand->dependsOnRank;
  if (op == Op::Select)
    expr.mayBeNone = operands[1]->mayBeNone || operands[2]->mayBeNone;
  return &expr;
}

const ir::Expr *ExprSema::constant(std::int64_t value, llvm::SMRange range) {
  ir::Expr *expr = make(Op::Constant, Type::Integer, range, {});
  expr->value = value;
  expr->mayBeNone = value == ir::none;
  return expr;
}

ir::Expr *ExprSema::variable(unsigned index, llvm::SMRange range) {
  ir::Expr *expr = make(Op::Variable, variables[index].type, range, {});
  expr->variable = index;
  expr->dependsOnRank = variables[index].dependsOnRank;
  return expr;
}

const ir::Expr *ExprSema::exclusive(const ir::Expr *hi, bool inclusive) {
  return inclusive && hi ? make(Op::Add, Type::Integer, hi->range, {hi, constant(1, hi->range)}) : hi;
}

// ---- analysis ----------------------------------------------------------------------------------------------------------

static std::string typeText(Type type) {
  switch (type) {
  case Type::Integer:
    return "a number";
  case Type::Boolean:
    return "a condition";
  case Type::Tree:
    return "a tree";
  }
  return "";
}

const ir::Expr *ExprSema::typed(const ast::Expr &expr, Type type) {
  const ir::Expr *result = any(expr);
  if (!result)
    return nullptr;
  if (result->type != type) {
    error(diag::Id::TypeMismatch, expr.range, {typeText(type), typeText(result->type)});
    return nullptr;
  }
  return result;
}

const ir::Expr *ExprSema::any(const ast::Expr &expr) {
  switch (expr.kind) {
  case ast::ExprKind::Integer:
    return constant(expr.value, expr.range);
  case ast::ExprKind::None:
    return constant(ir::none, expr.range);
  case ast::ExprKind::Name:
    return name(expr);
  case ast::ExprKind::Call:
    return call(expr);
  case ast::ExprKind::Field:
    return field(expr);
  case ast::ExprKind::Unary:
    return unary(expr);
  case ast::ExprKind::Binary:
    return binary(expr);
  case ast::ExprKind::Select:
    return select(expr);
  case ast::ExprKind::Range:
    error(diag::Id::TypeMismatch, expr.range, {"a number", "a range"});
    return nullptr;
  case ast::ExprKind::Index:
    return element(expr);
  case ast::ExprKind::Aggregate:
    return aggregate(expr);
  case ast::ExprKind::AtRank:
    if (context == Context::Clock && expr.operands[0]->kind == ast::ExprKind::Field)
      return fieldAtRank(expr);
    [[fallthrough]];
  case ast::ExprKind::Fold:
    error(diag::Id::TypeMismatch, expr.range, {"a number", "data, which only promises and invariants speak about"});
    return nullptr;
  }
  return nullptr;
}

const ir::Expr *ExprSema::name(const ast::Expr &expr) {
  if (const Symbol *symbol = names.find(expr.text)) {
    switch (symbol->kind) {
    case Symbol::Number: {
      ir::Expr *result = variable(symbol->variable, expr.range);
      result->mayBeNone = symbol->value && symbol->value->mayBeNone;
      result->tree = symbol->value ? symbol->value->tree : nullptr;
      return result;
    }
    case Symbol::Inlined:
      return symbol->value;
    case Symbol::Range:
      error(diag::Id::TypeMismatch, expr.range, {"a number", "a range; its bounds are `" + expr.text + ".lo` and `" +
                                                                 expr.text + ".hi`"});
      return nullptr;
    case Symbol::Buffer:
      error(diag::Id::TypeMismatch, expr.range, {"a number", "blocks"});
      return nullptr;
    case Symbol::Table:
      error(diag::Id::TypeMismatch, expr.range, {"a number", "a table of numbers"});
      return nullptr;
    }
  }
  if (auto costOp = llvm::StringSwitch<std::optional<Op>>(expr.text)
                        .Case("alpha", Op::Alpha)
                        .Case("beta", Op::Beta)
                        .Case("gamma", Op::Gamma)
                        .Case("n", Op::Length)
                        .Default(std::nullopt)) {
    if (context == Context::Cost)
      return make(*costOp, Type::Integer, expr.range, {});
    error(diag::Id::CostOnlyName, expr.range, {expr.text});
    return nullptr;
  }
  if (expr.text == "true" || expr.text == "false") {
    ir::Expr *result = make(Op::Constant, Type::Boolean, expr.range, {});
    result->value = expr.text == "true";
    return result;
  }
  llvm::StringRef own = llvm::StringSwitch<llvm::StringRef>(expr.text)
                            .Cases("rank", "myrank", "my_rank", "self", "id", "me")
                            .Cases("size", "nprocs", "np", "ranks", "P", "p")
                            .Default("");
  if (expr.text == "commutative")
    error(diag::Id::UnknownName, expr.range, {expr.text, "; `requires commutative` stands alone, and other conditions in clauses of their own"});
  else
    error(diag::Id::UnknownName, expr.range,
          {expr.text, own.empty() || !names.find(own) ? names.suggestion(expr.text) : "; did you mean `" + own.str() + "`?"});
  return nullptr;
}

static std::string countText(size_t count, llvm::StringRef noun) {
  return std::to_string(count) + " " + noun.str() + (count == 1 ? "" : "s");
}

namespace {
struct Builtin {
  llvm::StringLiteral name;
  Op op;
  unsigned arity;
  Type type;
  bool costOnly;
};
} // namespace

// And `height`, which takes a tree.
static const Builtin builtins[] = {
    {"abs", Op::Absolute, 1, Type::Integer, false},
    {"log2", Op::Log2, 1, Type::Integer, false},
    {"floor_log2", Op::FloorLog2, 1, Type::Integer, false},
    {"ceil_log2", Op::CeilLog2, 1, Type::Integer, false},
    {"trailing_zeros", Op::TrailingZeros, 1, Type::Integer, false},
    {"pow2", Op::IsPow2, 1, Type::Boolean, false},
    {"even", Op::IsEven, 1, Type::Boolean, false},
    {"odd", Op::IsOdd, 1, Type::Boolean, false},
    {"sqrt", Op::SquareRoot, 1, Type::Integer, false},
    {"bit", Op::Bit, 2, Type::Integer, false},
    {"min", Op::Minimum, 2, Type::Integer, false},
    {"max", Op::Maximum, 2, Type::Integer, false},
    {"ceil", Op::Ceiling, 1, Type::Integer, true},
    {"floor", Op::Floor, 1, Type::Integer, true},
};

bool ExprSema::isBuiltin(llvm::StringRef name) {
  return name == "height" || llvm::any_of(builtins, [&](const Builtin &builtin) { return name == builtin.name; });
}

const ir::Expr *ExprSema::builtin(const ast::Expr &expr, bool &known) {
  known = true;
  if (expr.text == "height") {
    if (expr.operands.size() != 1) {
      error(diag::Id::WrongArity, expr.textRange, {"height", "1 argument", std::to_string(expr.operands.size())});
      return nullptr;
    }
    const ir::Expr *tree = typed(*expr.operands[0], Type::Tree);
    if (!tree)
      return nullptr;
    ir::Expr *result = make(Op::TreeField, Type::Integer, expr.range, {tree});
    result->field = ir::TreeFieldKind::Height;
    return result;
  }
  for (const Builtin &candidate : builtins) {
    if (expr.text != candidate.name)
      continue;
    bool folds = candidate.op == Op::Minimum || candidate.op == Op::Maximum;
    if (expr.operands.size() != candidate.arity && !(folds && expr.operands.size() > 2)) {
      error(diag::Id::WrongArity, expr.textRange,
            {expr.text, countText(candidate.arity, "argument"), std::to_string(expr.operands.size())});
      return nullptr;
    }
    if (candidate.costOnly && context != Context::Cost) {
      error(diag::Id::CostOnlyName, expr.textRange, {expr.text});
      return nullptr;
    }
    llvm::SmallVector<const ir::Expr *, 4> operands;
    for (const ast::ExprPtr &operand : expr.operands)
      operands.push_back(integer(*operand));
    if (llvm::is_contained(operands, nullptr))
      return nullptr;
    if (!folds)
      return make(candidate.op, candidate.type, expr.range, operands);
    const ir::Expr *result = operands[0];
    for (size_t i = 1; i < operands.size(); ++i)
      result = make(candidate.op, Type::Integer, expr.range, {result, operands[i]});
    return result;
  }
  known = false;
  return nullptr;
}

const ir::Expr *ExprSema::call(const ast::Expr &expr) {
  bool known = false;
  const ir::Expr *result = builtin(expr, known);
  if (known)
    return result;
  const FileScope::Callee callee = scope.findCallee(expr.text);
  if (callee.tree)
    return buildTree(expr, *callee.tree);
  const ir::Function *function = callee.function;
  if (!function) {
    if (expr.text == "O") {
      error(diag::Id::OrderNotation, expr.range);
      return nullptr;
    }
    std::vector<std::string> candidates = {"height"};
    for (const Builtin &builtin : builtins)
      if (!builtin.costOnly || context == Context::Cost)
        candidates.push_back(builtin.name.str());
    for (const FileScope *s = &scope; s; s = s->parent) {
      for (const auto &entry : s->functions)
        candidates.push_back(entry.getKey().str());
      for (const auto &entry : s->trees)
        candidates.push_back(entry.getKey().str());
    }
    llvm::sort(candidates);
    error(diag::Id::UnknownName, expr.textRange, {expr.text, didYouMean(expr.text, candidates)});
    return nullptr;
  }
  if (expr.operands.size() != function->argumentCount) {
    error(diag::Id::WrongArity, expr.textRange,
          {expr.text, countText(function->argumentCount, "argument"), std::to_string(expr.operands.size())});
    return nullptr;
  }
  llvm::SmallVector<const ir::Expr *, 4> operands;
  for (const ast::ExprPtr &operand : expr.operands)
    operands.push_back(any(*operand));
  if (llvm::is_contained(operands, nullptr))
    return nullptr;
  ir::Expr *called = make(Op::Call, function->type, expr.range, operands);
  called->function = function;
  called->mayBeNone = !function->body || function->body->mayBeNone;
  return called;
}

bool ExprSema::rangeBounds(const ast::Expr &expr, const ir::Expr *&lo, const ir::Expr *&hi) {
  if (expr.kind == ast::ExprKind::Range) {
    lo = integer(*expr.operands[0]);
    hi = integer(*expr.operands[1]);
    hi = exclusive(hi, expr.inclusive);
    return lo && hi;
  }
  if (expr.kind == ast::ExprKind::Name)
    if (const Symbol *symbol = names.find(expr.text); symbol && symbol->kind == Symbol::Range) {
      lo = variable(symbol->variable, expr.range);
      hi = variable(symbol->variable + 1, expr.range);
      return true;
    }
  error(diag::Id::TypeMismatch, expr.range, {"a range of ranks such as `0 ..< p`", describe(expr)});
  return false;
}

const ir::Expr *ExprSema::buildTree(const ast::Expr &expr, const ir::Tree &tree) {
  const size_t ranges = tree.byRelatives ? 0 : 1, most = tree.presets.size(), least = tree.requiredParameters;
  if (expr.operands.size() < ranges + least || expr.operands.size() > ranges + most) {
    std::string wanted = countText(most, "number");
    if (!tree.byRelatives)
      wanted = most == 0 ? "a range" : "a range and at most " + wanted;
    else if (least < most)
      wanted = std::to_string(least) + " to " + wanted;
    error(diag::Id::WrongArity, expr.textRange, {expr.text, wanted, std::to_string(expr.operands.size())});
    return nullptr;
  }
  llvm::SmallVector<const ir::Expr *, 4> operands(tree.firstParameter());
  if (tree.byRelatives) {
    // Which ranks there are is known in schedules only.
    const Symbol *me = names.find("me"), *p = names.find("p");
    operands[0] = me && p ? variable(p->variable, expr.range) : constant(ir::Tree::unknownRanks, expr.range);
  } else if (!rangeBounds(*expr.operands[0], operands[0], operands[1])) {
    return nullptr;
  }
  for (size_t i = ranges; i < expr.operands.size(); ++i) {
    operands.push_back(integer(*expr.operands[i]));
    if (!operands.back())
      return nullptr;
  }
  ir::Expr *result = make(Op::BuildTree, Type::Tree, expr.range, operands);
  result->tree = &tree;
  return result;
}

/// `T.depth@sender`: what others know of the tree matters to clocks only.
const ir::Expr *ExprSema::fieldAtRank(const ast::Expr &expr) {
  const ast::Expr &base = *expr.operands[0];
  const ir::Expr *rank = integer(*expr.operands[1]);
  const ir::Expr *result = rank ? field(base, rank) : nullptr;
  if (result && result->operands.size() < 2) {
    error(diag::Id::TypeMismatch, base.range, {"what differs between ranks, as in `T.depth@sender`", "the `" + base.text + "` of a tree"});
    return nullptr;
  }
  return result;
}

const ir::Expr *ExprSema::field(const ast::Expr &expr, const ir::Expr *rank) {
  const ast::Expr &base = *expr.operands[0];
  if (base.kind == ast::ExprKind::Name)
    if (const Symbol *symbol = names.find(base.text); symbol && symbol->kind == Symbol::Range) {
      if (expr.text == "lo" || expr.text == "hi")
        return variable(symbol->variable + (expr.text == "hi"), expr.range);
      error(diag::Id::TypeMismatch, expr.textRange, {"`lo` or `hi`, the bounds of a range", "`" + expr.text + "`"});
      return nullptr;
    }
  const ir::Expr *tree = typed(base, Type::Tree);
  if (!tree)
    return nullptr;
  using ir::TreeFieldKind;
  auto kind = llvm::StringSwitch<std::optional<TreeFieldKind>>(expr.text)
                  .Case("root", TreeFieldKind::Root)
                  .Case("parent", TreeFieldKind::Parent)
                  .Case("left", TreeFieldKind::Left)
                  .Case("right", TreeFieldKind::Right)
                  .Case("depth", TreeFieldKind::Depth)
                  .Case("size", TreeFieldKind::Size)
                  .Case("lo", TreeFieldKind::Lo)
                  .Case("hi", TreeFieldKind::Hi)
                  .Default(std::nullopt);
  if (!kind) {
    error(diag::Id::UnknownField, expr.textRange, {expr.text});
    return nullptr;
  }
  const bool ofRanges = *kind == TreeFieldKind::Lo || *kind == TreeFieldKind::Hi;
  if (ofRanges && tree->tree && tree->tree->byRelatives) {
    error(diag::Id::FieldOfRanges, expr.textRange, {tree->tree->name, expr.text});
    return nullptr;
  }
  bool ofMe = *kind != TreeFieldKind::Root;
  const Symbol *me = names.find("me");
  if (ofMe && !me) {
    error(diag::Id::RankDependentClause, expr.range, {"what stands outside schedules"});
    return nullptr;
  }
  llvm::SmallVector<const ir::Expr *, 2> operands{tree};
  if (ofMe)
    operands.push_back(rank ? rank : variable(me->variable, expr.range));
  ir::Expr *result = make(Op::TreeField, Type::Integer, expr.range, operands);
  result->field = *kind;
  result->mayBeNone = *kind == TreeFieldKind::Parent || *kind == TreeFieldKind::Left || *kind == TreeFieldKind::Right;
  return result;
}

const ir::Expr *ExprSema::unary(const ast::Expr &expr) {
  if (expr.text == "not") {
    const ir::Expr *operand = boolean(*expr.operands[0]);
    return operand ? make(Op::Not, Type::Boolean, expr.range, {operand}) : nullptr;
  }
  const ir::Expr *operand = integer(*expr.operands[0]);
  if (!operand || expr.text == "+")
    return operand;
  return make(Op::Negate, Type::Integer, expr.range, {operand});
}

static bool isComparison(llvm::StringRef op) {
  return op == "==" || op == "!=" || op == "<" || op == "<=" || op == ">" || op == ">=";
}

const ir::Expr *ExprSema::comparison(const ast::Expr &expr) {
  // `0 <= v < p` arrives as `(0 <= v) < p` without parentheses: a chain.
  const ast::Expr &leftText = *expr.operands[0];
  const ir::Expr *before = nullptr, *left = nullptr;
  if (leftText.kind == ast::ExprKind::Binary && isComparison(leftText.text) && !leftText.parenthesized) {
    before = comparison(leftText);
    if (!before)
      return nullptr;
    const ir::Expr *last = before->op == Op::And ? before->operands[1] : before;
    bool swapped = false;
    if (leftText.text == ">" || leftText.text == ">=")
      swapped = true; // a > b is kept as b < a
    left = last->operands[swapped ? 0 : 1];
  } else {
    left = any(leftText);
  }
  const ir::Expr *right = any(*expr.operands[1]);
  if (!left || !right)
    return nullptr;
  if (left->type != right->type || left->type == Type::Tree ||
      (left->type == Type::Boolean && expr.text != "==" && expr.text != "!=")) {
    error(diag::Id::TypeMismatch, expr.operands[1]->range, {typeText(left->type == Type::Tree ? Type::Integer : left->type),
                                                            typeText(right->type)});
    return nullptr;
  }
  if (expr.text == ">" || expr.text == ">=")
    std::swap(left, right);
  Op op = llvm::StringSwitch<Op>(expr.text)
              .Case("==", Op::Equal)
              .Case("!=", Op::NotEqual)
              .Cases("<", ">", Op::Less)
              .Default(Op::LessEqual);
  const ir::Expr *result = make(op, Type::Boolean, expr.range, {left, right});
  return before ? make(Op::And, Type::Boolean, expr.range, {before, result}) : result;
}

const ir::Expr *ExprSema::binary(const ast::Expr &expr) {
  llvm::StringRef text = expr.text;
  if (isComparison(text))
    return comparison(expr);
  if (text == "<>") {
    error(diag::Id::ForeignOperator, expr.textRange, {"<>", "`!=` to compare numbers; `<>` combines blocks"});
    return nullptr;
  }
  if (text == "^") {
    error(diag::Id::ForeignOperator, expr.textRange, {"^", "`xor` for bits, `**` for powers"});
    return nullptr;
  }
  if (text == "%") {
    error(diag::Id::ForeignOperator, expr.textRange, {"%", "`mod`"});
    return nullptr;
  }
  if (text == "/" && context != Context::Cost) {
    error(diag::Id::ForeignOperator, expr.textRange, {"/", "`div`, which rounds down"});
    return nullptr;
  }
  bool logical = text == "and" || text == "or";
  Type type = logical ? Type::Boolean : Type::Integer;
  const ir::Expr *left = typed(*expr.operands[0], type);
  const ir::Expr *right = typed(*expr.operands[1], type);
  if (!left || !right)
    return nullptr;
  if (text == "or")
    return make(Op::Or, Type::Boolean, expr.range, {left, right});
  Op op = llvm::StringSwitch<Op>(text)
              .Case("**", Op::Power)
              .Case("*", Op::Multiply)
              .Case("/", Op::Ratio)
              .Case("div", Op::Divide)
              .Case("mod", Op::Modulo)
              .Case("+", Op::Add)
              .Case("-", Op::Subtract)
              .Case("<<", Op::ShiftLeft)
              .Case(">>", Op::ShiftRight)
              .Case("&", Op::BitAnd)
              .Case("xor", Op::BitXor)
              .Case("|", Op::BitOr)
              .Default(Op::And);
  return make(op, type, expr.range, {left, right});
}

const ir::Expr *ExprSema::select(const ast::Expr &expr) {
  const ir::Expr *condition = boolean(*expr.operands[0]);
  const ir::Expr *yes = any(*expr.operands[1]);
  const ir::Expr *no = any(*expr.operands[2]);
  if (!condition || !yes || !no)
    return nullptr;
  if (yes->type != no->type || yes->type == Type::Tree) {
    error(diag::Id::TypeMismatch, expr.operands[2]->range, {typeText(yes->type), typeText(no->type)});
    return nullptr;
  }
  return make(Op::Select, yes->type, expr.range, {condition, yes, no});
}

std::string ExprSema::describe(const ast::Expr &expr) const {
  switch (expr.kind) {
  case ast::ExprKind::Integer:
    return "a number";
  case ast::ExprKind::Name:
    return "`" + expr.text + "`";
  case ast::ExprKind::Call:
    return "a call of `" + expr.text + "`";
  case ast::ExprKind::Index: {
    llvm::SmallVector<const ast::Expr *, 2> indices;
    return tableOf(expr, indices) ? "a number" : "blocks";
  }
  case ast::ExprKind::Range:
    return "a range";
  default:
    return "an expression";
  }
}

} // namespace quadrille::sema
