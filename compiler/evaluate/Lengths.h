//===- Lengths.h - How long blocks are ---------------------------------------------------------------------------*- C++ -*-===//
//
// A block has n elements, or as many as an entry of a table says: `block[p] of len[j]`. For the checks an entry is a
// symbol like n: two blocks are equally long for all lengths if they have the same symbol and, if split, are the same
// packet. For costs and real runs the tables are filled with numbers.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_EVALUATE_LENGTHS_H
#define QUADRILLE_EVALUATE_LENGTHS_H

#include "Case.h"
#include "Evaluate.h"

namespace quadrille::compiler {

/// A table at one p. Its entries are numbered row by row, from `first` on: all tables of a schedule share one numbering.
struct LengthTable {
  std::string name;
  llvm::SmallVector<std::int64_t, 2> extents;
  std::uint32_t first = 0, entries = 0;

  /// The number of an entry; nothing if there is none such.
  std::optional<std::uint32_t> entry(llvm::ArrayRef<std::int64_t> indices) const;
  /// `len[2][3]`
  std::string text(std::uint32_t entry) const;
  std::string text(llvm::ArrayRef<std::int64_t> indices) const;
  /// `5 entries` or `5 x 5 entries`
  std::string size() const;
};

/// All tables of a schedule; shared by all that holds entries of them. Null if there are none.
using LengthTables = std::shared_ptr<const std::vector<LengthTable>>;

/// Entries of all tables.
inline std::uint64_t entryCount(const LengthTables &tables) {
  return tables ? std::uint64_t(tables->back().first) + tables->back().entries : 0;
}

/// The tables of a schedule at one p. Throws Finding, EvaluationError.
LengthTables lengthTables(const ir::Schedule &schedule, const Case &instance);

/// The lengths of one run: n and the entries of all tables.
struct Lengths {
  Lengths(std::int64_t n = 0) : n(n) {}
  Lengths(std::int64_t n, LengthTables tables, std::vector<std::int64_t> entries)
      : n(n), entries(std::move(entries)), tables(std::move(tables)) {}

  /// All lengths so many times; nothing if they do not fit.
  std::optional<Lengths> times(std::int64_t factor) const;

  std::int64_t n;
  std::vector<std::int64_t> entries;
  LengthTables tables;
};

/// Ways to fill tables around a length n.
enum class LengthPattern {
  Even,   // n everywhere
  Uneven, // a quarter of the entries is 0, most others are below n, one in sixteen up to 8n
  Single, // one entry of each table, from rank 0 to the last if there are two indices, is n; all others are 0
};

/// As on the command line.
llvm::StringRef patternName(LengthPattern pattern);

Lengths fill(const LengthTables &tables, std::int64_t n, LengthPattern pattern);

/// How the user wants tables to be filled: with these entries, or if there are none by a pattern around n.
struct LengthChoice {
  LengthPattern pattern = LengthPattern::Uneven;
  std::vector<std::int64_t> entries;
};

/// Throws Finding if the entries chosen are not as many as the tables have.
Lengths lengthsFor(const LengthTables &tables, std::int64_t n, const LengthChoice &choice);

/// The most elements that a rank has to send, or to receive, in all: the bottleneck volume h of a p by p table. Of a
/// table with one index, the sum.
std::int64_t bottleneckVolume(const Lengths &lengths, const LengthTable &table);

/// "len = 3,0,5", a bounded number of entries; of many that are the same but for one "len = 0,... but len[4][9] = 1".
std::string lengthsText(const Lengths &lengths);

/// The packets of n elements are as equal as can be: the first n mod k have one element more.
std::int64_t packetLength(std::int64_t n, std::int64_t packets, std::int64_t index);

} // namespace quadrille::compiler

#endif // QUADRILLE_EVALUATE_LENGTHS_H
