//===- TimetableSearch.cpp - The search for timetables -------------------------------------------------------------------------===//
//
// Times are unknown factors times known formulas, so that every pair of consecutive messages of a small case is a linear inequality
// in the factors. The solver is asked for factors that satisfy some of the inequalities; those that they violate are added, until none
// is violated.
//
//===----------------------------------------------------------------------------------------------------------------===//

#include "Timetables.h"

#include "limits/Limits.h"

#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/STLExtras.h"

namespace quadrille::compiler::prove {

namespace {

class TimetableSearch {
public:
  TimetableSearch(RankOperations &program, TermPool &pool, DefinedTerms &defined, Oracle &oracle, Term rounds)
      : program(program), pool(pool), defined(defined), oracle(oracle), rounds(rounds) {
    chooseSides();
  }

  /// What distinguishes ranks in a sum.
  enum class Ranks { ByDepth, ByDepthAndTurns, ByNumber, ByBoth, ByNumbersOfSchedule };

  /// Times that fit the small cases. `alike`: a formula has the same factor in all ops of a phase, so fewer small cases determine it.
  /// `likeOthers`: each message must also end in time as one of any other op of its phase, such as one to a left child where small
  /// trees have right children only.
  std::optional<std::vector<Term>> find(Ranks ranks, bool alike, bool likeOthers) {
    parts.clear();
    values.clear();
    ends.clear();
    for (unsigned op = 0; op < program.ops.size(); ++op)
      if (isChosen[op])
        findFormulas(op, ranks, alike);
    if (!evaluate() || (likeOthers && !addOthers()))
      return std::nullopt;
    const std::optional<Factors> factors = solve();
    return factors ? std::optional(timesOf(*factors)) : std::nullopt;
  }

private:
  using Factors = std::vector<std::int64_t>;

  /// The times of ops that may meet are given by those of the side that has more ops: a rank that receives from either child by
  /// statements of its own knows which one it is, while the children have one statement.
  void chooseSides() {
    llvm::EquivalenceClasses<unsigned> meeting;
    for (unsigned op = 0; op < program.ops.size(); ++op) {
      meeting.insert(op);
      for (const RankPair &pair : program.partners[op])
        meeting.unionSets(op, pair.op);
    }
    isChosen.assign(program.ops.size(), false);
    for (unsigned op = 0; op < program.ops.size(); ++op) {
      unsigned sends = 0, receives = 0;
      for (unsigned other = 0; other < program.ops.size(); ++other)
        if (meeting.isEquivalent(op, other))
          ++(program.ops[other].isSend() ? sends : receives);
      isChosen[op] = program.ops[op].isSend() == (sends >= receives);
    }
  }

  /// The formulas whose sum with factors may be the time of an op.
  void findFormulas(unsigned number, Ranks ranks, bool alike) {
    const RankOp &op = program.ops[number];
    const Term me = pool.variable("me"), p = pool.variable("p");
    const Term rank = op.origin ? pool.modulo(pool.subtract(me, op.origin), p) : me;
    llvm::SmallSetVector<Term, 8> result;
    result.insert(pool.integer(1));
    for (const RankLoop &loop : op.loops)
      result.insert(loop.variable);
    if (ranks != Ranks::ByNumber && ranks != Ranks::ByNumbersOfSchedule)
      for (const DefinedTerms::Measure &measure : defined.measures())
        if (!measure.isRank)
          result.insert(measure.of(rank));
    if (ranks == Ranks::ByDepthAndTurns)
      for (const DefinedTerms::Measure &measure : defined.turns())
        result.insert(measure.of(rank));
    if (ranks == Ranks::ByNumber || ranks == Ranks::ByBoth || ranks == Ranks::ByNumbersOfSchedule)
      result.insert(rank);
    if (ranks == Ranks::ByNumbersOfSchedule) // as the distance from a rank that the schedule names
      result.insert(program.numbers.begin(), program.numbers.end());
    for (const Monomial &part : TermPool::monomialsOf(rounds)) {
      result.insert(part.atom);
      // A term of `rounds` may count packets. In an iteration it counts the packets before it: their number is the loop variable.
      for (Term number : program.numbers)
        for (const RankLoop &loop : op.loops) {
          TermPool::Substitution by;
          by[number.get()] = loop.variable;
          result.insert(pool.substitute(part.atom, by));
        }
    }
    forEachNode({rounds}, [&](Term node) { // the height of a tree, or what a function yields
      if (node->kind == TermKind::Apply && !node->isBoolean())
        result.insert(node);
    });
    for (Term formula : result) {
      const auto like = llvm::find_if(parts, [&](const Part &part) {
        return alike && part.formula == formula && formula != pool.integer(1) && program.ops[part.op].phase == op.phase;
      });
      const Term factor = like == parts.end() ? pool.fresh("factor") : like->factor;
      parts.push_back({number, formula, factor});
    }
  }

  /// Whether sums of such values times small factors are far from the ends of 64 bits.
  static bool isUsable(const std::optional<std::int64_t> &value) {
    const std::int64_t most = limits::usableNumbers;
    return value && -most <= *value && *value <= most;
  }

  /// Evaluates the formulas and the number of rounds at every message. False if that is not usable.
  bool evaluate() {
    for (const SmallMessage &message : program.messages) {
      const bool bySend = isChosen[message.send];
      std::vector<std::int64_t> &row = values.emplace_back(parts.size());
      for (size_t i = 0; i < parts.size(); ++i) {
        if (parts[i].op != (bySend ? message.send : message.recv))
          continue;
        const std::optional<std::int64_t> value = program.valueAt(message, bySend, parts[i].formula);
        parts[i].hasValues &= isUsable(value);
        row[i] = isUsable(value) ? *value : 0;
      }
      const std::optional<std::int64_t> most = program.valueAt(message, bySend, rounds);
      if (!isUsable(most))
        return false;
      ends.push_back(*most);
    }
    return true;
  }

