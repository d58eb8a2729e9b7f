//===- Enumeration.h - All small expressions over a sample of rows ----------------------------------------------*- C++ -*-===//
//
// Private to Infer. Expressions are built bottom up by size, and only the first of those with equal values on the sample
// is kept. Columns are 16 bits wide: the numbers of small cases are small, and a comparison of two columns is a few
// vector instructions.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_PROVE_GUESS_ENUMERATION_H
#define QUADRILLE_PROVE_GUESS_ENUMERATION_H

#include "Infer.h"

#include <cassert>
#include <unordered_map>

namespace quadrille::compiler::prove {

class Enumeration {
public:
  Enumeration(TermPool &pool, const FeatureTable &table, llvm::ArrayRef<std::uint32_t> sample, const FitLimits &limits);

  /// Terms that have the values `target` on those rows of the sample for which `mask` is not 0, the simplest first.
  std::vector<Term> integers(llvm::ArrayRef<std::int32_t> target, llvm::ArrayRef<std::uint8_t> mask);
  std::vector<Term> booleans(llvm::ArrayRef<std::int32_t> target, llvm::ArrayRef<std::uint8_t> mask);

  /// Comparisons that are true in many rows of the sample for which `mask` is not 0, and in none where `target` is false; those that
  /// are true in most rows first.
  std::vector<Term> within(llvm::ArrayRef<std::int32_t> target, llvm::ArrayRef<std::uint8_t> mask);

  LimitInForce bound() const {
    return entries.size() >= limits.expressions ? limits::fitExpressions.at(limits.expressions)
           : looked >= limits.candidates        ? limits::fitCandidates.at(limits.candidates)
                                                : limits::fitSize.at(limits.size);
  }

private:
  using Cell = std::int16_t;
  static constexpr std::int32_t largest = 4096; // of absolute values: sums and differences of two fit in a cell

  enum class Op : std::uint8_t { Leaf, Add, Subtract, Minimum, Maximum, Modulo, Low };
  struct Entry {
    Op op;
    std::uint8_t size;
    bool isConditional; // contains a minimum or maximum, which is worse for solvers and readers than `and` and `or`
    std::uint32_t a, b; // entry numbers; Modulo, Low: b is a modulus, granularity; Leaf: a is a leaf
  };
  /// A formula and its size.
  struct Sized {
    unsigned size;
    Term term;
  };

  // ---- enumerating
  const Cell *column(std::size_t entry) const {
    assert((entry + 1) * rows <= cells.size() && "an entry that has been kept");
    return &cells[entry * rows];
  }
  /// Adds a leaf. Returns the entry with its values, which may be an earlier one; nothing if they are too large, or missing in a row.
  std::optional<std::uint32_t> addLeaf(Term term, unsigned size = 1);
  void add(Op op, unsigned size, std::uint32_t a, std::uint32_t b, const Cell *values);
  void addBinary(Op op, unsigned size, std::uint32_t a, std::uint32_t b);
  void addModulo(unsigned size, std::uint32_t a, std::uint32_t modulus);
  /// Adds a mod w, for the granularity w. Returns the entry with these values; nothing if a is negative in a row, or there is no room.
  std::optional<std::uint32_t> addLow(unsigned size, std::uint32_t a, std::uint32_t granularity);
  void addFeatures();
  void addShifts();
  bool isFull() const { return entries.size() >= limits.expressions || looked >= limits.candidates; }
  /// Enumerates all expressions up to `size`.
  void grow(unsigned size);
  /// The number of entries of at most this size; it must have been enumerated.
  std::size_t upTo(unsigned size) const {
    assert(!ends.empty() && "sizes have been enumerated");
    return ends[std::min<std::size_t>(size, ends.size() - 1)];
  }
  Term term(std::uint32_t entry);

  // ---- integers
  void meet(llvm::ArrayRef<std::int32_t> target, llvm::ArrayRef<std::uint32_t> where, std::vector<Sized> &found);
  void select(llvm::ArrayRef<std::int32_t> target, llvm::ArrayRef<std::uint32_t> where, std::vector<Sized> &found);
  void selectByRest(llvm::ArrayRef<std::int32_t> target, llvm::ArrayRef<std::uint32_t> where, std::vector<Sized> &found);
  /// An entry, and the rows of `where` in which it is right, as bits.
  struct Cover {
    std::uint32_t entry;
    std::size_t count;
    std::vector<std::uint64_t> right;
  };
  /// The entries of at most size `largest` that are right in some row, those that are right in most rows first.
  std::vector<Cover> coversOf(llvm::ArrayRef<std::int32_t> target, llvm::ArrayRef<std::uint32_t> where, unsigned largest) const;

