//===- Steps.cpp - What is carried out step by step -------------------------===//

#include "Steps.h"

#include <algorithm>

using namespace quadrille;
using namespace quadrille::mpi::detail;
using quadrille::detail::Operand;
using quadrille::detail::Operation;
using quadrille::detail::Program;

/// For messages up to this size, beginning and completing them takes MPI longer
/// than moving their bytes.
static constexpr Index longestBytes = 4096;

/// Whether a blocking call of MPI can carry out a message: it is short, in one
/// piece, and its length is known before.
static bool isSimple(const Program &program, const Operation &operation, Index elementBytes) {
  if (operation.kind != Operation::Kind::Send && operation.kind != Operation::Kind::Receive)
    return false;
  if (operation.operandCount == 0)
    return true;
  const Operand &operand = program.operand(operation, 0);
  return operand.pieces == 0 && operand.elements >= 0 &&
         operand.elements * std::max<Index>(elementBytes, 1) <= longestBytes;
}

/// Whether operation `later` can begin before the operations from `at` on are
/// done.
static bool isIndependent(const Program &program, std::size_t at, std::size_t later) {
  const Operation &operation = program.operations[later];
  const std::size_t distance = later - at;
  return operation.follows <= at && distance < 64 &&
         (operation.waitsFor >> (64 - distance)) == 0;
}

/// Whether messages are in the order of steps, and those of a step are
/// consecutive.
static bool areInOrder(const Program &program) {
  std::int64_t latest = -1;
  bool followsMessage = false;
  for (std::size_t i = 0; i < program.count; ++i) {
    const Operation &operation = program.operations[i];
    if (operation.isMessage()) {
      const std::int64_t step = operation.step;
      if (step < latest || (step == latest && !followsMessage))
        return false;
      latest = step;
    }
    followsMessage = operation.isMessage();
  }
  return true;
}

void Steps::find(const Program &program, std::uint64_t number, Index elementBytes) {
  number_ = number;
  elementBytes_ = elementBytes;
  steps_.clear();
  count_ = 0;
  // Otherwise the messages of a step might be separated.
  if (!areInOrder(program))
    return;
  for (std::size_t at = 0, end = 0; at < program.count; at = end) {
    const Operation &first = program.operations[at];
    Step step;
    end = at + 1;
    if (!first.isMessage()) {
      step.move = &first;
    } else {
      for (end = at; end < program.count && program.operations[end].step == first.step; ++end) {
        const Operation &operation = program.operations[end];
        const Operation *&same = operation.isSend() ? step.send : step.receive;
        if (same || !isSimple(program, operation, elementBytes))
          return;
        same = &operation;
      }
      // End the chain if a blocking call would delay the next send, or the next
      // copy or combination, which could begin now. Delaying receives does no
      // harm.
      constexpr std::size_t farthest = 4;
      for (std::size_t next = end; next < std::min(program.count, end + farthest); ++next) {
        if (program.operations[next].isReceive())
          continue;
        if (isIndependent(program, at, next))
          return;
        break;
      }
    }
    steps_.push_back(step);
    count_ = end;
  }
}
