//===- CriticalMessages.cpp - Messages on which the number of rounds depends --------------------------------------------------===//
//
// A timetable may put messages into later rounds than those in which they take place. It tells the number of rounds exactly if some of its
// messages, the critical ones, form a chain: each of them follows a critical one of the round before, on one of its ranks, and one is in the last
// round. Or each is followed by one of the round after, and one is in the first round.
//
// A condition for critical messages is sought in small cases: a disjunction of conjunctions of simple conditions on both ranks and on the
// iteration. Every message that satisfies it must be tight: it begins a chain to the end.
//
//===----------------------------------------------------------------------------------------------------------------===//

#include "Timetables.h"

#include "limits/Limits.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallSet.h"

#include <cassert>

namespace quadrille::compiler::prove {

namespace {

class CriticalSearch {
public:
  CriticalSearch(RankOperations &program, TermPool &pool, DefinedTerms &defined, llvm::ArrayRef<Term> times, Term rounds, Direction direction)
      : program(program), pool(pool), defined(defined), times(times), rounds(rounds), isBack(direction == Direction::Back) {}

  /// `alone`: a single conjunction, the shortest one that leaves nothing to be wanted.
  std::optional<Critical> find(bool alone) {
    const size_t count = program.messages.size();
    findTight();
    Critical critical{std::vector<Term>(program.ops.size(), pool.truth(true)), false};
    std::vector<Term> &result = critical.conditions;
    if (isTight.all())
      return critical;
    if (!beginAll(isTight))
      return std::nullopt;
    evaluate();
    // Conjunctions of which all messages are tight, one after the other: of those with messages that are wanted, the one with the most messages.
    llvm::BitVector covered(count);
    std::vector<std::vector<unsigned>> chosen;
    if (alone) {
      forEachConjunction([&](llvm::ArrayRef<unsigned> literals, const llvm::BitVector &messages) {
        if (chosen.empty() && messages.any() && wantedBeside(messages).none())
          chosen.push_back(literals.vec());
      });
      if (chosen.empty())
        return std::nullopt;
      covered = messagesOf(chosen[0]);
    }
    for (llvm::BitVector wanted = wantedBeside(covered); wanted.any(); wanted = wantedBeside(covered)) {
      std::vector<unsigned> best;
      unsigned most = 0;
      llvm::BitVector added;
      forEachConjunction([&](llvm::ArrayRef<unsigned> literals, const llvm::BitVector &messages) {
        llvm::BitVector useful = messages;
        useful &= wanted;
        if (useful.any() && messages.count() > most) {
          most = messages.count();
          best = literals.vec();
          added = messages;
        }
      });
      if (best.empty() || chosen.size() >= limits::criticalConjunctions)
        return std::nullopt;
      covered |= added;
      chosen.push_back(std::move(best));
    }
    dropNeedless(chosen);
    for (unsigned number = 0; number < program.ops.size(); ++number)
      if (program.ops[number].isSend())
        result[number] = conditionOf(number, chosen);
    for (unsigned number = 0; number < program.ops.size(); ++number) {
      const RankOp &op = program.ops[number];
      if (op.isSend())
        continue;
      llvm::SmallVector<Term, 4> any;
      for (const RankPair &pair : program.partners[number])
        any.push_back(pool.both(program.meets(op, pair), program.at(program.ops[pair.op], result[pair.op], op.peer, pair.values)));
      result[number] = pool.disjunction(any);
    }
    for (const std::vector<unsigned> &conjunction : chosen)
      critical.usesBounds |= llvm::any_of(conjunction, [&](unsigned literal) { return ofBounds.contains(literal / 2); });
    return critical;
  }

private:
  /// Finds the tight messages: those at the end, and those that such a one follows.
  void findTight() {
    const size_t count = program.messages.size();
    following.resize(count);
    for (const auto &[first, second] : program.consecutive())
      following[isBack ? second : first].push_back(isBack ? first : second);
    std::vector<std::pair<std::int64_t, unsigned>> order;
    fromEnd.resize(count);
    isFirst.resize(count);
    for (unsigned number = 0; number < count; ++number) {
      const SmallMessage &message = program.messages[number];
      const std::optional<std::int64_t> time = program.valueAt(message, true, times[message.send]);
      const std::optional<std::int64_t> last = program.valueAt(message, true, pool.subtract(rounds, pool.integer(1)));
      const bool isKnown = time && last;
      fromEnd[number] = !isKnown ? -1 : isBack ? *time : *last - *time;
      isFirst[number] = isKnown && fromEnd[number] == *last;
      order.push_back({fromEnd[number], number});
    }
    llvm::sort(order);
    isTight.resize(count);
    for (const auto &[rounds, number] : order)
      isTight[number] = rounds == 0 || (rounds > 0 && isFollowed(number, isTight));
  }

  bool isFollowed(unsigned number, const llvm::BitVector &by) const {
    return llvm::any_of(following[number], [&](unsigned next) { return by[next] && fromEnd[next] == fromEnd[number] - 1; });
  }

