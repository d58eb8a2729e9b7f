//===- Round.h - What happens in one round ------------------------------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_INSTANTIATE_ROUND_H
#define QUADRILLE_INSTANTIATE_ROUND_H

#include "Machine.h"

#include "evaluate/Evaluate.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <optional>

namespace quadrille::compiler {

class RankMap;
struct View;

/// When one side of a message happens, as its schedule and those that use that one state.
struct StatedTime {
  const ir::Clock *clock = nullptr; // the innermost; null: it is not stated, or nobody wants to know
  llvm::ArrayRef<std::int64_t> numbers;
};

struct Transfer {
  std::uint32_t source = 0, destination = 0; // machine ranks
  const ir::TransferStmt *send = nullptr, *recv = nullptr;
  // What travels, in the sender's storage; null without data.
  const Storage *storage = nullptr;
  const SlotRun *runs = nullptr;
  std::uint32_t runCount = 0;
  std::uint32_t slots = 0;
  StatedTime sentAt, receivedAt; // in simulation
};

/// The partners in a round in which every rank sends at most one message and receives at most one, all by the same two
/// statements: -1 for none. Most rounds are such, and looking at partners is cheaper than at a list of transfers.
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
  /// By source, then in the order of the text. Left empty if there are `partners` and no observer wants transfers.
  std::vector<Transfer> transfers;
  std::vector<std::int64_t> words; // per transfer, one per sample of the machine
};

/// A schedule that is running: the outermost one, or one that it uses.
struct RunningFrame {
  const ir::UseStmt *use = nullptr; // null for the outermost schedule
  const ir::Schedule *schedule = nullptr;
  const std::vector<View> *views = nullptr; // per buffer
  const RankMap *ranks = nullptr;
};

/// All ranks have come to the head of a loop: they are about to begin an iteration, or have done the last one.
///
/// Where a loop stands is told by one number that says as much before an iteration as after the last one:
///   Ascending, Times     the variable of the coming iteration; after the last, what it would be next
///   Descending           the variable + 1; after the last, its lower bound
///   Half                 twice the variable; after the last, its lower bound
///   Halvings             the whole that is about to be halved; after the last, 1
///   HalvingsReversed     the half that is about to be made whole; after the last, the extent
struct LoopVisit {
  const ir::ForStmt *loop = nullptr;
  const std::uint8_t *active = nullptr; // per machine rank, whether it takes part; null: all do
  /// The variables of the last frame that the expressions speak of, of one machine rank; those of the loop itself are old.
  llvm::function_ref<Frame(llvm::ArrayRef<const ir::Expr *>, std::uint32_t rank)> frameOf;
  llvm::ArrayRef<RunningFrame> frames; // from the outermost to the one that the loop is in
  llvm::ArrayRef<std::int64_t> heads;  // of the loops around it, of frames outside too, and of itself, outermost first
};

/// One rank has come to the head of a loop that states invariants, of the outermost schedule.
struct RankVisit {
  const ir::ForStmt &loop;
  std::uint32_t rank;
  std::int64_t head;             // as LoopVisit tells where a loop stands; the rank of a loop over ranks, in the end `none`
  const Frame &frame;            // of that rank; the variables of the loop itself are old
  const std::vector<View> &views; // with one entry for that rank
  const RankMap &ranks;
};

/// Sees a run as it happens: checks, costs, pictures. The data has not moved yet when `onRound` is called.
class RunObserver {
public:
  virtual ~RunObserver() = default;
  /// False if `onRound` makes do with `partners` where there are any.
  virtual bool wantsTransfers() const { return true; }
  virtual void onRound(const Round &, const Machine &) {}
  /// True if `onLoopHead` is to be called: in lockstep, for loops with the same bounds on all ranks.
  virtual bool wantsLoops() const { return false; }
  virtual void onLoopHead(const LoopVisit &, const Machine &) {}
  /// True if `onRankHead` is to be called, and if transfers are to have the times that are stated: in simulation.
  virtual bool wantsStated() const { return false; }
  virtual void onRankHead(const RankVisit &, const Machine &) {}
  /// There are more heads than `onRankHead` will be called for.
  virtual void onHeadsLeftOut() {}
  /// The run begins anew, by simulation: what has been seen does not count.
  virtual void onRestart() {}
  /// Ranks first ..< first + count have finished a step and are about to do local work or start the next one.
  virtual void onStepEnd(std::uint32_t, std::uint32_t) {}
  /// All ranks are done, and so is their local work.
  virtual void onEnd(const Machine &) {}
  /// Operator applications of ranks first ..< first + count since their last step, in words per sample.
  virtual void onWork(std::uint32_t, std::uint32_t, const std::int64_t *, const Machine &) {}
};

} // namespace quadrille::compiler

#endif // QUADRILLE_INSTANTIATE_ROUND_H
