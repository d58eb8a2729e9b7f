//===- ChoiceTable.h - What a selection table chooses ---------------------------------------------------------------*- C++ -*-===//
//
// The code of libquadrille reads the tables here, too (runtime/collectives/Table.h). So a text means the same to both.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_DRIVER_CHOICETABLE_H
#define QUADRILLE_DRIVER_CHOICETABLE_H

#include "Commands.h"

#include "Table.h"
#include "tune/Worth.h"

#include <deque>
#include <map>

namespace quadrille::compiler {

/// What a table chooses.
struct Chosen {
  const quadrille::detail::TableRow *row = nullptr;

  std::string text() const;
};

/// The rows of a user's table, and then those that the library has compiled in.
class ChoiceTable {
public:
  using TableRow = quadrille::detail::TableRow;

  explicit ChoiceTable(Session &session) : session(session) {}

  /// Reads `file` (empty: there is none) for a backend, "mpi" or "shm". False after a mistake, which has been reported.
  bool read(const std::string &file, const std::string &backend);
  /// The number of rows of the file that are for this backend.
  size_t rowsOfFile() const { return ownRows; }

  /// The rows for a collective that hold for p ranks, with a core for each or not as the command line says, in their order.
  std::vector<const TableRow *> rowsFor(const std::string &collective, std::int64_t p) const;
  static Chosen choose(llvm::ArrayRef<const TableRow *> rows, std::uint64_t bytes, bool commutative);
  /// All numbers of bytes at which a row begins or ceases to hold, and 0; sorted.
  static std::vector<std::uint64_t> changes(llvm::ArrayRef<const TableRow *> rows);

  /// What the table's choices for calls whose operators commute are worth by measured times; nothing if none of them was measured.
  std::optional<tune::Worth> worth(const std::string &collective, const tune::Journal &journal) const;

private:
  bool admits(const TableRow &row, std::int64_t p) const;

  Session &session;
  std::deque<quadrille::CandidateFacts> facts;
  std::map<const quadrille::CandidateFacts *, const ir::Schedule *> schedules;
  std::vector<const quadrille::CandidateFacts *> known;
  std::vector<TableRow> rows; // those of the file, then the library's
  size_t ownRows = 0;
};

} // namespace quadrille::compiler

#endif // QUADRILLE_DRIVER_CHOICETABLE_H