  /// Whether one of these messages begins a chain in each small case that has messages.
  bool beginAll(const llvm::BitVector &messages) const {
    llvm::BitVector begun(program.cases.size()), all(program.cases.size());
    for (unsigned number = 0; number < messages.size(); ++number) {
      all.set(program.messages[number].smallCase);
      if (messages[number] && isFirst[number])
        begun.set(program.messages[number].smallCase);
    }
    return begun == all;
  }

  /// What is still wanted beside these messages: messages that begin chains of small cases of which they have none, and messages that follow
  /// those of them which none of them follows.
  llvm::BitVector wantedBeside(const llvm::BitVector &messages) const {
    llvm::BitVector wanted(messages.size()), begun(program.cases.size());
    for (unsigned number : messages.set_bits()) {
      if (isFirst[number])
        begun.set(program.messages[number].smallCase);
      if (fromEnd[number] > 0 && !isFollowed(number, messages))
        for (unsigned next : following[number])
          if (isTight[next] && fromEnd[next] == fromEnd[number] - 1)
            wanted.set(next);
    }
    for (unsigned number : isTight.set_bits())
      if (isFirst[number] && !begun[program.messages[number].smallCase])
        wanted.set(number);
    return wanted;
  }

  /// The simple conditions of a send, in its symbols; those with the same number are alike in all sends.
  std::vector<Term> literalsOf(unsigned number) {
    const RankOp &op = program.ops[number];
    const Term p = pool.variable("p"), one = pool.integer(1);
    std::vector<Term> result;
    size_t loops = 0;
    for (const RankOp &other : program.ops)
      loops = std::max(loops, other.loops.size());
    for (size_t loop = 0; loop < loops; ++loop)
      for (bool isLast : {false, true}) {
        const RankLoop *around = loop < op.loops.size() ? &op.loops[loop] : nullptr;
        result.push_back(!around  ? pool.truth(true)
                         : isLast ? pool.equal(pool.add(around->variable, one), around->hi)
                                  : pool.equal(around->variable, around->lo));
      }
    const bool areOnTrees = !defined.measures().empty(); // then a chain goes through the sends of both children
    for (unsigned other = 0; other < program.ops.size() && !areOnTrees; ++other)
      if (program.ops[other].isSend()) // which send it is
        result.push_back(pool.truth(other == number));
    const Term origin = op.origin || countedFrom.empty() ? op.origin : countedFrom[0];
    const auto inSchedule = [&](Term rank) { return origin ? pool.modulo(pool.subtract(rank, origin), p) : rank; };
    for (Term taking : {pool.integer(0), one}) // rank 0 or rank 1 takes part
      if (!areOnTrees)
        result.push_back(pool.either(pool.equal(inSchedule(pool.variable("me")), taking), pool.equal(inSchedule(op.peer), taking)));
    if (!areOnTrees)
      for (bool ofReceives : {false, true}) // on either side of a number, ranks may be on different paths
        for (Term condition : program.comparisons(ofReceives))
          result.push_back(condition);
    for (Term rank : {pool.variable("me"), op.peer}) {
      const Term own = inSchedule(rank);
      if (!areOnTrees)
        for (Term first : firstOfPaths(own))
          result.push_back(first);
      llvm::append_range(result, defined.places(own));
      for (Term end : {pool.integer(0), pool.subtract(p, one)})
        if (!areOnTrees)
          result.push_back(pool.equal(own, end));
      // A farthest node is below it.
      for (Term farthest : defined.farthestBelow(own))
        for (const Monomial &part : TermPool::monomialsOf(rounds))
          if (part.coefficient == 1) {
            ofBounds.insert(static_cast<unsigned>(result.size()));
            result.push_back(pool.equal(farthest, part.atom));
          }
    }
    // What the number of rounds depends on.
    llvm::SmallSetVector<Term, 4> choices;
    forEachNode({rounds}, [&](Term node) {
      if (node->kind == TermKind::Select)
        choices.insert(node->operands[0]);
    });
    llvm::append_range(result, choices);
    std::vector<Term> numbers = program.numbers;
    for (Term other : program.numbers)
      numbers.push_back(pool.subtract(pool.subtract(p, one), other));
    numbers.push_back(p);
    for (Term other : numbers)
      for (std::int64_t most : {0, 1, 2, 3})
        result.push_back(pool.lessEqual(other, pool.integer(most)));
    return result;
  }

  /// Where the number of rounds is about paths side by side, such as (p + k - 2) div k on k paths from rank 0: the conditions that a
  /// rank is on that of rank 0, or on that of rank 1.
  std::vector<Term> firstOfPaths(Term rank) {
    std::vector<Term> result;
    const Term p = pool.variable("p"), zero = pool.integer(0);
    forEachNode({rounds}, [&](Term node) {
      if (node->kind != TermKind::Quotient || !llvm::is_contained(variablesOf({node}), p))
        return;
      for (std::int64_t first : {0, 1})
        result.push_back(pool.equal(pool.modulo(pool.subtract(rank, pool.integer(first)), node->operands[1]), zero));
    });
    return result;
  }

