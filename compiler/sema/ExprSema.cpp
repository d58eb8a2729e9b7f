//===- ExprSema.cpp - Expressions -------------------------------------------------------------------------------------===//

#include "ExprSema.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

namespace quadrille::compiler::sema {

using ir::Op;
using ir::Type;

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
  variables.push_back({untaken(name), type, dependsOnRank, range});
  return static_cast<unsigned>(variables.size() - 1);
}

std::string ExprSema::untaken(llvm::StringRef name) const {
  std::string result = name.str();
  while (taken.contains(result))
    result += "_";
  return result;
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

const ir::Expr *isBelowMe(ExprSema &exprs, const ir::Expr &rank, bool mayBeNone, llvm::SMRange range) {
  const ir::Expr *isBelow = exprs.make(Op::Less, Type::Boolean, range, {&rank, exprs.variable(ir::Schedule::variableMe, range)});
  if (!mayBeNone)
    return isBelow;
  const ir::Expr *exists = exprs.make(Op::NotEqual, Type::Boolean, range, {&rank, exprs.constant(ir::none, range)});
  return exprs.make(Op::And, Type::Boolean, range, {exists, isBelow});
}

// ---- analysis ----------------------------------------------------------------------------------------------------------

static diag::Thing thingOf(Type type) {
  switch (type) {
  case Type::Integer:
    return diag::ThingNumber{};
  case Type::Boolean:
    return diag::ThingCondition{};
  case Type::Tree:
    return diag::ThingTree{};
  }
  llvm_unreachable("no such type");
}

const ir::Expr *ExprSema::typed(const ast::Expr &expr, Type type) {
  const ir::Expr *result = any(expr);
  if (!result)
    return nullptr;
  if (result->type != type) {
    error(expr.range, diag::TypeMismatch{.expected = thingOf(type), .found = thingOf(result->type)});
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
    error(expr.range, diag::TypeMismatch{.expected = diag::ThingNumber{}, .found = diag::ThingRange{}});
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
    error(expr.range, diag::TypeMismatch{.expected = diag::ThingNumber{}, .found = diag::ThingData{}});
    return nullptr;
  }
  return nullptr;
}

const ir::Expr *ExprSema::name(const ast::Expr &expr) {
  if (const Symbol *symbol = find(expr.text, expr.range)) {
    switch (symbol->kind) {
    case Symbol::Number: {
      if (symbol->isWrong)
        return nullptr;
      ir::Expr *result = variable(symbol->variable, expr.range);
      result->mayBeNone = symbol->value && symbol->value->mayBeNone;
      result->tree = symbol->value ? symbol->value->tree : nullptr;
      return result;
    }
    case Symbol::Inlined:
      return symbol->value;
    case Symbol::Range:
      error(expr.range, diag::TypeMismatch{.expected = diag::ThingNumber{}, .found = diag::ThingRangeWithBounds{.name = expr.text}});
      return nullptr;
    case Symbol::Buffer:
      error(expr.range, diag::TypeMismatch{.expected = diag::ThingNumber{}, .found = diag::ThingBlocks{}});
      return nullptr;
    case Symbol::Table:
      error(expr.range, diag::TypeMismatch{.expected = diag::ThingNumber{}, .found = diag::ThingTableOfNumbers{}});
      return nullptr;
    }
  }
  if (const ir::Operation *unit = ir::operationWritten(ir::Form::Name, expr.text)) {
    if (ir::isOfNodes(unit->op))
      return ofNodes(expr, unit->op);
    if (context == Context::Cost || !unit->isCostOnly())
      return make(unit->op, Type::Integer, expr.range, {});
    error(expr.range, diag::CostOnlyName{.name = expr.text});
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
  if (const ir::Tree *tree = scope->findCallee(expr.text).tree) {
    std::vector<std::string> arguments;
    if (!tree->byRelatives)
      arguments.push_back("0 ..< p");
    for (unsigned i = 0; i < tree->requiredParameters; ++i)
      arguments.push_back(tree->variables[tree->firstParameter() + i].name);
    error(expr.range, diag::BareTree{.tree = expr.text, .example = expr.text + "(" + llvm::join(arguments, ", ") + ")"});
    return nullptr;
  }
  const bool isCommutative = expr.text == "commutative";
  error(expr.range, diag::UnknownName{.name = expr.text,
                                      .near = isCommutative                     ? ""
                                              : own.empty() || !names.find(own) ? names.suggestion(expr.text)
                                                                                : own.str(),
                                      .aggregate = false,
                                      .commutative = isCommutative});
  return nullptr;
}

const ir::Expr *ExprSema::unary(const ast::Expr &expr) {
  if (expr.text == "+")
    return integer(*expr.operands[0]);
  const ir::Operation &operation = *ir::operationWritten(ir::Form::Prefix, expr.text);
  const ir::Expr *operand = typed(*expr.operands[0], operation.operands);
  return operand ? make(operation.op, operation.result, expr.range, {operand}) : nullptr;
}

/// The word of an infix operator in the table of operations: `a > b` is b < a.
static llvm::StringRef wordOf(llvm::StringRef text) { return text == ">" ? "<" : text == ">=" ? "<=" : text; }

static bool isComparison(llvm::StringRef text) {
  const ir::Operation *operation = ir::operationWritten(ir::Form::Infix, wordOf(text));
  return operation && operation->binding == ir::Binding::Compare;
}

const ir::Expr *ExprSema::comparison(const ast::Expr &expr) {
  // A chain `0 <= v < p` is parsed as `(0 <= v) < p` without parentheses.
  const ast::Expr &leftText = *expr.operands[0];
  const ir::Expr *before = nullptr, *left = nullptr;
  if (leftText.kind == ast::ExprKind::Binary && isComparison(leftText.text) && !leftText.parenthesized) {
    before = comparison(leftText);
    if (!before)
      return nullptr;
    const ir::Expr *last = before->op == Op::And ? before->operands[1] : before;
    left = last->operands[wordOf(leftText.text) == leftText.text ? 1 : 0];
  } else {
    left = any(leftText);
  }
  const ir::Expr *right = any(*expr.operands[1]);
  if (!left || !right)
    return nullptr;
  if (left->type != right->type || left->type == Type::Tree ||
      (left->type == Type::Boolean && expr.text != "==" && expr.text != "!=")) {
    error(expr.operands[1]->range, diag::TypeMismatch{.expected = thingOf(left->type == Type::Tree ? Type::Integer : left->type),
                                                      .found = thingOf(right->type)});
    return nullptr;
  }
  const ir::Operation &operation = *ir::operationWritten(ir::Form::Infix, wordOf(expr.text));
  if (operation.word != expr.text)
    std::swap(left, right);
  const ir::Expr *result = make(operation.op, operation.result, expr.range, {left, right});
  return before ? make(Op::And, Type::Boolean, expr.range, {before, result}) : result;
}

const ir::Expr *ExprSema::binary(const ast::Expr &expr) {
  llvm::StringRef text = expr.text;
  if (isComparison(text))
    return comparison(expr);
  auto foreign = [&](diag::OwnOperator own, llvm::ArrayRef<llvm::StringRef> instead) {
    Diagnostic diagnostic(expr.textRange, diag::ForeignOperator{.text = text, .own = std::move(own)});
    for (llvm::StringRef word : instead)
      diagnostic.instead(word);
    error(std::move(diagnostic));
    return nullptr;
  };
  if (text == "<>")
    return foreign(diag::OwnOperatorNotEqualNumbers{}, {"!="});
  if (text == "^")
    return foreign(diag::OwnOperatorXorOrPower{}, {"xor", "**"});
  if (text == "%")
    return foreign(diag::OwnOperatorModulo{}, {"mod"});
  if (text == "/" && context != Context::Cost)
    return foreign(diag::OwnOperatorDivision{}, {"div"});
  const ir::Operation &operation = *ir::operationWritten(ir::Form::Infix, text);
  const ir::Expr *left = typed(*expr.operands[0], operation.operands);
  const ir::Expr *right = typed(*expr.operands[1], operation.operands);
  return left && right ? make(operation.op, operation.result, expr.range, {left, right}) : nullptr;
}

const ir::Expr *ExprSema::select(const ast::Expr &expr) {
  const ir::Expr *condition = boolean(*expr.operands[0]);
  const ir::Expr *yes = any(*expr.operands[1]);
  const ir::Expr *no = any(*expr.operands[2]);
  if (!condition || !yes || !no)
    return nullptr;
  if (yes->type != no->type || yes->type == Type::Tree) {
    error(expr.operands[2]->range, diag::TypeMismatch{.expected = thingOf(yes->type), .found = thingOf(no->type)});
    return nullptr;
  }
  return make(Op::Select, yes->type, expr.range, {condition, yes, no});
}

diag::Thing ExprSema::describe(const ast::Expr &expr) const {
  switch (expr.kind) {
  case ast::ExprKind::Integer:
    return diag::ThingNumber{};
  case ast::ExprKind::Name:
    return diag::ThingNamed{.name = expr.text};
  case ast::ExprKind::Call:
    return diag::ThingCall{.name = expr.text};
  case ast::ExprKind::Index: {
    llvm::SmallVector<const ast::Expr *, 2> indices;
    if (tableOf(expr, indices))
      return diag::ThingNumber{};
    return diag::ThingBlocks{};
  }
  case ast::ExprKind::Range:
    return diag::ThingRange{};
  default:
    return diag::ThingExpression{};
  }
}

} // namespace quadrille::compiler::sema
