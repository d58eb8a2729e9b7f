//===- Round.h - What happens in one round ------------------------------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_INSTANTIATE_ROUND_H
#define QUADRILLE_INSTANTIATE_ROUND_H

#include "Machine.h"

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

struct Round {
  std::uint32_t number = 0;
  std::vector<Transfer> transfers; // by source, then in the order of the text
  std::vector<std::int64_t> words; // per transfer, one per sample of the machine
};

/// Sees a run as it happens: checks, costs, pictures. The data has not moved yet when `onRound` is called.
class RunObserver {
public:
  virtual ~RunObserver() = default;
  virtual void onRound(const Round &, const Machine &) {}
  /// Rank `rank` has finished a step and is about to do local work or start the next one.
  virtual void onStepEnd(std::uint32_t) {}
  /// Operator applications of ranks first ..< first + count since their last step, in words per sample.
  virtual void onWork(std::uint32_t, std::uint32_t, const std::int64_t *, const Machine &) {}
};

} // namespace quadrille

#endif // QUADRILLE_INSTANTIATE_ROUND_H
