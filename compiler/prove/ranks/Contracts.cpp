//===- Contracts.cpp - Contracts from the messages of small cases -----------------------------------------------------------===//

#include "Contracts.h"

#include "prove/definitions/FormulaFit.h"

#include "arithmetic/Integers.h"
#include "check/CostClaims.h"
#include "limits/Limits.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

#include <array>

namespace quadrille::compiler::prove {

namespace {

/// The content of a slot: the product over ranks lo ..< end of a block of an input; `known` is false if it is something else. With cyclic
/// products `end` may be above p.
struct Held {
  bool known = false;
  std::int64_t input = 0, block = 0, lo = 0, end = 0;
  std::vector<bool> ranks = {}; // Products::Members: those of the product; if they are no cyclic interval, lo and end are 0
  bool operator==(const Held &) const = default;

  bool isOfAll() const { return known && llvm::all_of(ranks, [](bool isIn) { return isIn; }); }
};

/// Records the contents of a case's messages, slot by slot, by sender and receiver, in the order in which they are sent.
class MessageRecorder : public RunObserver {
public:
  MessageRecorder(const RankOperations &program, const ir::Schedule &schedule, const SmallCase &small, Products products)
      : schedule(schedule), small(small), products(products) {
    for (const RankOp &op : program.ops)
      statements.insert(op.stmt);
  }

  /// Messages of schedules that are used in groups are left out.
  void onRound(const Round &round, const Machine &machine) override {
    for (const Transfer &transfer : round.transfers)
      if (statements.contains(transfer.send))
        held[{nameOf(transfer.source), nameOf(transfer.destination)}].push_back(contentOf(transfer, machine));
  }
  void onRestart() override { held.clear(); }

  std::map<std::pair<std::int64_t, std::int64_t>, std::vector<std::vector<Held>>> held;

private:
  /// The number of a rank in the outermost schedule.
  std::int64_t nameOf(std::int64_t machineRank) const {
    return arithmetic::floorMod(machineRank - small.origin, small.instance.p);
  }

  std::vector<Held> contentOf(const Transfer &transfer, const Machine &machine) const {
    std::vector<Held> result;
    for (std::uint32_t i = 0; i < transfer.runCount; ++i)
      for (std::uint32_t slot = 0; slot < transfer.runs[i].count; ++slot)
        result.push_back(heldIn(machine.read(*transfer.storage, transfer.source, transfer.runs[i].lo + slot), machine));
    return result;
  }

  Held heldIn(compiler::Value value, const Machine &machine) const {
    Held result;
    if (value == emptyValue)
      return result;
    const std::vector<Run> runs = machine.domain.runs(value);
    const auto ranks = static_cast<std::int64_t>(machine.ranks);
    if (products == Products::Members) {
      std::optional<std::vector<bool>> isIn = ranksOf(runs, ranks);
      if (!isIn)
        return result;
      result.ranks = std::move(*isIn);
    }
    std::optional<std::pair<std::int64_t, std::int64_t>> range = rangeOf(runs, ranks);
    if (!range && products == Products::Members)
      range = {0, 0};
    if (!range)
      return result;
    for (size_t i = 0; i < schedule.inputs.size(); ++i) {
      const Storage &input = machine.memory()[i]; // inputs come first
      if (runs[0].block < input.inputBlock || runs[0].block >= input.inputBlock + input.stride / machine.unitSlots)
        continue;
      result.known = true;
      result.input = static_cast<std::int64_t>(i);
      result.block = runs[0].block - input.inputBlock;
    }
    // As in Execution::rankName: with an operator, contents name ranks by the caller's numbers.
    result.lo = schedule.usesOperator ? range->first : nameOf(range->first);
    result.end = result.lo + range->second;
    return result;
  }

