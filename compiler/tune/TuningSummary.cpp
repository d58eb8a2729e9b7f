//===- TuningSummary.cpp - How far tuning has come --------------------------------------------------------------------===//

#include "TuningSummary.h"

#include "source/Counted.h"

#include "llvm/ADT/STLExtras.h"

namespace quadrille::compiler::tune {

static size_t countOf(llvm::ArrayRef<Cell> cells, llvm::function_ref<bool(const Timed &)> isMeant) {
  size_t count = 0;
  for (const Cell &cell : cells)
    count += static_cast<size_t>(llvm::count_if(cell.schedules, isMeant));
  return count;
}

static size_t countOf(llvm::ArrayRef<Cell> cells) {
  return countOf(cells, [](const Timed &) { return true; });
}

void printPredicted(llvm::ArrayRef<Cell> cells, llvm::raw_ostream &out) { out << counted(countOf(cells), "time") << " predicted, none measured\n"; }

void printSummary(llvm::ArrayRef<Cell> cells, const TuningTimes &times, std::uint64_t budget, llvm::raw_ostream &out) {
  const size_t all = countOf(cells), slow = all - times.worthMeasuring();
  const size_t measured = countOf(cells, [](const Timed &timed) { return timed.measured.has_value(); });
  const size_t done = countOf(cells, [](const Timed &timed) { return timed.measured && timed.isWanted; });
  out << measured << " of " << all << " times measured; " << slow << (slow == 1 ? " was" : " were") << " predicted to be more than 3 times the fastest\n";
  const size_t left = times.worthMeasuring() - done + static_cast<size_t>(llvm::count_if(cells, [&](const Cell &cell) { return times.needsMpi(cell); }));
  const auto undecided = llvm::count_if(cells, [&](const Cell &cell) { return times.roundsLeft(cell) > 0; });
  if (left == 0 && undecided == 0)
    return;
  out << "the budget of " << budget << " s is used up";
  if (left > 0)
    out << ", " << left << (left == 1 ? " is" : " are") << " left";
  if (undecided > 0)
    out << ", at " << undecided << (undecided == 1 ? " place" : " places") << " rounds of the fastest by turns are left";
  out << ": the same command goes on\n";
}

} // namespace quadrille::compiler::tune
