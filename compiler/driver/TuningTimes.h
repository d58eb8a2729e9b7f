//===- TuningTimes.h - The measurements of `quadrille tune` --------------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_DRIVER_TUNINGTIMES_H
#define QUADRILLE_DRIVER_TUNINGTIMES_H

#include "TuningGrid.h"

#include "report/ProgressLine.h"
#include "run/Cases.h"
#include "tune/Journal.h"
#include "tune/Worth.h"

#include <chrono>

namespace quadrille::compiler {

/// Measures the schedules of cells, and the MPI library's own collectives beside them, as long as the budget of seconds lasts. Times go to
/// the cells and to the journal, which is written after each run, so that the next command goes on where this one has ended.
class TuningTimes {
public:
  /// `request`: what all runs have in common. `keepsJournal`: else it is never written, and nobody else's collectives are measured. The
  /// budget counts from `began`.
  TuningTimes(Session &session, const TuningGrid &grid, const run::RunRequest &request, tune::Journal &journal, bool keepsJournal,
              std::chrono::steady_clock::time_point began);

  /// Measures one p after the other, and for each p one length after the other, each with all collectives. False after an error.
  bool measure(std::vector<tune::Cell> &cells);

  /// The number of times of schedules that are worth measuring. The others are predicted to be much slower than the fastest.
  size_t worthMeasuring() const { return wanted; }
  /// Whether the MPI library's own collective is still to be measured in a cell.
  bool needsMpi(const tune::Cell &cell) const;

private:
  bool measureAt(std::int64_t p, std::int64_t n, std::int64_t parameter, bool ofIntegers, std::vector<tune::Cell> &cells);
  bool measureMpi(std::int64_t p, std::int64_t n, const std::vector<tune::Cell> &cells);
  bool runAll(llvm::ArrayRef<run::ScheduleToRun> schedules, const run::RunRequest &what);
  tune::Journal::Key keyOf(const tune::Cell &cell, const tune::Timed &timed) const;
  bool isTimeLeft() const;

  Session &session;
  const TuningGrid &grid;
  run::RunRequest request;
  tune::Journal &journal;
  const bool keepsJournal;
  const std::chrono::steady_clock::time_point began;
  ProgressLine progress;
  std::string doing; // the beginning of the progress line during a run
  size_t wanted = 0;
};

} // namespace quadrille::compiler

#endif // QUADRILLE_DRIVER_TUNINGTIMES_H
