//===- RoundsByTime.cpp - Messages of different lengths where ranks pass by what others do --------------------------------------===//
//
// By time, a message is in the first round after those that its ranks have had before, so ranks that pass by a step may come early to later ones. Counted
// one after the other, the steps are rounds r(1), r(2), ..., and a message of r(j) is in one of the rounds 1 to j. All words are at most the sum of what the
// longest messages of r(1), r(2), ... have, if each message of r(j)
//   - is in round j, or
//   - is no longer than the longest one of each of r(1), ..., r(j - 1).
// The first is followed by the ranks that are *at the front* after each step: they have had a message in each round so far. A message is in time if one of its
// two ranks is at the front; then both are afterwards. Before the first step all ranks are. For the head of a loop there are guesses which ranks are, such as
// those with the same lower bits as one that is: in a hypercube each step doubles them.
//
//===----------------------------------------------------------------------------------------------------------------===//

#include "limits/Limits.h"
#include "prove/definitions/SamplePoints.h"
#include "prove/execution/Execution.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"

namespace quadrille::compiler::prove {

void Execution::noteLoop(const ir::ForStmt &stmt, const LoopModel &model, Term guard) {
  if (!notesRounds())
    return;
  TimedPart loop{TimedPart::LoopBegins, facts, guard};
  loop.head = model.head;
  loop.entry = model.entry;
  loop.atBody = model.atBody;
  loop.next = model.next;
  loop.after = model.exit ? model.exit : model.head;
  const bool isPower = stmt.loop == ir::LoopKind::Times || stmt.loop == ir::LoopKind::Half;
  loop.scale = isPower ? model.head : pool.power2(model.head);
  loop.ascends = stmt.loop == ir::LoopKind::Ascending || stmt.loop == ir::LoopKind::Times || stmt.loop == ir::LoopKind::HalvingsReversed;
  timed.push_back(std::move(loop));
}

void Execution::noteEndOfLoop() {
  if (notesRounds())
    timed.push_back({TimedPart::LoopEnds, facts, pool.truth(true)});
}

/// Notes rounds of which is not known who takes part in them.
void Execution::noteOtherRounds() {
  if (notesRounds())
    timed.push_back({TimedPart::Other, {}, pool.truth(true)});
}

/// Follows the rounds that were noted.
class Execution::RoundsByTime {
public:
  explicit RoundsByTime(Execution &execution)
      : execution(execution), pool(execution.pool), me(execution.names.me), parts(execution.timed.all()), range(execution.schedule.nameRange),
        ranks(execution.chainRanks), supposed(pool.truth(true)) {
    std::vector<size_t> around;
    for (size_t i = 0; i < parts.size(); ++i) {
      if (parts[i].kind == TimedPart::LoopEnds) {
        assert(!around.empty());
        endOf[around.back()] = i;
        around.pop_back();
      }
      loopsAround.push_back(around);
      if (parts[i].kind == TimedPart::LoopBegins)
        around.push_back(i);
      endOf.push_back(i);
    }
  }

  /// Whether the words of the rounds, counted one after the other, are at least those by time.
  bool addUp() {
    if (!areKnown())
      return false;
    follow(0, parts.size(), pool.truth(true), /*notesLate=*/true);
    return llvm::all_of(late, [&](size_t early) { return isNoLonger(early); });
  }

  /// What is shown of the rounds of a schedule by itself.
  RoundsAlone describe() {
    RoundsAlone result;
    result.takePart = areKnown() && llvm::all_of(parts, [&](const TimedPart &part) { return allTakePart(part); });
    if (!result.takePart)
      return result;
    result.areOfOneBlock = llvm::all_of(parts, [](const TimedPart &part) { return part.kind != TimedPart::Groups && part.areOfOneBlock; });
    const Term first = pool.variable("first'");
    supposed = pool.inRange(pool.integer(0), first, execution.names.p);
    ranks.insert(ranks.begin(), first);
    result.spread = isShown(execution.facts.all(), pool.truth(true), follow(0, parts.size(), pool.equal(me, first), /*notesLate=*/true));
    supposed = pool.truth(true);
    result.shrinkEarly = llvm::all_of(late, [&](size_t part) { return isNoLonger(part); });
    result.shrink = llvm::all_of(llvm::seq<size_t>(0, parts.size()), [&](size_t part) { return !isRound(part) || isNoLonger(part); });
    return result;
  }

private:
  bool isShown(llvm::ArrayRef<Term> facts, Term where, Term goal) {
    if (pool.isTrue(goal) || pool.isFalse(where))
      return true;
    Obligation question{Claim::Cost, "messages are not longer than those of the rounds in which they may be", range, facts.vec(), goal};
    question.hypotheses.push_back(where);
    question.hypotheses.push_back(supposed);
    question.hypotheses.push_back(pool.inRange(pool.integer(0), me, execution.names.p));
    if (pool.isFalse(goal) || SamplePoints(execution.defined, pool, question.hypotheses).refute(goal))
      return false;
    execution.complete(question);
    if (!execution.oracle.isProved(question))
      return false;
    execution.found.push_back(question);
    return true;
  }

