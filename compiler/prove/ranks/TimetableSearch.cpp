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
  TimetableSearch(RankOperations &program, TermPool &pool, DefinedTerms &defined, Oracle &oracle, Term rounds, llvm::ArrayRef<Term> ofGroups,
                  bool areEarliest)
      : program(program), pool(pool), defined(defined), oracle(oracle), rounds(rounds), ofGroups(ofGroups), areEarliest(areEarliest) {
    assert(ofGroups.size() == program.groups.size() && "a number of rounds for each use in groups");
  }

  /// What distinguishes ranks in a sum.
  enum class Ranks { ByDepth, ByDepthAndTurns, ByDepthAndWaits, ByNumber, ByBoth, ByNumbersOfSchedule, ByComparisons, ByNumberAndEnds, ByCoordinates, ByFunctions };

  /// Times that fit the small cases. `alike`: a formula has the same factor in all ops of a phase, so fewer small cases determine it.
  /// `likeOthers`: each message must also end in time as one of any other op of its phase, such as one to a left child where small
  /// trees have right children only. `byChoices`: formulas have other factors where the number of rounds has another form.
  std::optional<Timetable> find(Ranks ranks, bool byChoices, bool alike, bool likeOthers) {
    parts.clear();
    values.clear();
    ends.clear();
    bounds.clear();
    // How long a node has waited includes what its parent does before, so its own side tells its time.
    chooseSides(/*ofFewerOps=*/ranks == Ranks::ByDepthAndWaits);
    for (unsigned op = 0; op < program.ops.size(); ++op)
      if (isChosen[op])
        findFormulas(op, ranks, byChoices, alike);
    for (unsigned number = 0; number < ofGroups.size(); ++number)
      for (Term formula : formulasOfAll())
        parts.push_back({groupAt(number), formula, pool.fresh("factor")});
    if (!evaluate() || (likeOthers && !addOthers()))
      return std::nullopt;
    const std::optional<Factors> factors = solve();
    return factors ? std::optional(timetableOf(*factors)) : std::nullopt;
  }

  /// The conditions on which the number of rounds depends.
  llvm::SmallSetVector<Term, 4> choicesOfRounds() const {
    llvm::SmallSetVector<Term, 4> result;
    forEachNode({rounds}, [&](Term node) {
      if (node->kind == TermKind::Select && !node->isBoolean())
        result.insert(node->operands[0]);
    });
    return result;
  }

