//===- StepCosts.h - What each statement of a run costs ------------------------------------------------------------------*- C++ -*-===//
//
// The synchronous reading of Meter.h, divided among the statements that communicate: a step, or a `use` with all that it does.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_COST_STEPCOSTS_H
#define QUADRILLE_COST_STEPCOSTS_H

#include "Meter.h"

#include "llvm/ADT/DenseMap.h"

namespace quadrille::compiler {

/// Counts for the first sample of lengths. Rounds in which several statements take part count for each of them.
class StepCosts : public RunObserver {
public:
  explicit StepCosts(const ir::Schedule &schedule);

  struct Entry {
    const ir::Stmt *statement;
    Cost cost; // of the rounds in which it takes part; words and applications are those of the rank with the most in each round
    bool isKnown = true; // false: another statement uses the same schedule, so that the rounds of the two cannot be told apart
  };
  /// In the order of the text. Statements that no rank has reached have cost 0.
  const std::vector<Entry> &entries() const { return list; }
  bool countsBlocks() const { return perBlock; } // words and applications are in blocks, not elements

  void onRound(const Round &round, const Machine &machine) override;
  void onWork(std::uint32_t first, std::uint32_t count, const std::int64_t *words, const Machine &machine) override;
  void onRestart() override;
  void onEnd(const Machine &machine) override;

private:
  void collect(const ir::Body &body, std::optional<std::size_t> owner);
  void closeRound();

  std::vector<Entry> list;
  llvm::DenseMap<const ir::TransferStmt *, std::size_t> owners;
  std::vector<std::int64_t> longest, mostWork;             // of the current round, per entry; -1: it takes no part
  std::vector<std::optional<std::size_t>> last;            // per rank: the entry of its last transfer
  bool perBlock = false;
};

} // namespace quadrille::compiler

#endif // QUADRILLE_COST_STEPCOSTS_H