  /// The first rank and the number of ranks of a product; nothing if they are no interval.
  std::optional<std::pair<std::int64_t, std::int64_t>> rangeOf(llvm::ArrayRef<Run> runs, std::int64_t ranks) const {
    if (products == Products::Ordered) {
      if (runs.size() != 1 || runs[0].lo + runs[0].length > ranks)
        return std::nullopt;
      return std::pair<std::int64_t, std::int64_t>(runs[0].lo, runs[0].length);
    }
    const std::optional<std::vector<bool>> isIn = ranksOf(runs, ranks);
    if (!isIn)
      return std::nullopt;
    std::int64_t first = runs[0].lo;
    unsigned beginnings = 0;
    for (std::int64_t rank = 0; rank < ranks; ++rank)
      if ((*isIn)[static_cast<size_t>(rank)] && !(*isIn)[static_cast<size_t>((rank + ranks - 1) % ranks)]) {
        ++beginnings;
        first = rank;
      }
    if (beginnings > 1)
      return std::nullopt;
    return std::pair<std::int64_t, std::int64_t>(first, llvm::count(*isIn, true));
  }

  /// Which ranks are in a product; nothing if one is in it twice, or their blocks differ.
  static std::optional<std::vector<bool>> ranksOf(llvm::ArrayRef<Run> runs, std::int64_t ranks) {
    std::vector<bool> isIn(static_cast<size_t>(ranks));
    for (const Run &run : runs)
      for (std::int64_t i = 0; i < run.length; ++i) {
        const auto rank = static_cast<size_t>((run.lo + i) % ranks);
        if (run.block != runs[0].block || isIn[rank])
          return std::nullopt;
        isIn[rank] = true;
      }
    return isIn;
  }

  const ir::Schedule &schedule;
  const SmallCase &small;
  const Products products;
  llvm::DenseSet<const ir::TransferStmt *> statements; // whose messages are followed
};

class Fit {
public:
  Fit(RankOperations &program, const ir::Schedule &schedule, TermPool &pool, DefinedTerms &defined, Products products)
      : program(program), schedule(schedule), pool(pool), defined(defined), products(products) {}

  Contracts run() {
    observe();
    Contracts result;
    if (products == Products::Members) {
      findForest(result);
      if (!result.forest)
        throw NotModelled{Gap::MessageWithoutFormula, schedule.nameRange};
    }
    result.ofSends.resize(program.ops.size());
    for (unsigned op = 0; op < program.ops.size(); ++op)
      if (program.ops[op].isSend() && program.ops[op].stmt->message)
        result.ofSends[op] = contractOf(op, result.forest);
    return result;
  }

private:
  // ---- the forest in which ranks hand on what they have got

  /// Whether a send hands on what its rank has got, and not the result.
  bool handsOn(unsigned op) const {
    return program.ops[op].isSend() && program.ops[op].stmt->message && !rows[op].empty() &&
           !llvm::all_of(rows[op], [](const Row &row) { return row.held.isOfAll(); });
  }

  void findForest(Contracts &result) {
    if (llvm::any_of(rows, [](const std::vector<Row> &ofOp) { return llvm::any_of(ofOp, [](const Row &row) { return !row.held.known; }); }))
      return;
    llvm::SmallVector<unsigned, 4> upwards;
    for (unsigned op = 0; op < program.ops.size(); ++op)
      if (handsOn(op))
        upwards.push_back(op);
    if (upwards.empty() || !areBelow(upwards))
      return;
    Term sends = pool.truth(false), next = pool.integer(-1);
    for (unsigned op : llvm::reverse(upwards)) {
      const RankOp &send = program.ops[op];
      for (Term variable : variablesOf({send.guard, send.peer})) // of a loop: the rank would hand on more than once
        if (llvm::any_of(send.loops, [&](const RankLoop &loop) { return loop.variable == variable; }))
          return;
      sends = pool.either(send.guard, sends);
      next = next == pool.integer(-1) ? send.peer : pool.select(send.guard, send.peer, next);
    }
    result.forest.emplace(pool, sends, next);
    result.measures = measuresOf(upwards);
  }

