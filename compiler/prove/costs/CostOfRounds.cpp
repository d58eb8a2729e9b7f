//===- CostOfRounds.cpp - What a round costs ----------------------------------------------------------------------------------===//
//
// The synchronous cost of a round is that of its longest message: the message of some rank that no other message exceeds. Of a loop of
// transfers within a step that is shown for an arbitrary iteration; the longest message is sought in the first and the last ones.
//
//===----------------------------------------------------------------------------------------------------------------===//

#include "prove/definitions/SamplePoints.h"
#include "prove/execution/Execution.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"

#include <algorithm>
#include <array>

namespace quadrille::compiler::prove {

/// The search for the longest message of one round.
class Execution::RoundCost {
public:
  RoundCost(Execution &execution, Term guard)
      : execution(execution), pool(execution.pool), sends(execution.sends), guard(guard), range(sends[0].stmt->keyword),
        zero(pool.integer(0)), one(pool.integer(1)) {}

  void add() {
    if (isSilentWithout(pool.truth(false))) // no rank ever sends
      return;
    if (!measure())
      return;
    if (addExactly())
      return;
    if (!execution.boundsSuffice()) { // it has to be exact
      for (const Transfer &send : single)
        for (Term rank : execution.fittedWitnesses(send, guard))
          fitted.push_back({&send, rank});
      if (!fitted.empty() && addExactly())
        return;
    }
    if (hasOwn())
      return execution.giveUpCost({Gap::OwnLengthsSent, range});
    if (!addBound())
      execution.giveUpCost({Gap::LongestMessage, range});
  }

private:
  bool addExactly() {
    return llvm::any_of(conditions(), [&](Term condition) { return isSilentWithout(condition) && addUnder(withoutImplied(condition)); });
  }

  /// Candidates for ranks with the longest message.
  llvm::SmallVector<Term, 8> witnesses(const Transfer &send) const {
    llvm::SmallVector<Term, 8> result;
    for (const auto &[of, rank] : fitted)
      if (of == &send)
        result.push_back(rank);
    return result.empty() ? execution.witnesses(send) : result;
  }

  // ---- questions about any rank

  bool isRefuted(Term hypothesis, Term goal) const {
    std::vector<Term> hypotheses = execution.facts;
    hypotheses.push_back(hypothesis);
    hypotheses.push_back(pool.inRange(zero, execution.names.me, execution.names.p));
    return SamplePoints(execution.defined, pool, hypotheses).refute(goal);
  }

  bool proved(Term hypothesis, Term goal) {
    return execution.isShownNow("the longest message of the round", range, hypothesis, goal);
  }

  /// Whether the terms depend on the rank, or on the iteration of a loop of transfers.
  bool mentionsRank(llvm::ArrayRef<Term> terms) const {
    return llvm::any_of(variablesOf(terms), [&](Term variable) {
      return variable == execution.names.me ||
             llvm::any_of(sends, [&](const Transfer &send) { return send.index == variable; });
    });
  }

  // ---- what is sent, and when

  /// Iterations of a loop of transfers in which the longest message is sought: the first ones and the last one.
  llvm::SmallVector<Term, 4> iterations(const Transfer &send) const {
    llvm::SmallVector<Term, 4> result{zero, one};
    forEachNode({send.guard}, [&](Term node) { // j >= lo, or j < hi
      if (node->kind != TermKind::AtLeastZero)
        return;
      for (const Monomial &part : TermPool::monomialsOf(node->operands[0])) {
        if (part.atom != send.index || (part.coefficient != 1 && part.coefficient != -1))
          continue;
        const Term bound = pool.scale(-part.coefficient, pool.subtract(node->operands[0], pool.scale(part.coefficient, part.atom)));
        if (!mentionsRank({bound}) && !llvm::is_contained(result, bound))
          result.push_back(bound);
      }
    });
    return result;
  }

