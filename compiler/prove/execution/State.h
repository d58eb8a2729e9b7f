//===- State.h - What all ranks hold, as formulas ------------------------------------------------------------------*- C++ -*-===//
//
// The state between two statements is one formula for all ranks and slots: what slot (block, packet) of rank `me` holds.
// Statements turn it into another formula; at the head of a loop it is an invariant. No quantifier, array or set is
// needed anywhere.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_PROVE_EXECUTION_STATE_H
#define QUADRILLE_PROVE_EXECUTION_STATE_H

#include "prove/terms/Symbols.h"

#include <deque>
#include <memory>
#include <optional>

namespace quadrille::compiler::prove {

/// How products of inputs are followed.
enum class Products {
  Ordered,  // consecutive ranks, in their order
  Cyclic,   // cyclically consecutive ranks; the operator has to commute
  Members,  // any set of ranks, by its members; the operator has to commute
};

/// What a slot holds: a product of block `block` (of packet `packet` of it) of input `input` of the ranks lo, lo + 1, ...,
/// `length` of them, or, of Products::Members, of those ranks `x` for which `member` holds. Without an operator it is one
/// rank's.
struct Content {
  Term valid;   // not empty
  Term unknown; // nothing else is known about it, and if it is not `valid`, not even whether it is empty
  Term input, block, packet;
  Term lo, length;
  Term member;

  /// All parts are there, those that are truth values and those that are numbers.
  bool isWhole() const {
    auto isTruth = [](Term part) { return part && part->isBoolean(); };
    auto isNumber = [](Term part) { return part && !part->isBoolean(); };
    return isTruth(valid) && isTruth(unknown) && isTruth(member) && isNumber(input) && isNumber(block) && isNumber(packet) &&
           isNumber(lo) && isNumber(length);
  }

  llvm::SmallVector<Term *, 8> parts() { return {&valid, &unknown, &input, &block, &packet, &lo, &length, &member}; }
};

/// The symbols that formulas about a state are written in.
struct StateSymbols {
  explicit StateSymbols(TermPool &pool)
      : me(pool.variable("me")), block(pool.variable("block'")), packet(pool.variable("packet'")),
        member(pool.variable("x'")), p(pool.variable("p")) {}
  Term me, block, packet, member, p;
};

/// A loop or a buffer of a schedule that others may use more than once: by the `use`s that lead to it.
struct Place {
  llvm::SmallVector<const ir::UseStmt *, 2> uses;
  bool operator==(const Place &) const = default;
};

/// Some slots of one dimension, for the generic rank: labels x and the slot that each stands for.
struct Axis {
  enum Kind {
    Single,   // one slot, `start`; no label
    Position, // x in 0 ..< count: slot start + x, modulo `modulus` if there is one
    Number,   // x is the slot, in lo ..< hi, those for which `filter` holds if there is one
  } kind = Single;
  Term start, count, modulus; // Position
  Term lo, hi, filter;        // Number; `filter` speaks of `label`
  Term label;                 // the variable for x; null for Single
};

struct SymbolicBuffer {
  std::string name;
  Place place;
  const ir::Buffer *buffer = nullptr; // of the schedule at `place`
  bool isMessage = false;             // a name that a receive declares: takes the shape of what arrives
  Term blocks;                        // how many; 1 for a single block
  Term packets;                       // per block
  Term packet;                        // where block `block'` is as long as one packet of others: which; else null
  Axis blockShape, packetShape;       // messages only: the labels of what arrived
  bool hasShape = false;
  Content content;
  // Lengths of their own: the entry of a table for rank `me` and block `block'`.
  const ir::LengthOf *length = nullptr;
  unsigned table = 0;
  llvm::SmallVector<Term, 2> lengthIndices;
};

/// How a buffer of a running schedule lies in a storage: callee block b and packet k are the storage's
///   - block blockBase + b and packet k, or
///   - block blockBase and packet packetBase + b (blocks of the callee are packets of the caller), or
///   - block blockBase and packet packetBase (one packet), and so on.
struct SymbolicView {
  SymbolicBuffer *storage = nullptr;
  Term blockBase;                // may depend on `me`
  bool blocksAreBlocks = true;   // callee blocks count the storage's blocks
  bool blocksArePackets = false; //   ... or its packets
  Term packetBase;               // if its packets are not those of the storage
  Term blocks;                   // how many blocks the view has
};

/// Part of a storage, for the generic rank. The axes are those of the slice, whose blocks may be packets of the storage.
struct Slots {
  SymbolicBuffer *storage = nullptr;
  Axis block, packet;
  bool blocksArePackets = false;

  const Axis &alongBlocks() const { return blocksArePackets ? packet : block; }
  const Axis &alongPackets() const { return blocksArePackets ? block : packet; }
};

/// The synchronous cost of the rounds so far.
struct Cost {
  Term startups;
  Term own, ownReceived; // words of blocks with lengths of their own, told by senders and by receivers
  Term blocks, packets; //   ... of blocks of n elements, and of packets of ceil(n/k),
  std::int64_t denominator = 1; // divided by this
  bool exact = true;         // else a bound from above
  bool startupsExact = true; // else they are
  std::optional<NotModelled> unknown = {}; // why it has no formula
  bool withRankZero = false;        // rank 0 sends or receives in every round
  bool longestWithRankZero = false; // ... and no message of the round is longer than that
};

/// a*b. Throws TermOverflow.
std::int64_t exactProduct(std::int64_t a, std::int64_t b);

/// What a slice or a product of slices holds, by label.
struct Data {
  Axis block, packet;
  Content content; // speaks of the labels
  llvm::SMRange range;
};

} // namespace quadrille::compiler::prove

#endif // QUADRILLE_PROVE_EXECUTION_STATE_H