  /// Adds rows for the messages as if they were of other ops of their phases with the same formulas. False if there are no such ops.
  bool addOthers() {
    for (unsigned number = 0; number < program.messages.size(); ++number) {
      const SmallMessage &message = program.messages[number];
      const unsigned op = isChosen[message.send] ? message.send : message.recv;
      for (unsigned other = 0; other < program.ops.size(); ++other) {
        if (other == op || !isChosen[other] || program.ops[other].phase != program.ops[op].phase)
          continue;
        std::vector<std::int64_t> row(parts.size());
        const bool hasAll = llvm::all_of(llvm::enumerate(parts), [&](const auto &entry) {
          const Part &part = entry.value();
          if (part.op != other)
            return true;
          const auto same = llvm::find_if(parts, [&](const Part &p) { return p.op == op && p.formula == part.formula; });
          if (same == parts.end())
            return false;
          row[entry.index()] = values[number][static_cast<size_t>(same - parts.begin())];
          return true;
        });
        if (hasAll) {
          values.push_back(std::move(row));
          ends.push_back(ends[number]);
        }
      }
    }
    return values.size() > program.messages.size();
  }

  std::int64_t timeOf(unsigned message, const Factors &factors) const {
    std::int64_t time = 0;
    for (size_t i = 0; i < parts.size(); ++i)
      time += values[message][i] * factors[i];
    return time;
  }

  Term timeOf(unsigned message) {
    Term time = pool.integer(0);
    for (size_t i = 0; i < parts.size(); ++i)
      if (values[message][i])
        time = pool.add(time, pool.scale(values[message][i], parts[i].factor));
    return time;
  }

  std::optional<Factors> solve() {
    std::vector<Term> known;
    const std::int64_t largest = limits::timetableFactor;
    for (const Part &part : parts) {
      const std::int64_t most = part.hasValues ? largest : 0;
      known.push_back(pool.inRange(pool.integer(-most), part.factor, pool.integer(most + 1)));
    }
    const std::vector<std::pair<unsigned, unsigned>> order = program.consecutive();
    for (unsigned trial = 0; trial < limits::timetables.value(); ++trial) {
      const auto found = oracle.example(known);
      if (!found)
        return std::nullopt;
      Factors factors(parts.size());
      for (const auto &[variable, value] : *found)
        for (size_t i = 0; i < parts.size(); ++i)
          if (parts[i].factor == variable)
            factors[i] = value;
      // What the factors violate, of small cases first.
      unsigned added = 0;
      for (unsigned message = 0; message < values.size() && added < limits::timetableInequalities; ++message)
        if (const std::int64_t time = timeOf(message, factors); time < 0 || time >= ends[message]) {
          known.push_back(pool.inRange(pool.integer(0), timeOf(message), pool.integer(ends[message])));
          ++added;
        }
      for (const auto &[before, after] : order)
        if (added < 2 * limits::timetableInequalities && timeOf(before, factors) >= timeOf(after, factors)) {
          known.push_back(pool.less(timeOf(before), timeOf(after)));
          ++added;
        }
      if (!added)
        return factors;
    }
    return std::nullopt;
  }

  std::vector<Term> timesOf(const Factors &factors) {
    std::vector<Term> times(program.ops.size());
    for (unsigned op = 0; op < program.ops.size(); ++op)
      if (isChosen[op])
        times[op] = pool.integer(0);
    for (size_t i = 0; i < parts.size(); ++i)
      times[parts[i].op] = pool.add(times[parts[i].op], pool.scale(factors[i], parts[i].formula));
    for (unsigned number = 0; number < program.ops.size(); ++number) {
      if (isChosen[number])
        continue;
      const RankOp &op = program.ops[number];
      Term time = pool.integer(0);
      for (const RankPair &pair : program.partners[number]) {
        const Term there = program.at(program.ops[pair.op], times[pair.op], op.peer, pair.values);
        time = &pair == &program.partners[number].front() ? there : pool.select(program.meets(op, pair), there, time);
      }
      times[number] = time;
    }
    return times;
  }

  /// A formula of the time of an op, and the variable for its factor.
  struct Part {
    unsigned op;
    Term formula, factor;
    bool hasValues = true; // that are usable, at all messages; else the factor is 0
  };

  RankOperations &program;
  TermPool &pool;
  DefinedTerms &defined;
  Oracle &oracle;
  const Term rounds;
  std::vector<bool> isChosen;                    // per op: its time is a sum; else that of the other side
  std::vector<Part> parts;
  std::vector<std::vector<std::int64_t>> values; // per message, of the parts of its chosen side, 0 for other parts; then of `addOthers`
  std::vector<std::int64_t> ends;                // `rounds` at the same place
};

} // namespace

bool findTimetable(RankOperations &program, TermPool &pool, DefinedTerms &defined, Oracle &oracle, Term rounds,
                   llvm::function_ref<bool(llvm::ArrayRef<Term> times)> isSound) {
  TimetableSearch search(program, pool, defined, oracle, rounds);
  using Ranks = TimetableSearch::Ranks;
  for (Ranks ranks : {Ranks::ByDepth, Ranks::ByDepthAndTurns, Ranks::ByNumber, Ranks::ByBoth, Ranks::ByNumbersOfSchedule}) {
    if (ranks == Ranks::ByNumbersOfSchedule && program.numbers.empty())
      continue;
    for (const auto &[alike, likeOthers] : {std::pair(true, true), {true, false}, {false, false}})
      if (const auto times = search.find(ranks, alike, likeOthers); times && isSound(*times))
        return true;
  }
  return false;
}

} // namespace quadrille::compiler::prove