  bool areKnown() const {
    return llvm::none_of(parts, [](const TimedPart &part) { return part.kind == TimedPart::Other; });
  }

  bool isRound(size_t part) const { return parts[part].kind == TimedPart::Round || parts[part].kind == TimedPart::Groups; }

  /// Whether every rank has a message in each of the rounds.
  bool allTakePart(const TimedPart &part) {
    if (part.kind == TimedPart::Groups)
      return part.alone.takePart && isShown(part.facts, part.condition, part.member);
    if (part.kind != TimedPart::Round)
      return true;
    llvm::SmallVector<Term, 4> any;
    for (const std::vector<SymbolicTransfer> *transfers : {&part.sends, &part.receives})
      for (const SymbolicTransfer &transfer : *transfers)
        any.push_back(transfer.guard);
    return part.haveBlocks && isShown(part.facts, part.condition, pool.disjunction(any));
  }

  // ---- who is at the front

  /// Whether a rank of the message is at the front.
  Term isInTime(const Transfer &transfer, Term front) { return pool.either(front, execution.at(front, transfer.peer)); }

  /// Follows parts `first` to `last` - 1 from where those ranks are at the front that `front` says; returns which ones are afterwards, or fewer. `notesLate`:
  /// notes rounds whose messages are not shown to be in time.
  Term follow(size_t first, size_t last, Term front, bool notesLate) {
    for (size_t i = first; i < last; ++i) {
      const TimedPart &part = parts[i];
      if (part.kind == TimedPart::LoopBegins) {
        front = followLoop(i, front, notesLate);
        i = endOf[i];
        continue;
      }
      if (notesLate)
        conditions.push_back(part.condition);
      if (part.kind == TimedPart::Groups) {
        front = followGroups(i, front, notesLate);
        continue;
      }
      assert(part.kind == TimedPart::Round);
      llvm::SmallVector<Term, 4> are;
      for (const Transfer &send : part.sends) {
        are.push_back(pool.both(send.guard, isInTime(send, front)));
        if (notesLate && !isShown(part.facts, pool.both(part.condition, send.guard), isInTime(send, front)) && !llvm::is_contained(late, i))
          late.push_back(i);
      }
      for (const Transfer &receive : part.receives)
        are.push_back(pool.both(receive.guard, isInTime(receive, front)));
      front = pool.select(part.condition, part.haveBlocks ? pool.disjunction(are) : pool.truth(false), front);
    }
    return front;
  }

  Term followGroups(size_t which, Term front, bool notesLate) {
    const TimedPart &part = parts[which];
    const bool areInTime = part.alone.takePart && isShown(part.facts, pool.both(part.condition, part.member), front);
    if (!areInTime && notesLate)
      late.push_back(which);
    const Term isFirst = execution.at(front, part.firstMember);
    if (!areInTime && notesLate && part.alone.takePart && isShown(part.facts, pool.both(part.condition, part.member), isFirst))
      withFirst.push_back(which);
    const Term after = areInTime                                 ? part.member
                       : part.alone.takePart && part.alone.spread ? pool.both(part.member, isFirst)
                                                                  : pool.truth(false);
    return pool.select(part.condition, after, front);
  }

