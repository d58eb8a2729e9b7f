//===- Contracts.cpp - Contracts from the messages of small cases -----------------------------------------------------------===//

#include "Contracts.h"

#include "arithmetic/Integers.h"
#include "check/CostClaims.h"

#include "llvm/ADT/STLExtras.h"

namespace quadrille::compiler::prove {

namespace {

/// The content of a message: the product over ranks lo ..< end of a block of an input; `known` is false if it is something else.
struct Held {
  bool known = false;
  std::int64_t input = 0, block = 0, lo = 0, end = 0;
};

/// Records the contents of a case's messages, by sender and receiver, in the order in which they are sent.
class MessageRecorder : public RunObserver {
public:
  MessageRecorder(const ir::Schedule &schedule, const SmallCase &small) : schedule(schedule), small(small) {}

  void onRound(const Round &round, const Machine &machine) override {
    for (const Transfer &transfer : round.transfers)
      held[{nameOf(transfer.source), nameOf(transfer.destination)}].push_back(contentOf(transfer, machine));
  }
  void onRestart() override { held.clear(); }

  std::map<std::pair<std::int64_t, std::int64_t>, std::vector<Held>> held;

private:
  /// The number of a rank in the outermost schedule.
  std::int64_t nameOf(std::int64_t machineRank) const {
    return arithmetic::floorMod(machineRank - small.origin, small.instance.p);
  }

  Held contentOf(const Transfer &transfer, const Machine &machine) const {
    Held result;
    std::optional<Value> value;
    for (std::uint32_t i = 0; i < transfer.runCount; ++i)
      for (std::uint32_t slot = 0; slot < transfer.runs[i].count; ++slot) {
        Value here = machine.read(*transfer.storage, transfer.source, transfer.runs[i].lo + slot);
        if (here == emptyValue || (value && *value != here))
          return result;
        value = here;
      }
    if (!value)
      return result;
    std::vector<Run> runs = machine.domain.runs(*value);
    if (runs.size() != 1 || runs[0].lo + runs[0].length > machine.ranks)
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
    result.lo = schedule.usesOperator ? runs[0].lo : nameOf(runs[0].lo);
    result.end = result.lo + runs[0].length;
    return result;
  }

  using Value = compiler::Value;
  const ir::Schedule &schedule;
  const SmallCase &small;
};

class Fit {
public:
  Fit(RankOperations &program, const ir::Schedule &schedule, TermPool &pool, DefinedTerms &defined)
      : program(program), schedule(schedule), pool(pool), defined(defined) {}

  std::vector<std::optional<Content>> run() {
    observe();
    std::vector<std::optional<Content>> result(program.ops.size());
    for (unsigned op = 0; op < program.ops.size(); ++op)
      if (program.ops[op].isSend() && program.ops[op].stmt->message)
        result[op] = contractOf(op);
    return result;
  }

private:
  void observe() {
    rows.resize(program.ops.size());
    const Limits limits;
    size_t next = 0; // messages are grouped by case, and by sender and receiver
    for (size_t number = 0; number < program.cases.size(); ++number) {
      const SmallCase &small = program.cases[number];
      const Case &instance = small.instance;
      TreeCache trees;
      CaseRun run(schedule, instance, trees, limits);
      run.prepare({.samples = sampleLengths(run.granularity.unit(), run.tables)});
      MessageRecorder recorder(schedule, small);
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
        const std::vector<Held> &held = recorder.held[channel];
        const size_t which = seen[channel]++;
        if (which < held.size())
          rows[message.send].push_back({&message, held[which]});
      }
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
    for (const RankLoop &loop : op.loops) {
      add(loop.variable);
      add(pool.add(loop.variable, one));
    }
    return result;
  }

  Term fit(unsigned op, std::int64_t Held::*part) {
    for (Term candidate : vocabulary(program.ops[op]))
      if (llvm::all_of(rows[op], [&](const auto &row) {
            return program.valueAt(*row.first, true, candidate) == row.second.*part;
          }))
        return candidate;
    return {};
  }

  Content contractOf(unsigned number) {
    const RankOp &op = program.ops[number];
    const Term zero = pool.integer(0), one = pool.integer(1);
    const NotModelled unknown{Gap::MessageWithoutFormula, op.stmt->keyword};
    if (llvm::any_of(rows[number], [](const auto &row) { return !row.second.known; }))
      throw unknown;
    Content content{pool.truth(true), pool.truth(false), zero, zero, zero, zero, one, pool.truth(false)};
    if (!rows[number].empty())
      content.input = pool.integer(rows[number][0].second.input);
    content.block = fit(number, &Held::block);
    content.lo = fit(number, &Held::lo);
    if (!content.block || !content.lo)
      throw unknown;
    if (schedule.usesOperator) {
      Term end = fit(number, &Held::end);
      if (!end)
        throw unknown;
      content.length = pool.subtract(end, content.lo);
    }
    content.member = pool.inRange(content.lo, pool.variable("x'"), pool.add(content.lo, content.length));
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

  RankOperations &program;
  const ir::Schedule &schedule;
  TermPool &pool;
  DefinedTerms &defined;
  std::vector<std::vector<std::pair<const SmallMessage *, Held>>> rows; // per op
};

} // namespace

std::vector<std::optional<Content>> findContracts(RankOperations &program, const ir::Schedule &schedule, TermPool &pool,
                                                  DefinedTerms &defined) {
  return Fit(program, schedule, pool, defined).run();
}

} // namespace quadrille::compiler::prove
