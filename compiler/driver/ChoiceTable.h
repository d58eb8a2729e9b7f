//===- ChoiceTable.h - What a selection table chooses ---------------------------------------------------------------*- C++ -*-===//
//
// Tables are read by the library that chooses by them (runtime/collectives/Table.h): there is one description of what a text means.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_DRIVER_CHOICETABLE_H
#define QUADRILLE_DRIVER_CHOICETABLE_H

#include "Commands.h"

#include "Table.h"

#include <deque>
#include <map>

namespace quadrille::compiler {

/// A choice, or none.
struct Chosen {
  const quadrille::detail::TableRow *row = nullptr;

  std::string text() const;
};

/// A table of the user's, and behind it the one of the library.
class ChoiceTable {
public:
  using TableRow = quadrille::detail::TableRow;

  explicit ChoiceTable(Session &session) : session(session) {}

  /// Reads `file` (empty: none) for a backend, "mpi" or "shm". False after a mistake, which is reported.
  bool read(const std::string &file, const std::string &backend);
  /// How many of its rows are for this backend.
  size_t rowsOfFile() const { return ownRows; }

  /// The rows for a collective that are taken with p ranks, in their order.
  std::vector<const TableRow *> rowsFor(const std::string &collective, std::int64_t p) const;
  static Chosen choose(llvm::ArrayRef<const TableRow *> rows, std::uint64_t bytes, bool commutative);
  /// The bytes at which some row begins to hold, or the first behind it; sorted, with 0.
  static std::vector<std::uint64_t> changes(llvm::ArrayRef<const TableRow *> rows);

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