  /// Sets the lengths of the messages of all sends. False if one has no formula: the cost is given up.
  bool measure() {
    for (const Transfer &send : sends) {
      if (!send.index)
        single.push_back(send);
      else
        for (Term iteration : iterations(send))
          single.push_back(execution.inIteration(send, iteration));
    }
    for (const Transfer &send : sends) {
      lengths.push_back(execution.lengthOf(send));
      if (lengths.back().unknown) {
        execution.cost.unknown = lengths.back().unknown;
        return false;
      }
    }
    const SymbolicCost finest = *std::max_element(lengths.begin(), lengths.end(), [](const SymbolicCost &a, const SymbolicCost &b) { return a.denominator < b.denominator; });
    for (SymbolicCost &length : lengths)
      if (!inParts(length, finest.denominator)) {
        execution.giveUpCost({Gap::MessagesCountedDifferently, range});
        return false;
      }
    return true;
  }

  /// Counts the length in parts of 1/denominator of a block; false if its own parts are no multiples of these.
  bool inParts(SymbolicCost &length, std::int64_t denominator) {
    if (denominator % length.denominator != 0)
      return false;
    for (Term *count : {&length.blocks, &length.packets})
      *count = pool.scale(denominator / length.denominator, *count);
    length.denominator = denominator;
    return true;
  }

  /// Candidates for a condition without which no rank sends. They are the same on all ranks.
  llvm::SmallVector<Term, 12> conditions() const {
    const Term first = sends[0].guard;
    llvm::SmallVector<Term, 4> uniform{guard};
    for (Term part : conjunctsOf(first))
      if (!mentionsRank({part}))
        uniform.push_back(part);
    llvm::SmallVector<Term, 12> result{guard, pool.conjunction(uniform), pool.both(guard, pool.less(one, execution.names.p))};
    llvm::SmallVector<Term, 8> ranks{zero, one};
    llvm::append_range(ranks, witnesses(single[0]));
    for (Term rank : ranks) {
      const Term sends = pool.conjunction({guard, pool.inRange(zero, rank, execution.names.p), execution.at(single[0].guard, rank)});
      if (!mentionsRank({sends}) && !llvm::is_contained(result, sends))
        result.push_back(sends);
    }
    return result;
  }

  bool isSilentWithout(Term condition) {
    return condition == guard || llvm::all_of(sends, [&](const Transfer &send) { return proved(send.guard, condition); });
  }

  /// The condition without the parts that its other parts imply. In a short one it is easier to see how it changes with the iteration.
  Term withoutImplied(Term condition) {
    if (condition->kind != TermKind::And)
      return condition;
    llvm::SmallVector<Term, 4> parts(condition->operands.begin(), condition->operands.end());
    for (std::size_t i = 0; parts.size() > 1 && i < parts.size();) {
      llvm::SmallVector<Term, 4> others(parts);
      others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
      if (proved(pool.conjunction(others), parts[i]))
        parts = others;
      else
        ++i;
    }
    return pool.conjunction(parts);
  }

  bool isMost(const SymbolicCost &longest, Term condition) {
    for (auto [send, length] : llvm::zip(sends, lengths))
      if (!proved(pool.both(condition, send.guard), pool.both(pool.lessEqual(length.blocks, longest.blocks),
                                                              pool.lessEqual(length.packets, longest.packets))))
        return false;
    return true;
  }

  /// Whether blocks have lengths of their own.
  bool hasOwn() const {
    return llvm::any_of(lengths, [&](const SymbolicCost &length) { return length.own != zero; });
  }

  /// `longest` with startups only if the message has blocks: a message without blocks is not sent. `isMessage`: it is sent in any
  /// case, as messages without data are.
  SymbolicCost ifAny(SymbolicCost longest, Term condition, bool isMessage) {
    const Term any = pool.lessEqual(one, pool.add(longest.blocks, longest.packets));
    if (isMessage || pool.isTrue(any) || proved(condition, any))
      return longest;
    if (llvm::any_of(sends, [](const Transfer &send) { return !send.slots; }))
      longest.exact = longest.startupsExact = longest.withRankZero = longest.longestWithRankZero = false; // it may have no data
    else
      longest.startups = pool.select(any, longest.startups, zero);
    return longest;
  }

