//===- LockstepRound.h - The transfers of one step of all ranks -----------------------------------------*- C++ -*-===//
//
// Matches the sends and receives of a step, checks for races, and moves the data. All expressions are evaluated before.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_INSTANTIATE_LOCKSTEPROUND_H
#define QUADRILLE_INSTANTIATE_LOCKSTEPROUND_H

#include "Round.h"
#include "SlotColumn.h"

#include <deque>

namespace quadrille::compiler::lockstep {

/// One transfer statement of a step, evaluated for all ranks.
struct OpColumn {
  const ir::TransferStmt *stmt = nullptr;
  Storage *storage = nullptr; // null: a message without data
  bool elastic = false;       // its buffer is a name declared by a receive
  bool takesLength = false;   // the buffer takes the length of what it receives (ir/Lengths.h), and all of it is received
  std::vector<std::int32_t> peers; // machine rank, or -1
  SlotColumn slots;
  // The shape of an elastic name that is received into: its slots per rank (`room`), and the view whose lengths they take; without
  // a view, lengths go by position.
  std::vector<std::uint32_t> room;
  const View *shape = nullptr;
  bool ofBlock = true; // each block is as long as the first one of `shape`; else they have all lengths of `shape`, in order
};

class LockstepRound {
public:
  explicit LockstepRound(Machine &machine) : machine(machine), ranks(machine.ranks) {}

  /// Removes the transfers of the previous step.
  void clear() { opCount = 0; }
  /// Adds a transfer without partners. The reference is valid until `clear`.
  OpColumn &add(const ir::TransferStmt &stmt);
  /// Matches sends with receives. Throws UnmatchedInLockstep if one is left over. `wantsTransfers`: fill Round::transfers even if
  /// Round::partners is set.
  void match(bool wantsTransfers);
  const Round &matched() const { return round; }
  /// Throws Finding if a slot of a rank is received twice in the step, or received and sent.
  void checkRaces() const;
  void move();
  /// Ends the round. It is called only if the step had transfers, since a step without any is no round.
  void next() { ++round.number; }

private:
  void matchPartners(const OpColumn &send, const OpColumn &recv, bool wantsTransfers);
  void matchInOrder();
  [[noreturn]] void unmatched(const OpColumn &op, std::uint32_t rank) const;
  void addTransfer(const OpColumn &send, const OpColumn &recv, std::uint32_t source, std::uint32_t destination);
  void addPartnerTransfers();
  void measureTransfers();
  void measurePartners();

  void checkRacesOfPairs() const;
  void checkRacesBySweep() const;
  [[noreturn]] void race(const OpColumn &a, const OpColumn &b, std::uint32_t rank, SlotRun common) const;

  bool partnersMoveSingleSlots() const;
  void moveSingleSlots();
  void moveTransfers();

  Machine &machine;
  const std::uint32_t ranks;

  std::deque<OpColumn> ops; // the first opCount belong to this step; the memory of the others is reused
  size_t opCount = 0;
  Round round;
  std::vector<const OpColumn *> receivers;                              // per transfer of the round
  const OpColumn *partnerSend = nullptr, *partnerRecv = nullptr;        // if the round has partners
  std::vector<std::int64_t> partnerWords;
};

} // namespace quadrille::compiler::lockstep

#endif // QUADRILLE_INSTANTIATE_LOCKSTEPROUND_H
