//===- CaseRun.cpp - A run of a schedule in one case ----------------------------------------------------------------===//

#include "CaseRun.h"

#include "Semantics.h"

#include "ir/Walk.h"

#include "llvm/ADT/SmallPtrSet.h"

#include <cassert>

namespace quadrille::compiler {

static bool isBalanced(const ir::StepStmt &step) {
  if (!step.bare)
    return true;
  return step.body.size() == 2; // an exchange
}

namespace {
class SimulationNeed {
public:
  bool of(const ir::Schedule &schedule) { return seen.insert(&schedule).second && of(schedule.body); }

private:
  bool of(const ir::Body &body) {
    return llvm::any_of(body, [&](const std::unique_ptr<ir::Stmt> &s) {
      if (auto *step = llvm::dyn_cast<ir::StepStmt>(s.get()))
        return !isBalanced(*step);
      if (auto *branch = llvm::dyn_cast<ir::IfStmt>(s.get()))
        return (branch->containsStep && branch->condition->dependsOnRank) || of(branch->yes) || of(branch->no);
      if (auto *loop = llvm::dyn_cast<ir::ForStmt>(s.get()))
        return (loop->containsStep && ir::differsBetweenRanks(*loop)) || of(loop->body);
      if (auto *use = llvm::dyn_cast<ir::UseStmt>(s.get())) {
        // Groups of different sizes or with different numbers may take different steps.
        bool fromRank = llvm::any_of(use->numbers, [](const ir::Expr *e) { return e->dependsOnRank; });
        for (const ir::Expr *bound : {use->lo, use->hi})
          fromRank |= bound && bound->dependsOnRank;
        fromRank |= use->member && use->callee->usesNodes; // each group has a map of its own
        return fromRank || of(*use->callee);
      }
      return false;
    });
  }

  llvm::SmallPtrSet<const ir::Schedule *, 8> seen;
};
} // namespace

bool needsSimulation(const ir::Schedule &schedule) { return SimulationNeed().of(schedule); }

CaseRun::CaseRun(const ir::Schedule &schedule, const Case &instance, TreeCache &trees, const Limits &limits)
    : schedule(schedule), instance(instance), trees(trees), limits(limits), granularity(granularityOf(schedule, instance)),
      tables(lengthTables(schedule, instance)), clauses(clauseFrame(schedule, instance, trees)) {}

Machine &CaseRun::prepare(Options options) {
  ValueDomain &values =
      options.values ? *options.values : ownValues.emplace(static_cast<std::uint64_t>(instance.p), inputBlocks(), options.commutative);
  Machine &result = memory.emplace(static_cast<std::uint32_t>(instance.p), granularity, values, options.wantBrackets, tables,
                                   std::move(options.samples), limits);
  result.nodes = nodesOf(schedule, instance);
  result.known = knownLengths(schedule, instance, tables);
  return result;
}

const FinalState &CaseRun::run(RunObserver &observer, Engine engine) {
  assert(memory && "`prepare` comes first");
  const bool isSimulated = engine == Engine::Simulation || needsSimulation(schedule);
  state = isSimulated ? simulate(*this, observer) : runInLockstep(*this, observer);
  observer.onEnd(machine());
  return state;
}

std::uint64_t CaseRun::inputBlocks() const {
  std::uint64_t blocks = 0;
  for (const ir::Buffer *input : schedule.inputs)
    blocks += input->isArray ? static_cast<std::uint64_t>(std::max<std::int64_t>(0, evaluate(*input->count, clauses))) : 1;
  return blocks;
}

/// Sets the length classes of the blocks of a parameter, on every rank. A rank that has it must know its lengths.
static void declareLengths(const ir::Buffer &buffer, const View &view, Frame &frame, Machine &machine) {
  machine.addClasses(*view.storage);
  for (std::uint32_t rank = 0; rank < machine.ranks; ++rank) {
    frame[ir::Schedule::variableMe] = rank;
    const bool isThere = !buffer.presence || evaluate(*buffer.presence, frame) == rank;
    auto value = [&](const ir::Expr &expr) { return evaluate(expr, frame); };
    for (std::uint32_t block = 0; block < view.blocks; ++block) {
      if (buffer.length->binder)
        frame[*buffer.length->binder] = block;
      std::uint32_t *const classes = view.storage->classesOf(rank) + block * view.unit;
      lengthClasses(machine, *buffer.length, {}, rank, view.unit, classes, value);
      if (isThere && view.unit > 0)
        machine.requireKnown(rank, *classes, buffer.name, buffer.length->range);
    }
  }
}

FinalState allocateParameters(CaseRun &run, std::vector<View> &views) {
  const ir::Schedule &schedule = run.schedule;
  const Case &instance = run.instance;
  Machine &machine = run.machine();
  Frame frame = run.clauses;
  FinalState state;
  requireArguments(schedule, [&](const ir::Expr &expr) { return evaluate(expr, frame); });
  views.resize(schedule.buffers.size());
  std::uint32_t nextBlock = 0;
  auto view = [&](const ir::Buffer &buffer, bool isInput) {
    View &result = views[buffer.index];
    std::int64_t count = buffer.isArray ? evaluate(*buffer.count, frame) : 1;
    if (count < 0)
      throw Finding{
          Diagnostic(buffer.count->range,
                     diag::NegativeLength{.value = count, .rank = std::nullopt, .buffer = buffer.name, .modulus = false})};
    requireSlots(buffer.name, count, machine.unitSlots, static_cast<std::uint64_t>(instance.p), {});
    result.unit = machine.unitSlots;
    if (buffer.length && buffer.length->parts)
      result.unit /= static_cast<std::uint32_t>(evaluate(*buffer.length->parts, frame));
    result.blocks = static_cast<std::uint32_t>(count);
    result.ofCollective = !buffer.length;
    std::uint32_t stride = result.blocks * result.unit;
    if (isInput) {
      std::int64_t only = buffer.presence ? evaluate(*buffer.presence, frame) : -1;
      if (buffer.presence && (only < 0 || only >= instance.p))
        only = instance.p; // `at none`, or at a rank that does not exist: no rank has it
      result.storage = &machine.addInput(buffer.name, stride, nextBlock, only);
      nextBlock += result.blocks;
    } else {
      result.storage = &machine.add(buffer.name, stride);
    }
    if (buffer.length)
      declareLengths(buffer, result, frame, machine);
    return result.storage;
  };
  for (const ir::Buffer *input : schedule.inputs)
    state.inputs.push_back(view(*input, true));
  for (const ir::Buffer *output : schedule.outputs)
    state.outputs.push_back(view(*output, false));
  splitBlocks(schedule, run.clauses, views);
  return state;
}

} // namespace quadrille::compiler
