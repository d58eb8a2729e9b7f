//===- Round.h - What happens in one round ------------------------------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_INSTANTIATE_ROUND_H
#define QUADRILLE_INSTANTIATE_ROUND_H

#include "Machine.h"

#include <optional>

namespace quadrille {

struct Transfer {
  std::uint32_t source = 0, destination = 0; // machine ranks
  const ir::TransferStmt *send = nullptr, *recv = nullptr;
  // What travels, in the sender's storage; null without data.
  const Storage *storage = nullptr;
  const SlotRun *runs = nullptr;
  std::uint32_t runCount = 0;
  std::uint32_t slots = 0;
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

/// Sees a run as it happens: checks, costs, pictures. The data has not moved yet when `onRound` is called.
class RunObserver {
public:
  virtual ~RunObserver() = default;
  /// False if `onRound` makes do with `partners` where there are any.
  virtual bool wantsTransfers() const { return true; }
  virtual void onRound(const Round &, const Machine &) {}
  /// The run begins anew, by simulation: what has been seen does not count.
  virtual void onRestart() {}
  /// Ranks first ..< first + count have finished a step and are about to do local work or start the next one.
  virtual void onStepEnd(std::uint32_t, std::uint32_t) {}
  /// All ranks are done, and so is their local work.
  virtual void onEnd(const Machine &) {}
  /// Operator applications of ranks first ..< first + count since their last step, in words per sample.
  virtual void onWork(std::uint32_t, std::uint32_t, const std::int64_t *, const Machine &) {}
};

} // namespace quadrille

#endif // QUADRILLE_INSTANTIATE_ROUND_H
