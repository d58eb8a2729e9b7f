//===- Cost.cpp - Costs, and the lengths of messages --------------------------------------------------------===//
//
// Lengths are counted in blocks of n elements, and in packets of ceil(n/k) elements: the longest of the k packets of a block.
//
//===----------------------------------------------------------------------------------------------------------------===//

#include "limits/Limits.h"
#include "prove/execution/Execution.h"

#include "llvm/ADT/STLExtras.h"

namespace quadrille::compiler::prove {

SymbolicCost Execution::noCost() {
  Term zero = pool.integer(0);
  SymbolicCost result{zero, zero, zero, zero, zero, 1, true, true, {}, true, true};
  result.workBlocks = result.workPackets = zero;
  return result;
}

void Execution::giveUpCost(const NotModelled &why) {
  if (!cost.unknown)
    cost.unknown = why;
}

std::int64_t exactProduct(std::int64_t a, std::int64_t b) {
  if (__builtin_mul_overflow(a, b, &a))
    throw TermOverflow{};
  return a;
}

/// The chains through the rounds of `a` and then of `b`.
static std::optional<std::vector<Chain>> joined(const std::optional<std::vector<Chain>> &a, const std::optional<std::vector<Chain>> &b) {
  if (!a || !b)
    return a ? a : b;
  std::vector<Chain> result;
  for (const Chain &first : *a)
    for (const Chain &second : *b)
      if (const Chain both{first.from, second.to}; first.to == second.from && !llvm::is_contained(result, both))
        result.push_back(both);
  return result;
}

SymbolicCost Execution::plus(const SymbolicCost &a, const SymbolicCost &b) {
  assert(a.denominator > 0 && b.denominator > 0);
  SymbolicCost sum;
  sum.startups = pool.add(a.startups, b.startups);
  sum.own = pool.add(a.own, b.own);
  sum.ownReceived = pool.add(a.ownReceived, b.ownReceived);
  const bool same = a.denominator == b.denominator;
  auto join = [&](Term x, Term y) {
    return same ? pool.add(x, y) : pool.add(pool.scale(b.denominator, x), pool.scale(a.denominator, y));
  };
  sum.blocks = join(a.blocks, b.blocks);
  sum.packets = join(a.packets, b.packets);
  sum.denominator = same ? a.denominator : exactProduct(a.denominator, b.denominator);
  sum.exact = a.exact && b.exact;
  sum.startupsExact = a.startupsExact && b.startupsExact;
  sum.unknown = a.unknown ? a.unknown : b.unknown;
  sum.withRankZero = a.withRankZero && b.withRankZero;
  sum.longestWithRankZero = a.longestWithRankZero && b.longestWithRankZero;
  sum.workBlocks = pool.add(a.workBlocks, b.workBlocks);
  sum.workPackets = pool.add(a.workPackets, b.workPackets);
  sum.workExact = a.workExact && b.workExact;
  sum.workUnknown = a.workUnknown ? a.workUnknown : b.workUnknown;
  sum.chains = joined(a.chains, b.chains);
  const SymbolicCost &first = a.blocksOfMessage ? a : b;
  sum.blocksOfMessage = first.blocksOfMessage;
  sum.packetsOfMessage = first.packetsOfMessage;
  sum.areAlike = a.areAlike && b.areAlike &&
                 (!b.blocksOfMessage || (b.blocksOfMessage == first.blocksOfMessage && b.packetsOfMessage == first.packetsOfMessage));
  return sum;
}

SymbolicCost Execution::onlyIf(Term condition, SymbolicCost some) {
  if (pool.isTrue(condition))
    return some;
  for (Term SymbolicCost::*part : {&SymbolicCost::startups, &SymbolicCost::own, &SymbolicCost::ownReceived, &SymbolicCost::blocks, &SymbolicCost::packets,
                                   &SymbolicCost::workBlocks, &SymbolicCost::workPackets})
    some.*part = pool.select(condition, some.*part, pool.integer(0));
  if (some.chains)
    for (Chain &chain : *some.chains)
      chain.to = pool.select(condition, chain.to, chain.from);
  return some;
}

/// Whether the number is the same for all ranks and in all iterations.
bool Execution::isFixed(Term number) const {
  return llvm::all_of(variablesOf({number}), [&](Term variable) {
    return variable == names.p || llvm::is_contained(numberTerms, variable);
  });
}

/// Notes a rank on which chains may begin and end.
void Execution::addChainRank(Term rank) {
  if (isFixed(rank) && chainRanks.size() < limits::chainRanks && !llvm::is_contained(chainRanks, rank))
    chainRanks.push_back(rank);
}

/// The cost by time, where some ranks pass by what others do. `forRounds`: only the number of rounds is wanted.
SymbolicCost Execution::costByTime(bool forRounds) {
  SymbolicCost result = cost;
  // Rounds by time are filled otherwise than these.
  const bool areAlike = cost.areAlike && cost.own == pool.integer(0);
  if (!forRounds && !areAlike && !result.unknown && !wordsAddUp())
    result.unknown = NotModelled{Gap::RoundsByRank, schedule.nameRange};
  result.startupsExact &= !cost.chains || !cost.chains->empty();
  result.exact = areAlike && result.startupsExact && cost.packets == pool.integer(0); // packets differ in length
  result.withRankZero = result.longestWithRankZero = false;
  return result;
}

// ---- the length of a message --------------------------------------------------------------------------------------------------

SymbolicCost Execution::lengthOf(const Transfer &send) {
  SymbolicCost length = noCost();
  length.startups = pool.integer(1);
  if (!send.slots)
    return length;
  const llvm::SMRange range = send.stmt->message->range;
  const SymbolicBuffer &storage = *send.slots->storage;
  const bool ofPackets = alone && alone->blocksArePackets; // blocks count, and none is longer than the longest packet
  const bool countsBlocks = ofPackets || boundsByLargest();
  if (storage.length && !countsBlocks) {
    // The length is the sum of the table's entries for the blocks of the slice.
    const Axis &axis = send.slots->alongBlocks();
    TermPool::Substitution slot;
    slot[names.block.get()] = slotAt(axis);
    llvm::SmallVector<Term, 2> indices;
    for (Term index : storage.lengthIndices)
      indices.push_back(pool.substitute(index, slot));
    Term entry = pool.apply("table" + std::to_string(storage.table), indices), always = pool.truth(true);
    const Term zero = pool.integer(0);
    length.own = axis.kind == Axis::Single     ? entry
                 : axis.kind == Axis::Position ? aggregate("sum", entry, axis.label, zero, axis.count, always)
                                               : aggregate("sum", entry, axis.label, axis.lo, axis.hi, axis.filter);
    return length;
  }
  if (haveOwnLengths() && !countsBlocks && (storage.isMessage || storage.takesLength)) {
    length.own = lengthHeld(*send.slots, send.guard, range);
    if (!length.own)
      length.unknown = NotModelled{Gap::LengthSentOn, range};
    return length;
  }
  Term blocks = countOf(send.slots->alongBlocks(), send.guard, range, length.denominator);
  Term parts = countOf(send.slots->alongPackets(), send.guard, range, length.denominator);
  if (!blocks || !parts) {
    length.unknown = NotModelled{Gap::SelectedBlocks, range};
    return length;
  }
  if (!packets || (storage.packets == packets && parts == packets && send.slots->alongPackets().start == pool.integer(0)))
    length.blocks = blocks;
  else
    length.packets = pool.multiply(blocks, parts);
  return length;
}

/// The length of what a single block or a message holds, which takes the length of what it is set to: the table's entry for the
/// block of the input from which that comes. Null if it is not shown what it is.
Term Execution::lengthHeld(const Slots &slots, Term guard, llvm::SMRange range) {
  if (slots.block.kind != Axis::Single || inputs.size() != 1 || slots.storage->packets != pool.integer(1))
    return {};
  const Content held = read(slots);
  const Term isThere = pool.both(held.valid, pool.negate(held.unknown));
  if (!isShownNow("it is known which block is sent", range, guard, isThere))
    return {};
  return pool.apply("table" + std::to_string(inputs[0]->table), lengthIndicesOf(*inputs[0], held));
}

/// The number of packets per block in a message.
Term Execution::severalOf(const Transfer &send) {
  std::int64_t denominator = 1;
  const bool apart = TermPool::asInteger(send.slots->storage->packets) == 1; // its blocks are packets of others
  Term count = countOf(apart ? send.slots->alongBlocks() : send.slots->alongPackets(), send.guard,
                       send.stmt->message->range, denominator);
  return denominator == 1 ? count : pool.integer(0);
}

/// The number of the first packet of a slice: its place in its block, or if the storage holds single packets, that of the packet
/// in it.
Term Execution::packetOf(const Slots &slots) {
  const Axis &axis = slots.alongPackets();
  if (axis.kind == Axis::Number) // the condition selects some packet: not known to be the first
    return pool.integer(1);
  if (TermPool::asInteger(slots.storage->packets) != 1 && !slots.storage->isMessage)
    return axis.start;
  TermPool::Substitution first;
  first[blockLabel.get()] = first[packetLabel.get()] = pool.integer(0);
  // If the packet is not known, it need not be the first.
  const Content held = read(slots);
  Term known = pool.both(held.valid, pool.negate(held.unknown));
  return pool.substitute(pool.select(known, held.packet, pool.integer(1)), first);
}

} // namespace quadrille::compiler::prove
