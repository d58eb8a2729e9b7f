//===- Cost.cpp - Costs, and the lengths of messages --------------------------------------------------------===//
//
// Lengths are counted in blocks of n elements, and in packets of ceil(n/k) elements: the longest of the k packets of a block.
//
//===----------------------------------------------------------------------------------------------------------------===//

#include "prove/execution/Execution.h"

#include "llvm/ADT/STLExtras.h"

namespace quadrille::compiler::prove {

Cost Execution::noCost() {
  Term zero = pool.integer(0);
  return {zero, zero, zero, zero, zero, 1, true, true, {}, true, true};
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

Cost Execution::plus(const Cost &a, const Cost &b) {
  assert(a.denominator > 0 && b.denominator > 0);
  Cost sum;
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
  return sum;
}

Cost Execution::onlyIf(Term condition, Cost some) {
  if (pool.isTrue(condition))
    return some;
  for (Term Cost::*part : {&Cost::startups, &Cost::own, &Cost::ownReceived, &Cost::blocks, &Cost::packets})
    some.*part = pool.select(condition, some.*part, pool.integer(0));
  return some;
}

// ---- the length of a message --------------------------------------------------------------------------------------------------

/// The c for which the number is label + c or c - label; null if there is none.
static Term residueShift(TermPool &pool, Term number, Term label) {
  for (const Monomial &part : TermPool::monomialsOf(number))
    if (part.atom == label && std::abs(part.coefficient) == 1)
      return pool.subtract(number, pool.scale(part.coefficient, label));
  return {};
}

/// The number of slots of an axis is the result divided by `denominator`, which this multiplies. Null if there is no formula.
Term Execution::countOf(const Axis &axis, Term guard, llvm::SMRange range, std::int64_t &denominator) {
  const Term zero = pool.integer(0), one = pool.integer(1);
  if (axis.kind == Axis::Single)
    return one;
  if (axis.kind == Axis::Position)
    return axis.count;
  auto proved = [&](Term goal) {
    Obligation question{Claim::Cost, "how many blocks a condition selects", range, facts, goal};
    question.hypotheses.push_back(guard);
    question.hypotheses.push_back(pool.inRange(zero, names.me, names.p));
    complete(question);
    if (!oracle.isProved(question))
      return false;
    found.push_back(question);
    return true;
  };
  const Term label = axis.label, size = axis.hi, filter = axis.filter;
  auto mentionsLabel = [&](Term term) { return llvm::is_contained(variablesOf({term}), label); };
  // Whether the term has each value in 0 ..< size once, as the label goes through them.
  auto isEachNumber = [&](Term number) {
    if (number == label)
      return true;
    if (number->kind != TermKind::Modulo || number->operands[1] != size || mentionsLabel(size))
      return false;
    const Term shift = residueShift(pool, number->operands[0], label);
    return shift && !mentionsLabel(shift);
  };
  // Whether the labels may as well begin with 0: the filter leaves it out.
  auto beginsWithZero = [&] {
    TermPool::Substitution by;
    by[label.get()] = zero;
    return axis.lo == zero || (axis.lo == one && proved(pool.negate(pool.substitute(filter, by))));
  };
  // The filter selects a residue by m, or a digit (x div w) mod m: one in m slots, if m (w*m) divides the number of slots.
  if (filter->kind == TermKind::IsZero && beginsWithZero()) {
    for (const Monomial &part : TermPool::monomialsOf(filter->operands[0])) {
      if (part.atom->kind != TermKind::Modulo || std::abs(part.coefficient) != 1)
        continue;
      Term number = part.atom->operands[0], m = part.atom->operands[1], weight = one;
      if (number->kind == TermKind::Quotient) {
        weight = number->operands[1];
        number = number->operands[0];
      }
      Term rest = pool.subtract(filter->operands[0], pool.scale(part.coefficient, part.atom));
      rest = pool.scale(-part.coefficient, rest);
      if (mentionsLabel(rest) || mentionsLabel(m) || mentionsLabel(weight))
        continue;
      // Number + c, or c - number, has each residue as often: m divides the number of slots.
      const Term shift = weight == one ? residueShift(pool, number, label) : number == label ? zero : Term();
      if (shift && !mentionsLabel(shift) &&
          proved(pool.conjunction({pool.lessEqual(zero, size), pool.lessEqual(one, weight), pool.lessEqual(one, m), pool.inRange(zero, rest, m),
                                   pool.equal(pool.modulo(size, pool.multiply(weight, m)), zero)}))) {
        const std::optional<std::int64_t> base = weight == one ? std::nullopt : TermPool::asInteger(m);
        if (!base)
          return pool.quotient(size, m);
        denominator = exactProduct(denominator, *base); // so that p/3 words in each of the rounds are a fraction of p
        return size;
      }
      // Each number below that of the slots occurs once, perhaps as (label + c) mod slots or (c - label) mod slots: every w*m of them have
      // w with this digit, and so has what is left, as far as it goes.
      if (isEachNumber(number) &&
          proved(pool.conjunction({pool.lessEqual(zero, size), pool.lessEqual(one, weight), pool.lessEqual(one, m), pool.inRange(zero, rest, m)}))) {
        if (weight == one)
          return pool.quotient(pool.add(pool.subtract(size, rest), pool.subtract(m, one)), m);
        const Term group = pool.multiply(weight, m);
        const Term last = pool.subtract(pool.modulo(size, group), pool.multiply(rest, weight));
        return pool.add(pool.multiply(pool.quotient(size, group), weight), pool.minimum(pool.maximum(last, zero), weight));
      }
    }
  }
  // The filter selects labels with bit m set: m of every 2*m, and of an incomplete last group what exceeds m.
  if (filter->kind == TermKind::Bit && filter->operands[0] == label && !mentionsLabel(filter->operands[1])) {
    Term m = filter->operands[1], twice = pool.scale(2, m);
    if (proved(pool.conjunction({pool.lessEqual(zero, size), pool.lessEqual(one, m), pool.inRange(zero, axis.lo, pool.add(m, one))})))
      return pool.add(pool.multiply(pool.quotient(size, twice), m),
                      pool.maximum(zero, pool.subtract(pool.modulo(size, twice), m)));
  }
  // The filter selects half of the labels, if flipping bit m maps selected labels to others and vice versa.
  if (axis.lo == zero) {
    llvm::SmallVector<Term, 4> bits;
    forEachNode({filter}, [&](Term node) {
      if (node->kind == TermKind::Bit && node->operands[0] == label && !llvm::is_contained(bits, node->operands[1]))
        bits.push_back(node->operands[1]);
    });
    for (Term m : bits) {
      TermPool::Substitution by;
      Term other = pool.bitXor(label, m);
      by[label.get()] = other;
      if (proved(pool.both(pool.lessEqual(zero, size),
                           pool.implies(pool.inRange(zero, label, size),
                                        pool.both(pool.inRange(zero, other, size),
                                                  pool.equal(pool.substitute(filter, by), pool.negate(filter))))))) {
        denominator = exactProduct(denominator, 2);
        return size;
      }
    }
  }
  return {};
}

Cost Execution::lengthOf(const Transfer &send) {
  Cost length = noCost();
  length.startups = pool.integer(1);
  if (!send.slots)
    return length;
  const llvm::SMRange range = send.stmt->message->range;
  const SymbolicBuffer &storage = *send.slots->storage;
  const bool ofPackets = alone && alone->blocksArePackets; // blocks count, and none is longer than the longest packet
  if (storage.length && !ofPackets) {
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
  if (storage.isMessage && haveOwnLengths() && !ofPackets) {
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
