//===- RankCosts.cpp - How many rounds ranks take that go through different steps ---------------------------------------===//

#include "RankExecution.h"
#include "Timetables.h"

#include "llvm/ADT/STLExtras.h"

namespace quadrille::compiler::prove {

/// Notes the lengths of the messages that the current step sends.
void RankExecution::measure(unsigned place) {
  for (const Transfer &send : sends)
    lengths[opOf(send, place)] = lengthOf(send);
}

/// A length that no message exceeds; nothing if lengths are no plain numbers of blocks and packets.
std::optional<Cost> RankExecution::longestMessage() {
  Cost longest = noCost();
  for (unsigned number = 0; number < program.ops.size(); ++number) {
    if (!program.ops[number].isSend())
      continue;
    const std::optional<Cost> &length = lengths[number];
    if (!length || length->unknown || length->denominator != 1 || length->own != pool.integer(0))
      return std::nullopt;
    for (Term Cost::*part : {&Cost::blocks, &Cost::packets}) {
      const std::optional<std::int64_t> most = TermPool::asInteger(longest.*part), here = TermPool::asInteger((*length).*part);
      if (!most || !here)
        return std::nullopt;
      longest.*part = pool.integer(std::max(*most, *here));
    }
  }
  return longest;
}

/// Requires that a timetable ends before `rounds`. False, and nothing is required, if none is found that is proved to.
bool RankExecution::requireTimetable(Term rounds, llvm::SMRange range) {
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
    if (llvm::all_of(found.since(before.found.size()), [&](const Obligation &obligation) { return oracle.isProved(obligation); }))
      return true;
    takeBack(before);
    return false;
  });
}

void RankExecution::requireCostInTime(Frame &frame) {
  const std::optional<Cost> longest = longestMessage();
  if (longest)
    program.runLargerCases();
  for (const auto &[claim, unknown] : {std::pair(&schedule.cost, &costUnknown), std::pair(&schedule.rounds, &roundsUnknown)}) {
    if (!*claim)
      continue;
    *unknown = NotModelled{Gap::RoundsByRank, (*claim)->range};
    if (!(*claim)->upperBound || !longest)
      continue;
    const size_t definitions = defined.definitionCount();
    const Term rounds = claimedStartups(**claim, frame);
    if (!rounds || (defined.definitionCount() != definitions && !requireDefinitions()) || !requireTimetable(rounds, (*claim)->range))
      continue;
    cost = *longest;
    cost.startups = rounds;
    for (Term Cost::*part : {&Cost::blocks, &Cost::packets})
      cost.*part = pool.multiply(rounds, cost.*part);
    cost.exact = cost.startupsExact = cost.withRankZero = cost.longestWithRankZero = false;
    unknown->reset();
    requireClause(**claim, frame, *unknown);
  }
}

} // namespace quadrille::compiler::prove
