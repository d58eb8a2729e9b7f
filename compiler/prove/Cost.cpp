//===- Cost.cpp - What a round costs ------------------------------------------------------------------------===//
//
// The synchronous cost: over the rounds, the longest message. A round's is the length of some rank's message that no
// other exceeds. Lengths are counted in blocks of n elements and in packets of ceil(n/k), the longest of k.
//
//===----------------------------------------------------------------------------------------------------------------===//

#include "Execution.h"
#include "SamplePoints.h"

#include "llvm/ADT/STLExtras.h"

namespace quadrille::prove {

Cost Execution::noCost() {
  Term zero = pool.integer(0);
  return {zero, zero, zero, zero, zero, 1, true, true, {}, true, true};
}

void Execution::giveUpCost(std::string why, llvm::SMRange range) {
  if (!cost.unknown)
    cost.unknown = NotModelled{std::move(why), range};
}

std::int64_t exactProduct(std::int64_t a, std::int64_t b) {
  if (__builtin_mul_overflow(a, b, &a))
    throw TermOverflow{};
  return a;
}

Cost Execution::plus(const Cost &a, const Cost &b) {
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

/// The cost where the condition holds, else nothing.
Cost Execution::onlyIf(Term condition, Cost some) {
  if (pool.isTrue(condition))
    return some;
  for (Term Cost::*part : {&Cost::startups, &Cost::own, &Cost::ownReceived, &Cost::blocks, &Cost::packets})
    some.*part = pool.select(condition, some.*part, pool.integer(0));
  return some;
}

// ---- one round ---------------------------------------------------------------------------------------------------------------

/// How many slots an axis has, times `denominator`. Null if there is no formula.
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
  // A residue, or a digit: one in m, if m divides the number of all, or of all that have that digit and those below it.
  if (filter->kind == TermKind::IsZero && axis.lo == zero) {
    for (const Monomial &part : TermPool::monomialsOf(filter->operands[0])) {
      if (part.atom->kind != TermKind::Modulo || std::abs(part.coefficient) != 1)
        continue;
      Term number = part.atom->operands[0], m = part.atom->operands[1], weight = one;
      if (number->kind == TermKind::Quotient) {
        weight = number->operands[1];
        number = number->operands[0];
      }
      if (number != label)
        continue;
      Term rest = pool.subtract(filter->operands[0], pool.scale(part.coefficient, part.atom));
      rest = pool.scale(-part.coefficient, rest);
      if (!mentionsLabel(rest) && !mentionsLabel(m) && !mentionsLabel(weight) &&
          proved(pool.conjunction({pool.lessEqual(one, weight), pool.lessEqual(one, m), pool.inRange(zero, rest, m),
                                   pool.equal(pool.modulo(size, pool.multiply(weight, m)), zero)})))
        return pool.quotient(size, m);
    }
  }
  // A bit: half of every 2*m, and what is beyond m of the last.
  if (filter->kind == TermKind::Bit && filter->operands[0] == label && !mentionsLabel(filter->operands[1])) {
    Term m = filter->operands[1], twice = pool.scale(2, m);
    if (proved(pool.conjunction({pool.lessEqual(one, m), pool.inRange(zero, axis.lo, pool.add(m, one))})))
      return pool.add(pool.multiply(pool.quotient(size, twice), m),
                      pool.maximum(zero, pool.subtract(pool.modulo(size, twice), m)));
  }
  // Half of all, if a partner of each is on the other side: that with one bit changed.
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
      if (proved(pool.implies(pool.inRange(zero, label, size),
                              pool.both(pool.inRange(zero, other, size),
                                        pool.equal(pool.substitute(filter, by), pool.negate(filter)))))) {
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
  const Storage &storage = *send.slots->storage;
  if (storage.length) {
    // The entries of the table for the blocks of the slice.
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
  Term blocks = countOf(send.slots->alongBlocks(), send.guard, range, length.denominator);
  Term parts = countOf(send.slots->alongPackets(), send.guard, range, length.denominator);
  if (!blocks || !parts) {
    length.unknown = NotModelled{"the number of blocks that a condition selects", range};
    return length;
  }
  if (!packets || (storage.packets == packets && parts == packets && send.slots->alongPackets().start == pool.integer(0)))
    length.blocks = blocks;
  else
    length.packets = pool.multiply(blocks, parts);
  return length;
}

/// How many packets of a block a message has.
Term Execution::severalOf(const Transfer &send) {
  std::int64_t denominator = 1;
  const bool apart = TermPool::asInteger(send.slots->storage->packets) == 1; // its blocks are packets of others
  Term count = countOf(apart ? send.slots->alongBlocks() : send.slots->alongPackets(), send.guard,
                       send.stmt->message->range, denominator);
  return denominator == 1 ? count : pool.integer(0);
}

/// The first packet of a slice: its place in its block, or what it holds where packets lie by themselves.
Term Execution::packetOf(const Slots &slots) {
  const Axis &axis = slots.alongPackets();
  if (TermPool::asInteger(slots.storage->packets) != 1)
    return axis.start ? axis.start : pool.integer(0);
  TermPool::Substitution first;
  first[blockLabel.get()] = first[packetLabel.get()] = pool.integer(0);
  // What is not known need not be the first.
  const Content held = read(slots);
  Term known = pool.both(held.valid, pool.negate(held.unknown));
  return pool.substitute(pool.select(known, held.packet, pool.integer(1)), first);
}

/// Ranks that may have the longest message: the ends, and where an index of what is sent is 0.
llvm::SmallVector<Term, 8> Execution::witnesses(const Transfer &send) {
  const Term zero = pool.integer(0), one = pool.integer(1);
  llvm::SmallVector<Term, 8> result{zero, pool.subtract(names.p, one)};
  auto addZeroOf = [&](Term index) {
    Term inside = index->kind == TermKind::Modulo ? index->operands[0] : index;
    for (const Monomial &m : TermPool::monomialsOf(inside)) {
      if (m.atom != names.me || (m.coefficient != 1 && m.coefficient != -1))
        continue;
      Term rest = pool.subtract(inside, pool.scale(m.coefficient, m.atom));
      result.push_back(pool.modulo(pool.scale(-m.coefficient, rest), names.p));
    }
  };
  result.push_back(one);
  // Rank 0, or if it rests, rank 1.
  result.push_back(pool.select(at(send.guard, zero), zero, one));
  if (send.slots) {
    for (const Axis *axis : {&send.slots->packet, &send.slots->block})
      if (axis->start)
        addZeroOf(axis->start);
    addZeroOf(packetOf(*send.slots));
  }
  // Where the guard begins and ends to hold.
  Term most, least;
  forEachNode({send.guard}, [&](Term node) {
    if (node->kind != TermKind::AtLeastZero && node->kind != TermKind::IsZero)
      return;
    for (const Monomial &m : TermPool::monomialsOf(node->operands[0])) {
      if (m.atom != names.me || (m.coefficient != 1 && m.coefficient != -1))
        continue;
      Term bound = pool.scale(-m.coefficient, pool.subtract(node->operands[0], pool.scale(m.coefficient, m.atom)));
      result.push_back(bound);
      if (m.coefficient == 1)
        least = least ? pool.maximum(least, bound) : bound;
      else
        most = most ? pool.minimum(most, bound) : bound;
    }
  });
  for (Term variable : variablesOf({send.guard}))
    if (variable != names.me && variable != names.p && variable->kind == TermKind::Variable && result.size() < 12)
      result.push_back(variable);
  forEachNode({send.guard}, [&](Term node) {
    if (node->kind == TermKind::Power2 && result.size() < 14)
      result.push_back(node);
  });
  // One step further along what ranks are counted in: me div w.
  forEachNode({send.guard}, [&](Term node) {
    if (node->kind == TermKind::Quotient && node->operands[0] == names.me && result.size() < 16)
      result.push_back(node->operands[1]);
  });
  addWitnesses(send.guard, result);
  if (least) {
    result.push_back(least);
    result.push_back(pool.maximum(zero, least));
  }
  if (most)
    result.push_back(most);
  return result;
}

void Execution::addRound(Term guard) {
  if (cost.unknown || sends.empty())
    return;
  const llvm::SMRange range = sends[0].stmt->keyword;
  if (missing) // the search for a formula takes long where little is known
    return giveUpCost(missing->reason, missing->range);
  const Term zero = pool.integer(0), one = pool.integer(1);
  auto asked = [&](Term hypothesis, Term goal) {
    Obligation question{Claim::Cost, "the longest message of the round", range, facts, goal};
    question.hypotheses.push_back(hypothesis);
    question.hypotheses.push_back(pool.inRange(zero, names.me, names.p));
    return question;
  };
  auto isRefuted = [&](Term hypothesis, Term goal) {
    return SamplePoints(defined, pool, asked(hypothesis, goal).hypotheses).refute(goal);
  };
  auto proved = [&](Term hypothesis, Term goal) {
    if (isRefuted(hypothesis, goal))
      return false;
    Obligation question = asked(hypothesis, goal);
    complete(question);
    if (!oracle.isProved(question))
      return false;
    found.push_back(question);
    return true;
  };
  std::vector<Cost> lengths;
  for (const Transfer &send : sends) {
    lengths.push_back(lengthOf(send));
    if (lengths.back().unknown) {
      cost.unknown = lengths.back().unknown;
      return;
    }
    if (lengths.back().denominator != lengths[0].denominator)
      return giveUpCost("messages that are counted differently", range);
  }
  // Conditions, the same on all ranks, under which something is sent at all.
  llvm::SmallVector<Term, 4> conditions{guard};
  llvm::SmallVector<Term, 4> uniform{guard};
  for (Term part : sends[0].guard->kind == TermKind::And ? llvm::ArrayRef<Term>(sends[0].guard->operands)
                                                         : llvm::ArrayRef<Term>(sends[0].guard))
    if (!llvm::is_contained(variablesOf({part}), names.me))
      uniform.push_back(part);
  conditions.push_back(pool.conjunction(uniform));
  conditions.push_back(pool.both(guard, pool.less(pool.integer(1), names.p)));
  for (Term rank : {zero, pool.integer(1)})
    conditions.push_back(pool.conjunction({guard, pool.less(rank, names.p), at(sends[0].guard, rank)}));
  auto isMost = [&](const Cost &longest, Term condition) {
    for (size_t j = 0; j < sends.size(); ++j)
      if (!proved(pool.both(condition, sends[j].guard), pool.both(pool.lessEqual(lengths[j].blocks, longest.blocks),
                                                                  pool.lessEqual(lengths[j].packets, longest.packets))))
        return false;
    return true;
  };
  // A message without blocks is none. One without data is a message.
  auto ifAny = [&](Cost longest, Term condition) {
    if (llvm::any_of(sends, [](const Transfer &send) { return !send.slots; }))
      return longest;
    Term any = pool.lessEqual(one, pool.add(longest.blocks, longest.packets));
    if (!pool.isTrue(any) && !proved(condition, any))
      longest.startups = pool.select(any, longest.startups, zero);
    return longest;
  };
  auto isWithRankZero = [&](const Transfer &send, Term rank, Term condition) {
    return rank == zero || proved(condition, pool.equal(at(send.peer, rank), zero));
  };
  for (Term condition : conditions) {
    bool silentElsewhere = true;
    for (const Transfer &send : sends)
      silentElsewhere = silentElsewhere && (condition == guard || proved(send.guard, condition));
    if (!silentElsewhere)
      continue;
    // One statement or another, if their messages are alike: rank 0 or rank 1 sends.
    bool alike = lengths[0].packets == zero && !llvm::is_contained(variablesOf({lengths[0].blocks}), names.me);
    for (const Cost &length : lengths)
      alike = alike && length.blocks == lengths[0].blocks && length.packets == zero;
    llvm::SmallVector<Term, 4> first;
    for (const Transfer &send : sends)
      for (Term rank : {zero, one})
        first.push_back(pool.both(pool.less(rank, names.p), at(send.guard, rank)));
    if (alike && sends.size() > 1 && proved(condition, pool.disjunction(first))) {
      lengths[0].withRankZero = lengths[0].longestWithRankZero = false; // or with rank 1
      cost = plus(cost, onlyIf(condition, ifAny(lengths[0], condition)));
      return;
    }
    if (lengths[0].own != zero && sends.size() == 1) {
      // The longest of all that are sent.
      for (Term rank : witnesses(sends[0])) {
        if (!proved(condition, pool.both(pool.inRange(zero, rank, names.p), at(sends[0].guard, rank))))
          continue;
        Cost longest = lengths[0];
        longest.own = aggregate("max", lengths[0].own, names.me, zero, names.p, sends[0].guard);
        longest.ownReceived = longest.own;
        if (receives.size() == 1)
          longest.ownReceived =
              aggregate("max", at(lengths[0].own, receives[0].peer), names.me, zero, names.p, receives[0].guard);
        longest.withRankZero = isWithRankZero(sends[0], rank, condition);
        longest.longestWithRankZero = false;
        cost = plus(cost, onlyIf(condition, longest));
        return;
      }
      continue;
    }
    std::optional<Cost> inexact;
    for (size_t i = 0; i < sends.size(); ++i)
      for (Term rank : witnesses(sends[i])) {
        Cost longest = lengths[i];
        longest.blocks = at(longest.blocks, rank);
        longest.packets = at(longest.packets, rank);
        // Of packets the first is as long as any; several of them are shorter than as many of that length.
        llvm::SmallVector<Term, 2> isExact;
        if (longest.packets != zero)
          isExact = {pool.equal(at(severalOf(sends[i]), rank), one),
                     pool.equal(at(packetOf(*sends[i].slots), rank), zero)};
        // Another bound is of no use.
        if (inexact && llvm::any_of(isExact, [&](Term goal) { return isRefuted(condition, goal); }))
          continue;
        if (!proved(condition, pool.both(pool.inRange(zero, rank, names.p), at(sends[i].guard, rank))) ||
            !isMost(longest, condition))
          continue;
        longest.exact = llvm::all_of(isExact, [&](Term goal) { return proved(condition, goal); });
        longest = ifAny(longest, condition);
        longest.withRankZero = longest.longestWithRankZero = isWithRankZero(sends[i], rank, condition);
        if (longest.exact) {
          cost = plus(cost, onlyIf(condition, longest));
          return;
        }
        if (!inexact)
          inexact = onlyIf(condition, longest);
      }
    if (inexact) {
      cost = plus(cost, *inexact);
      return;
    }
  }
  if (lengths[0].own != zero)
    return giveUpCost("which blocks with lengths of their own this step sends", range);
  // At least a bound from above: no rank sends more than one message that some rank might send.
  for (Cost &length : lengths) {
    if (llvm::is_contained(variablesOf({length.blocks, length.packets}), names.me) || !isMost(length, guard))
      continue;
    length.exact = false;
    length.startupsExact = false;
    length.withRankZero = length.longestWithRankZero = false;
    cost = plus(cost, onlyIf(guard, length));
    return;
  }
  giveUpCost("which rank sends the longest message of this step", range);
}

} // namespace quadrille::prove