  /// Whether the message that `rank` sends is proved to have a block.
  bool hasBlock(const Transfer &send, Term rank, Term condition) {
    if (!send.slots)
      return true;
    for (const Axis *axis : {&send.slots->alongBlocks(), &send.slots->alongPackets()}) {
      if (axis->kind == Axis::Single)
        continue;
      if (axis->kind == Axis::Position) {
        if (!proved(condition, pool.lessEqual(one, execution.at(axis->count, rank))))
          return false;
        continue;
      }
      auto isSelected = [&](Term block) {
        TermPool::Substitution by;
        by[axis->label.get()] = block;
        const Term chosen = axis->filter ? pool.substitute(axis->filter, by) : pool.truth(true);
        return proved(condition, execution.at(pool.both(pool.inRange(axis->lo, block, axis->hi), chosen), rank));
      };
      if (!llvm::any_of(std::array{axis->lo, execution.names.me, pool.subtract(axis->hi, one), send.peer}, isSelected))
        return false;
    }
    return true;
  }

  bool isWithRankZero(const Transfer &send, Term rank, Term condition) {
    return rank == zero || proved(condition, pool.equal(execution.at(send.peer, rank), zero));
  }

  void addOnlyIf(Term condition, SymbolicCost some) {
    some.areAlike = llvm::all_of(lengths, [&](const SymbolicCost &length) {
      return length.denominator == 1 && length.own == zero && length.packets == lengths[0].packets && length.blocks == lengths[0].blocks;
    }) && execution.isFixed(lengths[0].blocks) && execution.isFixed(lengths[0].packets);
    some.blocksOfMessage = lengths[0].blocks;
    some.packetsOfMessage = lengths[0].packets;
    some.chains.emplace();
    if (execution.isByTime || execution.alone)
      findChains(condition, *some.chains);
    if (execution.notesRounds())
      note(condition, some);
    execution.cost = execution.plus(execution.cost, execution.onlyIf(condition, some));
  }

  /// Whether a message has different packets of one block, or the block.
  bool isOfOneBlock(const Transfer &send) {
    if (!send.slots)
      return true;
    const SymbolicBuffer &storage = *send.slots->storage;
    const bool areBlocksPackets = execution.alone && execution.alone->blocksArePackets;
    const bool isPart = areBlocksPackets ? storage.length && storage.lengthIndices.size() == 1 && storage.lengthIndices[0] == execution.names.block
                                         : send.slots->block.kind == Axis::Single && !storage.isMessage &&
                                               (!execution.packets || storage.packets == execution.packets);
    const Axis &packets = areBlocksPackets ? send.slots->block : send.slots->packet;
    return isPart && (!packets.modulus || proved(send.guard, pool.lessEqual(packets.count, packets.modulus)));
  }

  /// Notes the round where it is told whether the messages of the schedule come when the steps are counted one after the other.
  void note(Term condition, const SymbolicCost &longest) {
    if (hasOwn() || execution.hasFamilies())
      return execution.noteOtherRounds();
    TimedPart round{TimedPart::Round, execution.facts, condition};
    round.sends = sends;
    round.receives = execution.receives;
    round.haveBlocks = llvm::all_of(sends, [&](const Transfer &send) { return hasBlock(send, execution.names.me, pool.both(condition, send.guard)); });
    round.areOfOneBlock = llvm::all_of(sends, [&](const Transfer &send) { return isOfOneBlock(send); });
    round.blocks = longest.blocks;
    round.packets = longest.packets;
    round.denominator = longest.denominator;
    execution.timed.push_back(std::move(round));
  }

  // ---- chains of messages

  /// A message with a rank: what some rank sends, under a condition.
  struct Meeting {
    Term condition, other; // `other`: the rank at the other end
  };

