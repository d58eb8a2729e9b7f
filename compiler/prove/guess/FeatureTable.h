//===- FeatureTable.h - Columns of numbers and the symbols they are values of --------------------------------------*- C++ -*-===//
//
// What formulas are fitted to (Infer.h): rows of values of some variables, and the terms that formulas may be made of.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_PROVE_GUESS_FEATURETABLE_H
#define QUADRILLE_PROVE_GUESS_FEATURETABLE_H

#include "Trace.h"

#include "prove/terms/Term.h"

namespace quadrille::compiler::prove {

/// The variables that formulas about a trace are written in.
struct TraceSymbols {
  Term p, me, block, packet;
  Term contributor;                  // a rank in a product
  llvm::SmallVector<Term, 2> numbers; // of the outermost schedule
  llvm::SmallVector<Term, 2> heads;   // of the loops, outermost first
};

/// Terms that a schedule's text suggests, over the variables of a trace.
struct Atoms {
  std::vector<Term> moduli;        // what ranks are counted modulo, p first
  std::vector<Term> granularities; // what ranks are grouped by: powers of two, the width of a mesh
  std::vector<Term> others;        // products such as s*b, and what `let`s define
  std::vector<Term> positions;     // those among `others` that number ranks anew
  std::vector<Term> conditions;    // truth values that `let`s define
};

struct FeatureTable {
  std::vector<Term> variables;
  std::vector<std::vector<std::int32_t>> columns; // [variable][row]
  std::vector<Term> positions; // those among the variables that number ranks, blocks or packets
  Atoms atoms;
  std::size_t rows = 0;

  void add(Term variable, std::vector<std::int32_t> column, bool isPosition = false);
  /// The values of a term in some rows, truth values as 0 and 1; false if it has none in one of them.
  bool evaluate(Term term, llvm::ArrayRef<std::uint32_t> which, std::vector<std::int64_t> &values) const;
};

/// Reads the text of a schedule for what its slots and partners are counted by: divisors, powers, products. Numbers of
/// the loop at `loop` and of those around it are `symbols.heads`.
Atoms atomsOf(const ir::Schedule &schedule, const LoopTrace &loop, const TraceSymbols &symbols, TermPool &pool);

/// The features of a storage's rows.
FeatureTable tableOf(const TraceRows &rows, const TraceSymbols &symbols, Atoms atoms);

/// For products that are no intervals: a row for every valid row of a storage and every rank x, the variable
/// `symbols.contributor`, and whether x is in the product.
struct ContributorRows {
  FeatureTable table;
  std::vector<std::uint8_t> contributes;
};
/// `which`: the rows of the storage to ask about. Nothing if one of them is of several blocks or has a rank twice.
std::optional<ContributorRows> rowsOfContributors(const TraceRows &rows, llvm::ArrayRef<std::uint32_t> which,
                                                  const TraceSymbols &symbols, Atoms atoms);

} // namespace quadrille::compiler::prove

#endif // QUADRILLE_PROVE_GUESS_FEATURETABLE_H
