//===- SelectionTable.h - From times to a table that chooses ------------------------------------------------------------*- C++ -*-===//
//
// docs/collectives.md describes the table. Times are known for some p and some lengths of blocks. A row holds for one of them, and half way
// to the next ones on a logarithmic scale. The fastest schedule may need a commutative operator, or refuse some p that the row covers. So rows
// with schedules that serve these calls follow it.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_TUNE_SELECTIONTABLE_H
#define QUADRILLE_TUNE_SELECTIONTABLE_H

#include "cost/Meter.h"
#include "ir/Schedule.h"

#include "llvm/ADT/ArrayRef.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace quadrille::compiler::tune {

/// What is predicted to take so many times as long as the fastest schedule is not measured: predictions err by less (docs/machines.md).
inline constexpr double hopeless = 3;

/// A schedule with the parameter that it is given, and how long it takes.
struct Timed {
  const ir::Schedule *schedule = nullptr;
  std::string parameter; // as in tables: "k=auto", "g=2"; empty: it has none
  double predicted = 0;  // seconds
  std::optional<double> measured;
  bool hasFreePorts = false; // it needs several ports. Predictions count these as free, so they must not be compared with others
  Cost cost;                 // of the call, in words
  bool isWanted = true;      // it is to be measured

  double seconds() const { return measured.value_or(predicted); }
  bool needsCommutative() const { return schedule->requiresCommutative && schedule->usesOperator; }
  /// Whether it serves every number of ranks: what it requires is about its parameter alone, whose value is admitted.
  bool admitsAll() const;
};

/// What is known of a collective for one p and one length.
struct Cell {
  std::string collective;
  std::int64_t p = 1;
  std::uint64_t bytes = 0; // of a block
  std::vector<Timed> schedules; // that admit p
};

/// The schedules for a cell, the preferred one first. If times were measured in the cell, only these count; else only predictions that can be
/// compared, if there are any. `before`: the result for the cell before. Its first schedule comes first again if it is almost as fast as
/// the fastest one, so that small errors of measurement do not change rows.
std::vector<const Timed *> preferencesOf(const Cell &cell, llvm::ArrayRef<const Timed *> before);

/// The rows for cells, which are sorted by collective, p and bytes. Stretches with the same preferences are one.
std::string rowsText(llvm::ArrayRef<Cell> cells);

/// The whole table. `machine`: a line that describes it; `remarks`: further lines for readers.
std::string tableText(llvm::ArrayRef<Cell> cells, llvm::StringRef backend, llvm::StringRef machine, llvm::ArrayRef<std::string> remarks = {});

} // namespace quadrille::compiler::tune

#endif // QUADRILLE_TUNE_SELECTIONTABLE_H
