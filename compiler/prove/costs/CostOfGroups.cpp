//===- CostOfGroups.cpp - What schedules cost that are used in groups of ranks --------------------------------------------------===//
//
// In groups of the same size, with the same numbers, a schedule costs the same, and all groups go through its rounds at once. If groups
// differ, none costs more than a largest one. Where some ranks pass by, a chain of messages has to go through one of the groups.
//
//===----------------------------------------------------------------------------------------------------------------===//

#include "prove/execution/Execution.h"

#include "llvm/ADT/STLExtras.h"

namespace quadrille::compiler::prove {

class Execution::GroupCost {
public:
  GroupCost(Execution &execution, const Groups &groups) : execution(execution), pool(execution.pool), names(execution.names), groups(groups) {
    for (auto [variable, value] : llvm::zip(groups.proof.numbers, groups.numbers))
      ofGroup[variable.get()] = value;
    ofGroup[names.p.get()] = groups.size;
  }

  void add() {
    if (groups.proof.cost.unknown)
      return execution.giveUpCost(*groups.proof.cost.unknown);
    std::optional<SymbolicCost> own = ofOneGroup();
    const bool isForSome = dependsOnRank(groups.guard) || dependsOnRank(groups.size);
    if (!own || (isForSome && !execution.isByTime))
      return execution.giveUpCost({Gap::RoundsByRank, groups.stmt.keyword});
    if (own->packets != pool.integer(0) && !splitsAlike())
      return execution.giveUpCost({Gap::RoundedRatio, groups.stmt.keyword});
    if (groups.arePackets) { // some group may have the longest packet, or none
      std::swap(own->blocks, own->packets);
      std::swap(own->blocksOfMessage, own->packetsOfMessage);
      own->exact = false;
    }
    if (execution.countsWork() && groups.stmt.callee->usesOperator) // the proof of the schedule by itself does not count it
      own->workUnknown = NotModelled{Gap::Applications, groups.stmt.keyword};
    own->withRankZero = own->longestWithRankZero = false;
    if (own->chains)
      own->chains = chainsOf(*own->chains, own->startups);
    for (Term *count : {&own->blocksOfMessage, &own->packetsOfMessage})
      if (*count) {
        *count = pool.substitute(*count, ofGroup);
        own->areAlike &= execution.isFixed(*count);
      }
    note(*own);
    // If no rank comes here the cost is less, but then there is no chain. What is the same for all ranks tells when none does.
    llvm::SmallVector<Term, 4> uniform;
    for (Term part : conjunctsOf(groups.guard))
      if (!dependsOnRank(part))
        uniform.push_back(part);
    execution.cost = execution.plus(execution.cost, execution.onlyIf(isForSome ? pool.conjunction(uniform) : groups.guard, *own));
  }

private:
  static constexpr Term SymbolicCost::*costParts[] = {&SymbolicCost::startups, &SymbolicCost::own, &SymbolicCost::ownReceived, &SymbolicCost::blocks,
                                                      &SymbolicCost::packets};

  bool dependsOnRank(Term term) const { return llvm::is_contained(variablesOf({term}), names.me); }

  /// Whether the packets of the groups are those of the cost: all are of blocks that are split into as many.
  bool splitsAlike() const {
    const Term parts = groups.proof.packetsPerBlock ? pool.substitute(groups.proof.packetsPerBlock, ofGroup) : Term();
    return parts && !groups.arePackets && parts == execution.packetsPerBlock();
  }

  bool isShown(const char *what, Term where, Term goal) {
    return execution.isShownNow(what, groups.stmt.keyword, where, goal);
  }

  /// Notes the rounds where it is told whether messages come when rounds are counted one after the other.
  void note(const SymbolicCost &own) {
    if (!execution.notesRounds())
      return;
    if (dependsOnRank(with(ofGroup)) || !own.startupsExact)
      return execution.noteOtherRounds();
    TimedPart rounds{TimedPart::Groups, execution.facts, pool.less(pool.integer(0), own.startups)};
    rounds.member = groups.guard;
    rounds.firstMember = groups.rankOf(groups.lo);
    rounds.alone = groups.proof.rounds;
    execution.timed.push_back(std::move(rounds));
  }

  /// A size, the same for all groups, that no group may exceed, if the condition holds; if it does not, there may be no group.
  struct Size {
    Term size, condition;
  };

