//===- Lengths.h - Lengths of blocks ---------------------------------------------------------------------------*- C++ -*-===//
//
// A block has n elements, or the number in an entry of a table: `block[p] of len[j]`. For the checks, n and the entries are
// symbols: blocks are equally long for all lengths if they have the same symbol, and packets if they also have the same number.
// For costs and real runs the tables are filled with numbers.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_EVALUATE_LENGTHS_H
#define QUADRILLE_EVALUATE_LENGTHS_H

#include "Case.h"
#include "Evaluate.h"

#include <cassert>

namespace quadrille::compiler {

/// A table at one p. All tables of a schedule share one numbering of entries: this one has the numbers from `first` on, row by row.
struct LengthTable {
  std::string name;
  llvm::SmallVector<std::int64_t, 2> extents;
  std::uint32_t first = 0, entries = 0;

  /// The number of an entry; nothing if the indices are out of range.
  std::optional<std::uint32_t> entry(llvm::ArrayRef<std::int64_t> indices) const;
  /// The name of an entry: `len[2][3]`.
  std::string text(std::uint32_t entry) const;
  std::string text(llvm::ArrayRef<std::int64_t> indices) const;
  diag::Extents size() const { return std::vector<std::int64_t>(extents.begin(), extents.end()); }
};

/// All tables of a schedule; null if it has none.
using LengthTables = std::shared_ptr<const std::vector<LengthTable>>;

/// The number of entries of all tables.
inline std::uint64_t entryCount(const LengthTables &tables) {
  assert((!tables || !tables->empty()) && "a schedule without tables has null");
  return tables ? std::uint64_t(tables->back().first) + tables->back().entries : 0;
}

/// The tables of a schedule at one p. Throws Finding, EvaluationError.
LengthTables lengthTables(const ir::Schedule &schedule, const Case &instance);

/// The lengths of one run: n and the entries of all tables.
struct Lengths {
  Lengths(std::int64_t n = 0) : n(n) {}
  Lengths(std::int64_t n, LengthTables tables, std::vector<std::int64_t> entries)
      : n(n), entries(std::move(entries)), tables(std::move(tables)) {
    assert(this->entries.size() == entryCount(this->tables) && "one length for each entry");
  }

  /// All lengths multiplied by `factor`; nothing if they do not fit.
  std::optional<Lengths> times(std::int64_t factor) const;

  std::int64_t n;
  std::vector<std::int64_t> entries;
  LengthTables tables;
};

/// Ways to fill tables around a length n.
enum class LengthPattern {
  Even,   // n everywhere
  Uneven, // a quarter of the entries is 0, most others are below n, one in sixteen up to 8n
  Single, // one entry of each table is n (with two indices, from rank 0 to the last rank); all others are 0
};

/// The name on the command line.
llvm::StringRef patternName(LengthPattern pattern);

Lengths fill(const LengthTables &tables, std::int64_t n, LengthPattern pattern);

/// How the user wants tables to be filled: with `entries` or, if these are empty, by a pattern around n.
struct LengthChoice {
  LengthPattern pattern = LengthPattern::Uneven;
  std::vector<std::int64_t> entries;
};

/// Fills the tables. Throws Finding if the number of chosen entries is wrong.
Lengths lengthsFor(const LengthTables &tables, std::int64_t n, const LengthChoice &choice);

/// The bottleneck volume h of a p by p table: the largest total number of elements that a rank has to send, or to receive. For a
/// table with one index, the sum of its entries.
std::int64_t bottleneckVolume(const Lengths &lengths, const LengthTable &table);

/// The lengths as text, with a bounded number of entries: "len = 3,0,5"; if all but one are equal, "len = 0,... but len[4][9] = 1".
std::string lengthsText(const Lengths &lengths);

/// The length of a packet if n elements are split into packets: the first n mod `packets` have one element more than the others.
std::int64_t packetLength(std::int64_t n, std::int64_t packets, std::int64_t index);

} // namespace quadrille::compiler

#endif // QUADRILLE_EVALUATE_LENGTHS_H
