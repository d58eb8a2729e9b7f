//===- ScheduleSemaData.cpp - Analysis of a schedule: slices and values -------------------------------------------------------------===//

#include "ScheduleSema.h"

#include "ir/Lengths.h"

namespace quadrille::compiler::sema {

using ir::Type;

std::optional<ir::Index> ScheduleSema::index(const ast::Expr &expr) {
  ir::Index result;
  const auto &parts = expr.operands; // [0] is the base
  switch (expr.indexKind) {
  case ast::IndexKind::Point:
    result.kind = ir::IndexKind::Point;
    result.a = exprs.integer(*parts[1]);
    break;
  case ast::IndexKind::Range:
    result.kind = ir::IndexKind::Range;
    result.a = exprs.integer(*parts[1]);
    result.b = exprs.exclusive(exprs.integer(*parts[2]), expr.inclusive);
    break;
  case ast::IndexKind::Run:
    result.kind = ir::IndexKind::Run;
    result.a = exprs.integer(*parts[1]);
    result.b = exprs.integer(*parts[2]);
    break;
  case ast::IndexKind::Cyclic:
    result.kind = ir::IndexKind::Cyclic;
    result.a = exprs.integer(*parts[1]);
    result.b = exprs.integer(*parts[2]);
    result.c = exprs.integer(*parts[3]);
    break;
  case ast::IndexKind::Filter: {
    result.kind = ir::IndexKind::Filter;
    result.a = exprs.integer(*parts[1]);
    result.b = exprs.exclusive(exprs.integer(*parts[2]), expr.inclusive);
    names.push();
    Symbol binder;
    binder.variable = result.binder = exprs.newVariable(expr.text, Type::Integer, true, expr.textRange);
    declare({expr.text, expr.textRange}, binder);
    result.c = exprs.boolean(*parts[3]);
    names.pop();
    break;
  }
  }
  bool needsB = result.kind != ir::IndexKind::Point;
  bool needsC = result.kind == ir::IndexKind::Cyclic || result.kind == ir::IndexKind::Filter;
  if (!result.a || (needsB && !result.b) || (needsC && !result.c))
    return std::nullopt;
  return result;
}

/// Whether the places of an array's blocks follow from its declaration. Blocks of a received name, or of a copied part of an array,
/// are stored one after the other, whatever their lengths.
static bool isLaidOut(const ir::Buffer &buffer) {
  if (buffer.kind == ir::BufferKind::Message)
    return false;
  if (!buffer.like)
    return true;
  const ir::Slice &like = *buffer.like;
  return ir::isWhole(like) && isLaidOut(*like.buffer);
}

/// Whether blocks may have lengths of their own.
static bool isUneven(const ir::Buffer &buffer) {
  if (buffer.like)
    return isUneven(*buffer.like->buffer);
  return buffer.length || buffer.kind == ir::BufferKind::Message;
}

void ScheduleSema::needsLengths(const ir::Buffer &buffer) {
  if (result->tables.empty() && !result->lengthsOf)
    result->lengthsOf = {buffer.name, record.path()};
}

void ScheduleSema::checkLengthsKnown(const ir::UseStmt &stmt, llvm::SMRange range) {
  const std::optional<ir::Schedule::LengthsOf> &unknown = stmt.callee->lengthsOf;
  if (!unknown)
    return;
  const diag::LengthsUnknown fact{.buffer = unknown->buffer, .schedule = unknown->schedule};
  // Packets may differ in length, too.
  for (size_t i = 0; i < stmt.inputs.size(); ++i)
    if (ir::passesPackets(stmt.inputs[i], *stmt.callee->inputs[i]))
      return exprs.error(range, fact);
  for (size_t i = 0; i < stmt.outputs.size(); ++i)
    if (ir::passesPackets(stmt.outputs[i], *stmt.callee->outputs[i]))
      return exprs.error(range, fact);
  if (result->tables.empty()) {
    if (!result->lengthsOf)
      result->lengthsOf = unknown;
    return;
  }
  for (const std::vector<ir::Slice> *slices : {&stmt.inputs, &stmt.outputs})
    for (const ir::Slice &slice : *slices)
      if (isUneven(*slice.buffer))
        return exprs.error(range, fact);
}

std::optional<ir::Slice> ScheduleSema::slice(const ast::Expr &expr) {
  ir::Slice result;
  result.range = expr.range;
  std::vector<const ast::Expr *> indices;
  const ast::Expr *base = &expr;
  while (base->kind == ast::ExprKind::Index) {
    indices.insert(indices.begin(), base);
    base = base->operands[0].get();
  }
  if (base->kind != ast::ExprKind::Name) {
    bool combines = base->kind == ast::ExprKind::Binary && base->text == "<>";
    bool calculates = base->kind == ast::ExprKind::Binary && !combines;
    exprs.error(calculates ? base->textRange : expr.range,
                diag::NotASlice{.combines = combines, .calculates = calculates});
    return std::nullopt;
  }
  const Symbol *symbol = exprs.find(base->text, base->range);
  if (!symbol) {
    exprs.error(
        base->range,
        diag::UnknownName{.name = base->text, .near = names.suggestion(base->text), .aggregate = false, .commutative = false});
    return std::nullopt;
  }
  if (symbol->kind != Symbol::Buffer) {
    exprs.error(base->range,
                diag::TypeMismatch{.expected = diag::ThingBlocks{},
                                   .found = symbol->kind == Symbol::Table ? diag::Thing(diag::ThingNamedTable{.name = base->text})
                                                                          : diag::ThingNamedNumber{.name = base->text}});
    return std::nullopt;
  }
  result.buffer = symbol->buffer;
  size_t levels = (result.buffer->isArray ? 1 : 0) + (result.buffer->parts ? 1 : 0);
  if (indices.size() > levels) {
    exprs.error(indices[levels]->range, diag::NotIndexable{.name = result.buffer->name});
    return std::nullopt;
  }
  for (size_t i = 0; i < indices.size(); ++i) {
    std::optional<ir::Index> at = index(*indices[i]);
    if (!at)
      return std::nullopt;
    bool ofBlocks = result.buffer->isArray && i == 0;
    (ofBlocks ? result.blocks : result.packets) = *at;
  }
  if (result.blocks.kind != ir::IndexKind::Whole && !isLaidOut(*result.buffer)) {
    if (!this->result->tables.empty())
      return exprs.error(expr.range, diag::LengthsUnknown{.buffer = result.buffer->name, .schedule = ""}), std::nullopt;
    needsLengths(*result.buffer);
  }
  if (indices.size() == 2 && result.blocks.kind != ir::IndexKind::Point) {
    exprs.error(expr.range, diag::ShapeMismatch{.expected = diag::ThingPacketsOfBlock{}, .found = diag::ThingPacketsOfBlocks{}});
    return std::nullopt;
  }
  return result;
}

const ir::DataExpr *ScheduleSema::data(const ast::Expr &expr) {
  if (expr.kind == ast::ExprKind::Binary && expr.text == "<>") {
    const ir::DataExpr *left = data(*expr.operands[0]);
    const ir::DataExpr *right = data(*expr.operands[1]);
    if (!left || !right)
      return nullptr;
    if (!result->collective->folds()) {
      exprs.error(expr.textRange, diag::OperatorUnavailable{.collective = result->collective->name});
      return nullptr;
    }
    result->usesOperator = true;
    ir::DataExpr &combined = program.dataExpressions.emplace_back();
    combined.isCombine = true;
    combined.left = left;
    combined.right = right;
    combined.range = expr.range;
    return &combined;
  }
  std::optional<ir::Slice> part = slice(expr);
  if (!part)
    return nullptr;
  ir::DataExpr &leaf = program.dataExpressions.emplace_back();
  leaf.slice = *part;
  leaf.range = expr.range;
  return &leaf;
}

bool ScheduleSema::writable(const ir::Slice &slice, llvm::SMRange range) {
  if (slice.buffer->kind != ir::BufferKind::Input)
    return true;
  exprs.error(range, diag::ReadOnly{.name = slice.buffer->name});
  return false;
}

const ir::Slice *ScheduleSema::keep(const ir::Slice &slice) { return &program.slices.emplace_back(slice); }

std::optional<ir::Slice> ScheduleSema::received(const ast::Expr &expr, const ir::Slice *like) {
  if (expr.kind == ast::ExprKind::Name && !names.find(expr.text)) {
    ir::Buffer *buffer = newBuffer({expr.text, expr.range}, ir::BufferKind::Message);
    currentStep->messages.push_back(buffer);
    if (stepDepth) // visible until the end of the step, even if received under a condition
      names.addAt(stepScope, expr.text, *names.find(expr.text));
    buffer->like = like;
    if (like)
      buffer->isArray = like->blocks.kind == ir::IndexKind::Whole ? like->buffer->isArray
                                                                  : like->blocks.kind != ir::IndexKind::Point;
    ir::Slice whole;
    whole.buffer = buffer;
    whole.range = expr.range;
    return whole;
  }
  std::optional<ir::Slice> target = slice(expr);
  if (target && !writable(*target, expr.range))
    return std::nullopt;
  return target;
}

} // namespace quadrille::compiler::sema
