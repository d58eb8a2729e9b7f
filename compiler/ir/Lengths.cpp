//===- Lengths.cpp - Lengths of blocks, as far as a schedule knows them ---------------------------------------------===//

#include "Lengths.h"

#include "llvm/ADT/STLExtras.h"

namespace quadrille::compiler::ir {

bool isWhole(const Slice &slice) {
  return slice.blocks.kind == IndexKind::Whole && slice.packets.kind == IndexKind::Whole;
}

bool passesPackets(const Slice &slice, const Buffer &parameter) {
  return slice.buffer->parts &&
         (slice.packets.kind != IndexKind::Whole || (!slice.buffer->isArray && parameter.isArray));
}

BlockLengths lengthsOf(const Schedule &schedule) {
  return schedule.tables.empty() ? BlockLengths::Same : BlockLengths::Own;
}

BlockLengths lengthsIn(const UseStmt &use, BlockLengths caller) {
  // All schedules used on blocks with lengths of their own get such blocks.
  if (caller == BlockLengths::Own || lengthsOf(*use.callee) == BlockLengths::Own)
    return BlockLengths::Own;
  auto mayDiffer = [&](const Slice &slice, const Buffer &parameter) {
    return parameter.isArray && (slice.buffer->parts || (caller == BlockLengths::Packets && slice.buffer->isArray));
  };
  for (auto [slice, parameter] : llvm::zip(use.inputs, use.callee->inputs))
    if (mayDiffer(slice, *parameter))
      return BlockLengths::Packets;
  for (auto [slice, parameter] : llvm::zip(use.outputs, use.callee->outputs))
    if (mayDiffer(slice, *parameter))
      return BlockLengths::Packets;
  return BlockLengths::Same;
}

bool takesLength(const Buffer &buffer, const Schedule &schedule, BlockLengths lengths) {
  const bool isMessage = buffer.kind == BufferKind::Message;
  if (buffer.kind == BufferKind::Input || buffer.kind == BufferKind::Output || buffer.length || buffer.parts)
    return false;
  if (isMessage && lengths == BlockLengths::Own)
    return true; // the blocks received may differ from those sent
  if (buffer.isArray && !isMessage)
    return false;
  if (!buffer.like) // a message may be a packet
    return lengths != BlockLengths::Same ||
           (isMessage && llvm::any_of(schedule.buffers, [](const auto &other) { return other->parts != nullptr; }));
  const Slice &like = *buffer.like;
  if (like.packets.kind != IndexKind::Whole)
    return true;
  if (buffer.isArray && like.blocks.kind == IndexKind::Whole)
    return takesLength(*like.buffer, schedule, lengths);
  return lengths != BlockLengths::Same || takesLength(*like.buffer, schedule, lengths);
}

const Buffer *lengthModel(const Schedule &schedule) {
  const Buffer *array = nullptr;
  for (const auto *list : {&schedule.inputs, &schedule.outputs})
    for (const Buffer *buffer : *list) {
      if (!buffer->isArray)
        return buffer;
      if (!array)
        array = buffer;
    }
  return array;
}

const Buffer *shapingMessage(const Buffer &buffer) {
  const Buffer *shape = &buffer;
  while (shape->kind != BufferKind::Message && shape->like && isWhole(*shape->like))
    shape = shape->like->buffer;
  return shape->kind == BufferKind::Message ? shape : nullptr;
}

const Slice *shapeOfMessage(const Buffer &message) {
  const Slice *like = message.like;
  while (like && isWhole(*like) && like->buffer->kind != BufferKind::Input && like->buffer->like)
    like = like->buffer->like;
  return like && like->buffer->kind == BufferKind::Message ? nullptr : like;
}

bool holdsPackets(const Buffer &buffer) {
  if (buffer.length && buffer.length->parts)
    return true;
  return buffer.like && (buffer.like->packets.kind != IndexKind::Whole || holdsPackets(*buffer.like->buffer));
}

} // namespace quadrille::compiler::ir
