//===- ContentsTrace.h - What every rank holds after every round -------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_DRAW_CONTENTSTRACE_H
#define QUADRILLE_DRAW_CONTENTSTRACE_H

#include "instantiate/Round.h"
#include "scene/Page.h"

#include <optional>
#include <string>
#include <vector>

namespace quadrille::compiler::draw {

using scene::Table;

/// Thrown to end a run that would show too much. It says nothing about the schedule.
struct TooMuchToShow {};

/// Records one table for the start and one for each round. It has a row per rank: what the rank sends and receives, and what its
/// outputs and variables hold before the next round. The product of the blocks of ranks a to b is written `a:b`, a block that is
/// only moved `x@1` or `x@1[2]`, an empty one `-`. Packets of a block are written in braces unless all are equal; a packet that
/// is sent has its number after a point.
class ContentsTrace : public RunObserver {
public:
  /// A run throws TooMuchToShow if more than `maxCells` blocks would be shown. `n`: if given, the length of a block, which must be
  /// the first sample of the machine; tables then show how many elements each rank sends.
  ContentsTrace(const ir::Schedule &schedule, std::uint64_t maxCells, std::optional<std::int64_t> n);

  void onRound(const Round &round, const Machine &machine) override;
  void onRestart() override;
  void onEnd(const Machine &machine) override;

  /// The tables so far. The table of an unfinished round has no contents.
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
  Table current; // of the current round, without contents
};

} // namespace quadrille::compiler::draw

#endif // QUADRILLE_DRAW_CONTENTSTRACE_H
