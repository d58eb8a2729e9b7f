//===- MessageContents.h - What the messages of small cases hold --------------------------------------------------------*- C++ -*-===//
//
// The data from which contracts are guessed (Contracts.h).
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_PROVE_RANKS_MESSAGECONTENTS_H
#define QUADRILLE_PROVE_RANKS_MESSAGECONTENTS_H

#include "RankOperations.h"

#include "llvm/ADT/STLExtras.h"

namespace quadrille::compiler::prove {

/// The content of a slot: the product over ranks lo ..< end of a block of an input; `known` is false if it is something else. With cyclic
/// products `end` may be above p.
struct Held {
  bool known = false;
  std::int64_t input = 0, block = 0, lo = 0, end = 0;
  std::vector<bool> ranks = {}; // Products::Members: those of the product; if they are no cyclic interval, lo and end are 0
  bool operator==(const Held &) const = default;

  bool isOfAll() const { return known && llvm::all_of(ranks, [](bool isIn) { return isIn; }); }
};

/// A slot, or several equal ones, of a message.
struct MessageSlot {
  const SmallMessage *message;
  std::pair<Term, std::int64_t> label; // of the slot; null if the message has no labels
  Held held;
};

/// The axis by whose labels the slots of a message may differ; null if they are all the same.
const Axis *labelled(const RankOp &op);

/// What the messages of each op hold in small cases, by op.
std::vector<std::vector<MessageSlot>> contentsOfMessages(RankOperations &program, const ir::Schedule &schedule, Products products);

} // namespace quadrille::compiler::prove

#endif // QUADRILLE_PROVE_RANKS_MESSAGECONTENTS_H