  /// The messages that `rank` may send or receive. They have blocks where `condition` holds.
  llvm::SmallVector<Meeting, 4> meetings(Term rank, Term condition) {
    llvm::SmallVector<Meeting, 4> result;
    const Term isRank = pool.inRange(zero, rank, execution.names.p);
    auto add = [&](const Transfer &send, Term sender, Term isThere, Term other) {
      const Term all = pool.conjunction({isRank, isThere, pool.inRange(zero, sender, execution.names.p), execution.at(send.guard, sender)});
      if (!pool.isFalse(all) && hasBlock(send, sender, pool.both(condition, all)))
        result.push_back({all, other});
    };
    for (const Transfer &send : single) {
      add(send, rank, pool.truth(true), execution.at(send.peer, rank));
      for (const Transfer &receive : execution.receives) {
        if (receive.index)
          continue;
        const Term sender = execution.at(receive.peer, rank);
        add(send, sender, pool.equal(execution.at(send.peer, sender), rank), sender);
      }
    }
    return result;
  }

  /// Finds ranks that take part in the round where `condition` holds: a chain stays on such a rank, or goes on to its partner.
  void findChains(Term condition, std::vector<Chain> &chains) {
    const std::vector<Term> ranks = execution.chainRanks; // more may be added
    for (Term rank : ranks) {
      llvm::SmallVector<Term, 4> any;
      const llvm::SmallVector<Meeting, 4> here = meetings(rank, condition);
      for (const Meeting &meeting : here)
        any.push_back(meeting.condition);
      if (any.empty() || !proved(condition, pool.disjunction(any)))
        continue;
      chains.push_back({rank, rank});
      for (const Meeting &meeting : here)
        if (const Chain on{rank, meeting.other}; !llvm::is_contained(chains, on) && proved(condition, meeting.condition)) {
          chains.push_back(on);
          execution.addChainRank(pool.select(condition, on.to, on.from));
        }
    }
  }

  // ---- the longest message where a condition holds

  bool addUnder(Term condition) {
    if (hasOwn())
      return llvm::any_of(llvm::seq<size_t>(0, sends.size()), [&](size_t which) { return areNoLongerThan(which) && addOwn(which, condition); });
    // Of packets only a witness may show that the longest message is the longest packet.
    const bool mayBeShorter = lengths[0].packets != zero;
    return mayBeShorter ? addWitnessed(condition) || addAlike(condition) : addAlike(condition) || addWitnessed(condition);
  }

  /// If all sends have messages of the same length: it suffices that one of them is sent, by rank 0 or 1, or by a witness.
  bool addAlike(Term condition) {
    const bool alike = sends.size() > 1 && !mentionsRank({lengths[0].blocks, lengths[0].packets}) &&
                       llvm::all_of(lengths, [&](const SymbolicCost &length) {
                         return length.blocks == lengths[0].blocks && length.packets == lengths[0].packets;
                       });
    if (!alike || !(isSentBy(condition, /*anyWitness=*/false) || isSentBy(condition, /*anyWitness=*/true)))
      return false;
    SymbolicCost longest = lengths[0];
    longest.withRankZero = longest.longestWithRankZero = false; // it may be another rank's message
    longest.exact = longest.packets == zero;
    addOnlyIf(condition, ifAny(longest, condition, llvm::all_of(sends, [](const Transfer &send) { return !send.slots; })));
    return true;
  }

  /// Whether one of some ranks sends where the condition holds.
  bool isSentBy(Term condition, bool anyWitness) {
    llvm::SmallVector<Term, 8> any;
    for (const Transfer &send : single) {
      llvm::SmallVector<Term, 8> ranks{zero, one};
      if (anyWitness)
        ranks = witnesses(send);
      size_t taken = 0;
      for (Term rank : ranks)
        if (!mentionsRank({rank}) && taken++ < limits::witnessNumbers)
          any.push_back(pool.both(pool.inRange(zero, rank, execution.names.p), execution.at(send.guard, rank)));
    }
    return proved(condition, pool.disjunction(any));
  }

