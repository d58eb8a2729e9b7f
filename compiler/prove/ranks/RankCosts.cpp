//===- RankCosts.cpp - How many rounds ranks take that go through different steps ---------------------------------------===//

#include "RankExecution.h"
#include "Timetables.h"

#include "llvm/ADT/STLExtras.h"

namespace quadrille::compiler::prove {

/// Notes the lengths of the messages of the current step, in the symbols of their operations.
void RankExecution::measure(unsigned place) {
  const std::vector<Term> here = iterations();
  if (!llvm::all_of(here, [](Term value) { return value->kind == TermKind::Variable; }))
    return; // not an iteration like any other
  for (const std::vector<Transfer> *side : {&sends, &receives})
    for (const Transfer &transfer : *side) {
      const unsigned number = opOf(transfer, place);
      TermPool::Substitution own;
      for (auto [value, loop] : llvm::zip_equal(here, program.ops[number].loops))
        own[value.get()] = loop.variable;
      Cost length = lengthOf(transfer);
      if (!length.unknown)
        for (Term Cost::*part : {&Cost::own, &Cost::ownReceived, &Cost::blocks, &Cost::packets})
          length.*part = pool.substitute(length.*part, own);
      lengths[number] = length;
    }
}

/// A length that no message exceeds; `exact` if all have it. Nothing if lengths are no plain numbers of blocks and packets.
std::optional<Cost> RankExecution::longestMessage() {
  std::optional<Cost> longest;
  for (unsigned number = 0; number < program.ops.size(); ++number) {
    if (!program.ops[number].isSend())
      continue;
    const std::optional<Cost> &length = lengths[number];
    if (!length || length->unknown || length->denominator != 1 || length->own != pool.integer(0))
      return std::nullopt;
    if (!longest) {
      longest = *length;
      longest->exact = length->packets == pool.integer(0); // packets of a block differ in length
    }
    for (Term Cost::*part : {&Cost::blocks, &Cost::packets}) {
      const std::optional<std::int64_t> most = TermPool::asInteger((*longest).*part), here = TermPool::asInteger((*length).*part);
      if (!most || !here)
        return std::nullopt;
      longest->exact &= *most == *here;
      (*longest).*part = pool.integer(std::max(*most, *here));
    }
  }
  return longest;
}

/// Requires a timetable that ends before `rounds`; `exactly`: and that `rounds` are needed. False, and nothing is required, if none is
/// found for which that is proved.
bool RankExecution::requireTimetable(Term rounds, bool exactly, llvm::SMRange range) {
  return findTimetable(program, pool, defined, oracle, rounds, [&](llvm::ArrayRef<Term> times) {
    const Progress before = progress();
    std::vector<Clock> clock;
    for (Term time : times)
      clock.push_back({time});
    for (unsigned number = 0; number < program.ops.size(); ++number)
      require(Claim::Cost, "a message is in one of so many rounds", range,
              pool.both(program.isReached(program.ops[number]), program.ops[number].guard),
              pool.inRange(pool.integer(0), times[number], rounds));
    require(Claim::Cost, "the number of rounds is not negative", range, pool.truth(true), pool.lessEqual(pool.integer(0), rounds));
    requireClocks(clock, Claim::Cost);
    if (exactly)
      requireEarliest(times, rounds, range);
    if (llvm::all_of(found.since(before.found.size()), [&](const Obligation &obligation) { return oracle.isProved(obligation); }))
      return true;
    takeBack(before);
    return false;
  });
}

/// Requires that every message after round 0 comes in the step after one that is a round earlier, on one of its ranks, and that some
/// message is in the last of the rounds.
void RankExecution::requireEarliest(llvm::ArrayRef<Term> times, Term rounds, llvm::SMRange range) {
  const Term zero = pool.integer(0), one = pool.integer(1);
  // The rank makes the transfer, at this time.
  auto isAt = [&](const RankMessage &message, Term rank, Term time) {
    const RankOp &op = program.ops[message.op];
    auto there = [&](Term term) { return program.at(op, term, rank, message.values); };
    return pool.both(there(pool.both(program.isReached(op), op.guard)), pool.equal(there(times[message.op]), time));
  };
  for (unsigned number = 0; number < program.ops.size(); ++number) {
    const RankOp &op = program.ops[number];
    if (!op.isSend())
      continue;
    const auto predecessors = findPredecessors(program, number, times);
    llvm::SmallVector<Term, 4> any;
    std::vector<Term> own;
    for (const RankLoop &loop : op.loops)
      own.push_back(loop.variable);
    if (predecessors)
      for (const Predecessor &predecessor : *predecessors) {
        const RankMessage &message = predecessor.message;
        const RankOp &other = program.ops[message.op];
        const Term rank = predecessor.pair ? op.peer : names.me;
        const Term at = isAt(message, rank, pool.subtract(times[number], one));
        if (!predecessor.pair) {
          any.push_back(pool.both(at, program.comesBefore(other, message.values, op, own)));
          continue;
        }
        const RankPair &pair = program.partners[number][*predecessor.pair];
        any.push_back(pool.conjunction(
            {program.meets(op, pair), at, program.comesBefore(other, message.values, program.ops[pair.op], pair.values)}));
      }
    require(Claim::Cost, "a message after the first round waits for one of the round before", range,
            pool.conjunction({program.isReached(op), op.guard, pool.less(zero, times[number])}), pool.disjunction(any));
  }
  llvm::SmallVector<Term, 2> any;
  if (const auto witnesses = findLast(program, pool, times, rounds))
    for (const RankMessage &message : *witnesses)
      any.push_back(pool.both(pool.inRange(zero, message.rank, names.p), isAt(message, message.rank, pool.subtract(rounds, one))));
  require(Claim::Cost, "a message is in the last round", range, pool.less(zero, rounds), pool.disjunction(any));
}

/// Requires what a clause says of the cost; `unknown`: is set if no timetable shows it. Throws TermOverflow.
void RankExecution::requireClauseInTime(const ir::Claim &claim, Frame &frame, const Cost &longest, std::optional<NotModelled> &unknown) {
  const bool exactly = !claim.upperBound;
  const size_t definitions = defined.definitionCount();
  const Term rounds = claimedStartups(claim, frame);
  if (!rounds || (defined.definitionCount() != definitions && !requireDefinitions()) ||
      !requireTimetable(rounds, exactly, claim.range))
    return;
  cost = longest;
  cost.startups = rounds;
  for (Term Cost::*part : {&Cost::blocks, &Cost::packets})
    cost.*part = pool.multiply(rounds, cost.*part);
  cost.startupsExact = exactly;
  cost.exact = exactly && longest.exact;
  cost.withRankZero = cost.longestWithRankZero = false;
  unknown.reset();
  requireClause(claim, frame, unknown);
}

/// Requires what the clauses say of the cost, as far as timetables show it. Comes last: what the search takes of the effort must not
/// be missing for other claims, on which the cost rests anyway.
void RankExecution::requireCostInTime(Frame &frame) {
  if (!schedule.cost && !schedule.rounds)
    return;
  for (const auto &[claim, unknown] : {std::pair(&schedule.cost, &costUnknown), std::pair(&schedule.rounds, &roundsUnknown)})
    if (*claim)
      *unknown = NotModelled{Gap::RoundsByRank, (*claim)->range};
  bool mayHold = true;
  for (const Obligation &obligation : found.all())
    mayHold &= oracle.isProved(obligation) || !(costRestsOn(obligation.claim) || obligation.claim == Claim::Deadlock);
  if (!mayHold)
    return;
  std::optional<Cost> longest, atHub;
  const Progress ofHub = progress();
  try {
    atHub = costOfHub((schedule.cost ? *schedule.cost : *schedule.rounds).range);
  } catch (const TermOverflow &) {
    takeBack(ofHub);
  }
  if (!atHub && (longest = longestMessage()))
    program.runLargerCases();
  for (const auto &[claim, unknown] : {std::pair(&schedule.cost, &costUnknown), std::pair(&schedule.rounds, &roundsUnknown)}) {
    const Progress before = progress();
    try {
      if (*claim && atHub) {
        cost = *atHub;
        unknown->reset();
        requireClause(**claim, frame, *unknown);
      } else if (*claim && longest) {
        requireClauseInTime(**claim, frame, *longest, *unknown);
      }
    } catch (const TermOverflow &) { // of the clause, or of a guess: no formula, but nothing else is wrong
      takeBack(before);
    }
  }
}

} // namespace quadrille::compiler::prove