  /// Whether each of these messages holds what the ranks have whose messages lead to its sender, by way of these messages.
  bool areBelow(llvm::ArrayRef<unsigned> upwards) const {
    std::vector<std::map<std::int64_t, std::int64_t>> next(program.cases.size());
    for (const SmallMessage &message : program.messages)
      if (llvm::is_contained(upwards, message.send)) {
        const auto [to, isNew] = next[message.smallCase].try_emplace(message.source, message.destination);
        if (to->second != message.destination)
          return false;
      }
    for (unsigned op : upwards)
      for (const Row &row : rows[op]) {
        const std::int64_t ranks = program.cases[row.message->smallCase].instance.p;
        const std::map<std::int64_t, std::int64_t> &chain = next[row.message->smallCase];
        const auto leadsToSender = [&](std::int64_t rank) {
          for (std::int64_t steps = 0; steps <= ranks; ++steps) {
            if (rank == row.message->source)
              return true;
            const auto to = chain.find(rank);
            if (to == chain.end())
              return false;
            rank = to->second;
          }
          return false;
        };
        for (std::int64_t rank = 0; rank < ranks; ++rank)
          if (row.held.ranks[static_cast<size_t>(nameOf(*row.message, rank))] != leadsToSender(rank))
            return false;
      }
    return true;
  }

  /// By which number contents name a rank.
  std::int64_t nameOf(const SmallMessage &message, std::int64_t rank) const {
    return schedule.usesOperator ? program.machineRank(message, rank) : rank;
  }

  /// Formulas in the rank that get smaller from each sender to its receiver, in small cases.
  std::vector<Term> measuresOf(llvm::ArrayRef<unsigned> upwards) {
    const Term me = pool.variable("me");
    std::vector<Term> tried;
    const auto add = [&](Term term) {
      for (Term either : {term, pool.scale(-1, term)})
        if (!llvm::is_contained(tried, either))
          tried.push_back(either);
    };
    add(me);
    for (Term from : program.countedFrom())
      add(pool.modulo(pool.subtract(me, from), pool.variable("p")));
    for (const DefinedTerms::Measure &depth : defined.measures())
      if (!depth.isRank)
        add(depth.of(me));
    std::vector<Term> text;
    for (unsigned op : upwards)
      text.insert(text.end(), {program.ops[op].guard, program.ops[op].peer});
    const std::vector<Term> parts = partsOf(text);
    const auto isOfRank = [&](Term part) { return llvm::is_contained(variablesOf({part}), me); };
    for (Term part : parts)
      if (isOfRank(part))
        add(part);
    for (Term part : parts) // how far it is to a number that is the same on all ranks
      for (Term goal : parts)
        if (isOfRank(part) && !isOfRank(goal))
          add(pool.maximum(pool.subtract(part, goal), pool.subtract(goal, part)));
    std::vector<Term> result;
    for (Term measure : tried) {
      const auto falls = [&](const Row &row) {
        TermPool::Substitution by;
        by[me.get()] = program.ops[row.message->send].peer;
        return valueAt(row, pool.subtract(measure, pool.substitute(measure, by))).value_or(0) > 0;
      };
      if (result.size() < limits::forestMeasures && llvm::all_of(upwards, [&](unsigned op) { return llvm::all_of(rows[op], falls); }))
        result.push_back(measure);
    }
    return result;
  }

  // ---- observations

  void observe() {
    rows.resize(program.ops.size());
    atoms.resize(program.ops.size());
    const Limits limits;
    size_t next = 0; // messages are grouped by case, and by sender and receiver
    for (size_t number = 0; number < program.cases.size(); ++number) {
      const SmallCase &small = program.cases[number];
      const Case &instance = small.instance;
      TreeCache trees;
      CaseRun run(schedule, instance, trees, limits);
      run.prepare({.samples = sampleLengths(run.granularity.unit(), run.tables)});
      MessageRecorder recorder(program, schedule, small, products);
      try {
        run.run(recorder, Engine::Simulation);
      } catch (const Finding &) {
        // The schedule is wrong, and some proof will fail. The messages up to the error are used nevertheless.
      } catch (const EvaluationError &) {
      }
      std::map<std::pair<std::int64_t, std::int64_t>, size_t> seen;
      for (; next < program.messages.size() && program.messages[next].smallCase == number; ++next) {
        const SmallMessage &message = program.messages[next];
        std::pair<std::int64_t, std::int64_t> channel{message.source, message.destination};
        const std::vector<std::vector<Held>> &held = recorder.held[channel];
        const size_t which = seen[channel]++;
        if (which < held.size())
          addRows(message, held[which]);
      }
    }
  }

