//===- RankExecution.cpp - Transfers of ranks that go through different steps -------------------------------------------===//

#include "RankExecution.h"

#include "llvm/ADT/STLExtras.h"

#include <array>

namespace quadrille::compiler::prove {

void RankExecution::runRanks() {
  cost = noCost();
  lengths.resize(program.ops.size());
  Contracts guessed = findContracts(program, schedule, pool, defined, products);
  contracts = std::move(guessed.ofSends);
  Frame frame(schedule);
  outermost = &frame;
  begin(frame);
  if (!requireDefinitions())
    return;
  const size_t definitions = defined.definitionCount();
  requireMeetings();
  requireSections();
  requireClocks();
  if (guessed.guess) {
    forest = guessed.guess->forest;
    requireForest(guessed.guess->measures);
  }
  execute(schedule.body, frame, pool.truth(true));
  requirePromises(frame);
  for (const ProofAlone *proof : proofsAlone)
    for (const Obligation &obligation : proof->obligations)
      found.push_back(obligation);
  if (defined.definitionCount() != definitions) // the survey must have met all definitions
    throw NotModelled{Gap::TreeNotAlwaysAsked, schedule.nameRange};
  if (alone) // the clauses are claims of the schedule by itself
    boundCostAlone(frame);
  else
    requireCostInTime(frame);
}

void RankExecution::runForClocks() {
  Frame frame(schedule);
  outermost = &frame;
  begin(frame);
  if (!requireDefinitions())
    return;
  requireMeetings();
  requireSections();
  useStatedClocks();
  requireSingleMessages();
}

/// The place that an obligation blames: for Claim::Clock the stated clock, else the transfer.
static llvm::SMRange placeOf(const RankOp &op, Claim claim) {
  return claim == Claim::Clock ? op.clock->range : op.stmt->keyword;
}

// ---- all transfers at once -----------------------------------------------------------------------------------------------------

// The obligations of `defined` already contain the instances of laws that they need, so `complete` is not called.
bool RankExecution::requireDefinitions() {
  for (Obligation &obligation : defined.obligations(assumed))
    found.push_back(std::move(obligation));
  return llvm::all_of(found, [&](const Obligation &obligation) { return oracle.isProved(obligation); });
}

void RankExecution::complete(Obligation &obligation) {
  if (forest && forest->hasMeasure()) {
    std::vector<Term> formulas = obligation.hypotheses;
    formulas.push_back(obligation.goal);
    llvm::append_range(obligation.hypotheses, forest->laws(formulas));
  }
  RankWalk::complete(obligation);
}

void RankExecution::requireForest(llvm::ArrayRef<Term> measures) {
  assert(contentsMatter && "else nothing is required of contents, and anything would do");
  for (Term measure : measures) {
    const Progress before = progress();
    require(Claim::Invariant, "what ranks hand on comes back to none of them", schedule.nameRange, forest->whereHandedOn(), forest->isWellFounded(measure));
    if (found.size() == before.found.size() || oracle.isProved(found.back()))
      return forest->setMeasure(measure);
    takeBack(before);
  }
  throw NotModelled{Gap::MessageWithoutFormula, schedule.nameRange};
}

/// Requires that every transfer has another side that is made, with this rank as its partner.
void RankExecution::requireMeetings() {
  for (unsigned number = 0; number < program.ops.size(); ++number) {
    const RankOp &op = program.ops[number];
    const Term reached = pool.both(program.isReached(op), op.guard);
    llvm::SmallVector<Term, 4> met;
    for (const RankPair &pair : program.partners[number])
      met.push_back(program.meets(op, pair));
    require(Claim::Matching,
            op.isSend() ? "the send goes to another rank that receives from it" : "the receive is from another rank that sends to it",
            op.stmt->keyword, reached,
            pool.conjunction({pool.inRange(pool.integer(0), op.peer, names.p), pool.notEqual(op.peer, names.me),
                              pool.disjunction(met)}));
  }
}

/// Requires both properties of clocks, for each pair of phases.
void RankExecution::requireClocks(const std::vector<Clock> &times, Claim claim) {
  for (unsigned phase = 0; phase < program.phases; ++phase) {
    requireSameTimes(phase, times, claim);
    for (unsigned other = 0; other < program.phases; ++other)
      requireOrder(phase, other, times, claim);
  }
}

void RankExecution::requireStatedClocks(const Clocks &stated, Claim claim) {
  for (const RankOp &op : program.ops)
    require(claim, "the numbers of the clock have values", placeOf(op, claim), pool.both(program.isReached(op), op.guard),
            op.timesExist);
  requireClocks(stated.times, claim);
}

bool RankExecution::useStatedClocks() {
  const bool isOwn = !schedule.clocks.empty(); // else only used schedules state clocks, which are no claim of this one
  if (program.clockGap) {
    if (isOwn)
      unreadTimes = program.clockGap;
    return false;
  }
  if (isOwn && !program.groups.empty()) // a clock tells nothing of the messages in groups
    unreadTimes = NotModelled{Gap::UsedInGroups, program.groups[0].range};
  const std::optional<Clocks> stated = program.groups.empty() ? statedClocks(program) : std::nullopt;
  if (!stated)
    return false;
  const Progress before = progress();
  requireStatedClocks(*stated, isOwn ? Claim::Clock : Claim::Deadlock);
  const bool isShown = llvm::all_of(found.since(before.found.size()),
                                    [&](const Obligation &obligation) { return oracle.isProved(obligation); });
  if (!isOwn && !isShown)
    takeBack(before);
  if (!isShown)
    return false;
  if (isOwn)
    requireStatedClocks(*stated, Claim::Deadlock);
  clocks = stated->times;
  showClocks(stated->texts);
  return true;
}

/// Records the clocks of the schedule's own transfers for explanations, without those of used schedules. The two transfers of an
/// exchange have one clock.
void RankExecution::showClocks(llvm::ArrayRef<std::string> texts) {
  for (unsigned number = 0; number < program.ops.size(); ++number) {
    const llvm::SMRange range = program.ops[number].stmt->keyword;
    const bool isKnown = llvm::any_of(clocksShown, [&](const ClockText &shown) {
      return shown.range.Start == range.Start && shown.text == texts[number];
    });
    if (program.ops[number].isOwn && !isKnown)
      clocksShown.push_back({range, texts[number]});
  }
}

void RankExecution::requireClocks() {
  if (useStatedClocks())
    return requireSingleMessages();
  // Tries a clock of one phase; whether it is sound does not depend on the other phases.
  auto isSound = [&](unsigned phase, const std::vector<Clock> &candidate) {
    const Progress before = progress();
    requireSameTimes(phase, candidate, Claim::Deadlock);
    requireOrder(phase, phase, candidate, Claim::Deadlock);
    const bool all = llvm::all_of(found.since(before.found.size()), [&](const Obligation &obligation) { return oracle.isProved(obligation); });
    takeBack(before);
    return all;
  };
  auto chosen = findClocks(schedule, program, pool, defined, isSound);
  if (!chosen)
    throw NotModelled{Gap::NoClock, schedule.nameRange};
  clocks = std::move(chosen->times);
  requireClocks(clocks, Claim::Deadlock);
  requireSingleMessages();
  showClocks(chosen->texts);
}

/// The condition that the other side of an op is `pair`, and has the same time.
Term RankExecution::meetsInTime(unsigned number, const RankPair &pair, const std::vector<Clock> &times) {
  const RankOp &op = program.ops[number];
  Clock other;
  for (Term word : times[pair.op])
    other.push_back(program.at(program.ops[pair.op], word, op.peer, pair.values));
  return pool.both(program.meets(op, pair), isSame(pool, times[number], other));
}

void RankExecution::requireSameTimes(unsigned phase, const std::vector<Clock> &times, Claim claim) {
  for (unsigned number = 0; number < program.ops.size(); ++number) {
    const RankOp &op = program.ops[number];
    if (op.phase != phase)
      continue;
    llvm::SmallVector<Term, 4> met;
    for (const RankPair &pair : program.partners[number])
      met.push_back(meetsInTime(number, pair, times));
    require(claim, "both sides of a message come at the same time of a clock", placeOf(op, claim),
            pool.both(program.isReached(op), op.guard), pool.disjunction(met));
  }
}

/// Relates two ops of the same rank: `a` in the iteration of its symbols, `b` in an iteration with new symbols (`values`).
RankExecution::TwoOps RankExecution::twoOps(const RankOp &a, const RankOp &b) {
  TwoOps two;
  for (const RankLoop &loop : b.loops)
    two.values.push_back(pool.fresh(loop.variable->name));
  std::vector<Term> own;
  two.isSameIteration = pool.truth(true);
  for (const RankLoop &loop : a.loops)
    own.push_back(loop.variable);
  for (size_t i = 0; i < std::min(a.loops.size(), b.loops.size()) && a.loops[i].place == b.loops[i].place; ++i)
    two.isSameIteration = pool.both(two.isSameIteration, pool.equal(own[i], two.values[i]));
  two.isBefore = program.comesBefore(a, own, b, two.values);
  two.areMade = pool.conjunction(
      {program.isReached(a), a.guard, program.at(b, pool.both(program.isReached(b), b.guard), names.me, two.values)});
  return two;
}

/// Requires that a rank's transfers of one phase have earlier times than those of the other phase that come later in its program.
void RankExecution::requireOrder(unsigned phaseBefore, unsigned phaseAfter, const std::vector<Clock> &times, Claim claim) {
  for (unsigned first = 0; first < program.ops.size(); ++first)
    for (unsigned second = 0; second < program.ops.size(); ++second) {
      const RankOp &a = program.ops[first], &b = program.ops[second];
      if (a.phase != phaseBefore || b.phase != phaseAfter)
        continue;
      const TwoOps two = twoOps(a, b);
      Clock after;
      for (Term word : times[second])
        after.push_back(program.at(b, word, names.me, two.values));
      require(claim, "a rank's later steps have later times of the clock", placeOf(b, claim),
              pool.both(two.areMade, two.isBefore), isEarlier(pool, times[first], after));
    }
}

/// Requires that a step has at most one message from one rank to another, since nothing orders messages within a step.
void RankExecution::requireSingleMessages() {
  for (unsigned first = 0; first < program.ops.size(); ++first)
    for (unsigned second = first + 1; second < program.ops.size(); ++second) {
      const RankOp &a = program.ops[first], &b = program.ops[second];
      if (a.place != b.place || a.isSend() != b.isSend())
        continue;
      const TwoOps two = twoOps(a, b);
      require(Claim::Matching, "at most one message from one rank to another in a step", b.stmt->keyword,
              pool.both(two.areMade, two.isSameIteration), pool.notEqual(a.peer, program.at(b, b.peer, names.me, two.values)));
    }
}

// ---- one step ----------------------------------------------------------------------------------------------------------------------

unsigned RankExecution::opOf(const Transfer &transfer, unsigned place) const {
  auto op = program.find(*transfer.stmt, place);
  if (!op)
    throw NotModelled{Gap::TransferOfNobody, transfer.stmt->keyword};
  return *op;
}

/// The current values of the loop variables around this step.
std::vector<Term> RankExecution::iterations() const {
  std::vector<Term> values;
  for (const RankLoop &loop : around)
    values.push_back(loop.variable);
  return values;
}

/// Requires that two contents are the same, with an obligation per part: these are simpler than a single one.
void RankExecution::requireSame(const std::string &name, llvm::SMRange range, Term guard, const Content &had,
                                const Content &wanted) {
  guard = pool.both(guard, pool.negate(wanted.unknown));
  require(Claim::Invariant, name, range, guard, pool.both(pool.negate(had.unknown), pool.equal(had.valid, wanted.valid)));
  guard = pool.both(guard, wanted.valid);
  if (products == Products::Members)
    require(Claim::Invariant, name, range, guard, pool.equal(had.member, wanted.member));
  for (Term Content::*part : {&Content::input, &Content::block, &Content::packet, &Content::lo, &Content::length}) {
    if (products == Products::Members && (part == &Content::lo || part == &Content::length))
      continue;
    Term same = pool.equal(had.*part, wanted.*part);
    if (part == &Content::lo && products == Products::Cyclic) // a product over all ranks is the same wherever it begins
      same = pool.either(same, pool.equal(wanted.length, names.p));
    require(Claim::Invariant, name, range, guard, same);
  }
}

void RankExecution::requireContracts(unsigned place) {
  const std::vector<Term> values = iterations();
  for (const Transfer &send : sends) {
    if (!send.slots)
      continue;
    const unsigned number = opOf(send, place);
    Content promised = *contracts[number];
    for (Term *part : promised.parts())
      *part = program.at(program.ops[number], *part, names.me, values);
    requireSame("the message holds what its receiver counts on", send.stmt->keyword,
                pool.both(send.guard, contains(send.slots->block, send.slots->packet)), read(*send.slots), promised);
  }
}

void RankExecution::receive(unsigned place) {
  const std::vector<Term> values = iterations();
  for (const Transfer &recv : receives) {
    const unsigned number = opOf(recv, place);
    const RankOp &op = program.ops[number];
    auto here = [&](Term term) { return program.at(op, term, names.me, values); };
    // Assume that one of the partners is at the other side: requireMeetings and requireClocks require it.
    llvm::SmallVector<Term, 4> met;
    std::vector<std::vector<Term>> otherValues;
    for (const RankPair &partner : program.partners[number]) {
      met.push_back(here(meetsInTime(number, partner, clocks)));
      std::vector<Term> &iteration = otherValues.emplace_back();
      for (Term value : partner.values)
        iteration.push_back(here(value));
    }
    assume(pool.implies(recv.guard, pool.both(pool.inRange(pool.integer(0), recv.peer, names.p), pool.disjunction(met))));
    for (size_t i = 0; i < met.size(); ++i)
      if (program.ops[program.partners[number][i].op].slots.has_value() != recv.slots.has_value())
        require(Claim::Matching, "data meets data", recv.stmt->keyword, pool.both(recv.guard, met[i]), pool.truth(false));
    if (!recv.slots)
      continue;
    SymbolicBuffer &target = *recv.slots->storage;
    Slots shape = *recv.slots;
    Content arrived = empty();
    if (target.isMessage && met.empty()) { // no send matches: requireMeetings reports that
      target.hasShape = true;
      target.blockShape.start = target.packetShape.start = pool.integer(0);
      shape = {&target, target.blockShape, target.packetShape};
    }
    for (size_t i = 0; i < met.size(); ++i) {
      const RankPair &partner = program.partners[number][i];
      const RankOp &send = program.ops[partner.op];
      const Term condition = pool.both(recv.guard, met[i]);
      if (!send.slots)
        continue;
      auto there = [&](Term term) { return program.at(send, term, recv.peer, otherValues[i]); };
      const Axis block = send.slots->block.changed(there), packet = send.slots->packet.changed(there);
      Content content = *contracts[partner.op];
      for (Term *part : content.parts())
        *part = there(*part);
      if (target.isMessage) {
        requireRoom(block, packet, condition, recv);
        if (target.hasShape && llvm::any_of(std::array{block, packet, target.blockShape, target.packetShape},
                                            [](const Axis &axis) { return axis.kind != Axis::Single; }))
          throw NotModelled{Gap::BlocksOfSeveralSends, recv.stmt->keyword};
        giveShape(target, block, packet, recv.guard);
        shape = {&target, target.blockShape, target.packetShape};
      } else {
        content = movedInto(*recv.slots, recv, block, packet, content, condition);
        // Packets of a block may differ in length, so a packet must be received as the packet with the same number.
        if (target.packets && TermPool::asInteger(target.packets) != 1)
          require(Claim::Matching, "a packet is received as the packet that it is", recv.stmt->keyword,
                  pool.both(condition, contains(recv.slots->block, recv.slots->packet)),
                  pool.equal(content.packet, slotAt(recv.slots->packet)));
      }
      arrived = i == 0 ? content : select(met[i], content, arrived);
    }
    write(shape, arrived, recv.guard, recv.stmt->range);
  }
}

void RankExecution::step(const ir::StepStmt &stmt, Frame &frame, Term guard) {
  const unsigned place = places++;
  std::vector<Transfer> outerSends, outerReceives;
  std::swap(outerSends, sends);
  std::swap(outerReceives, receives);
  for (const ir::Buffer *message : stmt.messages)
    declare(*message, frame, guard);
  collect(stmt.body, frame, guard);
  // A message without blocks is not sent, and then the n-th send would not meet the n-th receive.
  for (const std::vector<Transfer> *side : {&sends, &receives})
    for (const Transfer &transfer : *side)
      if (transfer.slots && !transfer.slots->storage->isMessage) {
        requireBlocks(transfer.slots->block, transfer.guard, transfer);
        requireBlocks(transfer.slots->packet, transfer.guard, transfer);
      }
  requirePorts();
  requireNoRace();
  measure(place);
  requireContracts(place);
  receive(place);
  execute(stmt.body, frame, guard);
  std::swap(outerSends, sends);
  std::swap(outerReceives, receives);
}

} // namespace quadrille::compiler::prove
