//===- ReversalOfData.cpp - Buffers of a schedule run backwards ---------------------------------------------------------===//
//
// Inputs become outputs. A buffer exists before the value from which it took its shape forwards, so it gets a type.
//
//===----------------------------------------------------------------------------------------------------------------===//

#include "Reversal.h"

#include "ir/Lengths.h"
#include "ir/Walk.h"

#include "llvm/ADT/Twine.h"

namespace quadrille::compiler::sema {

using ir::IndexKind;
using ir::Op;

static void forSlices(const ir::DataExpr &value, llvm::function_ref<void(const ir::Slice &)> visit) {
  if (!value.isCombine)
    return visit(value.slice);
  forSlices(*value.left, visit);
  forSlices(*value.right, visit);
}

Reversal::Buffers Reversal::readBuffers(const ir::Body &body, bool fromFirstLoop) {
  Buffers read;
  bool isAsked = !fromFirstLoop;
  ir::anyStatement(body, [&](const ir::Stmt &stmt) {
    isAsked |= llvm::isa<ir::ForStmt>(stmt);
    if (!isAsked)
      return false;
    if (auto *assign = llvm::dyn_cast<ir::AssignStmt>(&stmt)) {
      forSlices(*assign->value, [&](const ir::Slice &slice) { read.insert(slice.buffer); });
    } else if (auto *transfer = llvm::dyn_cast<ir::TransferStmt>(&stmt)) {
      if (transfer->isSend && transfer->message)
        read.insert(transfer->message->buffer);
    } else if (auto *use = llvm::dyn_cast<ir::UseStmt>(&stmt)) {
      for (const ir::Slice &input : use->inputs)
        read.insert(input.buffer);
    }
    return false;
  });
  return read;
}

void Reversal::exchangeData(const ir::Body &body, ir::Body &into) {
  const Buffers read = readBuffers(body);
  for (auto [input, output] : llvm::zip(forward.inputs, schedule.outputs)) {
    other[input] = output;
    own(*output).parts = input->parts;
  }
  for (unsigned i = 0; i < forward.outputs.size(); ++i) {
    const ir::Buffer *output = forward.outputs[i], *input = schedule.inputs[i];
    if (!read.contains(output)) { // nothing comes back to it
      other[output] = input;
      own(*input).parts = output->parts;
      continue;
    }
    ir::Slice whole;
    whole.buffer = input;
    whole.range = output->range;
    ir::Buffer &sum = own(*output);
    sum.name = unused("sum");
    sum.kind = ir::BufferKind::Local;
    sum.count = nullptr;
    sum.length = std::nullopt;
    sum.presence = nullptr;
    sum.like = &program.slices.emplace_back(whole);
    grown[output] = i;
    append<ir::DeclareStmt>(into, output->range, output->range).buffer = output;
    ir::Slice target;
    target.buffer = output;
    target.range = output->range;
    assignment(target, leaf(whole), output->range, output->range, into);
    filled.insert(output);
  }
}

ir::Slice Reversal::mapped(const ir::Slice &slice) const {
  ir::Slice result = slice;
  if (const ir::Buffer *instead = other.lookup(slice.buffer))
    result.buffer = instead;
  return result;
}

std::string Reversal::unused(llvm::StringRef name) const {
  std::string result = exprs.untaken(name);
  const auto isUsed = [&](const std::string &candidate) {
    return namesInStep.contains(candidate) ||
           llvm::any_of(schedule.variables, [&](const ir::Variable &variable) { return variable.name == candidate; }) ||
           llvm::any_of(schedule.buffers, [&](const auto &buffer) { return buffer->name == candidate && buffer->kind != ir::BufferKind::Message; });
  };
  for (unsigned i = 2; isUsed(result); ++i)
    result = exprs.untaken((name + llvm::Twine(i)).str());
  return result;
}

ir::Buffer &Reversal::newBuffer(const std::string &name, ir::BufferKind kind, llvm::SMRange range) {
  auto owned = std::make_unique<ir::Buffer>();
  owned->name = unused(name);
  owned->kind = kind;
  owned->index = static_cast<unsigned>(schedule.buffers.size());
  owned->range = range;
  namesInStep.insert(owned->name);
  schedule.buffers.push_back(std::move(owned));
  return *schedule.buffers.back();
}

bool Reversal::giveTypeOf(ir::Buffer &buffer, const ir::Slice &slice, llvm::SMRange at) {
  const ir::Buffer *base = slice.buffer;
  if (slice.packets.kind != IndexKind::Whole) {
    refuse(at, diag::OneWayLengthOfPacket{.buffer = nameInText(buffer)});
    return false;
  }
  while (base->like && ir::isWhole(*base->like))
    base = base->like->buffer;
  const bool isWhole = slice.blocks.kind == IndexKind::Whole;
  if (!isWhole && (base->length || base->like || slice.blocks.kind == IndexKind::Filter)) {
    refuse(at, diag::OneWayBlocksUnknown{.buffer = nameInText(buffer)});
    return false;
  }
  if (isWhole && base->like)
    return giveTypeOf(buffer, *base->like, at);
  buffer.like = nullptr;
  buffer.isArray = isWhole ? base->isArray : slice.blocks.kind != IndexKind::Point;
  buffer.length = base->length;
  buffer.count = isWhole                                  ? base->count
                 : slice.blocks.kind == IndexKind::Point  ? nullptr
                 : slice.blocks.kind == IndexKind::Range  ? integer(Op::Subtract, slice.blocks.b, slice.blocks.a)
                                                          : slice.blocks.b;
  return true;
}

bool Reversal::giveType(const ir::Buffer &buffer, llvm::SMRange at) {
  if (!buffer.like)
    return true;
  return giveTypeOf(own(buffer), mapped(*buffer.like), at);
}

void Reversal::declare(const ir::Buffer &buffer, llvm::SMRange at, ir::Body &into) {
  append<ir::DeclareStmt>(into, at, at).buffer = &buffer;
  filled.erase(&buffer);
}

void Reversal::dropUnusedBuffers() {
  llvm::erase_if(schedule.buffers, [&](const auto &buffer) { return other.contains(buffer.get()); });
  for (unsigned i = 0; i < schedule.buffers.size(); ++i)
    schedule.buffers[i]->index = i;
}

} // namespace quadrille::compiler::sema