  // ---- truth values

  /// The cells of the first entries, with rows reordered: first those where the target is true, then those where it is false.
  struct Arranged {
    std::size_t entries = 0, trueRows = 0, falseRows = 0; // padded
    std::vector<Cell> cells;

    bool isConstant() const { return trueRows == 0 || falseRows == 0; }
    const Cell *trueCells(std::size_t entry) const { return &cells[entry * (trueRows + falseRows)]; }
    const Cell *falseCells(std::size_t entry) const { return trueCells(entry) + trueRows; }
  };
  Arranged arrange(llvm::ArrayRef<std::int32_t> target, llvm::ArrayRef<std::uint8_t> mask, std::size_t count) const;
  /// Small entries, for the right sides of comparisons.
  std::vector<std::uint32_t> rights(std::size_t atMost) const;
  void compare(const Arranged &rows, std::size_t first, std::size_t atMostRights, std::vector<Sized> &found);
  struct Atom;
  class Atoms;
  std::vector<Atom> atomsOf(const Arranged &rows) const;
  Term termOf(const Atom &atom, bool negated);
  Term join(llvm::ArrayRef<Term> terms, bool negated) { return negated ? pool.disjunction(terms) : pool.conjunction(terms); }
  void conjoin(const Arranged &rows, bool negated, std::vector<Sized> &found);
  bool conjoinPairs(llvm::ArrayRef<Atom> atoms, std::size_t falseRows, bool negated, std::vector<Sized> &found);
  void conjoinGreedily(llvm::ArrayRef<Atom> atoms, std::size_t falseRows, bool negated, std::vector<Sized> &found);
  enum class Effort {
    Comparison, // search a single comparison
    Junction,   // or some comparisons joined by `and` or `or`
    Everything, // or conditions as `divide` and `cover` find them
  };
  /// Searches conditions `if c then a else b`, where all three are comparisons.
  void divide(llvm::ArrayRef<std::int32_t> target, llvm::ArrayRef<std::uint8_t> mask, std::vector<Sized> &found);

  /// A comparison that implies the target: no false row satisfies it.
  struct Implicant {
    enum Kind { AtMost, AtLeast, Equal } kind; // of left - right and the constant
    std::uint32_t left, right;                 // entries
    std::int32_t constant;
    unsigned size;
    std::size_t count;                 // of the true rows that satisfy it
    std::vector<std::uint8_t> covered; // by true row: whether it satisfies it

    Term termIn(Enumeration &enumeration) const;
  };
  /// The implicants that are found, those that most true rows satisfy first.
  std::vector<Implicant> implicants(llvm::ArrayRef<std::int32_t> target, llvm::ArrayRef<std::uint8_t> mask);
  /// Searches conditions `a or (b and c)`, such as that a pair of numbers is lexicographically smaller. `negated`: the rows are those of
  /// the negated target.
  void cover(llvm::ArrayRef<std::int32_t> target, llvm::ArrayRef<std::uint8_t> mask, bool negated, std::vector<Sized> &found);
  std::vector<Sized> findBooleans(llvm::ArrayRef<std::int32_t> target, llvm::ArrayRef<std::uint8_t> mask, Effort effort);

  /// `count` rounded up to whole vectors of 16 cells.
  static std::size_t padded(std::size_t count) { return (count + 15) / 16 * 16; }
  static std::vector<Term> best(std::vector<Sized> found);

  TermPool &pool;
  const FeatureTable &table;
  const FitLimits limits;
  const std::size_t rows; // the number of rows of the sample, padded
  std::vector<std::uint32_t> sample;
  std::vector<Term> leaves;
  std::vector<Entry> entries;
  std::vector<Cell> cells; // [entry][row]
  std::vector<std::size_t> ends; // [size]: the number of entries of at most this size
  std::unordered_map<std::uint64_t, std::uint32_t> known; // entry by the hash of its values
  std::vector<Term> terms; // by entry; null until asked for
  std::vector<std::vector<Cell>> moduli, granularities; // columns
  std::vector<Term> modulusTerms, granularityTerms;
  std::size_t looked = 0;
  std::vector<Cell> scratch;
};

} // namespace quadrille::compiler::prove

#endif // QUADRILLE_PROVE_GUESS_ENUMERATION_H
