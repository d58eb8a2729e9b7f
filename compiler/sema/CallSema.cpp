//===- CallSema.cpp - Calls of functions, trees and their fields --------------------------------------------------===//

#include "ExprSema.h"

#include "source/Counted.h"

#include "llvm/ADT/StringSwitch.h"

namespace quadrille::compiler::sema {

using ir::Op;
using ir::Type;

// `height`, which takes a tree, is not in the table of operations.
bool ExprSema::isBuiltin(llvm::StringRef name) { return name == "height" || ir::operationWritten(ir::Form::Function, name); }

const ir::Expr *ExprSema::height(const ast::Expr &expr) {
  if (expr.operands.size() != 1) {
    error(expr.textRange,
          diag::WrongArity{.name = "height", .wanted = diag::ArityArguments{.count = 1}, .found = expr.operands.size(), .ports = false});
    return nullptr;
  }
  const ir::Expr *tree = typed(*expr.operands[0], Type::Tree);
  if (!tree)
    return nullptr;
  ir::Expr *result = make(Op::TreeField, Type::Integer, expr.range, {tree});
  result->field = ir::TreeFieldKind::Height;
  return result;
}

const ir::Expr *ExprSema::ofNodes(const ast::Expr &expr, Op op) {
  if (!knowsNodes || context == Context::Clock) {
    error(expr.textRange.isValid() ? expr.textRange : expr.range,
          diag::NodesUnknownHere{.name = expr.text, .isClock = context == Context::Clock});
    return nullptr;
  }
  const size_t arity = expr.kind == ast::ExprKind::Name ? 0 : op == Op::RankOn ? 2 : 1;
  if (expr.operands.size() != arity) {
    error(expr.textRange,
          diag::WrongArity{.name = expr.text, .wanted = diag::ArityArguments{.count = arity}, .found = expr.operands.size(), .ports = false});
    return nullptr;
  }
  llvm::SmallVector<const ir::Expr *, 2> operands;
  for (const ast::ExprPtr &operand : expr.operands)
    operands.push_back(integer(*operand));
  if (llvm::is_contained(operands, nullptr))
    return nullptr;
  return make(op, op == Op::ConsecutiveNodes ? Type::Boolean : Type::Integer, expr.range, operands);
}

const ir::Expr *ExprSema::builtin(const ast::Expr &expr, const ir::Operation &operation) {
  if (ir::isOfNodes(operation.op))
    return ofNodes(expr, operation.op);
  const size_t arity = operation.signature == ir::Signature::Unary ? 1 : 2;
  if (expr.operands.size() != arity && !(operation.folds() && expr.operands.size() > arity)) {
    error(
        expr.textRange,
        diag::WrongArity{.name = expr.text, .wanted = diag::ArityArguments{.count = arity}, .found = expr.operands.size(), .ports = false});
    return nullptr;
  }
  if (operation.isCostOnly() && context != Context::Cost) {
    error(expr.textRange, diag::CostOnlyName{.name = expr.text});
    return nullptr;
  }
  llvm::SmallVector<const ir::Expr *, 4> operands;
  for (const ast::ExprPtr &operand : expr.operands)
    operands.push_back(typed(*operand, operation.operands));
  if (llvm::is_contained(operands, nullptr))
    return nullptr;
  if (!operation.folds())
    return make(operation.op, operation.result, expr.range, operands);
  const ir::Expr *result = operands[0];
  for (const ir::Expr *next : llvm::drop_begin(operands))
    result = make(operation.op, operation.result, expr.range, {result, next});
  return result;
}

const ir::Expr *ExprSema::call(const ast::Expr &expr) {
  if (expr.text == "height")
    return height(expr);
  if (const ir::Operation *operation = ir::operationWritten(ir::Form::Function, expr.text))
    return builtin(expr, *operation);
  const FileScope::Callee callee = scope->findCallee(expr.text);
  if (callee.tree)
    return buildTree(expr, *callee.tree);
  const ir::Function *function = callee.function;
  if (function)
    note(expr.textRange, function->range, MentionKind::Function);
  if (!function) {
    if (expr.text == "O") {
      error(expr.range, diag::OrderNotation{});
      return nullptr;
    }
    if (std::optional<Diagnostic> unknown = notImported(*scope, expr.text, expr.textRange)) {
      error(std::move(*unknown));
      return nullptr;
    }
    std::vector<std::string> candidates = {"height"};
    for (const ir::Operation &operation : ir::operations())
      if (operation.form == ir::Form::Function && (!operation.isCostOnly() || context == Context::Cost))
        candidates.push_back(operation.word.str());
    for (const FileScope *s : scope->visible()) {
      for (const auto &entry : s->functions)
        candidates.push_back(entry.getKey().str());
      for (const auto &entry : s->trees)
        candidates.push_back(entry.getKey().str());
    }
    llvm::sort(candidates);
    error(
        expr.textRange,
        diag::UnknownName{.name = expr.text, .near = didYouMean(expr.text, candidates), .aggregate = false, .commutative = false});
    return nullptr;
  }
  if (expr.operands.size() != function->argumentCount) {
    error(expr.textRange, diag::WrongArity{.name = expr.text,
                                           .wanted = diag::ArityArguments{.count = function->argumentCount},
                                           .found = expr.operands.size(),
                                           .ports = false});
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
      note(expr.range, *symbol);
      lo = variable(symbol->variable, expr.range);
      hi = variable(symbol->variable + 1, expr.range);
      return true;
    }
  error(expr.range, diag::TypeMismatch{.expected = diag::ThingRangeOfRanks{}, .found = describe(expr)});
  return false;
}

const ir::Expr *ExprSema::buildTree(const ast::Expr &expr, const ir::Tree &tree) {
  note(expr.textRange, tree.range, MentionKind::TreeDefinition);
  const size_t ranges = tree.byRelatives ? 0 : 1, most = tree.presets.size(), least = tree.requiredParameters;
  if (expr.operands.size() < ranges + least || expr.operands.size() > ranges + most) {
    diag::Arity wanted = diag::ArityNumbers{.count = most};
    if (!tree.byRelatives && most == 0)
      wanted = diag::ArityRange{};
    else if (!tree.byRelatives)
      wanted = diag::ArityRangeAndNumbers{.most = most};
    else if (least < most)
      wanted = diag::ArityNumbersFrom{.least = least, .most = most};
    error(expr.textRange, diag::WrongArity{.name = expr.text, .wanted = wanted, .found = expr.operands.size(), .ports = false});
    return nullptr;
  }
  llvm::SmallVector<const ir::Expr *, 4> operands(tree.firstParameter());
  if (tree.byRelatives) {
    // The number of ranks is known in schedules only.
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

/// `T.depth@sender`, a field of another rank; allowed in clocks only.
const ir::Expr *ExprSema::fieldAtRank(const ast::Expr &expr) {
  const ast::Expr &base = *expr.operands[0];
  const ir::Expr *rank = integer(*expr.operands[1]);
  const ir::Expr *result = rank ? field(base, rank) : nullptr;
  if (result && result->operands.size() < 2) {
    error(base.range, diag::TypeMismatch{.expected = diag::ThingDiffersBetweenRanks{},
                                         .found = diag::ThingFieldOfTree{.field = base.text}});
    return nullptr;
  }
  return result;
}

const ir::Expr *ExprSema::field(const ast::Expr &expr, const ir::Expr *rank) {
  const ast::Expr &base = *expr.operands[0];
  if (base.kind == ast::ExprKind::Name)
    if (const Symbol *symbol = names.find(base.text); symbol && symbol->kind == Symbol::Range) {
      note(base.range, *symbol);
      if (expr.text == "lo" || expr.text == "hi")
        return variable(symbol->variable + (expr.text == "hi"), expr.range);
      error(expr.textRange, diag::TypeMismatch{.expected = diag::ThingRangeBound{}, .found = diag::ThingNamed{.name = expr.text}});
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
    error(expr.textRange, diag::UnknownField{.field = expr.text});
    return nullptr;
  }
  const bool ofRanges = *kind == TreeFieldKind::Lo || *kind == TreeFieldKind::Hi;
  if (ofRanges && tree->tree && tree->tree->byRelatives) {
    error(expr.textRange, diag::FieldOfRanges{.tree = tree->tree->name, .field = expr.text});
    return nullptr;
  }
  bool ofMe = *kind != TreeFieldKind::Root;
  const Symbol *me = names.find("me");
  if (ofMe && !me) {
    error(expr.range, diag::RankDependentClause{.what = diag::UniformOutsideSchedules{}});
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

} // namespace quadrille::compiler::sema
