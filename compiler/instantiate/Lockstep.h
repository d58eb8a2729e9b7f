//===- Lockstep.h - Uniform schedules, all ranks at once ------------------------------------------------*- C++ -*-===//
//
// The lockstep engine executes every statement for all ranks before the next one. This header is private to it. Its files:
// Lockstep (frames, control flow), LockstepData (slices, declarations, assignments), LockstepStep (collects the transfers of a
// step), LockstepRound (matches and moves them), LockstepUse (`use` statements).
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_INSTANTIATE_LOCKSTEP_H
#define QUADRILLE_INSTANTIATE_LOCKSTEP_H

#include "CaseRun.h"
#include "LockstepRound.h"
#include "Semantics.h"
#include "Views.h"

#include "evaluate/Columns.h"
#include "ir/Lengths.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <deque>
#include <map>

namespace quadrille::compiler::lockstep {

/// One byte per machine rank: whether it takes part; null: all do.
using Mask = const std::uint8_t *;

inline bool isActive(Mask mask, size_t rank) { return !mask || mask[rank]; }

/// Consecutive ranks for which expressions are evaluated together. Passed by value, so that the C++ compiler sees that loops do
/// not modify it.
struct Chunk {
  size_t first, count;
  Mask mask;

  /// The machine rank at index `i` of the chunk.
  std::uint32_t rank(size_t i) const { return static_cast<std::uint32_t>(first + i); }
  bool isActive(size_t i) const { return lockstep::isActive(mask, first + i); }
};

/// An index of a slice, evaluated for a chunk of ranks.
struct IndexColumns {
  ir::IndexKind kind;
  Column a, b, c;
  std::vector<std::vector<std::int64_t>> chosen;

  IndexValues at(size_t i) const { return {kind, a[i], b[i], c[i], chosen.empty() ? nullptr : &chosen[i]}; }
};

/// A running schedule: one per `use`, for all ranks.
struct FrameState {
  FrameState(const ir::Schedule &schedule, TreeCache &trees) : schedule(schedule), eval(trees) {}

  /// The value of an expression that is the same for all ranks.
  std::int64_t scalar(const ir::Expr &expr) { return eval.evaluateScalar(expr); }

  /// The parameter that determines the length of other blocks (ir::lengthModel); null if there is none.
  const View *lengthModel() const {
    const ir::Buffer *model = ir::lengthModel(schedule);
    assert((!model || model->index < views.size()) && "there is a view for each buffer");
    return model ? &views[model->index] : nullptr;
  }

  void set(unsigned variable, const ColumnVariable &value) { eval.set(variable, value); }
  void setScalar(unsigned variable, std::int64_t value) {
    set(variable, {ColumnVariable::Scalar, value, nullptr, nullptr, {}});
  }
  /// One value per machine rank. `values` must live as long as the variable is used.
  void setArray(unsigned variable, const std::vector<std::int64_t> &values);

  const ir::Schedule &schedule;
  ColumnEvaluator eval;
  std::vector<View> views;
  RankMap ranks;
  std::uint32_t unit = 1;      // slots per block
  bool ofCollective = true;    // a block has the n elements of the collective
  ir::BlockLengths lengths = ir::BlockLengths::Same;
  std::vector<unsigned> tables; // for each of its tables, the index among those of the collective; empty: the same
  std::vector<std::int64_t> me;
  std::map<unsigned, std::vector<std::int64_t>> lets; // by variable, then by machine rank: values of lets that are kept (letNow)
};

class Lockstep {
public:
  Lockstep(CaseRun &run, RunObserver &observer);

  FinalState run();

private:
  static constexpr size_t chunkSize = ColumnEvaluator::chunkSize;

  // ---- frames (Lockstep.cpp)

  /// Sets p, the numbers and `me`. Views and ranks of the frame must be set before.
  void enter(FrameState &frame, std::int64_t p, const std::vector<std::int64_t> &numbers);
  /// Calls f(chunk) for all ranks, chunk by chunk, with the frame's evaluator set to the chunk.
  template <typename F> void forChunks(FrameState &frame, Mask mask, F f) {
    for (size_t first = 0; first < ranks; first += chunkSize) {
      Chunk chunk{first, std::min<size_t>(chunkSize, ranks - first), mask};
      frame.eval.select(chunk.first, chunk.count, mask);
      f(chunk);
    }
  }
  bool anyActive(Mask mask) const;

  // ---- control flow (Lockstep.cpp)

  /// How a nested body is processed: `execute`, or `collect` for the transfers of a step.
  using Walk = void (Lockstep::*)(const ir::Body &, FrameState &, Mask);

  void execute(const ir::Body &body, FrameState &frame, Mask mask);
  void execute(const ir::Stmt &stmt, FrameState &frame, Mask mask);
  void let(const ir::LetStmt &stmt, FrameState &frame, Mask mask);
  /// Evaluates a `let` now, and keeps its values until it is executed again.
  void letNow(const ir::LetStmt &stmt, FrameState &frame, Mask mask);
  void branch(const ir::IfStmt &stmt, FrameState &frame, Mask mask, Walk walk);
  void loop(const ir::ForStmt &stmt, FrameState &frame, Mask mask, Walk walk);
  void rankLoop(const ir::ForStmt &stmt, FrameState &frame, Mask mask, Walk walk);
  /// Tells the observer that all ranks are at the head of a loop. `head`: see LoopVisit.
  void visit(const ir::ForStmt &stmt, FrameState &frame, Mask mask, std::int64_t head);
  /// The values of the two variables of a loop, iteration by iteration, for one rank.
  std::vector<std::pair<std::int64_t, std::int64_t>> loopValues(const ir::ForStmt &stmt, FrameState &frame,
                                                                std::uint32_t rank);
  /// Counts work towards the limit on steps. One unit of `cost` is a statement for 64 ranks.
  void countStep(std::uint64_t cost = 1);