  /// Evaluates the conditions, and the opposite ones, at all messages.
  void evaluate() {
    const size_t count = program.messages.size();
    for (unsigned number = 0; number < program.ops.size(); ++number)
      literals.push_back(program.ops[number].isSend() ? literalsOf(number) : std::vector<Term>());
    for (const std::vector<Term> &of : literals)
      if (!of.empty()) {
        assert((holds.empty() || holds.size() == 2 * of.size()) && "all sends have as many");
        holds.assign(2 * of.size(), llvm::BitVector(count));
      }
    for (unsigned number = 0; number < count; ++number) {
      const SmallMessage &message = program.messages[number];
      for (unsigned literal = 0; literal < literals[message.send].size(); ++literal) {
        const std::optional<std::int64_t> value = program.valueAt(message, true, literals[message.send][literal]);
        if (value)
          holds[2 * literal + (*value ? 0 : 1)].set(number);
      }
    }
  }

  /// Calls `visit` with conjunctions of up to three conditions that hold for tight messages only, the short ones first.
  void forEachConjunction(llvm::function_ref<void(llvm::ArrayRef<unsigned>, const llvm::BitVector &)> visit) const {
    std::vector<std::vector<unsigned>> shorter{{}};
    std::vector<llvm::BitVector> messages{llvm::BitVector(program.messages.size(), true)};
    for (unsigned length = 1; length <= 3; ++length) {
      std::vector<std::vector<unsigned>> longer;
      std::vector<llvm::BitVector> ofLonger;
      for (size_t i = 0; i < shorter.size(); ++i)
        for (unsigned literal = shorter[i].empty() ? 0 : shorter[i].back() + 1; literal < holds.size(); ++literal) {
          llvm::BitVector all = messages[i];
          all &= holds[literal];
          if (all.none() || all == messages[i])
            continue;
          std::vector<unsigned> conjunction = shorter[i];
          conjunction.push_back(literal);
          if (!all.test(isTight)) { // all are tight
            visit(conjunction, all);
          } else if (length < 3) {
            longer.push_back(std::move(conjunction));
            ofLonger.push_back(std::move(all));
          }
        }
      shorter = std::move(longer);
      messages = std::move(ofLonger);
    }
  }

  llvm::BitVector messagesOf(llvm::ArrayRef<unsigned> conjunction) const {
    llvm::BitVector result(program.messages.size(), true);
    for (unsigned literal : conjunction)
      result &= holds[literal];
    return result;
  }

  /// Drops conjunctions without which nothing is wanted.
  void dropNeedless(std::vector<std::vector<unsigned>> &chosen) const {
    for (size_t i = 0; i < chosen.size();) {
      llvm::BitVector others(program.messages.size());
      for (size_t other = 0; other < chosen.size(); ++other)
        if (other != i)
          others |= messagesOf(chosen[other]);
      if (wantedBeside(others).none())
        chosen.erase(chosen.begin() + static_cast<std::ptrdiff_t>(i));
      else
        ++i;
    }
  }

  Term conditionOf(unsigned number, llvm::ArrayRef<std::vector<unsigned>> chosen) {
    llvm::SmallVector<Term, 4> any;
    for (const std::vector<unsigned> &conjunction : chosen) {
      llvm::SmallVector<Term, 4> all;
      for (unsigned literal : conjunction)
        all.push_back(literal % 2 ? pool.negate(literals[number][literal / 2]) : literals[number][literal / 2]);
      any.push_back(pool.conjunction(all));
    }
    return pool.disjunction(any);
  }

  RankOperations &program;
  TermPool &pool;
  DefinedTerms &defined;
  const llvm::ArrayRef<Term> times;
  const Term rounds;
  const bool isBack;
  const std::vector<Term> countedFrom = program.countedFrom();
  std::vector<std::vector<unsigned>> following; // per message: those of the step before, or after, of either rank
  std::vector<std::int64_t> fromEnd;            // per message: how many rounds a chain has beside it; -1: it has no round
  llvm::BitVector isTight, isFirst;             // by message; isFirst: a chain begins with it
  std::vector<std::vector<Term>> literals;   // per send
  llvm::SmallSet<unsigned, 8> ofBounds;      // those that bounds of nodes are about
  std::vector<llvm::BitVector> holds;        // the messages of a literal at twice its number, those of the opposite one after it
};

} // namespace

std::optional<Critical> findCritical(RankOperations &program, TermPool &pool, DefinedTerms &defined, llvm::ArrayRef<Term> times, Term rounds,
                                     Direction direction, bool alone) {
  return CriticalSearch(program, pool, defined, times, rounds, direction).find(alone);
}

} // namespace quadrille::compiler::prove
