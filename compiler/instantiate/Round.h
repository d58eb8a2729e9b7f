//===- Round.h - Rounds, loop heads, and their observers --------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_INSTANTIATE_ROUND_H
#define QUADRILLE_INSTANTIATE_ROUND_H

#include "Machine.h"

#include "evaluate/Evaluate.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <optional>

namespace quadrille::compiler {

class RankMap;
struct View;

/// The stated time of one side of a message: the clock of its schedule, preceded by those of the `use`s that led to it.
struct StatedTime {
  const ir::Clock *clock = nullptr; // the innermost one; null: not stated, or not wanted by observers
  llvm::ArrayRef<std::int64_t> numbers;
};

struct Transfer {
  std::uint32_t source = 0, destination = 0; // machine ranks
  const ir::TransferStmt *send = nullptr, *recv = nullptr;
  // The data, in the storage of the sender; null for a message without data.
  const Storage *storage = nullptr;
  const SlotRun *runs = nullptr;
  std::uint32_t runCount = 0;
  std::uint32_t slots = 0;
  StatedTime sentAt, receivedAt; // set by the simulation only
};

/// The compact form of a round in which every rank sends at most one message and receives at most one, all by the same two
/// statements. `to`, `from`: the partner of each rank, or -1. Most rounds have this form, which is cheaper than a list.
struct Partners {
  const std::int32_t *to = nullptr, *from = nullptr; // per rank
  const ir::TransferStmt *send = nullptr, *recv = nullptr;
  // Words that a rank sends, per sample: words[rank * stride + sample]; the stride is 0 if all send the same.
  const std::int64_t *words = nullptr;
  std::size_t stride = 0;
};

struct Round {
  std::uint32_t number = 0;
  std::uint32_t transferCount = 0;
  std::optional<Partners> partners;
  /// Sorted by source, then in the order of the text. Empty if `partners` is set and no observer wants transfers.
  std::vector<Transfer> transfers;
  std::vector<std::int64_t> words; // [transfer][sample of the machine]
};

/// A schedule that is being executed: the outermost one, or one that it uses.
struct RunningFrame {
  const ir::UseStmt *use = nullptr; // null for the outermost schedule
  const ir::Schedule *schedule = nullptr;
  const std::vector<View> *views = nullptr; // per buffer
  const RankMap *ranks = nullptr;
};

/// All ranks are at the head of a loop: before an iteration, or after the last one.
///
/// The position in the loop is given by one number, the head:
///   Ascending, Times     the variable of the coming iteration; after the last one, its next value
///   Descending           the variable + 1; after the last iteration, the lower bound
///   Half                 twice the variable; after the last iteration, the lower bound
///   Halvings             the larger variable of the coming iteration; after the last one, 1
///   HalvingsReversed     the smaller variable of the coming iteration; after the last one, the extent
struct LoopVisit {
  const ir::ForStmt *loop = nullptr;
  const std::uint8_t *active = nullptr; // per machine rank, whether it takes part; null: all do
  /// A frame with the values of those variables that the expressions mention, in the innermost of `frames`, for one machine rank.
  /// The loop's own variables are not set to the coming iteration.
  llvm::function_ref<Frame(llvm::ArrayRef<const ir::Expr *>, std::uint32_t rank)> frameOf;
  llvm::ArrayRef<RunningFrame> frames; // the running schedules, outermost first; the loop is in the last one
  llvm::ArrayRef<std::int64_t> heads;  // of all enclosing loops in all frames and, last, of this one
};

/// One rank is at the head of a loop of the outermost schedule that states invariants.
struct RankVisit {
  const ir::ForStmt &loop;
  std::uint32_t rank;
  std::int64_t head;             // as in LoopVisit; in a loop over ranks: the coming rank, after the last one `none`
  const Frame &frame;            // of that rank; the loop's own variables are not set to the coming iteration
  const std::vector<View> &views; // they contain that rank only
  const RankMap &ranks;
};

/// Observes a run: a base for checks, costs and pictures. When `onRound` is called, the data of the round has not moved yet.
class RunObserver {
public:
  virtual ~RunObserver() = default;
  /// False if `onRound` does not need Round::transfers when Round::partners is set.
  virtual bool wantsTransfers() const { return true; }
  virtual void onRound(const Round &, const Machine &) {}
  /// Whether to call `onLoopHead`. It is called in lockstep only, for loops whose bounds are the same on all ranks.
  virtual bool wantsLoops() const { return false; }
  virtual void onLoopHead(const LoopVisit &, const Machine &) {}
  /// Whether to call `onRankHead` and to set the stated times of transfers. Only the simulation does both.
  virtual bool wantsStated() const { return false; }
  virtual void onRankHead(const RankVisit &, const Machine &) {}
  /// There are too many heads: `onRankHead` is called for some of them only.
  virtual void onHeadsLeftOut() {}
  /// The run starts again, by simulation. The observer must discard what it has seen.
  virtual void onRestart() {}
  /// The ranks first ..< first + count have finished a step. Local work or the next step follows.
  virtual void onStepEnd(std::uint32_t, std::uint32_t) {}
  /// All ranks have finished, with their local work.
  virtual void onEnd(const Machine &) {}
  /// Operator applications of the ranks first ..< first + count since their last step: words, [rank - first][sample].
  virtual void onWork(std::uint32_t, std::uint32_t, const std::int64_t *, const Machine &) {}
};

} // namespace quadrille::compiler

#endif // QUADRILLE_INSTANTIATE_ROUND_H
