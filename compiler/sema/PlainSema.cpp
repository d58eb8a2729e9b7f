//===- PlainSema.cpp - Schedules for blocks of n elements, where blocks have lengths of their own ---------------------------===//
//
// A schedule for blocks of n elements that never looks at lengths serves a collective with tables of them as well: the same numbers and
// data, whose blocks may differ. Its statements are analyzed with the data of that collective, so that what comes out is a schedule with
// tables like any other. Two things have to be found for it: how long the blocks are that it declares, and what its clauses mean
// where they say n.
//
//===----------------------------------------------------------------------------------------------------------------===//

#include "PlainSema.h"

#include "Replaced.h"
#include "ScheduleSema.h"

#include "ir/Lengths.h"
#include "ir/Print.h"

namespace quadrille::compiler::sema {

using ir::Op;
using ir::Type;

bool isPlainFormOf(const ir::Collective &plain, const ir::Collective &own) {
  std::vector<const ir::CollectiveParam *> inputs;
  for (const ir::CollectiveParam &input : own.inputs)
    if (!input.isTable)
      inputs.push_back(&input);
  if (inputs.size() == own.inputs.size() || inputs.size() != plain.inputs.size() || plain.outputs.size() != own.outputs.size())
    return false;
  const auto isAlike = [](const ir::CollectiveParam &a, const ir::CollectiveParam &b) {
    return !a.isTable && !a.length && a.isNumber == b.isNumber && a.isArray == b.isArray && areSame(a.count, b.count) &&
           areSame(a.presence, b.presence);
  };
  for (auto [a, b] : llvm::zip(plain.inputs, inputs))
    if (!isAlike(a, *b))
      return false;
  for (auto [a, b] : llvm::zip(plain.outputs, own.outputs))
    if (!isAlike(a, b))
      return false;
  return true;
}

// ---- clauses -----------------------------------------------------------------------------------------------------------

const ir::Expr *ScheduleSema::longestBlock(llvm::SMRange range) {
  const ir::Expr *longest = nullptr;
  for (unsigned number = 0; number < result->tables.size(); ++number) {
    const ir::Table &table = result->tables[number];
    llvm::SmallVector<const ir::Expr *, 2> indices;
    for (size_t i = 0; i < table.extents.size(); ++i) {
      const llvm::StringRef name = i + 1 < table.extents.size() ? "i" : "j";
      indices.push_back(exprs.variable(exprs.newVariable(name, Type::Integer, false, range), range));
    }
    ir::Expr *entry = exprs.make(Op::Element, Type::Integer, range, indices);
    entry->variable = number;
    const ir::Expr *most = entry;
    for (size_t i = table.extents.size(); i-- > 0;) {
      ir::Expr *over = exprs.make(Op::MaximumOver, Type::Integer, range, {exprs.constant(0, range), table.extents[i], most});
      over->variable = indices[i]->variable;
      most = over;
    }
    longest = longest ? exprs.make(Op::Maximum, Type::Integer, range, {longest, most}) : most;
  }
  const auto hasLength = [](const ir::Buffer *buffer) { return buffer->length.has_value(); };
  if (!llvm::all_of(result->inputs, hasLength) || !llvm::all_of(result->outputs, hasLength))
    longest = exprs.make(Op::Maximum, Type::Integer, range, {longest, exprs.make(Op::Length, Type::Integer, range, {})});
  return longest;
}

void ScheduleSema::claimForLongest() {
  for (std::optional<ir::CostClause> *claim : {&result->cost, &result->rounds}) {
    if (!*claim)
      continue;
    ofBase.insert(claim);
    if (!(*claim)->formula || !mentions(*(*claim)->formula, Op::Length))
      continue;
    const ir::Expr *longest = longestBlock((*claim)->range);
    (*claim)->formula = replaced(*(*claim)->formula, [&](const ir::Expr &part) { return part.op == Op::Length ? longest : nullptr; }, program);
    (*claim)->upperBound = true;
    (*claim)->text = ir::shortText(*(*claim)->formula, *result);
  }
}

// ---- lengths of declared buffers ---------------------------------------------------------------------------------------------

DeclaredLengths::DeclaredLengths(ir::Schedule &schedule, llvm::ArrayRef<ir::Buffer *> declared, ir::Program &program, ExprSema &exprs)
    : schedule(schedule), program(program), exprs(exprs), open(declared.begin(), declared.end()) {}

llvm::SmallVector<ir::Buffer *, 2> DeclaredLengths::find(const ir::Body &body) {
  // A buffer may take its lengths from one that is declared later: repeat until no more lengths are found.
  for (size_t before = 0; before != open.size() && !open.empty();) {
    before = open.size();
    visible = {ir::Schedule::variableP, ir::Schedule::variableMe};
    for (unsigned i = 0; i < schedule.numberCount; ++i)
      visible.push_back(ir::Schedule::firstNumber + i);
    statements(body);
  }
  return open;
}

void DeclaredLengths::statements(const ir::Body &body) {
  const size_t around = visible.size();
  for (const std::unique_ptr<ir::Stmt> &stmt : body) {
    if (auto *let = llvm::dyn_cast<ir::LetStmt>(stmt.get())) {
      visible.push_back(let->variable);
    } else if (auto *declare = llvm::dyn_cast<ir::DeclareStmt>(stmt.get())) {
      if (llvm::is_contained(open, declare->buffer))
        visibleTo[declare->buffer] = visible;
    } else if (auto *assign = llvm::dyn_cast<ir::AssignStmt>(stmt.get())) {
      llvm::SmallVector<const ir::Slice *, 3> alike{&assign->target};
      operands(*assign->value, alike);
      for (const ir::Slice *slice : alike)
        for (const ir::Slice *other : alike)
          if (slice != other)
            takeLengths(*slice, *other);
    } else if (auto *step = llvm::dyn_cast<ir::StepStmt>(stmt.get())) {
      statements(step->body);
    } else if (auto *branch = llvm::dyn_cast<ir::IfStmt>(stmt.get())) {
      statements(branch->yes);
      statements(branch->no);
    } else if (auto *loop = llvm::dyn_cast<ir::ForStmt>(stmt.get())) {
      const size_t outside = visible.size();
      visible.push_back(loop->variable);
      if (loop->loop == ir::LoopKind::Halvings || loop->loop == ir::LoopKind::HalvingsReversed)
        visible.push_back(loop->second);
      statements(loop->body);
      visible.resize(outside);
    }
  }
  visible.resize(around);
}

void DeclaredLengths::operands(const ir::DataExpr &value, llvm::SmallVectorImpl<const ir::Slice *> &into) {
  if (!value.isCombine) {
    into.push_back(&value.slice);
    return;
  }
  operands(*value.left, into);
  operands(*value.right, into);
}

void DeclaredLengths::takeLengths(const ir::Slice &slice, const ir::Slice &from) {
  const auto found = llvm::find(open, slice.buffer);
  if (found == open.end() || slice.packets.kind != ir::IndexKind::Whole || !visibleTo.contains(slice.buffer))
    return;
  ir::Buffer &buffer = **found;
  const unsigned binder = exprs.newVariable("j", Type::Integer, true, buffer.range);
  const ir::Expr *number = exprs.variable(binder, buffer.range);
  std::optional<Length> length;
  std::optional<unsigned> counter; // block `counter` of the buffer, in a loop over its blocks
  if (slice.blocks.kind == ir::IndexKind::Whole) {
    length = lengthIn(from, number);
  } else if (slice.blocks.kind == ir::IndexKind::Point && slice.blocks.a->op == Op::Variable &&
             !llvm::is_contained(visibleTo[&buffer], slice.blocks.a->variable)) {
    counter = slice.blocks.a->variable;
    length = lengthIn(from, nullptr);
  }
  if (!length)
    return;
  if (length->of) {
    ir::LengthOf of;
    of.table = length->of->table;
    of.range = buffer.range;
    of.binder = binder;
    for (const ir::Expr *index : length->of->indices) {
      const auto isCounter = [&](const ir::Expr &part) { return part.op == Op::Variable && counter && part.variable == *counter; };
      of.indices.push_back(replaced(*index, [&](const ir::Expr &part) { return isCounter(part) ? number : nullptr; }, program));
      const auto isHidden = [&](const ir::Expr &part) {
        return part.op == Op::Variable && part.variable != binder && !llvm::is_contained(visibleTo[&buffer], part.variable);
      };
      if (anyPart(*of.indices.back(), isHidden))
        return;
    }
    buffer.length = std::move(of);
  }
  open.erase(found);
}

std::optional<const ir::Expr *> DeclaredLengths::position(const ir::Index &index, const ir::Expr *number) {
  const auto isZero = [](const ir::Expr &expr) { return expr.op == Op::Constant && expr.value == 0; };
  const auto from = [&](const ir::Expr &start) {
    return isZero(start) ? number : exprs.make(Op::Add, Type::Integer, start.range, {&start, number});
  };
  switch (index.kind) {
  case ir::IndexKind::Whole:
    return number;
  case ir::IndexKind::Point:
    return index.a;
  case ir::IndexKind::Range:
  case ir::IndexKind::Run:
    return number ? std::optional(from(*index.a)) : std::nullopt;
  case ir::IndexKind::Cyclic:
    return number ? std::optional<const ir::Expr *>(exprs.make(Op::Modulo, Type::Integer, index.a->range, {from(*index.a), index.c}))
                  : std::nullopt;
  case ir::IndexKind::Filter:
    return std::nullopt;
  }
  llvm_unreachable("covered switch");
}

std::optional<DeclaredLengths::Length> DeclaredLengths::lengthIn(const ir::Slice &slice, const ir::Expr *number) {
  const ir::Buffer *buffer = nullptr;
  const ir::Expr *at = number;
  for (const ir::Slice *part = &slice; part; part = buffer->like) {
    buffer = part->buffer;
    if (part->packets.kind != ir::IndexKind::Whole || buffer->kind == ir::BufferKind::Message)
      return std::nullopt;
    const std::optional<const ir::Expr *> there = position(part->blocks, at);
    if (!there)
      return std::nullopt;
    at = *there;
  }
  const bool isParameter = buffer->kind != ir::BufferKind::Local;
  if (!buffer->length)
    return isParameter ? std::optional(Length{}) : std::nullopt;
  if (buffer->length->parts || (buffer->length->binder && !at))
    return std::nullopt;
  // The lengths of the collective's data count ranks as the caller does, before `ranks from`.
  const ir::Expr *me = nullptr;
  if (isParameter && schedule.origin) {
    const llvm::SMRange range = schedule.origin->range;
    me = exprs.make(Op::Modulo, Type::Integer, range,
                    {exprs.make(Op::Add, Type::Integer, range, {exprs.variable(ir::Schedule::variableMe, range), schedule.origin}),
                     exprs.variable(ir::Schedule::variableP, range)});
  }
  Length result{ir::LengthOf{}};
  result.of->table = buffer->length->table;
  for (const ir::Expr *index : buffer->length->indices)
    result.of->indices.push_back(replaced(
        *index,
        [&](const ir::Expr &part) -> const ir::Expr * {
          if (part.op != Op::Variable)
            return nullptr;
          return buffer->length->binder && part.variable == *buffer->length->binder ? at
                 : part.variable == ir::Schedule::variableMe                        ? me
                                                                                    : nullptr;
        },
        program));
  return result;
}

} // namespace quadrille::compiler::sema
