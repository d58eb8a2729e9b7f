//===- RankGroups.cpp - Groups of ranks that go through different steps ----------------------------------------------------===//
//
// A schedule that is used in groups is one step of each member. Its messages are its own (execution/Groups.cpp), and it ends when all
// members have come. So it has a place in the order that a clock gives the messages: all messages of a member that come before it in the
// member's program have smaller times, and all that come after it have larger ones. The first word of the clock sees to that: it counts the
// uses in groups before a message. A message of ranks that are in no group may have either number.
//
// The induction on times is the usual one. Take the earliest message, or use in a group, that is never completed. All earlier steps of its
// ranks have smaller times, so they are complete, and all of its ranks have come.
//
//===----------------------------------------------------------------------------------------------------------------===//

#include "RankExecution.h"

#include "llvm/ADT/STLExtras.h"

namespace quadrille::compiler::prove {

void RankExecution::requireSections() {
  program.sections.assign(program.phases, 0);
  /// The condition that no rank both makes an op of a phase and is in one of the groups, for ops that are not on the wanted side of them.
  const auto goals = [&](unsigned phase, const RankGroups &groups, bool before) {
    std::vector<std::pair<const RankOp *, Term>> result;
    for (const RankOp &op : program.ops)
      if (op.phase == phase && (op.place < groups.place) != before)
        result.push_back({&op, pool.both(program.isReached(op), op.guard)});
    return result;
  };
  const auto isOn = [&](unsigned phase, const RankGroups &groups, bool before) {
    return llvm::all_of(goals(phase, groups, before), [&](const auto &made) {
      const Term isRank = pool.inRange(pool.integer(0), names.me, names.p);
      return holds(pool.negate(groups.guard), pool.both(made.second, isRank), groups.range);
    });
  };
  for (unsigned phase = 0; phase < program.phases; ++phase) {
    unsigned &section = program.sections[phase];
    while (section < program.groups.size() &&
           !llvm::all_of(llvm::ArrayRef(program.groups).drop_front(section), [&](const RankGroups &groups) { return isOn(phase, groups, true); }))
      ++section;
    for (const auto &[number, groups] : llvm::enumerate(program.groups)) {
      const bool before = number >= section;
      if (!before && !isOn(phase, groups, before))
        throw NotModelled{Gap::UsedInGroups, groups.range};
      for (const auto &[op, made] : goals(phase, groups, before))
        require(Claim::Deadlock, "a rank of a group makes its messages before it or after it", op->stmt->keyword, made, pool.negate(groups.guard));
    }
  }
}

void RankExecution::useInGroups(const ir::UseStmt &stmt, Frame &frame, Term guard) {
  ++places;
  if (heard || !around.empty()) // what messages of a group tell of is not followed
    throw NotModelled{Gap::UsedInGroups, stmt.keyword};
  Execution::useInGroups(stmt, frame, guard);
}

/// Notes what groups cost if it is as many messages of a block, the same in all of them.
void RankExecution::addGroups(const Groups &groups) {
  TermPool::Substitution ofGroup;
  for (auto [variable, value] : llvm::zip(groups.proof.numbers, groups.numbers))
    ofGroup[variable.get()] = value;
  ofGroup[names.p.get()] = groups.size;
  SymbolicCost own = groups.proof.cost;
  const Term zero = pool.integer(0);
  // In so many rounds, each of a block or more, there are as many blocks: so no message is longer.
  const bool isOfBlocks = !own.unknown && own.exact && own.startupsExact && own.denominator == 1 && own.own == zero && own.packets == zero &&
                          own.blocks == own.startups && !groups.arePackets;
  if (!isOfBlocks)
    return giveUpCost({Gap::RoundsByRank, groups.stmt.keyword});
  own.startups = pool.substitute(own.startups, ofGroup);
  if (llvm::is_contained(variablesOf({own.startups}), names.me))
    return giveUpCost({Gap::RoundsByRank, groups.stmt.keyword});
  costsOfGroups.push_back(own);
}

} // namespace quadrille::compiler::prove