  Term followLoop(size_t begin, Term front, bool notesLate) {
    const TimedPart &loop = parts[begin];
    const size_t end = endOf[begin];
    if (llvm::none_of(llvm::seq(begin, end), [&](size_t part) { return isRound(part); }))
      return front;
    const auto valueAt = [&](Term guess, Term head) {
      TermPool::Substitution by;
      by[loop.head.get()] = head;
      return pool.substitute(guess, by);
    };
    const llvm::ArrayRef<Term> factsAfter = end + 1 < parts.size() ? llvm::ArrayRef(parts[end + 1].facts) : execution.facts.all();
    Term best;
    for (Term guess : guesses(begin, front)) {
      if (best) { // it has to tell of more ranks
        const Term had = valueAt(best, loop.after), has = valueAt(guess, loop.after);
        if (isShown(factsAfter, has, had) || !isShown(factsAfter, had, has))
          continue;
      }
      if (!isShown(loop.facts, pool.both(loop.condition, valueAt(guess, loop.entry)), front))
        continue;
      const Term after = follow(begin + 1, end, valueAt(guess, loop.atBody), /*notesLate=*/false);
      if (isShown(parts[end].facts, pool.both(loop.condition, valueAt(guess, loop.next)), after))
        best = guess;
    }
    assert(best && "`false` is shown");
    if (notesLate)
      follow(begin + 1, end, valueAt(best, loop.atBody), notesLate);
    return pool.select(loop.condition, valueAt(best, loop.after), front);
  }

  /// Variables whose values do not depend on the iteration of the loop.
  llvm::SmallVector<Term, 8> variablesAround(const TimedPart &loop) const {
    std::vector<Term> known = loop.facts;
    llvm::append_range(known, execution.numberTerms);
    llvm::append_range(known, llvm::ArrayRef{loop.condition, loop.entry, me, execution.names.p});
    return variablesOf(known);
  }

  bool changesIn(const TimedPart &loop, Term term) const {
    const auto known = variablesAround(loop);
    return llvm::any_of(variablesOf({term}), [&](Term variable) { return !llvm::is_contained(known, variable); });
  }

  /// Which ranks may be at the front at the head of the loop, formulas in the head, the most ranks first: as many as before the loop; those in the same
  /// group as a rank that is, by the lower or the upper digits of their numbers; none.
  std::vector<Term> guesses(size_t begin, Term front) {
    const TimedPart &loop = parts[begin];
    std::vector<Term> result{front}, active, numbers{me};
    for (const TimedPart &part : llvm::ArrayRef(parts).slice(begin, endOf[begin] - begin)) {
      if (part.kind != TimedPart::Round)
        continue;
      for (const Transfer &send : part.sends) {
        for (Term condition : conjunctsOf(send.guard))
          if (llvm::is_contained(variablesOf({condition}), me) && !changesIn(loop, condition) && !llvm::is_contained(active, condition))
            active.push_back(condition);
        forEachNode({send.guard, send.peer}, [&](Term node) {
          if (node->kind == TermKind::Modulo || node->kind == TermKind::Quotient || node->kind == TermKind::BitXor)
            for (Term number : node->operands)
              if (llvm::is_contained(variablesOf({number}), me) && !changesIn(loop, number) && numbers.size() < limits::frontNumbers &&
                  !llvm::is_contained(numbers, number))
                numbers.push_back(number);
        });
      }
    }
    const Term takesPart = pool.conjunction(active);
    llvm::SmallVector<Term, 4> skipped;
    for (Term condition : conditions)
      if (!pool.isTrue(condition) && !llvm::is_contained(variablesOf({condition}), me))
        skipped.push_back(pool.negate(condition));
    const Term noneBefore = pool.conjunction(skipped); // without a round all ranks are at the front
    result.push_back(takesPart);
    for (Term rank : ranks)
      for (Term number : numbers)
        for (const bool lower : {true, false}) {
          const auto digits = [&](Term value) { return lower ? pool.modulo(value, loop.scale) : pool.quotient(value, loop.scale); };
          const Term isInGroup = pool.equal(digits(number), digits(execution.at(number, rank)));
          result.push_back(pool.both(takesPart, isInGroup));
          if (!skipped.empty())
            result.push_back(pool.both(takesPart, pool.either(noneBefore, isInGroup)));
        }
    result.push_back(pool.truth(false));
    return result;
  }

  // ---- what may be early

  /// Whether no message of round `early` is longer than the longest one of any round before it, also in earlier iterations of loops around both.
  bool isNoLonger(size_t early) {
    return llvm::all_of(llvm::seq<size_t>(0, parts.size()), [&](size_t before) {
      if (!isRound(before))
        return true;
      if (before == early && parts[early].kind == TimedPart::Groups && loopsAround[early].empty())
        return parts[early].alone.shrink || (parts[early].alone.shrinkEarly && llvm::is_contained(withFirst, early));
      const bool shareLoop = !loopsAround[early].empty() && !loopsAround[before].empty() && loopsAround[early][0] == loopsAround[before][0];
      if (!shareLoop)
        return before >= early || isNoLonger(early, before, std::nullopt);
      return isNoLonger(early, before, loopsAround[early][0]);
    });
  }

