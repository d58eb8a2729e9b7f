//===- Finals.h - The fastest schedules of a cell, timed by turns ---------------------------------------------------------*- C++ -*-===//
//
// Candidates are timed one after the other, and a machine changes meanwhile: on a virtual one two threads may have a core each in one
// minute and share one in the next, which is a factor of four. So those of a cell that come out close to the fastest one are timed again,
// by turns, in some rounds, and are compared by their ratios within each round.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_TUNE_FINALS_H
#define QUADRILLE_TUNE_FINALS_H

#include "SelectionTable.h"

#include <map>
#include <vector>

namespace quadrille::compiler::tune {

/// The indices, in ascending order, of the schedules of a cell that were measured and may be the fastest of those that serve a kind of call:
/// any, those with an operator that does not commute, those with any number of ranks. Fewer than two: there is nothing to be decided.
std::vector<size_t> finalistsOf(const Cell &cell);

/// The times of the finalists of one cell.
class FinalTimes {
public:
  /// Fewer rounds decide nothing.
  static constexpr unsigned leastRounds = 3;

  void add(size_t schedule, unsigned round, double seconds) { rounds[round][schedule] = seconds; }
  bool has(size_t schedule, unsigned round) const {
    const auto found = rounds.find(round);
    return found != rounds.end() && found->second.count(schedule) != 0;
  }
  /// Forgets rounds in which not all were timed.
  void dropIncomplete(llvm::ArrayRef<size_t> finalists);

  /// How many rounds have a time for each of the finalists.
  unsigned completeRounds(llvm::ArrayRef<size_t> finalists) const;

  /// The seconds of each finalist: the median, over the complete rounds, of its ratio to the geometric mean of the round, times the median of these
  /// means. Empty if there are fewer than leastRounds.
  std::map<size_t, double> settle(llvm::ArrayRef<size_t> finalists) const;

  /// Replaces the times that were measured in the cell: those of finalists by what they are settled at, and those of the others by what they would
  /// have been then, if the machine had changed equally for all. False if there are too few rounds.
  bool decide(Cell &cell, llvm::ArrayRef<size_t> finalists) const;

private:
  bool isComplete(const std::map<size_t, double> &round, llvm::ArrayRef<size_t> finalists) const;

  std::map<unsigned, std::map<size_t, double>> rounds; // seconds by round and schedule
};

} // namespace quadrille::compiler::tune

#endif // QUADRILLE_TUNE_FINALS_H
