//===- RankCosts.cpp - How many rounds ranks take that go through different steps ---------------------------------------===//

#include "RankExecution.h"

#include "prove/costs/Aggregates.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"

#include <map>

namespace quadrille::compiler::prove {

/// Notes the lengths of the messages of the current step, in the symbols of their operations.
void RankExecution::measure(unsigned place) {
  const std::vector<Term> here = iterations();
  if (!llvm::all_of(here, [](Term value) { return value->kind == TermKind::Variable; }))
    return; // the step is not executed for an arbitrary iteration
  for (const std::vector<Transfer> *side : {&sends, &receives})
    for (const Transfer &transfer : *side) {
      const unsigned number = opOf(transfer, place);
      TermPool::Substitution own;
      for (auto [value, loop] : llvm::zip_equal(here, program.ops[number].loops))
        own[value.get()] = loop.variable;
      SymbolicCost length = lengthOf(transfer);
      if (!length.unknown)
        for (Term SymbolicCost::*part : {&SymbolicCost::own, &SymbolicCost::ownReceived, &SymbolicCost::blocks, &SymbolicCost::packets})
          length.*part = pool.substitute(length.*part, own);
      lengths[number] = length;
    }
}

/// A length that no message exceeds; `exact` if all have it. Nothing if the numbers of blocks and packets are no constants.
std::optional<SymbolicCost> RankExecution::longestMessage() {
  std::optional<SymbolicCost> longest;
  for (unsigned number = 0; number < program.ops.size(); ++number) {
    if (!program.ops[number].isSend())
      continue;
    const std::optional<SymbolicCost> &length = lengths[number];
    if (!length || length->unknown || length->denominator != 1 || length->own != pool.integer(0))
      return std::nullopt;
    if (!longest) {
      longest = *length;
      longest->exact = length->packets == pool.integer(0); // packets of a block differ in length
    }
    for (Term SymbolicCost::*part : {&SymbolicCost::blocks, &SymbolicCost::packets}) {
      const std::optional<std::int64_t> most = TermPool::asInteger((*longest).*part), here = TermPool::asInteger((*length).*part);
      if (!most || !here)
        return std::nullopt;
      longest->exact &= *most == *here;
      (*longest).*part = pool.integer(std::max(*most, *here));
    }
  }
  return longest;
}

/// The number of blocks of the messages of each send, in its symbols; null for receives. Nothing if a length has no formula, or if
/// messages may hold packets or blocks with lengths of their own.
std::optional<std::vector<Term>> RankExecution::blocksOfMessages() {
  std::vector<Term> blocks(program.ops.size());
  for (unsigned number = 0; number < program.ops.size(); ++number) {
    if (!program.ops[number].isSend())
      continue;
    const std::optional<SymbolicCost> &length = lengths[number];
    if (!length || length->unknown || length->denominator != 1 || length->own != pool.integer(0) || length->packets != pool.integer(0))
      return std::nullopt;
    blocks[number] = length->blocks;
  }
  return blocks;
}

/// Requires that every message has a block: a message without blocks is not sent, and takes no round.
void RankExecution::requireMessages(llvm::SMRange range) {
  for (unsigned number = 0; number < program.ops.size(); ++number)
    if (const RankOp &op = program.ops[number]; op.isSend() && op.slots)
      require(Claim::Cost, "a message has a block", range, pool.both(program.isReached(op), op.guard),
              lengths[number] && !lengths[number]->unknown
                  ? pool.lessEqual(pool.integer(1), pool.add(lengths[number]->blocks, pool.add(lengths[number]->packets, lengths[number]->own)))
                  : pool.truth(false));
}

/// Requires that messages are not longer than the formula for their round says; `exactly`: that they are as long.
void RankExecution::requireRoundLengths(const RoundLengths &guess, llvm::ArrayRef<Term> blocks, llvm::ArrayRef<Term> times, Term rounds,
                                        bool exactly, llvm::SMRange range) {
  const Term zero = pool.integer(0);
  const Term length = pool.select(pool.less(guess.round, guess.from), guess.first, guess.second);
  require(Claim::Cost, "the rounds from which on lengths have another formula", range, pool.truth(true),
          pool.both(pool.lessEqual(zero, guess.from), pool.lessEqual(guess.from, rounds)));
  require(Claim::Cost, "the length of a message is not negative", range, pool.inRange(zero, guess.round, rounds),
          pool.lessEqual(zero, length));
  for (unsigned number = 0; number < program.ops.size(); ++number) {
    const RankOp &op = program.ops[number];
    if (!op.isSend())
      continue;
    TermPool::Substitution by;
    by[guess.round.get()] = times[number];
    const Term ofRound = pool.substitute(length, by);
    require(Claim::Cost, "a message is as long as its round tells", range, pool.both(program.isReached(op), op.guard),
            exactly ? pool.equal(blocks[number], ofRound) : pool.lessEqual(blocks[number], ofRound));
  }
}

/// The cost of `rounds` rounds whose longest messages have these lengths. The sum of a*t + b over the t below m is a*m*(m - 1)/2 + b*m.
SymbolicCost RankExecution::costOfLengths(const RoundLengths &guess, Term rounds) {
  const Term one = pool.integer(1);
  const auto twiceTheSum = [&](Term length, Term end) {
    Term slope = pool.integer(0);
    for (const Monomial &part : TermPool::monomialsOf(length))
      if (part.atom == guess.round)
        slope = pool.integer(part.coefficient);
    const Term rest = pool.subtract(length, pool.multiply(slope, guess.round));
    assert(!llvm::is_contained(variablesOf({rest}), guess.round) && "lengths are linear in the round");
    return pool.multiply(end, pool.add(pool.multiply(slope, pool.subtract(end, one)), pool.scale(2, rest)));
  };
  SymbolicCost total = noCost();
  total.startups = rounds;
  total.denominator = 2;
  total.blocks = pool.add(twiceTheSum(guess.first, guess.from),
                          pool.subtract(twiceTheSum(guess.second, rounds), twiceTheSum(guess.second, guess.from)));
  return total;
}

/// The number of rounds, with variables in the place of maxima over ranks.
Term RankExecution::withoutMaxima(Term rounds) {
  program.maxima.clear();
  return pool.rebuild(rounds, [&](Term node) -> Term {
    if (!isAggregate(node) || node->name != "max" || node->operands[1] != pool.integer(1))
      return {};
    const Term index = pool.variable(aggregateIndex.str() + std::to_string(aggregateLevel(node)));
    if (!llvm::all_of(variablesOf({node}), [&](Term variable) { return variable == index || isFixed(variable); }))
      return {};
    program.maxima.push_back({pool.fresh("most"), pool.fresh("where"), node->operands[0], index, node->operands[2]});
    return program.maxima.back().most;
  });
}

/// What the maxima are: not smaller than what they are over is at these ranks, and equal to it at one rank.
std::vector<Term> RankExecution::knownOfMaxima(llvm::ArrayRef<Term> ranks) {
  const Term zero = pool.integer(0);
  std::vector<Term> result;
  for (const Largest &largest : program.maxima) {
    const auto at = [&](Term rank) {
      TermPool::Substitution by;
      by[largest.index.get()] = rank;
      return pool.substitute(largest.each, by);
    };
    for (Term rank : ranks)
      result.push_back(pool.implies(pool.inRange(zero, rank, largest.count), pool.lessEqual(at(rank), largest.most)));
    result.push_back(pool.implies(pool.less(zero, largest.count), pool.both(pool.inRange(zero, largest.where, largest.count),
                                                                           pool.equal(at(largest.where), largest.most))));
  }
  return result;
}

/// Requires a timetable that ends before `rounds`; `areEarliest`: and that no message is in an earlier round than it says; `exactly`: and
/// that `rounds` are needed. `requireMore` may require more of its times, or refuse them. False, and nothing is required, if none is found
/// for which all is proved.
bool RankExecution::requireTimetable(Term rounds, bool exactly, bool areEarliest, llvm::SMRange range,
                                     llvm::function_ref<bool(llvm::ArrayRef<Term>)> requireMore) {
  std::vector<Term> ofGroups;
  for (const SymbolicCost &cost : costsOfGroups)
    ofGroups.push_back(cost.startups);
  if (!ofGroups.empty() && (exactly || areEarliest))
    return false;
  return findTimetable(program, pool, defined, oracle, rounds, ofGroups, areEarliest, [&](const Timetable &table) {
    const llvm::ArrayRef<Term> times = table.times;
    const Progress before = progress();
    const auto usual = llvm::make_scope_exit([&] { defined.compareRanks({}, {}); });
    requireGroupsInTime(table, rounds, range);
    std::vector<Clock> clock;
    for (Term time : times)
      clock.push_back({time});
    for (auto [op, time] : llvm::zip(program.ops, times)) {
      defined.compareRanks(names.me, op.peer);
      const Trail<Term>::Scope ofMaxima(facts);
      facts.append(knownOfMaxima({names.me, op.peer}));
      require(Claim::Cost, "a message is in one of so many rounds", range, pool.both(program.isReached(op), op.guard),
              pool.inRange(pool.integer(0), time, rounds));
    }
    defined.compareRanks(names.me, names.me);
    const Trail<Term>::Scope ofMaxima(facts);
    facts.append(knownOfMaxima({names.me}));
    require(Claim::Cost, "the number of rounds is not negative", range, pool.truth(true), pool.lessEqual(pool.integer(0), rounds));
    defined.useBoundsOfNodes(false); // the order of messages does not depend on how many there are
    requireClocks(clock, Claim::Cost);
    defined.useBoundsOfNodes(true);
    bool mayHold = true;
    if (exactly || areEarliest) {
      mayHold = isProvedSince(before); // chains take effort
      if (mayHold)
        requireMessages(range);
      if (mayHold && areEarliest)
        requireChain(times, {std::vector<Term>(program.ops.size(), pool.truth(true))}, rounds, Direction::Back, exactly, range);
      else if (mayHold)
        mayHold = requireCriticalChain(times, rounds, range);
    }
    if (mayHold && requireMore(times) && isProvedSince(before))
      return true;
    takeBack(before);
    return false;
  });
}

/// Whether all is proved that has been required since then.
bool RankExecution::isProvedSince(const Progress &start) {
  return llvm::all_of(found.since(start.found.size()), [&](const Obligation &obligation) { return oracle.isProved(obligation); });
}

/// Requires a chain of critical messages from the first to the last of `rounds`; false, and nothing is required, if none is proved.
bool RankExecution::requireCriticalChain(llvm::ArrayRef<Term> times, Term rounds, llvm::SMRange range) {
  for (const auto &[direction, alone] : {std::pair(Direction::Back, false), {Direction::On, false}, {Direction::Back, true}, {Direction::On, true}}) {
    if (alone && !defined.measures().empty()) // places in trees tell the critical messages
      break;
    std::optional<Critical> critical = findCritical(program, pool, defined, times, rounds, direction, alone);
    while (critical) {
      const Progress before = progress();
      requireChain(times, *critical, rounds, direction, /*isWhole=*/true, range);
      if (isProvedSince(before))
        return true;
      takeBack(before);
      if (critical->usesBounds || !defined.knowsBoundsOfNodes())
        break;
      critical->usesBounds = true; // what is known of nodes may help nevertheless
    }
  }
  return false;
}

/// Requires that groups begin when all messages before them are done, and end before those after them begin. A schedule that begins later
/// than in the round from which its rounds are counted ends no earlier, and no message that waits for it is earlier: so all are in time.
void RankExecution::requireGroupsInTime(const Timetable &table, Term rounds, llvm::SMRange range) {
  for (auto [number, groups] : llvm::enumerate(program.groups)) {
    const Term begin = table.begins[number], end = pool.add(begin, costsOfGroups[number].startups);
    require(Claim::Cost, "groups begin in a round, and end in time", range, pool.truth(true),
            pool.both(pool.lessEqual(pool.integer(0), begin), pool.lessEqual(end, rounds)));
    if (number + 1 < program.groups.size())
      require(Claim::Cost, "groups end before the next ones begin", range, pool.truth(true), pool.lessEqual(end, table.begins[number + 1]));
    for (auto [op, time] : llvm::zip(program.ops, table.times))
      require(Claim::Cost, "a message is before a group begins, or after it ends", range,
              pool.conjunction({program.isReached(op), op.guard, groups.guard}),
              op.place < groups.place ? pool.less(time, begin) : pool.lessEqual(end, time));
  }
}

/// The condition that `rank` takes part in this message, which is critical, and whose time in the timetable is `time`.
static Term isAt(const RankOperations &program, TermPool &pool, llvm::ArrayRef<Term> times, llvm::ArrayRef<Term> critical,
                 const RankMessage &message, Term rank, Term time) {
  const RankOp &op = program.ops[message.op];
  auto there = [&](Term term) { return program.at(op, term, rank, message.values); };
  return pool.both(there(pool.conjunction({program.isReached(op), op.guard, critical[message.op]})), pool.equal(there(times[message.op]), time));
}

/// Requires that every critical message comes in a step after, or before, a critical one that is a round earlier, or later, on one of its ranks,
/// unless it is in round 0, or the last. `isWhole`: and that one of them is in the last round, or in round 0.
void RankExecution::requireChain(llvm::ArrayRef<Term> times, const Critical &which, Term rounds, Direction direction, bool isWhole,
                                 llvm::SMRange range) {
  const llvm::ArrayRef<Term> critical = which.conditions;
  const bool isBack = direction == Direction::Back;
  const Term zero = pool.integer(0), one = pool.integer(1), last = pool.subtract(rounds, one);
  for (unsigned number = 0; number < program.ops.size(); ++number) {
    const RankOp &op = program.ops[number];
    if (!op.isSend())
      continue;
    const auto links = findLinks(program, pool, number, times, critical, isBack ? zero : last, direction);
    llvm::SmallVector<Term, 4> any;
    std::vector<Term> own;
    for (const RankLoop &loop : op.loops)
      own.push_back(loop.variable);
    const auto isInOrder = [&](const RankMessage &message, const RankOp &here, llvm::ArrayRef<Term> values) {
      const RankOp &other = program.ops[message.op];
      return isBack ? program.comesBefore(other, message.values, here, values) : program.comesBefore(here, values, other, message.values);
    };
    if (links)
      for (const ChainLink &link : *links) {
        const RankMessage &message = link.message;
        const Term rank = link.pair ? op.peer : names.me;
        const Term at = isAt(program, pool, times, critical, message, rank, isBack ? pool.subtract(times[number], one) : pool.add(times[number], one));
        if (!link.pair) {
          any.push_back(pool.both(at, isInOrder(message, op, own)));
          continue;
        }
        const RankPair &pair = program.partners[number][*link.pair];
        any.push_back(pool.conjunction({program.meets(op, pair), at, isInOrder(message, program.ops[pair.op], pair.values)}));
      }
    defined.useBoundsOfNodes(which.usesBounds);
    require(Claim::Cost,
            isBack ? "a message after the first round waits for one of the round before"
                   : "a message before the last round is waited for by one of the round after",
            range,
            pool.conjunction({program.isReached(op), op.guard, critical[number],
                              isBack ? pool.less(zero, times[number]) : pool.less(times[number], last)}),
            pool.disjunction(any));
  }
  defined.useBoundsOfNodes(true);
  if (!isWhole)
    return;
  const Term first = isBack ? last : zero;
  llvm::SmallVector<Term, 2> any;
  if (const auto witnesses = findEnds(program, pool, times, critical, first))
    for (const RankMessage &message : *witnesses)
      any.push_back(pool.both(pool.inRange(zero, message.rank, names.p), isAt(program, pool, times, critical, message, message.rank, first)));
  if (!program.maxima.empty())
    defined.compareRanks(program.maxima[0].where, program.maxima[0].where);
  require(Claim::Cost, isBack ? "a message is in the last round" : "a message is in the first round", range, pool.less(zero, rounds),
          pool.disjunction(any));
  defined.compareRanks(names.me, names.me);
}

/// Requires what a clause says of the cost. `unknown`, the reason why nothing is required, is cleared if a timetable shows the cost.
/// `longest`: a length that no message exceeds; if there is none, lengths are sought for each round. Throws TermOverflow.
void RankExecution::requireClauseInTime(const ir::CostClause &claim, Frame &frame, const std::optional<SymbolicCost> &longest,
                                        std::optional<NotModelled> &unknown) {
  const bool exactly = !claim.upperBound, forCost = !isAboutRounds(claim);
  std::optional<std::vector<Term>> blocks;
  if (!longest && forCost && !(blocks = blocksOfMessages()))
    return;
  const size_t definitions = defined.definitionCount();
  const Term claimed = claimedStartups(claim, frame), rounds = claimed ? withoutMaxima(claimed) : claimed;
  if (!rounds || (defined.definitionCount() != definitions && !requireDefinitions()))
    return;
  defined.boundNodes(*claim.formula);
  std::optional<RoundLengths> found;
  // If lengths differ, a message that comes earlier than the timetable says may make another round longer.
  const bool isShown = requireTimetable(rounds, exactly, /*areEarliest=*/blocks.has_value(), claim.range, [&](llvm::ArrayRef<Term> times) {
    if (!blocks)
      return true;
    if (!(found = findRoundLengths(program, pool, times, *blocks)))
      return false;
    requireRoundLengths(*found, *blocks, times, rounds, exactly, claim.range);
    return true;
  });
  if (!isShown)
    return;
  if (found) {
    cost = costOfLengths(*found, claimed);
  } else {
    cost = longest.value_or(noCost());
    cost.startups = claimed;
    for (Term SymbolicCost::*part : {&SymbolicCost::blocks, &SymbolicCost::packets})
      cost.*part = pool.multiply(claimed, cost.*part);
  }
  cost.startupsExact = exactly;
  cost.exact = exactly && (found || (longest && longest->exact));
  cost.withRankZero = cost.longestWithRankZero = false;
  unknown.reset();
  requireClause(claim, frame, unknown);
}

/// How many rounds a small case takes: a message is in the first one after those that its ranks have had in steps before.
static std::int64_t roundsOf(const SmallCase &small) {
  std::map<unsigned, std::int64_t> times;
  for (bool isStable = false; !isStable;) {
    isStable = true;
    for (const auto &steps : small.steps) {
      std::int64_t next = 0;
      for (const std::vector<unsigned> &step : steps) {
        std::int64_t after = next;
        for (unsigned message : step) {
          std::int64_t &time = times[message];
          isStable &= next <= time;
          time = std::max(time, next);
          after = std::max(after, time + 1);
        }
        next = after;
      }
    }
  }
  std::int64_t rounds = 0;
  for (const auto &[message, time] : times)
    rounds = std::max(rounds, time + 1);
  return rounds;
}

/// Formulas in p for the number of rounds that are right in all small cases, and what the clauses claim if that is enough in them.
std::vector<Term> RankExecution::guessedRounds(Frame &frame) {
  const Term p = names.p, one = pool.integer(1), before = pool.subtract(p, one);
  struct Guess {
    Term rounds;
    bool isRight; // or perhaps too large
  };
  std::vector<Guess> guesses;
  for (Term formula : {pool.ceilLog2(p), pool.floorLog2(p), before, p})
    for (std::int64_t times : {1, 2})
      guesses.push_back({pool.scale(times, formula), true});
  const size_t definitions = defined.definitionCount();
  const Progress start = progress();
  for (const std::optional<ir::CostClause> *claim : {&schedule.rounds, &schedule.cost})
    if (*claim)
      if (const Term claimed = claimedStartups(**claim, frame); claimed && defined.definitionCount() == definitions)
        guesses.push_back({claimed, false});
  takeBack(start); // the clause is no claim here
  std::vector<Term> result;
  for (const Guess &guess : guesses) {
    const bool fits = llvm::all_of(program.cases, [&](const SmallCase &small) {
      const auto value = evaluate(guess.rounds, [&](Term variable) -> std::int64_t {
        const auto number = llvm::find(program.numbers, variable);
        return number != program.numbers.end() ? small.instance.numbers[static_cast<size_t>(number - program.numbers.begin())] : small.instance.p;
      });
      const std::int64_t rounds = roundsOf(small);
      return value && (guess.isRight ? *value == rounds : *value >= rounds);
    });
    if (fits && !llvm::is_contained(result, guess.rounds))
      result.push_back(guess.rounds);
  }
  return result;
}

/// Finds a bound of the cost for the use in groups.
void RankExecution::boundCostAlone(Frame &frame) {
  const auto isProved = [&](const Obligation &obligation) { return oracle.isProved(obligation); };
  const std::optional<SymbolicCost> longest = program.groups.empty() && llvm::all_of(found.all(), isProved) ? longestMessage() : std::nullopt;
  if (longest)
    for (Term rounds : guessedRounds(frame))
      if (requireTimetable(rounds, /*exactly=*/false, /*areEarliest=*/false, schedule.nameRange, [](llvm::ArrayRef<Term>) { return true; })) {
        cost = *longest;
        cost.blocksOfMessage = cost.blocks;
        cost.packetsOfMessage = cost.packets;
        cost.startups = rounds;
        for (Term SymbolicCost::*part : {&SymbolicCost::blocks, &SymbolicCost::packets})
          cost.*part = pool.multiply(rounds, cost.*part);
        cost.startupsExact = cost.exact = cost.withRankZero = cost.longestWithRankZero = false;
        cost.chains.emplace();
        return;
      }
  giveUpCost({Gap::RoundsByRank, schedule.nameRange});
}

/// Requires what the clauses say of the cost, as far as timetables show it. This comes last, so that the search takes no effort from
/// other claims, on which the cost rests anyway.
void RankExecution::requireCostInTime(Frame &frame) {
  if (!schedule.cost && !schedule.rounds)
    return;
  for (const auto &[claim, unknown] : {std::pair(&schedule.cost, &costUnknown), std::pair(&schedule.rounds, &roundsUnknown)})
    if (*claim)
      *unknown = NotModelled{Gap::RoundsByRank, (*claim)->range};
  if (costsOfGroups.size() != program.groups.size()) // what one of them costs is not known
    return;
  bool mayHold = true;
  for (const Obligation &obligation : found.all())
    mayHold &= oracle.isProved(obligation) || !(costRestsOn(obligation.claim) || obligation.claim == Claim::Deadlock);
  if (!mayHold)
    return;
  std::optional<SymbolicCost> longest, atHub;
  const Progress ofHub = progress();
  try {
    if (program.groups.empty())
      atHub = costOfHub((schedule.cost ? *schedule.cost : *schedule.rounds).range);
  } catch (const TermOverflow &overflow) {
    takeBack(ofHub);
    for (std::optional<NotModelled> *unknown : {&costUnknown, &roundsUnknown})
      if (*unknown)
        (*unknown)->limit = overflow.limit;
  }
  if (!atHub) {
    longest = longestMessage();
    if (longest && !costsOfGroups.empty()) // all of their messages are blocks
      longest->blocks = pool.maximum(longest->blocks, pool.integer(1));
    program.runLargerCases();
  }
  const auto requireTold = [&](const std::optional<ir::CostClause> &claim, std::optional<NotModelled> &unknown) {
    const Progress before = progress();
    try {
      if (claim && atHub) {
        cost = *atHub;
        unknown.reset();
        requireClause(*claim, frame, unknown);
      } else if (claim) {
        requireClauseInTime(*claim, frame, longest, unknown);
      }
    } catch (const TermOverflow &overflow) { // of the clause, or of a guess: no formula, but nothing else is wrong
      takeBack(before);
      if (unknown && overflow.limit)
        unknown->limit = overflow.limit;
    }
  };
  requireTold(schedule.cost, costUnknown);
  requireTold(schedule.rounds, roundsUnknown);
  if (costUnknown && defined.knowsBoundsOfNodes()) // the other clause may name functions that bound nodes
    requireTold(schedule.cost, costUnknown);
}

} // namespace quadrille::compiler::prove