  /// The axis by whose labels the slots of a message may differ; null if they are all the same.
  const Axis *labelled(const RankOp &op) const {
    if (!op.slots)
      return nullptr;
    for (const Axis *axis : {&op.slots->block, &op.slots->packet})
      if (axis->kind != Axis::Single)
        return axis;
    return nullptr;
  }

  std::vector<std::int64_t> labelsOf(const Axis &axis, const SmallMessage &message) {
    std::vector<std::int64_t> labels;
    const bool isPosition = axis.kind == Axis::Position;
    const std::int64_t lo = isPosition ? 0 : program.valueAt(message, true, axis.lo).value_or(0);
    const std::int64_t hi = program.valueAt(message, true, isPosition ? axis.count : axis.hi).value_or(0);
    for (std::int64_t label = lo; label < hi; ++label)
      if (isPosition || program.valueAt(message, true, axis.filter, {axis.label, label}) == 1)
        labels.push_back(label);
    return labels;
  }

  /// Adds a row for each label. The slots of a message that share a label have to hold the same.
  void addRows(const SmallMessage &message, llvm::ArrayRef<Held> slots) {
    const RankOp &op = program.ops[message.send];
    std::vector<std::int64_t> labels{0};
    const Axis *axis = labelled(op);
    if (axis)
      labels = labelsOf(*axis, message);
    if (labels.empty() || slots.size() % labels.size() != 0)
      return rows[message.send].push_back({&message, {}, Held()});
    const size_t each = slots.size() / labels.size();
    for (auto [number, label] : llvm::enumerate(labels)) {
      const llvm::ArrayRef<Held> same = slots.slice(number * each, each);
      const bool areEqual = !same.empty() && llvm::all_of(same, [&](const Held &held) { return held == same[0]; });
      std::pair<Term, std::int64_t> at;
      if (axis)
        at = {axis->label, label};
      rows[message.send].push_back({&message, at, areEqual ? same[0] : Held()});
    }
  }

  /// The formulas that are tried in contracts, the simplest first.
  std::vector<Term> vocabulary(const RankOp &op) const {
    const Term zero = pool.integer(0), one = pool.integer(1), me = pool.variable("me"), p = pool.variable("p");
    std::vector<Term> result{zero, p};
    std::vector<Term> ranks{me, op.peer};
    auto add = [&](Term term) {
      if (!llvm::is_contained(result, term))
        result.push_back(term);
    };
    for (Term number : program.numbers) {
      add(number);
      if (program.origin())
        add(pool.modulo(pool.subtract(number, program.origin()), p));
    }
    if (program.origin()) {
      for (Term rank : {me, op.peer})
        add(pool.modulo(pool.add(rank, program.origin()), p));
      add(pool.modulo(program.origin(), p));
    }
    for (const DefinedTerms::Measure &measure : defined.measures())
      if (measure.isRank)
        for (Term rank : ranks)
          add(measure.of(op.origin ? pool.modulo(pool.subtract(rank, op.origin), p) : rank));
    for (Term rank : ranks) {
      add(rank);
      add(pool.add(rank, one));
    }
    for (Term from : program.countedFrom())
      for (Term rank : {me, op.peer})
        add(pool.modulo(pool.subtract(rank, from), p));
    for (const RankLoop &loop : op.loops) {
      if (loop.first != loop.variable) // in few cases a power looks like its exponent and 1
        add(loop.first);
      add(loop.variable);
      add(pool.add(loop.variable, one));
    }
    if (const Axis *axis = labelled(op)) {
      add(axis->label);
      add(slotOf(*axis));
    }
    return result;
  }

  /// The slot of an axis, as a formula in its label.
  Term slotOf(const Axis &axis) const {
    if (axis.kind == Axis::Number)
      return axis.label;
    const Term slot = pool.add(axis.start, axis.label);
    return axis.modulus ? pool.modulo(slot, axis.modulus) : slot;
  }