private:
  using Factors = std::vector<std::int64_t>;

  /// The times of ops that may meet are given by those of the side that has more ops: a rank that receives from either child by
  /// statements of its own knows which one it is, while the children have one statement. Of as many, by those that are in more loops: so does a
  /// rank that receives from one after the other. `ofFewerOps`: the other side instead.
  void chooseSides(bool ofFewerOps) {
    llvm::EquivalenceClasses<unsigned> meeting;
    for (unsigned op = 0; op < program.ops.size(); ++op) {
      meeting.insert(op);
      for (const RankPair &pair : program.partners[op])
        meeting.unionSets(op, pair.op);
    }
    isChosen.assign(program.ops.size(), false);
    for (unsigned op = 0; op < program.ops.size(); ++op) {
      std::pair<unsigned, size_t> sends{}, receives{}; // ops, and loops around them
      for (unsigned other = 0; other < program.ops.size(); ++other)
        if (meeting.isEquivalent(op, other)) {
          auto &side = program.ops[other].isSend() ? sends : receives;
          ++side.first;
          side.second += program.ops[other].loops.size();
        }
      isChosen[op] = program.ops[op].isSend() == (ofFewerOps ? sends < receives : sends >= receives);
    }
  }

  /// The formulas whose sum with factors may be the time of an op.
  void findFormulas(unsigned number, Ranks ranks, bool byChoices, bool alike) {
    const RankOp &op = program.ops[number];
    const Term me = pool.variable("me"), p = pool.variable("p");
    Term rank = op.origin ? pool.modulo(pool.subtract(me, op.origin), p) : me;
    if (const std::vector<Term> from = program.countedFrom(); !op.origin && !from.empty())
      rank = pool.modulo(pool.subtract(me, from[0]), p);
    llvm::SmallSetVector<Term, 8> result;
    result.insert(pool.integer(1));
    for (const RankLoop &loop : op.loops)
      result.insert(loop.variable);
    if (ranks == Ranks::ByDepth || ranks == Ranks::ByDepthAndTurns || ranks == Ranks::ByDepthAndWaits || ranks == Ranks::ByBoth)
      for (const DefinedTerms::Measure &measure : defined.measures())
        if (!measure.isRank)
          result.insert(measure.of(rank));
    if (ranks == Ranks::ByDepthAndTurns || ranks == Ranks::ByDepthAndWaits)
      for (const DefinedTerms::Measure &measure :
           defined.onTheWay(ranks == Ranks::ByDepthAndTurns ? DefinedTerms::Way::Turns : DefinedTerms::Way::Waits))
        result.insert(measure.of(rank));
    if (ranks == Ranks::ByNumber || ranks == Ranks::ByBoth || ranks == Ranks::ByNumbersOfSchedule || ranks == Ranks::ByNumberAndEnds)
      result.insert(rank);
    if (ranks == Ranks::ByNumberAndEnds) {
      result.insert(p); // as the distance from the last rank
      addIterationsAfter(op, result);
    }
    if (byChoices)
      for (Term condition : choicesOfRounds()) {
        result.insert(pool.select(condition, pool.integer(1), pool.integer(0)));
        for (const RankLoop &loop : op.loops)
          result.insert(pool.select(condition, loop.variable, pool.integer(0)));
      }
    if (ranks == Ranks::ByCoordinates || ranks == Ranks::ByFunctions)
      for (const RankLoop &loop : op.loops) // it may count by the rank
        if (llvm::is_contained(variablesOf({loop.lo}), me))
          result.insert(loop.lo);
    if (ranks == Ranks::ByCoordinates) {
      result.insert(rank);
      result.insert(program.numbers.begin(), program.numbers.end());
      addCoordinates(result);
    }
    if (ranks == Ranks::ByFunctions) {
      result.insert(program.numbers.begin(), program.numbers.end());
      addFunctionsOf(rank, result);
    }
    if (ranks == Ranks::ByNumbersOfSchedule) // as the distance from a rank that the schedule names
      result.insert(program.numbers.begin(), program.numbers.end());
    if (ranks == Ranks::ByComparisons) { // on either side of a number, ranks may count in opposite directions
      std::vector<Term> numbers{rank, p, pool.integer(1)};
      llvm::append_range(numbers, program.numbers);
      for (Term condition : program.comparisons(!op.isSend()))
        for (Term number : numbers) {
          result.insert(pool.select(condition, number, pool.integer(0)));
          result.insert(pool.select(condition, pool.integer(0), number));
        }
    }
    for (const Monomial &part : TermPool::monomialsOf(rounds)) {
      result.insert(part.atom);
      // A term of `rounds` may count packets. In an iteration it counts the packets before it: their number is the loop variable.
      for (Term number : program.numbers)
        for (const RankLoop &loop : op.loops) {
          if (ranks == Ranks::ByCoordinates) // then it tells how long a row is
            break;
          TermPool::Substitution by;
          by[number.get()] = loop.variable;
          result.insert(pool.substitute(part.atom, by));
        }
    }
    addPartsOfRounds(result);
    for (Term formula : result) {
      const auto like = llvm::find_if(parts, [&](const Part &part) {
        return alike && part.formula == formula && formula != pool.integer(1) && program.ops[part.op].phase == op.phase;
      });
      const Term factor = like == parts.end() ? pool.fresh("factor") : like->factor;
      parts.push_back({number, formula, factor});
    }
  }

  /// The quotients and remainders by which ranks choose their partners: rows and columns, of the rank and of what the schedule names.
  void addCoordinates(llvm::SmallSetVector<Term, 8> &result) {
    const Term me = pool.variable("me"), p = pool.variable("p");
    const auto isKnown = [&](Term variable) { return variable == me || variable == p || llvm::is_contained(program.numbers, variable); };
    for (const RankOp &op : program.ops)
      forEachNode({op.guard, op.peer}, [&](Term node) {
        if ((node->kind == TermKind::Quotient || node->kind == TermKind::Modulo) && llvm::all_of(variablesOf({node}), isKnown)) {
          result.insert(pool.quotient(node->operands[0], node->operands[1]));
          result.insert(pool.modulo(node->operands[0], node->operands[1]));
        }
      });
  }

  /// What the number of rounds asks of p, or of the last rank, or of each of the ranks, asked of this rank: its level in a tree, say, or its
  /// place on one of several paths.
  void addFunctionsOf(Term rank, llvm::SmallSetVector<Term, 8> &result) {
    const auto addOf = [&](Term term, Term variable, llvm::ArrayRef<Term> ranks) {
      forEachNode({term}, [&](Term node) {
        bool asks = false; // it is such a question, or a multiple of one
        if (!node->isBoolean() && node->kind != TermKind::Sum && llvm::is_contained(variablesOf({node}), variable))
          forEachNode({node}, [&](Term part) { asks |= llvm::is_contained({TermKind::Apply, TermKind::CeilLog2, TermKind::FloorLog2, TermKind::Quotient}, part->kind); });
        for (Term value : asks ? ranks : llvm::ArrayRef<Term>()) {
          TermPool::Substitution by;
          by[variable.get()] = value;
          result.insert(pool.substitute(node, by));
        }
      });
    };
    addOf(rounds, pool.variable("p"), {rank, pool.add(rank, pool.integer(1))});
    for (const Largest &largest : program.maxima)
      addOf(largest.each, largest.index, {rank});
  }

  /// Where a loop passes over one iteration, those after it are one earlier than their numbers tell.
  void addIterationsAfter(const RankOp &op, llvm::SmallSetVector<Term, 8> &result) {
    for (const RankLoop &loop : op.loops)
      forEachNode({op.guard, loop.condition}, [&](Term node) {
        if (node->kind != TermKind::IsZero)
          return;
        for (const Monomial &part : TermPool::monomialsOf(node->operands[0]))
          if (part.atom == loop.variable && std::abs(part.coefficient) == 1) {
            const Term passed = pool.subtract(loop.variable, pool.scale(part.coefficient, node->operands[0]));
            if (!llvm::is_contained(variablesOf({passed}), loop.variable))
              result.insert(pool.select(pool.less(passed, loop.variable), pool.integer(1), pool.integer(0)));
          }
      });
  }

  /// In `parts`, the number that stands for the begin of a use in groups.
  unsigned groupAt(unsigned number) const { return static_cast<unsigned>(program.ops.size()) + number; }

  /// Formulas that are the same on all ranks: 1, and the parts of the number of rounds.
  llvm::SmallSetVector<Term, 8> formulasOfAll() {
    llvm::SmallSetVector<Term, 8> result;
    result.insert(pool.integer(1));
    for (Term formula : {rounds})
      for (const Monomial &part : TermPool::monomialsOf(formula))
        result.insert(part.atom);
    addPartsOfRounds(result);
    return result;
  }

  /// The height of a tree, what a function yields, and the parts of a minimum or of a choice.
  void addPartsOfRounds(llvm::SmallSetVector<Term, 8> &result) {
    forEachNode({rounds}, [&](Term node) {
      if (node->kind == TermKind::Apply && !node->isBoolean())
        result.insert(node);
      if (node->kind == TermKind::Select && !node->isBoolean())
        for (unsigned side : {1, 2})
          for (const Monomial &part : TermPool::monomialsOf(node->operands[side]))
            result.insert(part.atom);
    });
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
      if (!addBounds(message, row))
        return false;
    }
    return true;
  }

  /// Adds the inequalities that relate a message, with the values `row` of its parts, to the groups that its ranks are in: it is before the group
  /// begins, or after it ends; and to the end of all. False if something has no value.
  bool addBounds(const SmallMessage &message, llvm::ArrayRef<std::int64_t> row) {
    for (unsigned number = 0; number < ofGroups.size(); ++number) {
      std::vector<std::int64_t> begin(parts.size());
      for (size_t i = 0; i < parts.size(); ++i)
        if (parts[i].op == groupAt(number)) {
          const std::optional<std::int64_t> value = program.valueAt(message, true, parts[i].formula);
          if (!isUsable(value))
            return false;
          begin[i] = *value;
        }
      const std::optional<std::int64_t> takes = program.valueAt(message, true, ofGroups[number]);
      if (!isUsable(takes))
        return false;
      const auto differenceOf = [](llvm::ArrayRef<std::int64_t> a, llvm::ArrayRef<std::int64_t> b) {
        std::vector<std::int64_t> result(a.begin(), a.end());
        for (size_t i = 0; i < b.size(); ++i)
          result[i] -= b[i];
        return result;
      };
      const std::vector<std::int64_t> none(parts.size());
      bounds.push_back({differenceOf(begin, none), 0});
      bounds.push_back({differenceOf(none, begin), *takes - ends.back()});
      for (bool ofSend : {true, false}) {
        const RankOp &op = program.ops[ofSend ? message.send : message.recv];
        if (program.valueAt(message, ofSend, program.groups[number].guard) == 0)
          continue;
        if (op.place < program.groups[number].place)
          bounds.push_back({differenceOf(begin, row), 1});
        else
          bounds.push_back({differenceOf(row, begin), *takes});
      }
    }
    return true;
  }

  std::int64_t valueOf(llvm::ArrayRef<std::int64_t> row, const Factors &factors) const {
    std::int64_t value = 0;
    for (size_t i = 0; i < parts.size(); ++i)
      value += row[i] * factors[i];
    return value;
  }
  Term formulaOf(llvm::ArrayRef<std::int64_t> row) {
    Term formula = pool.integer(0);
    for (size_t i = 0; i < parts.size(); ++i)
      if (row[i])
        formula = pool.add(formula, pool.scale(row[i], parts[i].factor));
    return formula;
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

  std::int64_t timeOf(unsigned message, const Factors &factors) const { return valueOf(values[message], factors); }
  Term timeOf(unsigned message) { return formulaOf(values[message]); }

  std::optional<Factors> solve() {
    std::vector<Term> known;
    const std::int64_t largest = limits::timetableFactor;
    for (const Part &part : parts) {
      const std::int64_t most = part.hasValues ? largest : 0;
      known.push_back(pool.inRange(pool.integer(-most), part.factor, pool.integer(most + 1)));
    }
    const std::vector<std::pair<unsigned, unsigned>> order = program.consecutive();
    const std::vector<std::int64_t> earliest = areEarliest ? earliestTimes(order) : std::vector<std::int64_t>();
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
      for (unsigned message = 0; message < earliest.size() && added < limits::timetableInequalities; ++message)
        if (timeOf(message, factors) != earliest[message]) {
          known.push_back(pool.equal(timeOf(message), pool.integer(earliest[message])));
          ++added;
        }
      for (const auto &[before, after] : order)
        if (added < 2 * limits::timetableInequalities && timeOf(before, factors) >= timeOf(after, factors)) {
          known.push_back(pool.less(timeOf(before), timeOf(after)));
          ++added;
        }
      for (const Bound &bound : bounds)
        if (added < 2 * limits::timetableInequalities && valueOf(bound.row, factors) < bound.least) {
          known.push_back(pool.lessEqual(pool.integer(bound.least), formulaOf(bound.row)));
          ++added;
        }
      if (!added)
        return factors;
    }
    return std::nullopt;
  }

  /// Per message, the first round after those of the messages that its ranks have had before; `order`: pairs of consecutive ones.
  std::vector<std::int64_t> earliestTimes(llvm::ArrayRef<std::pair<unsigned, unsigned>> order) const {
    std::vector<std::int64_t> result(program.messages.size());
    bool changes = true;
    for (size_t pass = 0; changes && pass < result.size(); ++pass) { // no more passes than the longest chain has messages
      changes = false;
      for (const auto &[before, after] : order)
        if (result[after] <= result[before]) {
          result[after] = result[before] + 1;
          changes = true;
        }
    }
    return result;
  }

  Timetable timetableOf(const Factors &factors) {
    Timetable result;
    std::vector<Term> &times = result.times;
    times.resize(program.ops.size());
    result.begins.assign(ofGroups.size(), pool.integer(0));
    for (unsigned op = 0; op < program.ops.size(); ++op)
      if (isChosen[op])
        times[op] = pool.integer(0);
    for (size_t i = 0; i < parts.size(); ++i) {
      Term &of = parts[i].op < times.size() ? times[parts[i].op] : result.begins[parts[i].op - times.size()];
      of = pool.add(of, pool.scale(factors[i], parts[i].formula));
    }
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
    return result;
  }

  /// A formula of the time of an op, or of the begin of a use in groups, and the variable for its factor.
  struct Part {
    unsigned op; // or groupAt
    Term formula, factor;
    bool hasValues = true; // that are usable, at all messages; else the factor is 0
  };

  RankOperations &program;
  TermPool &pool;
  DefinedTerms &defined;
  Oracle &oracle;
  const Term rounds;
  const llvm::ArrayRef<Term> ofGroups;
  const bool areEarliest;
  std::vector<bool> isChosen;                    // per op: its time is a sum; else that of the other side
  std::vector<Part> parts;
  std::vector<std::vector<std::int64_t>> values; // per message, of the parts of its chosen side, 0 for other parts; then of `addOthers`
  std::vector<std::int64_t> ends;                // `rounds` at the same place
  struct Bound {
    std::vector<std::int64_t> row; // the sum of the factors times these numbers
    std::int64_t least;            // is at least this
  };
  std::vector<Bound> bounds;
};

} // namespace

