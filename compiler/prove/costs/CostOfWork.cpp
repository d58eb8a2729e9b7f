//===- CostOfWork.cpp - How often ranks apply the operator ---------------------------------------------------------------------===//
//
// A round costs the operator applications of the rank that has most of them between it and the next round. They are counted for the
// generic rank from step to step. At the end of such a stretch, a rank is sought that no other one exceeds.
//
// Of a loop whose iterations do not begin with a step, a stretch goes on in the next iteration. Its parts are counted one by one, so what they
// say together may be too much, unless all ranks have the same in all parts but one.
//
//===----------------------------------------------------------------------------------------------------------------===//

#include "ir/Walk.h"
#include "prove/execution/Execution.h"

#include "llvm/ADT/STLExtras.h"

namespace quadrille::compiler::prove {

/// Whether a clause speaks of operator applications, and they can be counted: all ranks go through the same steps, blocks have n elements, and
/// what buffers hold is followed.
bool Execution::countsWork() const {
  return schedule.cost && schedule.cost->mentionsGamma && !alone && !ranksDiffer() && !isByTime && contentsMatter && !haveOwnLengths();
}

/// Adds one application, where both operands are there, to each block or packet of `left`. `right` is a formula in the labels of `left`.
void Execution::addWork(const Data &left, const Content &right, Term guard, llvm::SMRange range) {
  if (!countsWork() || cost.workUnknown)
    return;
  const Term zero = pool.integer(0), one = pool.integer(1);
  const Term inside = pool.both(guard, contains(left.block, left.packet));
  const Term known = pool.negate(pool.either(left.content.unknown, right.unknown));
  if (missing || (!pool.isTrue(known) && !isShownNow("it is known whether operands are there", range, inside, known))) {
    cost.workUnknown = NotModelled{Gap::Applications, range};
    return;
  }
  const Slots &slots = left.slots;
  std::int64_t denominator = 1;
  const Term blocks = countOf(slots.alongBlocks(), guard, range, denominator), parts = countOf(slots.alongPackets(), guard, range, denominator);
  if (!blocks || !parts || denominator != 1) {
    cost.workUnknown = NotModelled{Gap::SelectedBlocks, range};
    return;
  }
  Term both = pool.both(left.content.valid, right.valid);
  const auto mentionsSlot = [&](Term term) {
    return llvm::any_of(variablesOf({term}), [&](Term variable) { return variable == blockLabel || variable == packetLabel; });
  };
  if (!pool.isTrue(both) && isShownNow("both operands are there", range, inside, both)) {
    both = pool.truth(true);
  } else if (mentionsSlot(both)) {
    both = pool.truth(true);
    cost.workExact = false;
  }
  const Term areMade = pool.both(guard, both), several = pool.multiply(blocks, parts);
  if (!work.blocks) {
    work.blocks = work.packets = zero;
    work.isLongest = pool.truth(true);
  }
  const bool isWhole = !packets || (slots.storage->packets == packets && parts == packets && slots.alongPackets().start == zero);
  if (isWhole) {
    work.blocks = pool.add(work.blocks, pool.select(areMade, blocks, zero));
    return;
  }
  work.packets = pool.add(work.packets, pool.select(areMade, several, zero));
  work.isLongest = pool.both(work.isLongest, pool.implies(areMade, pool.both(pool.equal(several, one), pool.equal(packetOf(slots), zero))));
}

/// Adds what has been counted since the last step, or since this was called last, to the cost.
void Execution::endWork(llvm::SMRange range) {
  if (!countsWork() || !work.blocks || cost.workUnknown) {
    work.blocks = Term();
    return;
  }
  const Term zero = pool.integer(0), one = pool.integer(1), always = pool.truth(true);
  const Term blocks = work.blocks, several = work.packets;
  work.blocks = work.packets = Term();
  if (blocks == zero && several == zero)
    return;
  const auto isSame = [&](Term term) { return !llvm::is_contained(variablesOf({term}), names.me); };
  const bool areAlike = isSame(blocks) && isSame(several) && (several == zero || isSame(work.isLongest));
  Term mostBlocks, mostPackets;
  bool isExact = false;
  if (areAlike) {
    mostBlocks = blocks;
    mostPackets = several;
    isExact = several == zero || isShownNow("a rank has a longest packet", range, always, work.isLongest);
  } else {
    std::vector<Term> ranks{zero, pool.subtract(names.p, one), one};
    llvm::append_range(ranks, work.ranks);
    for (Term rank : ranks) {
      const Term b = at(blocks, rank), s = at(several, rank);
      if (isExact || !isSame(b) || !isSame(s) || (mostBlocks && (several == zero || !isSame(at(work.isLongest, rank)))))
        continue;
      const Term isRank = pool.inRange(zero, rank, names.p);
      if (!isShownNow("no rank applies the operator more often", range, always, pool.both(pool.lessEqual(blocks, b), pool.lessEqual(several, s))))
        continue;
      if (!mostBlocks) {
        mostBlocks = b;
        mostPackets = s;
      }
      if (isShownNow("the rank that applies the operator most often", range, always,
                     pool.both(isRank, several == zero ? always : at(work.isLongest, rank)))) {
        mostBlocks = b;
        mostPackets = s;
        isExact = true;
      }
    }
  }
  if (!mostBlocks) {
    cost.workUnknown = NotModelled{Gap::Applications, range};
    return;
  }
  // If the step before has no message, there is no round, and what comes before and after it is one stretch.
  const Term some = pool.either(pool.less(zero, mostBlocks), pool.less(zero, mostPackets));
  if (isExact && !work.isFirst && work.startups != one)
    isExact = work.startups && isShownNow("there is a round before the operator is applied", range, some, pool.lessEqual(one, work.startups));
  work.isFirst = false;
  cost.workExact &= isExact && (areAlike || !work.isOpen);
  if (!areAlike) {
    work.isOpen = true;
    work.headIsOpen |= !work.hasStep;
  }
  cost.workBlocks = pool.add(cost.workBlocks, mostBlocks);
  cost.workPackets = pool.add(cost.workPackets, mostPackets);
}

/// Notes a step: `startups` is the cost of its round, or null if that is not known. Its messages tell which ranks may do most.
void Execution::beginStepOfWork(Term startups) {
  if (!countsWork())
    return;
  work.startups = startups;
  work.isOpen = false;
  work.hasStep = true;
  work.ranks.clear();
  for (const Transfer &send : sends) {
    if (send.index)
      continue;
    for (Term rank : witnesses(send))
      for (Term other : {at(send.peer, rank), rank})
        if (!llvm::is_contained(variablesOf({other}), names.me) && !llvm::is_contained(work.ranks, other))
          work.ranks.push_back(other);
  }
}

/// Called before the body of a loop is followed: returns what is known of the work before it, which has been ended.
Work Execution::enterLoopOfWork(const ir::ForStmt &stmt) {
  Work before = work;
  work.isOpen = work.headIsOpen = work.hasStep = false;
  if (ir::anyStatement(stmt.body, [](const ir::Stmt &inner) { return llvm::isa<ir::StepStmt>(inner) || llvm::isa<ir::UseStmt>(inner); })) {
    work.startups = Term(); // the last step may be that of another iteration
    work.isFirst = false;
  }
  return before;
}

/// Called after the body has been followed, when `cost` is that of an iteration. `before`: as enterLoopOfWork returned it.
void Execution::leaveLoopOfWork(const Work &before) {
  // The end of one iteration and the begin of the next one are one stretch; without steps, all iterations are.
  if (work.headIsOpen && (work.isOpen || before.isOpen || !work.hasStep))
    cost.workExact = false;
  work.isOpen |= before.isOpen;
  work.headIsOpen = before.headIsOpen || (!before.hasStep && work.headIsOpen);
  work.startups = work.hasStep ? Term() : before.startups;
  work.hasStep |= before.hasStep;
  const Term zero = pool.integer(0);
  work.isFirst = before.isFirst && cost.workBlocks == zero && cost.workPackets == zero && !cost.workUnknown;
}

/// Requires what the number of operator applications rests on: where operands are there. Throws NotModelled if they are not counted.
void Execution::requireWorkKnown() {
  if (cost.workUnknown)
    throw *cost.workUnknown;
  const auto isOfContents = [](Claim claim) {
    return llvm::is_contained({Claim::Defined, Claim::Matching, Claim::Initialization, Claim::Range, Claim::Race, Claim::Invariant}, claim);
  };
  if (!countsWork() || missing || !llvm::all_of(found.all(), [&](const Obligation &obligation) { return !isOfContents(obligation.claim) || oracle.isProved(obligation); }))
    throw NotModelled{Gap::Applications, schedule.cost->range};
}

} // namespace quadrille::compiler::prove
