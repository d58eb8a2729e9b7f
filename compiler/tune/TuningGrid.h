//===- TuningGrid.h - For which calls `quadrille tune` makes a table ---------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_TUNE_TUNINGGRID_H
#define QUADRILLE_TUNE_TUNINGGRID_H

#include "Calls.h"
#include "SelectionTable.h"

#include "diagnostics/Diagnostics.h"
#include "source/Sources.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace quadrille::compiler::tune {

/// What the user wants a table for.
struct TableWish {
  std::vector<std::string> collectives; // none: all that libquadrille has
  std::vector<std::int64_t> ps;         // none: usual numbers, or those of the calls
  std::string callsFile;                // the calls of a program; empty: usual lengths
  bool isPredicted = false;             // nothing is measured, so p may be larger
};

/// The collectives, numbers of ranks and lengths of a table: those that the user gives, the calls of a program (--from), or usual ones.
class TuningGrid {
public:
  /// The elements of which lengths are counted: what is combined are numbers of floating point or integers, of eight bytes each.
  static constexpr std::int64_t elementBytes = 8;

  /// What the calls of a program need to know of a collective for one p and one length.
  struct Wish {
    bool hasIntegers = false;  // most calls combine integers, and not numbers of floating point
    bool isOrdered = true;     // no operator commutes
    std::uint64_t integers = 0, others = 0;
  };

  TuningGrid(TableWish wish, Sources &sources, Diagnostics &diagnostics) : wish(std::move(wish)), sources(sources), diagnostics(diagnostics) {}

  /// Chooses all. False after an error, which has been reported.
  bool choose() { return chooseCollectives() && chooseNumbers(); }

  /// What is needed in a cell; nothing if the program makes no such calls.
  std::optional<Wish> wishFor(const Cell &cell) const;
  /// Whether most calls of a cell combine integers.
  bool hasIntegers(const Cell &cell) const {
    const std::optional<Wish> wish = wishFor(cell);
    return wish && wish->hasIntegers;
  }

  /// The bytes of a block of n elements, as cells have them: a barrier has none.
  static std::uint64_t bytesFor(llvm::StringRef collective, std::int64_t n) {
    return collective == "barrier" ? 0 : static_cast<std::uint64_t>(n * elementBytes);
  }

  std::vector<std::string> collectives;
  std::vector<std::int64_t> ps, ns; // ascending

private:
  bool chooseCollectives();
  bool chooseNumbers();
  void add(const Call &call);

  const TableWish wish;
  Sources &sources;
  Diagnostics &diagnostics;
  std::map<std::tuple<std::string, std::int64_t, std::int64_t>, Wish> wishes; // with --from: by collective, p and n
};

} // namespace quadrille::compiler::tune

#endif // QUADRILLE_TUNE_TUNINGGRID_H
