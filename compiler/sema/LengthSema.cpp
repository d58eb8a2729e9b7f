//===- LengthSema.cpp - Tables of numbers, and the lengths of blocks taken from them ---------------------------------------===//

#include "ExprSema.h"

namespace quadrille::compiler::sema {

using ir::Op;
using ir::Type;

const Symbol *ExprSema::tableOf(const ast::Expr &expr, llvm::SmallVectorImpl<const ast::Expr *> &indices) const {
  const ast::Expr *base = &expr;
  for (; base->kind == ast::ExprKind::Index && base->indexKind == ast::IndexKind::Point; base = base->operands[0].get())
    indices.insert(indices.begin(), base->operands[1].get());
  const Symbol *symbol = base->kind == ast::ExprKind::Name ? names.find(base->text) : nullptr;
  return symbol && symbol->kind == Symbol::Table ? symbol : nullptr;
}

bool ExprSema::tableIndices(const ast::Expr &expr, const Symbol &table, llvm::ArrayRef<const ast::Expr *> indices,
                            llvm::SmallVectorImpl<const ir::Expr *> &into) {
  const ast::Expr *base = &expr;
  while (base->kind == ast::ExprKind::Index)
    base = base->operands[0].get();
  note(base->range, table);
  if (indices.size() != table.extents) {
    error(expr.range, diag::TypeMismatch{.expected = table.extents == 1 ? diag::Thing(diag::ThingOneIndex{}) : diag::ThingTwoIndices{},
                                         .found = diag::ThingIndices{.count = indices.size()}});
    return false;
  }
  for (const ast::Expr *index : indices)
    into.push_back(integer(*index));
  return !llvm::is_contained(into, nullptr);
}

const ir::Expr *ExprSema::element(const ast::Expr &expr) {
  llvm::SmallVector<const ast::Expr *, 2> indices;
  const Symbol *table = tableOf(expr, indices);
  if (!table) {
    const ast::Expr *base = &expr;
    while (base->kind == ast::ExprKind::Index)
      base = base->operands[0].get();
    const Symbol *symbol = base->kind == ast::ExprKind::Name ? names.find(base->text) : nullptr;
    if (symbol && symbol->kind != Symbol::Buffer)
      error(base->range, diag::TypeMismatch{.expected = diag::ThingTable{}, .found = diag::ThingNamed{.name = base->text}});
    else
      error(expr.range, diag::TypeMismatch{.expected = diag::ThingNumber{}, .found = diag::ThingBlocks{}});
    return nullptr;
  }
  if (context != Context::Cost) {
    error(expr.range, diag::LengthSteers{});
    return nullptr;
  }
  llvm::SmallVector<const ir::Expr *, 2> operands;
  if (!tableIndices(expr, *table, indices, operands))
    return nullptr;
  ir::Expr *result = make(Op::Element, Type::Integer, expr.range, operands);
  result->variable = table->table;
  return result;
}

const ir::Expr *ExprSema::aggregate(const ast::Expr &expr) {
  const ir::Operation *operation = ir::operationWritten(ir::Form::Aggregate, expr.callee);
  if (!operation) {
    error(expr.calleeRange, diag::UnknownName{.name = expr.callee, .near = "", .aggregate = true, .commutative = false});
    return nullptr;
  }
  if (context != Context::Cost) {
    error(expr.calleeRange, diag::CostOnlyName{.name = expr.callee + "(... for ...)"});
    return nullptr;
  }
  const ir::Expr *lo = integer(*expr.operands[1]), *hi = exclusive(integer(*expr.operands[2]), expr.inclusive);
  names.push();
  if (names.find(expr.text))
    error(expr.textRange, diag::Redeclared{.name = expr.text});
  Symbol binder;
  binder.variable = newVariable(expr.text, Type::Integer, false, expr.textRange);
  binder.range = expr.textRange;
  note(binder.range, binder);
  names.add(expr.text, binder);
  llvm::SmallVector<const ir::Expr *, 4> operands{lo, hi, integer(*expr.operands[0])};
  if (expr.operands.size() > 3)
    operands.push_back(boolean(*expr.operands[3]));
  names.pop();
  if (llvm::is_contained(operands, nullptr))
    return nullptr;
  ir::Expr *result = make(operation->op, Type::Integer, expr.range, operands);
  result->variable = binder.variable;
  return result;
}

/// Collects the names in an expression, in the order of the text.
static void collectNames(const ast::Expr &expr, std::vector<const ast::Expr *> &into) {
  if (expr.kind == ast::ExprKind::Name)
    into.push_back(&expr);
  for (const ast::ExprPtr &operand : expr.operands)
    collectNames(*operand, into);
}

std::optional<ir::LengthOf> ExprSema::lengthOf(const ast::Expr &expr, bool ofArray) {
  ir::LengthOf result;
  result.range = expr.range;
  const bool ofPacket = expr.kind == ast::ExprKind::Call && expr.text == "packet";
  if (ofPacket && expr.operands.size() != 3) {
    error(expr.textRange, diag::WrongArity{.name = "packet",
                                           .wanted = diag::ArityPacket{},
                                           .found = expr.operands.size(),
                                           .ports = false});
    return std::nullopt;
  }
  const ast::Expr &entry = ofPacket ? *expr.operands[0] : expr;
  llvm::SmallVector<const ast::Expr *, 2> indices;
  const Symbol *table = tableOf(entry, indices);
  if (!table) {
    error(entry.range, diag::NotALength{});
    return std::nullopt;
  }
  names.push();
  std::vector<const ast::Expr *> mentioned;
  for (const ast::Expr *index : indices)
    collectNames(*index, mentioned);
  if (ofPacket)
    collectNames(*expr.operands[2], mentioned);
  for (const ast::Expr *name : mentioned)
    if (ofArray && !result.binder && !names.find(name->text)) {
      Symbol binder;
      result.binder = binder.variable = newVariable(name->text, Type::Integer, true, name->range);
      binder.range = name->range;
      names.add(name->text, binder);
    }
  llvm::SmallVector<const ir::Expr *, 2> operands;
  bool ok = tableIndices(entry, *table, indices, operands);
  if (ofPacket) {
    result.parts = integer(*expr.operands[1]);
    result.part = integer(*expr.operands[2]);
    ok &= result.parts && result.part;
    if (result.parts && result.parts->dependsOnRank) {
      error(expr.operands[1]->range, diag::RankDependentClause{.what = diag::UniformPackets{}});
      ok = false;
    }
  }
  names.pop();
  if (!ok)
    return std::nullopt;
  result.table = table->table;
  result.indices.assign(operands.begin(), operands.end());
  return result;
}

std::optional<ir::Knowledge> ExprSema::knowledgeOf(const ast::Expr &entry, const ast::Expr *condition) {
  ir::Knowledge result;
  llvm::SmallVector<const ast::Expr *, 2> indices;
  const Symbol *table = tableOf(entry, indices);
  if (!table) {
    error(entry.range, diag::NotAnEntry{});
    return std::nullopt;
  }
  if (indices.size() != table->extents) {
    error(entry.range, diag::TypeMismatch{.expected = table->extents == 1 ? diag::Thing(diag::ThingOneIndex{}) : diag::ThingTwoIndices{},
                                          .found = diag::ThingIndices{.count = indices.size()}});
    return std::nullopt;
  }
  result.table = table->table;
  bool ok = true;
  // Values first: they do not depend on the names that stand for every index.
  for (const ast::Expr *index : indices) {
    ir::Knowledge::Index &into = result.indices.emplace_back();
    if (index->kind == ast::ExprKind::Name && !names.find(index->text))
      continue;
    into.value = integer(*index);
    ok &= into.value != nullptr;
  }
  names.push();
  for (auto [index, into] : llvm::zip(indices, result.indices)) {
    if (into.value || !ok)
      continue;
    if (names.find(index->text)) {
      error(index->range, diag::Redeclared{.name = index->text});
      ok = false;
      break;
    }
    Symbol symbol;
    into.variable = symbol.variable = newVariable(index->text, Type::Integer, false, index->range);
    names.add(index->text, symbol);
  }
  if (condition && ok) {
    result.condition = boolean(*condition);
    ok &= result.condition != nullptr;
  }
  names.pop();
  return ok ? std::optional(std::move(result)) : std::nullopt;
}

} // namespace quadrille::compiler::sema
