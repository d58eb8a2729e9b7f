//===- IrToCppStorage.cpp - Temporaries: which, how large, allocated where -------------------------------------------------===//
//
// The runtime keeps temporaries until the call ends, so emitted code allocates none in a loop if possible: a buffer gets its
// memory before the outermost statement around its declaration, large enough for all iterations.
//
//===----------------------------------------------------------------------------------------------------------------------===//

#include "IrToCpp.h"

#include "Queries.h"

#include "llvm/ADT/STLExtras.h"

namespace quadrille::compiler::emit {

using namespace ir;
using cpp::ExprPtr;

static ExprPtr allocateLike(ExprPtr shape) { return cpp::call("call.temporaryLike", {std::move(shape)}); }
static ExprPtr allocateBlocks(ExprPtr shape, ExprPtr count) {
  return cpp::call("call.temporaryBlocks", {std::move(shape), std::move(count)});
}

/// The same allocation with the buffer's name, which explanations of plans print.
static ExprPtr named(const std::string &name, const ExprPtr &allocation) {
  auto result = std::make_shared<cpp::Expr>(*allocation);
  result->operands.insert(result->operands.begin() + 1, cpp::atom("\"" + name + "\""));
  return result;
}

/// Whether a buffer's size can be computed here: all variables that it depends on are set.
bool ScheduleLowering::isKnown(const Buffer &buffer) const {
  if (buffer.like)
    return allocated[buffer.like->buffer->index] || isKnown(*buffer.like->buffer);
  // If ranks know some lengths only, the ranks that execute the declaration know the lengths in it; others may not.
  if (module.knowsSome && buffer.length && !isDeclaredByAll(buffer))
    return false;
  bool result = !buffer.count || isKnown(buffer.count);
  if (!buffer.length)
    return result;
  auto look = [&](unsigned variable) { result &= known.contains(variable) || variable == buffer.length->binder; };
  for (const Expr *index : buffer.length->indices)
    visitVariables(index, look);
  for (const Expr *expr : {buffer.length->parts, buffer.length->part})
    visitVariables(expr, look);
  return result;
}

/// Whether a statement of the top level declares a buffer.
bool ScheduleLowering::isDeclaredByAll(const Buffer &buffer) const {
  return llvm::any_of(schedule.body, [&](const auto &stmt) {
    const auto *declare = llvm::dyn_cast<DeclareStmt>(stmt.get());
    return declare && declare->buffer == &buffer;
  });
}

bool ScheduleLowering::isKnown(const Expr *expr) const {
  bool result = true;
  visitVariables(expr, [&](unsigned variable) { result &= known.contains(variable); });
  return result;
}

/// An allocation of one block of n elements; in a ragged schedule, of the longest block.
ExprPtr ScheduleLowering::oneBlock() {
  // Another rank's block may be longer than all blocks of this rank.
  if (lengths == BlockLengths::Own)
    return cpp::call("call.temporary", {cpp::number(1), cpp::call("call.longest", {})});
  const Buffer *single = nullptr, *array = nullptr;
  for (const auto *list : {&schedule.inputs, &schedule.outputs})
    for (const Buffer *buffer : *list)
      (buffer->isArray ? array : single) = (buffer->isArray ? array : single) ? (buffer->isArray ? array : single) : buffer;
  if (array && (ragged || !single))
    return allocateBlocks(cpp::atom(bufferNames[array->index]), cpp::number(1));
  if (single)
    return allocateLike(cpp::atom(bufferNames[single->index]));
  return cpp::call("call.temporary", {cpp::number(1), cpp::number(0)});
}

/// A region of one block with the length of blocks that are declared without a length.
ExprPtr ScheduleLowering::lengthOfBlock() {
  const Buffer *model = lengthModel(schedule);
  if (!model)
    return oneBlock();
  ExprPtr region = cpp::atom(bufferNames[model->index]);
  return model->isArray ? cpp::method(region, "slice", {cpp::number(0), cpp::number(1)}) : region;
}

void ScheduleLowering::planStorage() {
  storage.resize(schedule.buffers.size());
  std::vector<bool> referenced(schedule.buffers.size());
  visitStmts(schedule.body, [&](const Stmt &stmt) {
    if (const auto *transfer = llvm::dyn_cast<TransferStmt>(&stmt))
      if (fused.contains(transfer))
        return;
    if (const auto *assign = llvm::dyn_cast<AssignStmt>(&stmt); assign && superfluous.contains(assign))
      return;
    visitSlices(stmt, [&](const Slice &slice, bool) { referenced[slice.buffer->index] = true; });
  });
  for (const auto &buffer : schedule.buffers) {
    if (buffer->kind == BufferKind::Input || buffer->kind == BufferKind::Output)
      storage[buffer->index].kind = Allocation::Exact;
    else if (referenced[buffer->index])
      plan(*buffer);
  }
}

void ScheduleLowering::plan(const Buffer &buffer) {
  if (buffer.like)
    return planLike(buffer, *buffer.like);
  Allocation &kept = storage[buffer.index];
  kept.kind = Allocation::Exact;
  if (buffer.length) {
    kept.allocation = [this, &buffer] {
      const std::string binder = buffer.length->binder ? variableNames[*buffer.length->binder] : "";
      return cpp::call("call.temporaryOf", {buffer.count ? exprs.lower(*buffer.count) : cpp::number(1),
                                            exprs.lengthFunction(schedule, *buffer.length, binder, tableNames)});
    };
    return;
  }
  if (!buffer.count) {
    if (takesLength(buffer, schedule, lengths))
      kept.kind = Allocation::Ragged;
    kept.allocation = [this, &kept] {
      return ragged && kept.kind == Allocation::Exact ? allocateLike(lengthOfBlock()) : oneBlock();
    };
    return;
  }
  kept.allocation = [this, &buffer] {
    const Buffer *array = nullptr, *single = nullptr;
    for (const auto *list : {&schedule.inputs, &schedule.outputs})
      for (const Buffer *candidate : *list) {
        // Prefer an array with as many blocks: the new one then has the same shape.
        if (candidate->isArray && (!array || sameExpr(candidate->count, buffer.count)))
          array = candidate;
        if (!candidate->isArray && !single)
          single = candidate;
      }
    if (array && sameExpr(array->count, buffer.count))
      return allocateLike(cpp::atom(bufferNames[array->index]));
    const Buffer *model = single && !ragged ? single : array ? array : single;
    if (!model)
      return cpp::call("call.temporary", {exprs.lower(*buffer.count), cpp::number(0)});
    return allocateBlocks(cpp::atom(bufferNames[model->index]), exprs.lower(*buffer.count));
  };
}

/// Whether the blocks of an array have the same lengths on all ranks.
bool ScheduleLowering::sameOnAllRanks(const Buffer &buffer) const {
  if (buffer.like)
    return isWhole(*buffer.like) && sameOnAllRanks(*buffer.like->buffer);
  if (!buffer.length)
    return lengths != BlockLengths::Own;
  bool result = !buffer.count || !buffer.count->dependsOnRank;
  auto look = [&](unsigned variable) {
    result &= variable == buffer.length->binder || !schedule.variables[variable].dependsOnRank;
  };
  for (const Expr *index : buffer.length->indices)
    visitVariables(index, look);
  visitVariables(buffer.length->part, look);
  return result;
}

void ScheduleLowering::planLike(const Buffer &buffer, const Slice &like) {
  Allocation &kept = storage[buffer.index];
  const Buffer &model = *like.buffer;
  const Allocation &modelStorage = storage[model.index];
  const bool ofPackets = like.packets.kind != IndexKind::Whole;
  const bool isParameter = model.kind == BufferKind::Input || model.kind == BufferKind::Output;
  if (modelStorage.kind == Allocation::None && !isParameter && model.like) {
    // The model itself needs no memory (its messages are combined on arrival).
    return planLike(buffer, *model.like);
  }
  // The whole region in which the model lies.
  auto modelRoom = [this, &model, &modelStorage] {
    return cpp::atom(modelStorage.kind == Allocation::View || modelStorage.kind == Allocation::Ragged ? modelStorage.room
                                                                                               : bufferNames[model.index]);
  };
  const bool raggedModel = modelStorage.kind == Allocation::Ragged;
  if (lengths == BlockLengths::Own && buffer.kind == BufferKind::Message && buffer.isArray) {
    // Blocks that arrive may have other lengths than those of the model.
    kept.kind = Allocation::Ragged;
    kept.allocation = [this, modelRoom, &model] {
      return sameOnAllRanks(model) ? allocateLike(modelRoom())
                                   : cpp::call("call.temporary", {cpp::method(modelRoom(), "count", {}), cpp::call("call.longest", {})});
    };
    return;
  }
  if (buffer.parts && !buffer.isArray && (ragged || raggedModel)) {
    // The positions of packets follow from the length that the model has at the declaration.
    kept.kind = Allocation::Exact;
    kept.allocation = [this, &like] { return allocateLike(region(like)); };
    return;
  }
  if (isWhole(like)) {
    kept.kind = modelStorage.kind == Allocation::None ? Allocation::Exact : modelStorage.kind;
    // If the model is a view, this buffer is a view of the same slice.
    if (kept.kind == Allocation::View)
      return planLike(buffer, *model.like);
    // In a ragged schedule a single block may be overwritten by one of another length.
    if (ragged && takesLength(buffer, schedule, lengths))
      kept.kind = Allocation::Ragged;
    kept.allocation = [this, modelRoom, &buffer] {
      return ragged && !buffer.isArray && storage[buffer.index].kind == Allocation::Ragged ? oneBlock() : allocateLike(modelRoom());
    };
    return;
  }
  if (ofPackets) {
    // Packets differ in length: a packet that arrives may be longer than the model.
    kept.kind = Allocation::Ragged;
    kept.allocation = [this, modelRoom, &like, &model] {
      if (lengths == BlockLengths::Own)
        return oneBlock();
      ExprPtr base = model.isArray ? cpp::subscript(modelRoom(), cpp::number(0)) : modelRoom();
      if (like.packets.kind == IndexKind::Point)
        return allocateBlocks(cpp::method(base, "split", {exprs.lower(*model.parts)}), cpp::number(1));
      return allocateLike(base);
    };
    return;
  }
  if (like.blocks.kind == IndexKind::Point) {
    kept.kind = ragged || raggedModel ? Allocation::Ragged : Allocation::Exact;
    kept.allocation = [this, modelRoom] {
      return lengths == BlockLengths::Own ? oneBlock() : allocateBlocks(modelRoom(), cpp::number(1));
    };
    return;
  }
  // Several blocks: allocate as many as the model has; a message fills some of them.
  if (ragged || raggedModel) {
    kept.kind = Allocation::Ragged;
    kept.allocation = [modelRoom] { return allocateLike(modelRoom()); };
    return;
  }
  kept.kind = Allocation::View;
  kept.allocation = [modelRoom] { return allocateLike(modelRoom()); };
}

/// Whether a buffer is a single block, declared without a value, whose length may change with the values it gets.
bool ScheduleLowering::isDeclaredBlock(const Buffer &buffer) const {
  return buffer.kind == BufferKind::Local && !buffer.like && storage[buffer.index].kind == Allocation::Ragged;
}

/// The region of such a block at its declaration.
ExprPtr ScheduleLowering::declaredBlock(const Buffer &buffer) {
  return cpp::method(cpp::atom(storage[buffer.index].room), "like", {lengthOfBlock()});
}

void ScheduleLowering::allocate(const Buffer &buffer, bool atTop, cpp::Body &out) {
  if (allocated[buffer.index])
    return;
  allocated[buffer.index] = true;
  Allocation &kept = storage[buffer.index];
  if (kept.kind != Allocation::None) {
    if (buffer.like)
      allocate(*buffer.like->buffer, atTop, out);
    ExprPtr value = kept.allocation();
    std::string &name = bufferNames[buffer.index];
    // If a view's slice can be computed here, allocate exactly that.
    if (kept.kind == Allocation::View) {
      bool isFixed = true;
      visitVariables(*buffer.like, [&](unsigned variable) { isFixed &= known.contains(variable); });
      if (isFixed) {
        kept.kind = Allocation::Exact;
        value = allocateLike(region(*buffer.like));
      }
    }
    if (kept.kind == Allocation::View || kept.kind == Allocation::Ragged)
      kept.room = names.settle(buffer.name + "Room");
    // Messages of the same name and shape share memory: they are never in use together.
    for (const auto &other : schedule.buffers)
      if (buffer.kind == BufferKind::Message && other->kind == BufferKind::Message && other.get() != &buffer &&
          other->name == buffer.name && allocated[other->index] && storage[other->index].kind == kept.kind &&
          sharedAllocation[other->index] && cpp::same(sharedAllocation[other->index], value)) {
        name = bufferNames[other->index];
        kept.room = storage[other->index].room;
        sharedAllocation[buffer.index] = value;
        declareFlag(buffer, out);
        return;
      }
    if (atTop)
      sharedAllocation[buffer.index] = value;
    out.push_back(cpp::declaration("const Region", kept.kind == Allocation::Exact ? name : kept.room, named(buffer.name, value)));
    if (kept.kind == Allocation::Ragged)
      out.push_back(cpp::declaration("Region", name, isDeclaredBlock(buffer) ? declaredBlock(buffer) : nullptr));
  }
  declareScratch(buffer, out);
  declareFlag(buffer, out);
}

/// Allocates the buffers that a statement of the top level is the first to declare or receive, if their sizes are known.
void ScheduleLowering::allocateWithin(const Stmt &stmt, cpp::Body &out) {
  visitStmt(stmt, [&](const Stmt &inner) {
    if (const auto *declare = llvm::dyn_cast<DeclareStmt>(&inner)) {
      if (isKnown(*declare->buffer))
        allocate(*declare->buffer, true, out);
    } else if (const auto *transfer = llvm::dyn_cast<TransferStmt>(&inner)) {
      if (!transfer->isSend && transfer->message && transfer->message->buffer->kind == BufferKind::Message &&
          isKnown(*transfer->message->buffer))
        allocate(*transfer->message->buffer, true, out);
    }
  });
}

/// Allocates messages whose shape depends on variables set in a loop.
void ScheduleLowering::allocateMessages(const StepStmt &step, cpp::Body &out) {
  visitStmts(step.body, [&](const Stmt &stmt) {
    const auto *transfer = llvm::dyn_cast<TransferStmt>(&stmt);
    if (transfer && !transfer->isSend && transfer->message && transfer->message->buffer->kind == BufferKind::Message)
      allocate(*transfer->message->buffer, false, out);
  });
}

/// Declares the regions of packets of buffers that a statement of the top level is the first to use by packets.
void ScheduleLowering::declareSplits(const Stmt &stmt, cpp::Body &out) {
  visitStmt(stmt, [&](const Stmt &inner) {
    visitSlices(inner, [&](const Slice &slice, bool) {
      const Buffer &buffer = *slice.buffer;
      if (!buffer.parts || buffer.isArray || splitDeclared[buffer.index] || !isKnown(buffer.parts) ||
          storage[buffer.index].kind == Allocation::None)
        return;
      if (slice.packets.kind == IndexKind::Whole && !llvm::isa<UseStmt>(inner))
        return;
      splitDeclared[buffer.index] = true;
      ExprPtr parts = exprs.lower(*buffer.parts);
      out.push_back(cpp::declaration("const Region", packetNames[buffer.index],
                                     cpp::method(region(buffer), "split", {parts})));
    });
  });
}

} // namespace quadrille::compiler::emit
