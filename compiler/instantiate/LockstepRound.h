//===- LockstepRound.h - The transfers of one step of all ranks -----------------------------------------*- C++ -*-===//
//
// Knows sends and receives with their numbers filled in, nothing of the statements around them: matches them, refuses
// races, moves the data.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_INSTANTIATE_LOCKSTEPROUND_H
#define QUADRILLE_INSTANTIATE_LOCKSTEPROUND_H

#include "Round.h"
#include "SlotColumn.h"

#include <deque>

namespace quadrille::compiler::lockstep {

/// A transfer statement of a step, for all ranks.
struct OpColumn {
  const ir::TransferStmt *stmt = nullptr;
  Storage *storage = nullptr; // null: a message without data
  bool elastic = false;       // a name that it declares by receiving
  bool takesLength = false;   // the buffer does (ir/Lengths.h), and all of it is received
  std::vector<std::int32_t> peers; // machine rank, or -1
  SlotColumn slots;
  // elastic: the shape of the name, of each rank; where nothing else is said, lengths are by position
  std::vector<std::uint32_t> room;
  const View *shape = nullptr;
  bool ofBlock = true; // as the first block of `shape`, else as all of it
};

class LockstepRound {
public:
  explicit LockstepRound(Machine &machine) : machine(machine), ranks(machine.ranks) {}

  /// Forgets the transfers of the step before.
  void clear() { opCount = 0; }
  /// A transfer without partners yet. Stays where it is until `clear`.
  OpColumn &add(const ir::TransferStmt &stmt);
  /// Finds out which sends meet which receives; throws UnmatchedInLockstep if one is left over. `wantsTransfers`: lists
  /// them even if there are partners.
  void match(bool wantsTransfers);
  const Round &matched() const { return round; }
  /// No slot of a rank is received twice, or received while the same step sends it.
  void checkRaces() const;
  void move();
  /// A step without transfers is no round, so it is for the caller to say when one is over.
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
  void checkOverlap(const OpColumn &x, const OpColumn &y, std::uint32_t rank, SlotRun a, SlotRun b) const;
  [[noreturn]] void race(const OpColumn &a, const OpColumn &b, std::uint32_t rank, SlotRun common) const;

  bool partnersMoveSingleSlots() const;
  void moveSingleSlots();
  void moveTransfers();

  Machine &machine;
  const std::uint32_t ranks;

  std::deque<OpColumn> ops; // the first opCount are of this step; the others keep their memory for later ones
  size_t opCount = 0;
  Round round;
  std::vector<const OpColumn *> receivers;                              // per transfer of the round
  const OpColumn *partnerSend = nullptr, *partnerRecv = nullptr;        // if the round has partners
  std::vector<std::int64_t> partnerWords;
};

} // namespace quadrille::compiler::lockstep

#endif // QUADRILLE_INSTANTIATE_LOCKSTEPROUND_H
