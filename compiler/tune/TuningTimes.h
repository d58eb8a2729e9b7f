//===- TuningTimes.h - The measurements of `quadrille tune` --------------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_TUNE_TUNINGTIMES_H
#define QUADRILLE_TUNE_TUNINGTIMES_H

#include "Finals.h"
#include "Journal.h"
#include "TuningGrid.h"
#include "Worth.h"

#include "report/ProgressLine.h"
#include "run/Cases.h"

#include <chrono>

namespace quadrille::compiler::tune {

/// Measures the schedules of cells, and the MPI library's own collectives beside them, as long as the budget of seconds lasts. Times go to
/// the cells and to the journal, which is written after each run, so that the next command goes on where this one has ended.
class TuningTimes {
public:
  /// `request`: what all runs have in common. `keepsJournal`: else it is never written, and nobody else's collectives are measured. No run
  /// begins after `end`.
  TuningTimes(const TuningGrid &grid, const run::RunRequest &request, Journal &journal, bool keepsJournal,
              std::chrono::steady_clock::time_point end, Sources &sources, Diagnostics &diagnostics);

  /// Measures one p after the other, and for each p one length after the other, each with all collectives; then the fastest ones of each cell
  /// by turns. False after an error.
  bool measure(std::vector<Cell> &cells);

  /// The number of times of schedules that are worth measuring. The others are predicted to be much slower than the fastest.
  size_t worthMeasuring() const { return wanted; }
  /// Whether the MPI library's own collective is still to be measured in a cell.
  bool needsMpi(const Cell &cell) const;
  /// The number of rounds in which the fastest schedules of a cell have still to be timed by turns; 0 also where it is not known yet which these are.
  unsigned roundsLeft(const Cell &cell) const;

private:
  /// One launch: all schedules in it have the same parameter, since a request has one value (0: the call chooses it, or there is none).
  struct Launch {
    std::int64_t p = 1, n = 1, parameter = 0;
    bool ofIntegers = false;
  };
  using Wants = llvm::function_ref<bool(const Cell &cell, const Timed &timed)>;
  using Note = llvm::function_ref<void(Cell &cell, Timed &timed, double seconds)>;

  bool measureAll(std::vector<Cell> &cells, llvm::StringRef what, Wants wants, Note note);
  bool measureAt(const Launch &launch, std::vector<Cell> &cells, llvm::StringRef what, Wants wants, Note note);
  bool measureFinals(std::vector<Cell> &cells);
  std::vector<size_t> finalists(const Cell &cell) const;
  FinalTimes finalTimes(const Cell &cell, llvm::ArrayRef<size_t> finalists) const;
  bool measureMpi(std::int64_t p, std::int64_t n, const std::vector<Cell> &cells);
  bool runAll(llvm::ArrayRef<run::ScheduleToRun> schedules, const run::RunRequest &what, unsigned passes);
  Journal::Key keyOf(const Cell &cell, const Timed &timed) const;
  bool isTimeLeft() const;

  const TuningGrid &grid;
  run::RunRequest request;
  Journal &journal;
  const bool keepsJournal;
  const std::chrono::steady_clock::time_point end;
  Sources &sources;
  Diagnostics &diagnostics;
  ProgressLine progress;
  std::string doing; // the beginning of the progress line during a run
  size_t wanted = 0;
};

} // namespace quadrille::compiler::tune

#endif // QUADRILLE_TUNE_TUNINGTIMES_H
