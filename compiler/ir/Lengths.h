//===- Lengths.h - Which buffers keep the length that they were declared with ---------------------------------*- C++ -*-===//
//
// Blocks differ in length where they are packets, or entries of a table say how long they are. What is put into a buffer
// then has to be as long as the buffer for every n - unless the buffer takes the length of what it is set to. Which ones do
// is told here, for the checks, the reference interpreter and the emitter, which lays out memory accordingly.
//
//===----------------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_IR_LENGTHS_H
#define QUADRILLE_IR_LENGTHS_H

#include "Schedule.h"

namespace quadrille::compiler::ir {

/// What is known about how long the blocks are that a schedule works on.
enum class BlockLengths {
  Same,    // all have n elements
  Packets, // those of an array may be packets of different lengths, the same on all ranks
  Own,     // each has a length of its own, which other ranks may not have
};

/// All of a buffer?
bool isWhole(const Slice &slice);

/// Are packets passed, as blocks of the schedule that is used?
bool passesPackets(const Slice &slice, const Buffer &parameter);

/// What a schedule knows of the lengths of its blocks if it runs by itself.
BlockLengths lengthsOf(const Schedule &schedule);
/// The same if it is used by a schedule that knows `caller`.
BlockLengths lengthsIn(const UseStmt &use, BlockLengths caller);

/// Does a buffer take the length of what all of it is set to, or receives? If not, it keeps the one that it was declared
/// with. What is taken apart keeps its length: packets, and the blocks of an array, lie where the declaration says.
bool takesLength(const Buffer &buffer, const Schedule &schedule, BlockLengths lengths);

/// The parameter whose blocks are as long as those that a schedule declares without saying how long they are: the first single
/// block, else the first array. Null if there is none.
const Buffer *lengthModel(const Schedule &schedule);

/// The message whose shape a buffer has, `recv t` or `var held := t`; null if it has another one.
const Buffer *shapingMessage(const Buffer &buffer);

/// The slice that tells the shape of a name that is declared by receiving, of no message: what its step sends. Null if there is
/// none; it is a block then.
const Slice *shapeOfMessage(const Buffer &message);

/// Is a buffer as long as packets of others are, `var t := y[0]` of a split `y`?
bool holdsPackets(const Buffer &buffer);

} // namespace quadrille::compiler::ir

#endif // QUADRILLE_IR_LENGTHS_H