  /// `shared`: the outermost loop around both.
  bool isNoLonger(size_t early, size_t before, std::optional<size_t> shared) {
    if (parts[before].kind == TimedPart::Groups) // how long its shortest message is, is not known
      return false;
    // The other round is in an iteration of its own: after a loop, its variables have other values.
    const TermPool::Substitution same;
    TermPool::Substitution now, then;
    if (!loopsAround[before].empty()) {
      const TimedPart &first = parts[before];
      const auto known = variablesAround(parts[loopsAround[before][0]]);
      std::vector<Term> terms = first.facts;
      llvm::append_range(terms, llvm::ArrayRef{first.condition, first.blocks, first.packets, parts[loopsAround[before][0]].head});
      for (Term variable : variablesOf(terms))
        if (!llvm::is_contained(known, variable))
          then[variable.get()] = pool.variable(variable->name + "'then", variable->isPower);
    }
    if (!shared)
      return isNoLonger(early, before, now, then, pool.truth(true));
    const TimedPart &loop = parts[*shared];
    const bool isSteady = loopsAround[early].size() == 1 && loopsAround[before].size() == 1 && !changesIn(loop, parts[early].condition) &&
                          !changesIn(loop, parts[before].condition);
    const Term here = loop.atBody, earlier = pool.substitute(loop.atBody, then);
    if (isSteady && (here->kind == TermKind::Variable || loop.next->kind == TermKind::Variable)) { // it suffices for the iteration before, and for this one
      TermPool::Substitution last = then;
      if (here->kind == TermKind::Variable)
        now[here.get()] = pool.substitute(loop.next, then);
      else
        last[loop.next.get()] = here;
      if (isNoLonger(early, before, now, last, pool.truth(true)))
        return before >= early || isNoLonger(early, before, same, same, pool.truth(true));
    }
    return isNoLonger(early, before, same, then, loop.ascends ? pool.lessEqual(earlier, here) : pool.lessEqual(here, earlier));
  }

  /// `now` and `then`: what stands for the variables of loops in the two rounds.
  bool isNoLonger(size_t early, size_t before, const TermPool::Substitution &now, const TermPool::Substitution &then, Term where) {
    const TimedPart &late = parts[early], &first = parts[before];
    std::vector<Term> facts;
    for (Term fact : late.facts)
      facts.push_back(pool.substitute(fact, now));
    for (Term fact : first.facts)
      facts.push_back(pool.substitute(fact, then));
    const Term blocks = pool.substitute(first.blocks, then), packets = pool.substitute(first.packets, then);
    const auto isAtMost = [&](Term count, Term other) {
      return pool.lessEqual(pool.scale(first.denominator, pool.substitute(count, now)), pool.scale(late.denominator, other));
    };
    const bool isGroups = late.kind == TimedPart::Groups;
    Term goal = isGroups ? pool.truth(false) : pool.both(isAtMost(late.blocks, blocks), isAtMost(late.packets, packets));
    const bool countsPackets = execution.alone && execution.alone->blocksArePackets; // in the place of blocks
    if (!countsPackets && (isGroups ? late.alone.areOfOneBlock : late.areOfOneBlock))
      goal = pool.either(goal, pool.lessEqual(pool.integer(first.denominator), blocks));
    return isShown(facts, pool.conjunction({where, pool.substitute(late.condition, now), pool.substitute(first.condition, then)}), goal);
  }

  Execution &execution;
  TermPool &pool;
  const Term me;
  const std::vector<TimedPart> parts;
  const llvm::SMRange range;
  std::vector<Term> ranks; // that may be at the front
  Term supposed;           // of the first of these
  std::vector<std::vector<size_t>> loopsAround; // by part: where the loops around it begin, outermost first
  std::vector<size_t> endOf;                    // by part: of a loop, where it ends
  std::vector<Term> conditions;                 // of the rounds so far
  std::vector<size_t> late;                     // rounds with messages that may be early
  std::vector<size_t> withFirst;                // of these, groups of which the first members are at the front
};

/// Whether the words of the steps, counted one after the other, are at least those of the rounds by time.
bool Execution::wordsAddUp() { return RoundsByTime(*this).addUp(); }

RoundsAlone Execution::describeRounds() { return RoundsByTime(*this).describe(); }

} // namespace quadrille::compiler::prove