  /// Formulas of the text, of both sides of a message, in the symbols of the send.
  std::vector<Term> partsOfText(unsigned number) const {
    auto partsIn = [](const RankOp &op) {
      std::vector<Term> terms{op.guard, op.peer};
      if (op.slots)
        for (const Axis *axis : {&op.slots->block, &op.slots->packet})
          for (Term part : {axis->start, axis->count, axis->lo, axis->hi})
            if (part)
              terms.push_back(part);
      return partsOf(terms);
    };
    const RankOp &op = program.ops[number];
    std::vector<Term> result = partsIn(op);
    for (const RankPair &pair : program.partners[number])
      for (Term part : partsIn(program.ops[pair.op]))
        result.push_back(program.at(program.ops[pair.op], part, op.peer, pair.values));
    return result;
  }

  /// If the partner is a function of v xor w, where v numbers the rank, ranks meet in groups of w numbers: the values of the function at both ends of
  /// the group of v, which tell its ranks, as where pairs of neighbours join until a power of two of ranks is left.
  std::vector<Term> endsOfGroup(Term peer) {
    Term flipped;
    forEachNode({peer}, [&](Term node) {
      if (node->kind == TermKind::BitXor && !flipped)
        flipped = node;
    });
    std::vector<Term> result;
    if (!flipped || flipped == peer)
      return result;
    const Term one = pool.integer(1);
    const auto valueAt = [&](Term number) { return pool.rebuild(peer, [&](Term node) { return node == flipped ? number : Term(); }); };
    for (auto [number, width] : {std::pair(flipped->operands[0], flipped->operands[1]), std::pair(flipped->operands[1], flipped->operands[0])}) {
      if (!llvm::is_contained(variablesOf({number}), pool.variable("me")) || llvm::is_contained(variablesOf({width}), pool.variable("me")))
        continue;
      const Term first = pool.subtract(number, pool.modulo(number, width));
      for (Term end : {first, pool.add(first, width)}) // the last of a pair may stay, or the first
        llvm::append_range(result, std::array{valueAt(end), pool.add(valueAt(pool.subtract(end, one)), one)});
    }
    return result;
  }

  Term fit(unsigned op, llvm::function_ref<std::int64_t(const Held &)> part) {
    const std::vector<Term> usual = vocabulary(program.ops[op]);
    for (Term candidate : usual)
      if (llvm::all_of(rows[op], [&](const Row &row) { return valueAt(row, candidate) == part(row.held); }))
        return candidate;
    std::vector<std::int64_t> wanted;
    for (const Row &row : rows[op])
      wanted.push_back(part(row.held));
    return fitFormula(pool, columnsOf(op), columnOf(op, pool.variable("p")), wanted);
  }

  FitColumn columnOf(unsigned op, Term term) {
    FitColumn column{term, {}};
    for (const Row &row : rows[op])
      if (auto value = valueAt(row, term))
        column.values.push_back(*value);
      else
        break;
    return column;
  }

  /// The atoms of formulas that are tried after the usual ones, with their values.
  const std::vector<FitColumn> &columnsOf(unsigned op) {
    std::vector<FitColumn> &columns = atoms[op];
    if (!columns.empty())
      return columns;
    std::vector<Term> terms = vocabulary(program.ops[op]);
    auto add = [&](Term term) {
      if (!llvm::is_contained(terms, term))
        terms.push_back(term);
    };
    for (const RankLoop &loop : program.ops[op].loops) // the ranks that an iteration comes to, where loops multiply
      if (loop.first != loop.variable)
        for (Term rank : {pool.variable("me"), program.ops[op].peer}) {
          add(loop.first);
          add(pool.add(rank, loop.first));
        }
    if (products == Products::Cyclic && schedule.usesOperator) // the ranks up to the last one
      for (Term rank : {pool.variable("me"), program.ops[op].peer}) {
        add(pool.subtract(pool.variable("p"), rank));
        for (Term from : program.countedFrom())
          add(pool.subtract(pool.variable("p"), pool.modulo(pool.subtract(rank, from), pool.variable("p"))));
      }
    const std::vector<Term> parts = partsOfText(op);
    for (Term part : parts) // where the row of a rank begins, and where it ends
      if (part->kind == TermKind::Modulo && part->operands[1] != pool.variable("p")) {
        const Term first = pool.subtract(part->operands[0], part);
        add(first);
        add(pool.add(first, part->operands[1]));
      }
    for (Term end : endsOfGroup(program.ops[op].peer))
      add(end);
    for (Term part : parts)
      add(part);
    for (Term term : terms) {
      if (columns.size() == limits::contractAtoms)
        break;
      if (FitColumn column = columnOf(op, term); column.values.size() == rows[op].size())
        columns.push_back(std::move(column));
    }
    return columns;
  }