  /// The longest of the lengths of a transfer that its ranks have where `guard` holds; of a loop of transfers, the longest of those of its
  /// iterations. What is the same on all ranks and in all iterations is left out of `guard`.
  Term longestOf(const Transfer &transfer, Term length, Term guard) {
    const Term me = execution.names.me, p = execution.names.p;
    if (!transfer.index)
      return execution.aggregate("max", length, me, zero, p, guard);
    const Term inside = pool.inRange(transfer.first, transfer.index, transfer.end);
    llvm::SmallVector<Term, 4> ofRanks, ofIterations;
    for (Term part : conjunctsOf(guard)) {
      const llvm::SmallVector<Term, 8> variables = variablesOf({part});
      if (llvm::is_contained(variables, me))
        ofRanks.push_back(part);
      else if (llvm::is_contained(variables, transfer.index) && !llvm::is_contained(conjunctsOf(inside), part))
        ofIterations.push_back(part);
    }
    const Term ofIteration = execution.aggregate("max", length, me, zero, p, pool.conjunction(ofRanks));
    return execution.aggregate("max", ofIteration, transfer.index, transfer.first, transfer.end, pool.conjunction(ofIterations));
  }


  /// Whether the messages of all other sends are among those lengths of which the longest of this one is the longest, as where each has any block.
  bool areNoLongerThan(size_t which) {
    const auto longestOf = [&](size_t of, Term guard) { return this->longestOf(sends[of], lengths[of].own, guard); };
    const Term longest = longestOf(which, sends[which].guard);
    return llvm::all_of(llvm::seq<size_t>(0, sends.size()), [&](size_t other) {
      return other == which || (lengths[other].blocks == zero && lengths[other].packets == zero && longestOf(other, pool.truth(true)) == longest);
    });
  }

  /// The longest of the lengths that receives tell; null if there are several sends or receives, or if it is not known which iteration of a
  /// loop of transfers a receive meets.
  Term longestReceived() {
    const Transfer &send = sends[0], &receive = execution.receives[0];
    if (sends.size() != 1 || execution.receives.size() != 1 || send.index != receive.index)
      return {};
    const auto ofSender = [&](Term term) { return execution.at(term, receive.peer); };
    if (send.index && !proved(receive.guard, pool.both(ofSender(send.guard), pool.equal(ofSender(send.peer), execution.names.me))))
      return {};
    if (!send.index)
      return longestOf(receive, ofSender(lengths[0].own), receive.guard);
    // Inner maxima are compared as they are written, so say `me` for what is the number of the receiver.
    const Term length = pool.rebuild(ofSender(lengths[0].own), [&](Term node) {
      return node->kind == TermKind::Modulo && proved(receive.guard, pool.equal(node, execution.names.me)) ? execution.names.me : Term();
    });
    return longestOf(receive, length, receive.guard);
  }

  /// If blocks have lengths of their own: adds the maximum over all ranks that send.
  bool addOwn(size_t which, Term condition) {
    const Transfer &send = sends[which];
    llvm::SmallVector<Transfer, 4> instances{send};
    if (send.index) {
      instances.clear();
      for (Term iteration : iterations(send))
        instances.push_back(execution.inIteration(send, iteration));
    }
    for (const Transfer &instance : instances)
      for (Term rank : witnesses(instance)) {
        if (!proved(condition, pool.both(pool.inRange(zero, rank, execution.names.p), execution.at(instance.guard, rank))) ||
            !hasBlock(instance, rank, condition))
          continue;
        SymbolicCost longest = lengths[which];
        longest.own = longestOf(send, longest.own, send.guard);
        const Term received = longestReceived();
        longest.ownReceived = received ? received : longest.own;
        longest.withRankZero = isWithRankZero(instance, rank, condition);
        longest.longestWithRankZero = false;
        addOnlyIf(condition, longest);
        return true;
      }
    return false;
  }

  /// The term with 0 in the place of residues that are 0 where the condition holds, as that of the witness is by which it was found.
  Term withoutZeroResidues(Term term, Term condition) {
    return pool.rebuild(term, [&](Term node) {
      return node->kind == TermKind::Modulo && TermPool::asInteger(node->operands[1]) != 1 && proved(condition, pool.equal(node, zero)) ? zero : Term();
    });
  }