  // ---- data (LockstepData.cpp)

  /// A leaf of a data expression, resolved for the ranks of a chunk.
  struct Leaf {
    const Storage *storage = nullptr;
    bool isName = false; // a name declared by a receive: all slots that it has
    SlotColumn slots;
  };
  /// A product and its bracketing for every rank of a chunk.
  struct Lane {
    std::array<std::uint64_t, chunkSize> values, brackets;
  };

  /// Appends the slots of a slice, for all ranks of the chunk.
  void resolve(const ir::Slice &slice, FrameState &frame, const Chunk &chunk, SlotColumn &out);
  bool resolveDirectly(const ir::Slice &slice, FrameState &frame, Chunk chunk, SlotColumn &out);
  void resolveByRank(const ir::Slice &slice, FrameState &frame, const Chunk &chunk, SlotColumn &out);
  IndexColumns indexColumns(const ir::Index &index, FrameState &frame, const Chunk &chunk);
  SlotColumn resolveForAll(const ir::Slice &slice, FrameState &frame, Mask mask);
  /// For each rank of the chunk, the indices in lo ..< hi that satisfy the condition of a filter.
  std::vector<std::vector<std::int64_t>> filter(const ir::Index &index, FrameState &frame, const Chunk &chunk,
                                                const Column &lo, const Column &hi);
  void declare(const ir::DeclareStmt &stmt, FrameState &frame, Mask mask);
  void declareLengths(View &view, const ir::Buffer &buffer, FrameState &frame, Mask mask);
  void shapeLike(View &view, const ir::Buffer &buffer, FrameState &frame, Mask mask);
  /// Sets the lengths of blocks declared without a length, in a schedule whose blocks do not have the collective's n elements.
  void lengthsOfModel(View &view, FrameState &frame, Mask mask);
  void assign(const ir::AssignStmt &stmt, FrameState &frame, Mask mask);
  void collectLeaves(const ir::DataExpr &expr, FrameState &frame, const Chunk &chunk, std::vector<Leaf> &leaves);
  /// Assigns one slot per rank, in a loop over the ranks of the chunk.
  void assignSingle(const ir::DataExpr &expr, const std::vector<Leaf> &leaves, Storage &target, const SlotColumn &slots,
                    Chunk chunk);
  /// Computes the value into lane `depth`. `leaf`: the next leaf to read.
  void compute(const ir::DataExpr &expr, const Leaf *&leaf, size_t depth, Chunk chunk);
  /// Assigns any number of slots, for the rank at index `i` of the chunk.
  void assignRank(const ir::AssignStmt &stmt, const std::vector<Leaf> &leaves, Storage &target, const SlotColumn &slots,
                  bool takesLength, std::uint32_t rank, size_t i);
  void contentOf(const ir::DataExpr &expr, const Leaf *&leaf, std::uint32_t rank, size_t i, SlotValues &out);
  /// Reports the operator applications since the last report to the observer.
  void flushWork();

  // ---- steps (LockstepStep.cpp)

  void step(const ir::StepStmt &stmt, FrameState &frame, Mask mask);
  /// Empties the names that receives of the step declare.
  void beginMessages(const ir::StepStmt &stmt, FrameState &frame, Mask mask);
  void collect(const ir::Body &body, FrameState &frame, Mask mask);
  void collect(const ir::TransferStmt &stmt, FrameState &frame, Mask mask);
  /// Sets the partners of a transfer. Returns true if active ranks of the chunk have none.
  bool collectPeers(OpColumn &op, FrameState &frame, const Chunk &chunk);
  /// Sets the shape of the name that a transfer receives into.
  void expectShape(OpColumn &op, const ir::Buffer &buffer, FrameState &frame);

  // ---- use (LockstepUse.cpp)

  void use(const ir::UseStmt &stmt, FrameState &frame, Mask mask);
  /// The groups of `size` ranks each that a `use ... among` makes. `lo`: the first value of its variable.
  RankMap groups(const ir::UseStmt &stmt, FrameState &frame, std::int64_t lo, std::int64_t size, Mask mask);
  /// Makes a parameter of the used schedule a view of a slice of the caller.
  void bind(const ir::Slice &slice, const ir::Buffer &param, FrameState &outer, FrameState &inner, Mask mask);

  CaseRun &caseRun;
  const ir::Schedule &schedule;
  Machine &machine;
  RunObserver &observer;
  TreeCache &trees;
  const Limits &limits;
  const std::uint32_t ranks;

  LockstepRound round;
  std::uint64_t steps = 0;
  unsigned useDepth = 0;
  std::map<const ir::UseStmt *, std::vector<View>> locals; // local buffers of used schedules, reused by the next `use`
  std::vector<std::int64_t> work; // [rank][sample]
  bool hasWork = false;
  // The following is maintained only for observers of loops.
  const bool followsLoops;
  std::vector<RunningFrame> running; // outermost first
  std::vector<std::int64_t> heads;
  unsigned rankLoops = 0; // nesting of loops whose bounds depend on the rank
  std::deque<Lane> lanes; // reused by the next assignment
};

} // namespace quadrille::compiler::lockstep

#endif // QUADRILLE_INSTANTIATE_LOCKSTEP_H