bool findTimetable(RankOperations &program, TermPool &pool, DefinedTerms &defined, Oracle &oracle, Term rounds, llvm::ArrayRef<Term> ofGroups,
                   bool areEarliest, llvm::function_ref<bool(const Timetable &found)> isSound) {
  TimetableSearch search(program, pool, defined, oracle, rounds, ofGroups, areEarliest);
  using Ranks = TimetableSearch::Ranks;
  std::vector<Timetable> tried;
  const auto isTried = [&](const Timetable &table) {
    return llvm::any_of(tried, [&](const Timetable &other) { return other.times == table.times && other.begins == table.begins; });
  };
  using Kind = std::pair<Ranks, bool>;
  std::vector<Kind> kinds{{Ranks::ByDepth, false}, {Ranks::ByDepthAndTurns, false}, {Ranks::ByDepthAndWaits, false}, {Ranks::ByNumber, false},
                          {Ranks::ByBoth, false}, {Ranks::ByNumbersOfSchedule, false}, {Ranks::ByComparisons, false},
                          {Ranks::ByNumberAndEnds, true}, {Ranks::ByCoordinates, false}, {Ranks::ByFunctions, false}};
  if (!search.choicesOfRounds().empty())
    kinds.push_back({Ranks::ByComparisons, true});
  for (const auto &[ranks, byChoices] : kinds) {
    // Depths tell where a rank is in a tree that the schedule names.
    if ((ranks == Ranks::ByCoordinates || ranks == Ranks::ByFunctions) && !defined.measures().empty())
      continue;
    if ((ranks == Ranks::ByNumbersOfSchedule && program.numbers.empty()) ||
        (ranks == Ranks::ByComparisons && program.comparisons(true).empty() && program.comparisons(false).empty()))
      continue;
    for (const auto &[alike, likeOthers] : {std::pair(true, true), {true, false}, {false, false}})
      if (auto found = search.find(ranks, byChoices, alike, likeOthers); found && !isTried(*found)) {
        if (isSound(*found))
          return true;
        tried.push_back(std::move(*found));
      }
  }
  return false;
}

} // namespace quadrille::compiler::prove