  /// Adds the message of a witness: a rank, derived from the sends, that sends a longest message. Prefers an exact length to a
  /// bound.
  bool addWitnessed(Term condition) {
    std::optional<SymbolicCost> inexact;
    for (const Transfer &send : single) {
      SymbolicCost length = execution.lengthOf(send);
      if (length.unknown || !inParts(length, lengths[0].denominator))
        continue;
      for (Term rank : witnesses(send)) {
        SymbolicCost longest = length;
        longest.blocks = execution.at(longest.blocks, rank);
        longest.packets = execution.at(longest.packets, rank);
        // The first packet of a block has length ceil(n/k), but several packets may be shorter than as many of that length.
        llvm::SmallVector<Term, 2> isExact;
        if (longest.packets != zero)
          isExact = {pool.equal(execution.at(execution.severalOf(send), rank), one),
                     pool.equal(execution.at(execution.packetOf(*send.slots), rank), zero)};
        // If this length cannot be exact, a second bound is of no use.
        if (inexact && llvm::any_of(isExact, [&](Term goal) { return isRefuted(condition, goal); }))
          continue;
        if (!proved(condition, pool.both(pool.inRange(zero, rank, execution.names.p), execution.at(send.guard, rank))) ||
            !isMost(longest, condition))
          continue;
        for (Term SymbolicCost::*part : {&SymbolicCost::blocks, &SymbolicCost::packets})
          longest.*part = withoutZeroResidues(longest.*part, condition);
        longest.exact = llvm::all_of(isExact, [&](Term goal) { return proved(condition, goal); });
        longest.withRankZero = longest.longestWithRankZero = isWithRankZero(send, rank, condition);
        longest = ifAny(longest, condition, !send.slots);
        if (longest.exact) {
          addOnlyIf(condition, longest);
          return true;
        }
        if (!inexact)
          inexact = longest;
      }
    }
    if (inexact)
      addOnlyIf(condition, *inexact);
    return inexact.has_value();
  }

  /// The lengths, and those with the larger, or the smaller, one of two numbers in the place of a choice that depends on the rank.
  std::vector<SymbolicCost> lengthsToCompare() {
    std::vector<SymbolicCost> result = lengths;
    for (const SymbolicCost &length : lengths)
      for (const bool larger : {true, false}) {
        SymbolicCost &other = result.emplace_back(length);
        for (Term SymbolicCost::*part : {&SymbolicCost::blocks, &SymbolicCost::packets})
          other.*part = pool.rebuild(other.*part, [&](Term node) -> Term {
            if (node->kind != TermKind::Select || !mentionsRank({node->operands[0]}))
              return {};
            return larger ? pool.maximum(node->operands[1], node->operands[2]) : pool.minimum(node->operands[1], node->operands[2]);
          });
      }
    return result;
  }

  /// Adds an upper bound: a length, the same for all ranks, that no message exceeds.
  bool addBound() {
    for (SymbolicCost length : lengthsToCompare()) {
      if (mentionsRank({length.blocks, length.packets}) || !isMost(length, guard))
        continue;
      for (Term *count : {&length.blocks, &length.packets}) // it may be negative if no rank sends
        if (!proved(guard, pool.lessEqual(zero, *count)))
          *count = pool.maximum(zero, *count);
      length.exact = length.startupsExact = false;
      length.withRankZero = length.longestWithRankZero = false;
      addOnlyIf(guard, length);
      return true;
    }
    return false;
  }

  Execution &execution;
  TermPool &pool;
  const std::vector<Transfer> &sends;
  const Term guard;
  const llvm::SMRange range;
  const Term zero, one;
  std::vector<SymbolicCost> lengths; // of `sends`
  std::vector<Transfer> single; // the sends, of loops of transfers some iterations
  std::vector<std::pair<const Transfer *, Term>> fitted; // ranks that send in small cases, by send; empty: they have not been sought
};

void Execution::addRound(Term guard) {
  if (cost.unknown || sends.empty())
    return;
  if (missing) // without an invariant the search takes long and finds little
    return giveUpCost({missing->gap, missing->subject, missing->range});
  RoundCost(*this, guard).add();
}

} // namespace quadrille::compiler::prove
