//===- ChoiceTable.h - What a selection table chooses ---------------------------------------------------------------*- C++ -*-===//
//
// The code of libquadrille reads the tables here, too (runtime/collectives/Table.h). So a text means the same to both.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_TUNE_CHOICETABLE_H
#define QUADRILLE_TUNE_CHOICETABLE_H

#include "Worth.h"

#include "Table.h"

#include "diagnostics/Diagnostics.h"
#include "ir/Schedule.h"

#include <deque>
#include <map>

namespace quadrille::compiler::tune {

/// What a table chooses.
struct Chosen {
  const quadrille::detail::TableRow *row = nullptr;

  std::string text() const;
};

/// The rows of a user's table, and then those that the library has compiled in.
class ChoiceTable {
public:
  using TableRow = quadrille::detail::TableRow;

  /// `candidates`: the schedules that a table may name. `sharesCores`: ranks have no core for each.
  ChoiceTable(std::vector<const ir::Schedule *> candidates, bool sharesCores, Diagnostics &diagnostics)
      : candidates(std::move(candidates)), sharesCores(sharesCores), diagnostics(diagnostics) {}

  /// Reads `file` (empty: there is none) for a backend, "mpi" or "shm". False after a mistake, which has been reported.
  bool read(const std::string &file, const std::string &backend);
  /// The number of rows of the file that are for this backend.
  size_t rowsOfFile() const { return ownRows; }

  /// The rows for a collective that hold for p ranks, in their order.
  std::vector<const TableRow *> rowsFor(const std::string &collective, std::int64_t p) const;
  static Chosen choose(llvm::ArrayRef<const TableRow *> rows, std::uint64_t bytes, bool commutative);
  /// All numbers of bytes at which a row begins or ceases to hold, and 0; sorted.
  static std::vector<std::uint64_t> changes(llvm::ArrayRef<const TableRow *> rows);

  /// What the table's choices for calls whose operators commute are worth by measured times; nothing if none of them was measured.
  std::optional<Worth> worth(const std::string &collective, const Journal &journal) const;

private:
  bool admits(const TableRow &row, std::int64_t p) const;

  const std::vector<const ir::Schedule *> candidates;
  const bool sharesCores;
  Diagnostics &diagnostics;
  std::deque<quadrille::CandidateFacts> facts;
  std::map<const quadrille::CandidateFacts *, const ir::Schedule *> schedules;
  std::vector<const quadrille::CandidateFacts *> known;
  std::vector<TableRow> rows; // those of the file, then the library's
  size_t ownRows = 0;
};

} // namespace quadrille::compiler::tune

#endif // QUADRILLE_TUNE_CHOICETABLE_H
