//===- FeatureTable.h - Columns of numbers and the symbols they are values of --------------------------------------*- C++ -*-===//
//
// The data to which formulas are fitted (Infer.h): rows of values of variables, and terms that formulas may contain.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_PROVE_GUESS_FEATURETABLE_H
#define QUADRILLE_PROVE_GUESS_FEATURETABLE_H

#include "Trace.h"

#include "prove/terms/Term.h"

namespace quadrille::compiler::prove {

/// The variables of formulas about a trace.
struct TraceSymbols {
  Term p, me, block, packet;
  Term contributor;                  // a rank in a product
  llvm::SmallVector<Term, 2> numbers; // of the outermost schedule
  llvm::SmallVector<Term, 2> heads;   // of the loops, outermost first
};

/// Terms that a schedule's text suggests, over the variables of a trace.
struct Atoms {
  std::vector<Term> moduli;        // moduli of ranks, p first
  std::vector<Term> granularities; // sizes of groups of ranks: powers of two, the width of a mesh
  std::vector<Term> widths;        // divisors of ranks by which the text divides: x div w is the row of x in a grid
  std::vector<std::pair<Term, Term>> digits; // weights and bases of digits in the text, x div weight mod base
  std::vector<Term> others;        // products such as s*b, and integers that `let`s define
  std::vector<Term> promised;      // the ranks and blocks that promises name for the slot of a rank: it may hold these already, or is on the way
  std::vector<Term> positions;     // terms among `others` that depend on `me`: other numberings of ranks
  std::vector<Term> conditions;    // conditions that `let`s define
  std::vector<Term> guards;        // conditions on ranks that the text has anywhere: they tell kinds of ranks apart
  std::vector<std::pair<Term, const ir::Function *>> calls; // of functions that call themselves, with the same arguments on all ranks
  std::vector<Term> runs;          // conditions that a slot is in a run of slots of the text
  std::vector<Term> dividends;     // terms of which the text takes trailing zeros, or remainders by loop variables
};

struct FeatureTable {
  std::vector<Term> variables;
  std::vector<std::vector<std::int32_t>> columns; // [variable][row]
  std::vector<Term> positions; // the variables that number ranks, blocks or packets
  Atoms atoms;
  std::size_t rows = 0;

  void add(Term variable, std::vector<std::int32_t> column, bool isPosition = false);
  /// Evaluates a term in the rows `which`, truth values as 0 and 1; false if it has no value in one of them.
  bool evaluate(Term term, llvm::ArrayRef<std::uint32_t> which, std::vector<std::int64_t> &values) const;
};

/// Collects the terms that formulas about `loop` may contain from the schedule: divisors, powers, products in indices, partners
/// and lets. Variables of this loop and of those around it become `symbols.heads`.
/// `inPieces`: also collects guards and dividends.
Atoms atomsOf(const ir::Schedule &schedule, const LoopTrace &loop, const TraceSymbols &symbols, TermPool &pool, bool inPieces = false);

/// The table with a row for each row of a storage.
FeatureTable tableOf(const TraceRows &rows, const TraceSymbols &symbols, Atoms atoms);

/// For products that are no intervals: a row for every row of a storage and every rank x (the variable `symbols.contributor`),
/// and whether x is in the product.
struct ContributorRows {
  FeatureTable table;
  std::vector<std::uint8_t> contributes;
};
/// `which`: the rows of the storage, which must be valid. Nothing if the product of one of them is of several blocks or has a
/// rank twice.
std::optional<ContributorRows> rowsOfContributors(const TraceRows &rows, llvm::ArrayRef<std::uint32_t> which,
                                                  const TraceSymbols &symbols, Atoms atoms, TermPool &pool);

} // namespace quadrille::compiler::prove

#endif // QUADRILLE_PROVE_GUESS_FEATURETABLE_H
