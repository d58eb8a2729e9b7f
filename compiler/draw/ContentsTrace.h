//===- ContentsTrace.h - What every rank holds after every round -------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_DRAW_CONTENTSTRACE_H
#define QUADRILLE_DRAW_CONTENTSTRACE_H

#include "instantiate/Round.h"

#include <optional>
#include <string>
#include <vector>

namespace quadrille::compiler::draw {

/// Cells, row by row; the first row is the heading.
using Table = std::vector<std::vector<std::string>>;

/// Ends a run; nothing is wrong with the schedule.
struct TooMuchToShow {};

/// Records, for the start and for each round, a table with a row per rank: what it sends and receives, and what its
/// outputs and variables hold when it is ready for the next round. A product of the blocks of ranks a to b is `a:b`, a
/// block that only moves `x@1` or `x@1[2]`, what is empty `-`. Packets of a block stand in braces unless they are
/// alike; one that is sent has its number behind a point.
class ContentsTrace : public RunObserver {
public:
  /// Throws TooMuchToShow where more than `maxCells` blocks would have to be shown. With `n`, the length of a
  /// block and the first sample of the machine, it says how many elements each rank sends.
  ContentsTrace(const ir::Schedule &schedule, std::uint64_t maxCells, std::optional<std::int64_t> n);

  void onRound(const Round &round, const Machine &machine) override;
  void onRestart() override;
  void onEnd(const Machine &machine) override;

  /// The tables so far. A round that did not end comes without contents.
  std::vector<Table> tables() const;

private:
  void showContents(const Machine &machine);
  void showTransfers(const Round &round, const Machine &machine);
  std::string messageText(const Machine &machine, const Transfer &send);
  std::string content(const Machine &machine, const Storage &storage, std::uint32_t rank);
  std::string slotText(const Machine &machine, Value value);
  void count();

  const ir::Schedule &schedule;
  const bool folds;
  const std::uint64_t maxCells;
  const std::optional<std::int64_t> n;
  std::uint64_t cells = 0;
  std::vector<Table> done;
  Table current; // without contents yet
};

} // namespace quadrille::compiler::draw

#endif // QUADRILLE_DRAW_CONTENTSTRACE_H