  /// The size at a rank that comes here, if rank 0 does not; that of the first group, the ranks of the largest node, the parts of a minimum, all ranks.
  llvm::SmallVector<Size, 8> largestSizes() {
    const Term zero = pool.integer(0), always = pool.truth(true);
    llvm::SmallVector<Size, 8> result;
    auto add = [&](Term candidate, Term condition) {
      if (!dependsOnRank(candidate) && llvm::none_of(result, [&](const Size &known) { return known.size == candidate; }))
        result.push_back({candidate, condition});
    };
    if (dependsOnRank(groups.guard) && execution.holds(pool.negate(execution.at(groups.guard, zero)), always, groups.stmt.keyword)) {
      Transfer here;
      here.guard = groups.guard;
      for (Term rank : execution.witnesses(here)) {
        const Term comes = pool.both(pool.inRange(zero, rank, names.p), execution.at(groups.guard, rank));
        if (!dependsOnRank(rank) && !pool.isFalse(comes))
          add(execution.at(groups.size, rank), comes);
      }
    }
    add(execution.at(groups.size, zero), always);
    forEachNode({groups.size}, [&](Term node) {
      if (nodeOperation(node) == ir::Op::NodeSize)
        add(nodeTerm(pool, ir::Op::LargestNode, {}), always);
      if (node->kind == TermKind::Select && !node->isBoolean())
        for (unsigned side : {1, 2})
          add(node->operands[side], always);
    });
    add(names.p, always);
    return result;
  }

  SymbolicCost with(const TermPool::Substitution &by) {
    SymbolicCost result = groups.proof.cost;
    for (Term SymbolicCost::*part : costParts)
      result.*part = pool.substitute(result.*part, by);
    return result;
  }

  bool dependsOnRank(const SymbolicCost &cost) const {
    return llvm::any_of(costParts, [&](Term SymbolicCost::*part) { return dependsOnRank(cost.*part); });
  }

  /// What the schedule costs in a group; if groups differ, what it costs at most. Nothing if that is not known.
  std::optional<SymbolicCost> ofOneGroup() {
    const SymbolicCost own = with(ofGroup);
    if (!dependsOnRank(own))
      return own;
    TermPool::Substitution by = ofGroup;
    for (const auto &[most, condition] : largestSizes()) {
      by[names.p.get()] = most;
      SymbolicCost bound = with(by);
      bound.exact = false;
      bound.startupsExact &= execution.isByTime; // then a chain through a largest group shows that there are as many
      llvm::SmallVector<Term, 5> isMost, isReached;
      for (Term SymbolicCost::*part : costParts) { // what depends on a number of the group may be the larger one
        bound.*part = pool.rebuild(bound.*part, [&](Term node) {
          return node->kind == TermKind::Select && dependsOnRank(node->operands[0]) ? pool.maximum(node->operands[1], node->operands[2]) : Term();
        });
        bound.*part = pool.select(condition, bound.*part, pool.integer(0));
        isMost.push_back(pool.lessEqual(own.*part, bound.*part));
        isReached.push_back(pool.equal(own.*part, bound.*part));
      }
      if (dependsOnRank(bound) || !isShown("no group costs more than a largest one", groups.guard, pool.conjunction(isMost)))
        continue;
      isLargest = pool.conjunction(isReached);
      return bound;
    }
    return std::nullopt;
  }

  /// The chains through the schedule in a group, from and to ranks of the using schedule.
  std::vector<Chain> chainsOf(llvm::ArrayRef<Chain> own, Term startups) {
    std::vector<Chain> result;
    const Term isNeeded = pool.less(pool.integer(0), startups);
    const std::vector<Term> ranks = execution.chainRanks; // more may be added
    for (Term rank : ranks)
      for (const Chain &chain : own) {
        const Term from = pool.substitute(chain.from, ofGroup), to = pool.substitute(chain.to, ofGroup);
        const Term isThere = pool.conjunction({execution.at(groups.guard, rank), execution.at(isLargest, rank), pool.inRange(pool.integer(0), rank, names.p),
                                               pool.equal(execution.at(groups.position, rank), execution.at(from, rank))});
        if (!isShown("a chain of messages goes through the group of a rank", isNeeded, isThere))
          continue;
        const Term end = execution.at(groups.rankOf(pool.add(groups.lo, to)), rank);
        result.push_back({rank, chain.from == chain.to ? rank : pool.select(isNeeded, end, rank)});
        execution.addChainRank(result.back().to);
      }
    return result;
  }

  Execution &execution;
  TermPool &pool;
  const StateSymbols &names;
  const Groups &groups;
  Term isLargest = pool.truth(true); // whether the group of the generic rank costs as much as any
  TermPool::Substitution ofGroup; // of p and the numbers of the schedule, as it is proved by itself
};

void Execution::addGroups(const Groups &groups) { GroupCost(*this, groups).add(); }

} // namespace quadrille::compiler::prove
