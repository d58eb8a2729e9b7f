//===- SelectionTable.h - From times to a table that chooses ------------------------------------------------------------*- C++ -*-===//
//
// docs/collectives.md describes the table. A row holds around each place - p ranks, blocks of so many bytes - where times are known: half
// way to the next place, on a logarithmic scale. What is fastest there may need a commutative operator, or some p that are near do not
// admit it; so others follow it that do without.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_TUNE_SELECTIONTABLE_H
#define QUADRILLE_TUNE_SELECTIONTABLE_H

#include "ir/Schedule.h"

#include "llvm/ADT/ArrayRef.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace quadrille::compiler::tune {

/// A schedule with the parameter that it is given, and how long it takes.
struct Timed {
  const ir::Schedule *schedule = nullptr;
  std::string parameter; // as in tables: "k=auto", "g=2"; empty: it has none
  double predicted = 0;  // seconds
  std::optional<double> measured;
  bool hasFreePorts = false; // it needs more ports than one, which cost nothing in predictions: they are not to be compared

  double seconds() const { return measured.value_or(predicted); }
  bool needsCommutative() const { return schedule->requiresCommutative && schedule->usesOperator; }
  bool admitsAll() const { return schedule->requirements.empty(); }
};

/// What is known of a collective at one place.
struct Cell {
  std::string collective;
  std::int64_t p = 1;
  std::uint64_t bytes = 0; // of a block
  std::vector<Timed> schedules; // that admit p
};

/// The schedules for a cell, the preferred one first. Of a cell in which anything was measured only that counts; else only predictions that can be
/// compared, if there are any. A schedule that is almost
/// as fast as the fastest comes first if it does so in the cell before, so that rows do not change by chance.
std::vector<const Timed *> preferencesOf(const Cell &cell, llvm::ArrayRef<const Timed *> before);

/// The rows for cells, which are sorted by collective, p and bytes. Stretches with the same preferences are one.
std::string rowsText(llvm::ArrayRef<Cell> cells);

/// The whole table. `machine`: a line that describes it.
std::string tableText(llvm::ArrayRef<Cell> cells, llvm::StringRef backend, llvm::StringRef machine);

} // namespace quadrille::compiler::tune

#endif // QUADRILLE_TUNE_SELECTIONTABLE_H
