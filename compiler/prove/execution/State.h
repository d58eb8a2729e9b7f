//===- State.h - What all ranks hold, as formulas ------------------------------------------------------------------*- C++ -*-===//
//
// The state between two statements is one formula per buffer, for all ranks and slots: the content of slot (block', packet') of
// rank `me`. A statement turns it into another formula; at the head of a loop it is an invariant. Formulas need no quantifiers,
// arrays or sets.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_PROVE_EXECUTION_STATE_H
#define QUADRILLE_PROVE_EXECUTION_STATE_H

#include "prove/terms/Symbols.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <deque>
#include <memory>
#include <optional>

namespace quadrille::compiler::prove {

/// How products of inputs are represented.
enum class Products {
  Ordered,  // an interval of ranks, in order
  Cyclic,   // a cyclic interval of ranks; the operator has to commute
  Members,  // any set of ranks, by a predicate; unless the operator commutes, in order
};

/// The content of a slot: the product over `length` ranks lo, lo + 1, ... of their block `block` (packet `packet`) of input
/// `input`. With Products::Members the product is over the ranks x' for which `member` holds. Without an operator, length is 1.
struct Content {
  Term valid;   // it is not empty
  Term unknown; // nothing else is known; if `valid` is false, not even whether it is empty
  Term input, block, packet;
  Term lo, length;
  Term member;

  /// Whether all parts are set, with terms of the right types.
  bool isWhole() const {
    auto isTruth = [](Term part) { return part && part->isBoolean(); };
    auto isNumber = [](Term part) { return part && !part->isBoolean(); };
    return isTruth(valid) && isTruth(unknown) && isTruth(member) && isNumber(input) && isNumber(block) && isNumber(packet) &&
           isNumber(lo) && isNumber(length);
  }

  llvm::SmallVector<Term *, 8> parts() { return {&valid, &unknown, &input, &block, &packet, &lo, &length, &member}; }
};

/// The symbols in formulas about a state: the generic rank, slot (block', packet') and member, and p.
struct StateSymbols {
  explicit StateSymbols(TermPool &pool)
      : me(pool.variable("me")), block(pool.variable("block'")), packet(pool.variable("packet'")),
        member(pool.variable("x'")), p(pool.variable("p")) {}
  Term me, block, packet, member, p;
};

/// Where a schedule is being executed: the chain of `use`s that leads to it. A schedule may be used more than once.
struct UsePath {
  llvm::SmallVector<const ir::UseStmt *, 2> uses;
  bool operator==(const UsePath &) const = default;
};

/// Some slots of one dimension, for the generic rank: a set of labels x, each of which stands for a slot.
struct Axis {
  enum Kind {
    Single,   // one slot, `start`; no label
    Position, // x in 0 ..< count: slot start + x, modulo `modulus` if there is one
    Number,   // slot x, for x in lo ..< hi for which `filter` holds
  } kind = Single;
  Term start, count, modulus; // Position
  Term lo, hi, filter;        // Number; `filter` is a formula in `label`
  Term label;                 // the variable for x; null for Single

