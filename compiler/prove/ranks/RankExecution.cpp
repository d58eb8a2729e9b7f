//===- RankExecution.cpp - Transfers of ranks that go through different steps -------------------------------------------===//

#include "RankExecution.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/SaveAndRestore.h"

#include <array>

namespace quadrille::compiler::prove {

void RankExecution::runRanks() {
  cost = noCost();
  lengths.resize(program.ops.size());
  contracts = findContracts(program, schedule, pool, defined, products);
  Frame frame(schedule);
  outermost = &frame;
  begin(frame);
  if (!requireDefinitions())
    return;
  const size_t definitions = defined.definitionCount();
  requireMeetings();
  requireClocks();
  execute(schedule.body, frame, pool.truth(true));
  requirePromises(frame);
  if (defined.definitionCount() != definitions) // the survey must have met all definitions
    throw NotModelled{Gap::TreeNotAlwaysAsked, schedule.nameRange};
  if (!alone) // the clauses are claims of the schedule by itself
    requireCostInTime(frame);
}

void RankExecution::runForClocks() {
  Frame frame(schedule);
  outermost = &frame;
  begin(frame);
  if (!requireDefinitions())
    return;
  requireMeetings();
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
  const std::optional<Clocks> stated = statedClocks(program);
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
  for (Term Content::*part : {&Content::input, &Content::block, &Content::packet, &Content::lo, &Content::length}) {
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

// ---- loops -------------------------------------------------------------------------------------------------------------------------

void RankExecution::write(const Slots &slots, const Content &content, Term guard, llvm::SMRange range) {
  if (touches && !slots.storage->isMessage)
    for (bool ofBlock : {true, false}) {
      const Axis &axis = ofBlock ? slots.block : slots.packet;
      if (axis.kind == Axis::Single)
        touches->push_back({slots.storage, ofBlock, axis.start, guard});
    }
  Execution::write(slots, content, guard, range);
}

namespace {
/// The iteration that writes the slot `symbol`, if iteration `variable` writes the slot `slot`, a formula in `variable`. `first`: the
/// first iteration. Null if there is no formula.
Term iterationOf(TermPool &pool, Term slot, Term variable, Term symbol, Term first) {
  const Term inside = slot->kind == TermKind::Modulo ? slot->operands[0] : slot;
  Term rest = inside;
  std::int64_t sign = 0;
  for (const Monomial &m : TermPool::monomialsOf(inside))
    if (m.atom == variable) {
      sign = m.coefficient;
      rest = pool.subtract(inside, pool.scale(sign, variable));
    }
  if ((sign != 1 && sign != -1) || llvm::is_contained(variablesOf({rest}), variable))
    return {};
  Term iteration = pool.scale(sign, pool.subtract(symbol, rest));
  if (slot->kind == TermKind::Modulo) // the only such iteration among `modulus` consecutive ones from `first` on
    iteration = pool.add(first, pool.modulo(pool.subtract(iteration, first), slot->operands[1]));
  return iteration;
}
} // namespace

Term RankExecution::onlyIterationOf(Term condition, const RankLoop &loop, Term number, llvm::SMRange range) {
  if (!llvm::is_contained(variablesOf({condition}), number))
    return {};
  std::vector<Term> candidates = iterationsByEquations(condition, number);
  llvm::append_range(candidates, iterationsByParts(condition, number));
  bool hasPower = false;
  forEachNode({condition}, [&](Term node) { hasPower |= node->kind == TermKind::Power2; });
  if (hasPower)
    llvm::append_range(candidates, std::array{pool.floorLog2(names.me), defined.trailingZeros(names.me)});
  for (Term candidate : candidates)
    if (holds(pool.equal(number, candidate),
              pool.conjunction({condition, pool.inRange(loop.lo, number, loop.hi), pool.inRange(pool.integer(0), names.me, names.p)}), range))
      return candidate;
  return {};
}

/// What a slot holds at the head of a loop in which each iteration combines it with something: as many factors as have been added, or the
/// members that one of the iterations before has added. `after`: its content at the end of iteration `number`, given that at its begin.
/// Nothing if it is no such loop.
std::optional<Content> RankExecution::accumulated(const Content &atEntry, const RankLoop &loop, Term number, Term head,
                                                  llvm::function_ref<Content(const Content &before)> after) {
  const auto changes = [&](Term term) { return llvm::is_contained(variablesOf({term}), number); };
  const Term isOver = loop.descending ? pool.less(head, number) : pool.less(number, head);
  Content before = atEntry, result = atEntry;
  if (products == Products::Members) {
    const Term already = pool.variable("already'");
    const Term marked = pool.equal(already, pool.integer(1));
    before.member = marked;
    const Term members = after(before).member;
    TermPool::Substitution none;
    none[already.get()] = pool.integer(0);
    const Term added = pool.substitute(members, none); // of a rank that was none yet
    for (Term iteration : iterationsByEquations(added, number)) {
      TermPool::Substitution by;
      by[number.get()] = iteration;
      const Term isAdded = pool.substitute(pool.conjunction({pool.inRange(loop.lo, number, loop.hi), isOver, added}), by);
      result.member = pool.either(atEntry.member, isAdded);
      return result;
    }
    return std::nullopt;
  }
  before.lo = pool.fresh("lo");
  before.length = pool.fresh("length");
  const auto mentionsBefore = [&](Term term) {
    const auto variables = variablesOf({term});
    return llvm::is_contained(variables, before.lo) || llvm::is_contained(variables, before.length);
  };
  const Content then = after(before);
  const Term one = pool.integer(1);
  const Term last = loop.descending ? pool.add(head, one) : pool.subtract(head, one); // the iteration before the head
  const Term done = loop.descending ? pool.subtract(pool.subtract(loop.hi, one), head) : pool.subtract(head, loop.lo);
  /// The value at the head of what is `from` before an iteration and `to` after it; null if there is no formula. It grows by the same in each
  /// iteration, or is what the last one has made it. `known`: what holds where `to` is a branch of choices.
  const std::function<Term(Term, Term, Term, std::vector<Term>)> atHead = [&](Term entry, Term from, Term to, std::vector<Term> known) -> Term {
    if (to->kind == TermKind::Select) {
      const Term choice = pool.rebuild(to->operands[0], [&](Term part) { return llvm::is_contained(known, part) ? pool.truth(true) : Term(); });
      if (mentionsBefore(choice) || pool.isTrue(choice)) // whether the operand follows what is there: it does, or the invariant is not kept
        return atHead(entry, from, to->operands[1], std::move(known));
      const Term no = atHead(entry, from, to->operands[2], known);
      llvm::append_range(known, choice->kind == TermKind::And ? llvm::ArrayRef<Term>(choice->operands) : llvm::ArrayRef<Term>(choice));
      const Term yes = atHead(entry, from, to->operands[1], std::move(known));
      return yes && no && !changes(choice) ? pool.select(choice, yes, no) : Term();
    }
    if (const Term growth = pool.subtract(to, from); !changes(growth) && !mentionsBefore(growth))
      return pool.add(entry, pool.multiply(growth, done));
    if (mentionsBefore(to))
      return {};
    TermPool::Substitution by;
    by[number.get()] = last;
    return pool.select(pool.lessEqual(one, done), pool.substitute(to, by), entry);
  };
  result.length = atHead(atEntry.length, before.length, then.length, {});
  result.lo = atHead(atEntry.lo, before.lo, then.lo, {});
  return result.length && result.lo ? std::optional(result) : std::nullopt;
}

/// Derives an invariant for a loop whose iterations write different slots. At the head a slot holds what it held before the loop
/// if the iterations that write it are still to come, else what these iterations make of it. That the body keeps the invariant is
/// required by the caller.
std::vector<Invariant> RankExecution::deriveInvariants(const ir::ForStmt &stmt, Frame &frame, Term guard,
                                                       const RankLoop &loop, llvm::ArrayRef<SymbolicBuffer *> written, Term head) {
  if (written.empty())
    return {{}};
  const Progress before = progress();
  const std::vector<Content> held = buffers.contents();
  const Term trial = pool.fresh(loop.variable->name);
  std::vector<Touch> noted;
  /// The contents after the body, given those before it; records its writes in `noted`.
  auto run = [&](const std::vector<Content> &contents) {
    noted.clear();
    const llvm::SaveAndRestore noting(touches, &noted);
    const llvm::SaveAndRestore trying(isTrial, true);
    for (auto [buffer, content] : llvm::zip_equal(buffers, contents))
      buffer->content = content;
    iterate(stmt, frame, guard, loop, trial);
    std::vector<Content> result = buffers.contents();
    result.resize(contents.size());
    takeBack(before);
    return result;
  };
  run(held);
  // The iterations that write a slot, earliest first: of a descending loop those with the largest numbers.
  struct Writer {
    SymbolicBuffer *storage;
    Term iteration;
    std::int64_t offset;
  };
  std::vector<Writer> writers;
  std::vector<std::pair<size_t, Content>> sums; // of the slots to which every iteration adds something, by number of the buffer
  for (SymbolicBuffer *storage : written) {
    bool any = false;
    for (const Touch &touch : noted) {
      if (touch.storage != storage)
        continue;
      const Term symbol = touch.ofBlock ? names.block : names.packet;
      const Term iteration = iterationOf(pool, touch.slot, trial, symbol, loop.lo);
      if (!iteration)
        continue;
      any = true;
      if (llvm::none_of(writers, [&](const Writer &w) { return w.storage == storage && w.iteration == iteration; }))
        writers.push_back({storage, iteration, (loop.descending ? -1 : 1) * TermPool::constantOf(iteration)});
    }
    // A rank receives its slot in one of the iterations only, as on a binomial tree.
    for (const Touch &touch : noted) {
      if (any)
        break;
      if (touch.storage == storage && !llvm::is_contained(variablesOf({touch.slot}), trial))
        if (const Term iteration = onlyIterationOf(touch.guard, loop, trial, stmt.keyword)) {
          any = true;
          writers.push_back({storage, iteration, 0});
        }
    }
    if (any)
      continue;
    const size_t which = static_cast<size_t>(llvm::find(buffers, storage) - buffers.begin());
    if (which == held.size())
      return {};
    std::optional<Content> sum = accumulated(held[which], loop, trial, head, [&](const Content &before) {
      std::vector<Content> contents = held;
      contents[which] = before;
      return run(contents)[which];
    });
    if (!sum)
      return {};
    sums.push_back({which, std::move(*sum)});
  }
  llvm::stable_sort(writers, [](const Writer &a, const Writer &b) { return a.offset < b.offset; });
  std::vector<Content> current = held, invariant = held;
  for (const auto &[which, sum] : sums) {
    TermPool::Substitution by;
    by[head.get()] = trial;
    invariant[which] = sum;
    current[which] = substitute(sum, by);
  }
  for (size_t i = 0; i < writers.size();) {
    const std::int64_t offset = writers[i].offset;
    const std::vector<Content> after = run(current);
    for (; i < writers.size() && writers[i].offset == offset; ++i) {
      const size_t which = static_cast<size_t>(llvm::find(buffers, writers[i].storage) - buffers.begin());
      if (which == buffers.size())
        continue;
      const Term iteration = writers[i].iteration;
      TermPool::Substitution by;
      by[trial.get()] = iteration;
      const Content done = substitute(after[which], by);
      const Term isOne = pool.inRange(loop.lo, iteration, loop.hi);
      const Term isOver = loop.descending ? pool.less(head, iteration) : pool.less(iteration, head);
      invariant[which] = select(pool.both(isOne, isOver), done, invariant[which]);
      current[which] = select(isOne, done, current[which]);
    }
  }
  Invariant result;
  for (SymbolicBuffer *storage : written) {
    const size_t which = static_cast<size_t>(llvm::find(buffers, storage) - buffers.begin());
    if (which == buffers.size())
      return {};
    result.push_back(invariant[which]);
  }
  return {result};
}

/// Requires the invariants that the author states, which must follow from the derived contents at the head (`atHead`). No other
/// claim depends on them.
void RankExecution::requireStated(const ir::ForStmt &stmt, Frame &frame, Term guard,
                                  llvm::function_ref<Content(const SymbolicBuffer &)> atHead) {
  const size_t firstObligation = found.size();
  for (const ir::Invariant &stated : stmt.invariants)
    try {
      if (stated.holder) {
        doubtful.push_back({stated.range, diag::InvariantUnread{}});
        throw NotModelled{Gap::ProductAtDifferentTimes, stated.range};
      }
      if (!stated.buffer) // whom ranks have heard of is not followed
        throw NotModelled{Gap::HeardByRank, stated.range};
      const SymbolicBuffer &storage = *statedStorage(stated, frame);
      const Content wanted = statedContents(stated, frame, storage, guard).back();
      requireSame("the stated invariant of `" + storage.name + "` holds", stated.range, slotsWhere(storage, guard),
                  atHead(storage), wanted);
    } catch (const NotModelled &gap) {
      if (!unread)
        unread = gap;
    }
  for (Obligation &obligation : found.newest(firstObligation))
    obligation.isStatedOnly = obligation.claim != Claim::Defined; // its expressions must have values all the same
}

void RankExecution::loop(const ir::ForStmt &stmt, Frame &frame, Term guard) {
  const bool isOwn = frame.place.uses.empty() && !isTrial; // else stated invariants are not required here
  auto asItIs = [&](Term isThere) {
    if (isOwn)
      requireStated(stmt, frame, isThere, [](const SymbolicBuffer &storage) { return storage.content; });
  };
  if (overChildren(stmt, frame, guard, asItIs))
    return;
  packetsFixed = true;
  const RankLoop loop = enter(stmt, frame, guard);
  std::vector<SymbolicBuffer *> written;
  findWritten(stmt.body, frame, written);
  llvm::erase(written, heard);
  const Term one = pool.integer(1);
  // The head is the number of the next iteration; after the last one, what it would be in the next: the upper bound, or one less than
  // the lower bound of a descending loop. A loop without iterations has the same head before and after.
  const Term end = pool.maximum(loop.lo, loop.hi);
  const Term first = loop.descending ? pool.subtract(end, one) : loop.lo, exit = loop.descending ? pool.subtract(loop.lo, one) : end;
  const Term next = pool.add(loop.variable, loop.descending ? pool.integer(-1) : one);
  const Term head = pool.fresh(loop.variable->name);
  std::vector<Invariant> invariants = deriveInvariants(stmt, frame, guard, loop, written, head);
  if (invariants.empty())
    throw NotModelled{Gap::NoInvariant, stmt.keyword, oracle.boundOfSearch()};
  const Invariant &invariant = invariants[0];
  auto headIs = [&](const Content &content, Term value) {
    TermPool::Substitution by;
    by[head.get()] = value;
    return substitute(content, by);
  };
  auto requireInvariant = [&](Term value, const char *when) {
    for (size_t i = 0; i < written.size(); ++i) {
      const SymbolicBuffer &storage = *written[i];
      const Term inside = pool.conjunction({guard, pool.inRange(pool.integer(0), names.block, storage.blocks),
                                            pool.inRange(pool.integer(0), names.packet, storage.packets)});
      requireSame("the invariant of `" + storage.name + "` " + when, stmt.keyword, inside, storage.content,
                  headIs(invariant[i], value));
    }
  };
  std::vector<Content> before;
  for (const SymbolicBuffer *storage : written)
    before.push_back(storage->content);
  requireInvariant(first, "holds before the loop");
  if (isOwn) {
    const Trail<Term>::Scope atHead(facts);
    if (!stmt.invariants.empty() && (stmt.loop == ir::LoopKind::Half || stmt.loop == ir::LoopKind::HalvingsReversed))
      throw NotModelled{Gap::MultiplyingByRank, stmt.keyword}; // its formulas do not hold after the last iteration
    const auto [least, greatest] = loop.descending ? std::pair(exit, first) : std::pair(first, exit);
    assume(pool.both(pool.lessEqual(least, head), pool.lessEqual(head, greatest)));
    setVariables(stmt, frame, loop, head);
    requireStated(stmt, frame, guard, [&](const SymbolicBuffer &storage) {
      const auto at = llvm::find(written, &storage);
      return at == written.end() ? storage.content : invariant[static_cast<size_t>(at - written.begin())];
    });
  }
  const size_t outerBuffers = buffers.size();
  std::optional<Trail<Term>::Scope> inBody(std::in_place, facts);
  assume(pool.inRange(loop.lo, loop.variable, loop.hi));
  for (size_t i = 0; i < written.size(); ++i)
    written[i]->content = headIs(invariant[i], loop.variable);
  iterate(stmt, frame, guard, loop, loop.variable);
  requireInvariant(next, "is kept by the body of the loop");
  inBody.reset();
  buffers.forget(outerBuffers);
  for (size_t i = 0; i < written.size(); ++i)
    written[i]->content = select(guard, headIs(invariant[i], exit), before[i]);
}

} // namespace quadrille::compiler::prove
