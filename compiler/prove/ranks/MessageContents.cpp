//===- MessageContents.cpp - What the messages of small cases hold ---------------------------------------------------------===//

#include "MessageContents.h"

#include "arithmetic/Integers.h"
#include "check/CostClaims.h"

#include "llvm/ADT/DenseSet.h"

namespace quadrille::compiler::prove {

namespace {

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

class Observation {
public:
  Observation(RankOperations &program, const ir::Schedule &schedule, Products products) : program(program), schedule(schedule), products(products) {}

  std::vector<std::vector<MessageSlot>> run() {
    rows.resize(program.ops.size());
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
    return std::move(rows);
  }

private:
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

  RankOperations &program;
  const ir::Schedule &schedule;
  const Products products;
  std::vector<std::vector<MessageSlot>> rows; // per op
};

} // namespace

const Axis *labelled(const RankOp &op) {
  if (!op.slots)
    return nullptr;
  for (const Axis *axis : {&op.slots->block, &op.slots->packet})
    if (axis->kind != Axis::Single)
      return axis;
  return nullptr;
}

std::vector<std::vector<MessageSlot>> contentsOfMessages(RankOperations &program, const ir::Schedule &schedule, Products products) {
  return Observation(program, schedule, products).run();
}

} // namespace quadrille::compiler::prove
