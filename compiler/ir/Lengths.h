//===- Lengths.h - Lengths of blocks, as far as a schedule knows them ---------------------------------*- C++ -*-===//
//
// Blocks may differ in length if they are packets, or if their lengths are entries of a table. What is put into a buffer
// then must have the same length as the buffer, for every n, unless the buffer takes the length of what it is set to. These
// functions say which buffers do. The checks, the reference interpreter and the emitter, for its memory layout, all use them.
//
//===----------------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_IR_LENGTHS_H
#define QUADRILLE_IR_LENGTHS_H

#include "Schedule.h"

namespace quadrille::compiler::ir {

/// What a schedule knows about the lengths of its blocks.
enum class BlockLengths {
  Same,    // all have n elements
  Packets, // blocks of an array may be packets of different lengths, equal on all ranks
  Own,     // each block may have a length of its own, different on each rank
};

/// Whether the slice is all of its buffer.
bool isWhole(const Slice &slice);

/// Whether a `use` passes packets of the caller as blocks of the parameter.
bool passesPackets(const Slice &slice, const Buffer &parameter);

/// What a schedule knows if it is the outermost one.
BlockLengths lengthsOf(const Schedule &schedule);
/// What a used schedule knows if the caller knows `caller`.
BlockLengths lengthsIn(const UseStmt &use, BlockLengths caller);

/// Whether a buffer takes the length of the value that is assigned to all of it, or received. Otherwise it keeps the length of its
/// declaration; so do buffers whose blocks or packets are accessed one by one, since their places follow from the declaration.
bool takesLength(const Buffer &buffer, const Schedule &schedule, BlockLengths lengths);

/// The parameter whose blocks determine the length of blocks that the schedule declares without a length: the first single block,
/// else the first array. Null if there is none.
const Buffer *lengthModel(const Schedule &schedule);

/// The message that gives a buffer its shape, as in `recv t` or `var held := t`; null if there is none.
const Buffer *shapingMessage(const Buffer &buffer);

/// The slice that gives a name declared by a receive its shape: the one that the step sends. Null if there is none, or if it is a
/// message itself; the name is a block then.
const Slice *shapeOfMessage(const Buffer &message);

/// Whether a buffer has the length of packets of another one, as after `var t := y[0]` of a split block `y`.
bool holdsPackets(const Buffer &buffer);

} // namespace quadrille::compiler::ir

#endif // QUADRILLE_IR_LENGTHS_H