  Content contractOf(unsigned number, std::optional<Forest> &forest) {
    const RankOp &op = program.ops[number];
    const Term zero = pool.integer(0), one = pool.integer(1);
    const NotModelled unknown{Gap::MessageWithoutFormula, op.stmt->keyword};
    if (llvm::any_of(rows[number], [](const Row &row) { return !row.held.known; }))
      throw unknown;
    Content content{pool.truth(true), pool.truth(false), zero, zero, zero, zero, one, pool.truth(false)};
    if (!rows[number].empty())
      content.input = pool.integer(rows[number][0].held.input);
    content.block = fit(number, [](const Held &held) { return held.block; });
    if (!content.block)
      throw unknown;
    content.member = forest ? membersOf(number, *forest) : Term();
    if (forest && !content.member)
      throw unknown;
    if (!forest)
      setInterval(number, content, unknown);
    // The packet is that of the slot; or if the storage holds single packets, the iteration of the innermost loop.
    if (TermPool::asInteger(op.packetCount) != 1) {
      const Axis &axis = op.slots->packet;
      content.packet = axis.kind == Axis::Single ? axis.start : axis.kind == Axis::Number ? axis.label
                       : pool.add(axis.start, axis.label);
    } else if (program.isSplit && !op.loops.empty()) {
      content.packet = op.loops.back().variable;
    }
    return content;
  }

  void setInterval(unsigned number, Content &content, const NotModelled &unknown) {
    content.lo = fit(number, [](const Held &held) { return held.lo; });
    if (!content.lo)
      throw unknown;
    if (schedule.usesOperator) {
      const bool isCyclic = products == Products::Cyclic;
      const Term found = fit(number, [&](const Held &held) { return isCyclic ? held.end - held.lo : held.end; });
      if (!found)
        throw unknown;
      content.length = isCyclic ? found : pool.subtract(found, content.lo);
    }
    content.member = pool.inRange(content.lo, pool.variable("x'"), pool.add(content.lo, content.length));
  }

  /// The condition, on the rank x', for being in the product that a message holds: it is below the sender, or it is any rank.
  Term membersOf(unsigned number, Forest &forest) {
    const Term p = pool.variable("p"), each = pool.variable("x'");
    if (!handsOn(number))
      return pool.inRange(pool.integer(0), each, p);
    const Term rank = schedule.usesOperator && program.origin() ? pool.modulo(pool.subtract(each, program.origin()), p) : each;
    return forest.below(rank, pool.variable("me"));
  }

  /// A slot, or several equal ones, of a message.
  struct Row {
    const SmallMessage *message;
    std::pair<Term, std::int64_t> label; // of the slot; null if the message has no labels
    Held held;
  };

  std::optional<std::int64_t> valueAt(const Row &row, Term term) { return program.valueAt(*row.message, true, term, row.label); }

  RankOperations &program;
  const ir::Schedule &schedule;
  TermPool &pool;
  DefinedTerms &defined;
  const Products products;
  std::vector<std::vector<Row>> rows;        // per op
  std::vector<std::vector<FitColumn>> atoms; // per op; empty: not needed yet
};

} // namespace

Contracts findContracts(RankOperations &program, const ir::Schedule &schedule, TermPool &pool, DefinedTerms &defined, Products products) {
  return Fit(program, schedule, pool, defined, products).run();
}

} // namespace quadrille::compiler::prove