  /// The same with each formula replaced by what `change` makes of it.
  Axis changed(llvm::function_ref<Term(Term)> change) const {
    Axis result = *this;
    for (Term *part : {&result.start, &result.count, &result.modulus, &result.lo, &result.hi, &result.filter})
      if (*part)
        *part = change(*part);
    return result;
  }
};

struct SymbolicBuffer {
  std::string name;
  UsePath place;
  const ir::Buffer *buffer = nullptr; // the buffer of the schedule at `place`
  bool isMessage = false;             // declared by a receive: takes the shape of the message
  Term blocks;                        // the number of blocks; 1 for a single block
  Term packets;                       // packets per block
  Term packet;                        // if blocks are as long as packets of other blocks: the number of that packet; else null
  bool takesLength = false;           // a single block that is as long as what it is set to (ir/Lengths.h)
  Axis blockShape, packetShape;       // messages only: the labels of the message
  bool hasShape = false;
  Content content;
  // If blocks have lengths of their own: the entry of the collective's table for rank `me` and block `block'`.
  const ir::LengthOf *length = nullptr;
  unsigned table = 0;
  llvm::SmallVector<Term, 2> lengthIndices;
};

/// How a buffer of a used schedule lies in a storage: its block b and packet k are the storage's
///   - block blockBase + b and packet k, or
///   - block blockBase and packet packetBase + b (blocks of the callee are packets of the storage), or
///   - block blockBase and packet packetBase (one packet), and so on.
struct SymbolicView {
  SymbolicBuffer *storage = nullptr;
  Term blockBase;                // may depend on `me`
  bool blocksAreBlocks = true;   // the callee's blocks are blocks of the storage
  bool blocksArePackets = false; // the callee's blocks are packets of the storage
  Term packetBase;               // if the view consists of packets; else null
  Term blocks;                   // the number of blocks of the view
};

/// A part of a storage, for the generic rank. The axes are those of the slice, whose blocks may be packets of the storage.
struct Slots {
  SymbolicBuffer *storage = nullptr;
  Axis block, packet;
  bool blocksArePackets = false;

  const Axis &alongBlocks() const { return blocksArePackets ? packet : block; }
  const Axis &alongPackets() const { return blocksArePackets ? block : packet; }
};

/// A chain of messages, one in each of some rounds: a rank of each takes part in the one before. It begins and ends with these ranks.
/// Where there is no round, they are the same rank.
struct Chain {
  Term from, to;

  bool operator==(const Chain &) const = default;
};

/// The synchronous cost of the rounds so far. Where some ranks pass by what others do, rounds are about time: a message is in the first
/// round after those that its ranks have had before. Then there are no more rounds than these, as to count them so is a timetable; and
/// no fewer, if there is a chain.
struct SymbolicCost {
  Term startups;
  // Words: own + (blocks*n + packets*ceil(n/k)) / denominator.
  Term own, ownReceived; // of blocks with lengths of their own; `own` takes maxima over the senders, `ownReceived` over the receivers
  Term blocks, packets;
  std::int64_t denominator = 1;
  bool exact = true;         // false: words are an upper bound
  bool startupsExact = true; // false: startups are an upper bound
  std::optional<NotModelled> unknown = {}; // why it has no formula
  bool withRankZero = false;        // rank 0 sends or receives in every round
  bool longestWithRankZero = false; // ... and takes part in a longest message of the round
  std::optional<std::vector<Chain>> chains = {}; // through all rounds; absent: there are no rounds, and each rank is a chain
  bool areAlike = true;             // all messages have as many blocks, or as many packets
  Term blocksOfMessage = {}, packetsOfMessage = {}; // so many; null: there are no rounds
  // Operator applications, of each round those of the rank that has most: workBlocks*n + workPackets*ceil(n/k).
  Term workBlocks = {}, workPackets = {};
  bool workExact = true; // false: they are an upper bound
  std::optional<NotModelled> workUnknown = {};
};

/// Operator applications of the generic rank since the last step.
struct Work {
  Term blocks, packets;        // as many words as these; null: none
  Term isLongest;              // the condition on which all packets are the longest of their blocks
  std::vector<Term> ranks;     // that may have most
  Term startups;               // of the last step, or 1 before the first one; null: not known
  // A part of the work that differs between ranks has been counted:
  bool isOpen = false;         // since the last step
  bool headIsOpen = false;     // before the first step in the body of the loop
  bool hasStep = false;        // the body of the loop, or the schedule, has had a step
  bool isFirst = true;         // nothing has been counted so far
};

/// a*b. Throws TermOverflow.
std::int64_t exactProduct(std::int64_t a, std::int64_t b);

/// The content of a slice or of a product of slices, as a formula in its labels.
struct Data {
  Axis block, packet;
  Content content; // a formula in the labels
  llvm::SMRange range;
  Slots slots;     // of the first slice
};

} // namespace quadrille::compiler::prove

#endif // QUADRILLE_PROVE_EXECUTION_STATE_H
