//===- Infer.h - Formulas fitted to tables --------------------------------------------------------------------------*- C++ -*-===//
//
// Guesses what slots hold at the head of a loop, as formulas. All integer expressions up to some size are enumerated,
// those with equal values on a sample of the rows counted as one; truth values are comparisons of two of them, joined by
// `and` or `or`. What is returned holds on every row of the table, which proves nothing: that is the solver's part.
//
// Everything is deterministic, and bounded by `FitLimits`.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_PROVE_GUESS_INFER_H
#define QUADRILLE_PROVE_GUESS_INFER_H

#include "FeatureTable.h"

#include "limits/Limits.h"

namespace quadrille::compiler::prove {

struct FitLimits {
  std::size_t sampleRows = limits::fitSample;    // that expressions are enumerated on
  std::size_t expressions = limits::fitExpressions;  // kept, with different values on the sample
  std::size_t candidates = limits::fitCandidates; // looked at while enumerating
  unsigned size = limits::fitSize;               // of an enumerated expression
  unsigned answers = limits::fitAnswers;            // formulas to return
  unsigned rounds = limits::fitRounds;             // with a larger sample, if what fits the sample does not fit all rows
};

class Enumeration;

/// Fits formulas to columns over the same table. Keeps what it has enumerated from one column to the next.
class Fitter {
public:
  Fitter(TermPool &pool, const FeatureTable &table, FitLimits limits = {});
  ~Fitter();

  /// Terms that have the values of `target` in the rows for which `mask` is not 0, the simplest first.
  std::vector<Term> fitInteger(llvm::ArrayRef<std::int32_t> target, llvm::ArrayRef<std::uint8_t> mask);
  std::vector<Term> fitBoolean(llvm::ArrayRef<std::uint8_t> target, llvm::ArrayRef<std::uint8_t> mask);

  /// What ends the search: how large expressions are, or how many.
  LimitInForce bound() const;

private:
  template <typename Value, typename Search>
  std::vector<Term> fit(llvm::ArrayRef<Value> target, llvm::ArrayRef<std::uint8_t> mask, Search search);

  TermPool &pool;
  const FeatureTable &table;
  const FitLimits limits;
  std::vector<std::uint32_t> sample;
  std::unique_ptr<Enumeration> enumeration;
};

/// What a slot holds, as formulas over the symbols of a trace. Parts that no row tells anything about are 0.
struct ContentFormula {
  Term valid;
  Term input, block, packet;
  Term lo, length;
  Term member; // instead of `lo` and `length`, where products are no intervals: over `contributor`; else null
  /// It says what slots hold that are still read. Other slots may hold something though `valid` is false.
  bool live = false;

  bool operator==(const ContentFormula &) const = default;
};

/// Formulas for all that a storage holds, the best first: exactly what it holds, or if there are none what is still read.
/// `cyclic`: operands may come in any order, so of a product of all ranks `lo` may tell another one to be the first. Empty
/// if nothing fits; `reached`, if it is not null, is then what ended the search.
std::vector<ContentFormula> fitContent(TermPool &pool, const TraceRows &rows, const TraceSymbols &symbols,
                                       const Atoms &atoms, bool cyclic, FitLimits limits = {}, LimitInForce *reached = nullptr);

} // namespace quadrille::compiler::prove

#endif // QUADRILLE_PROVE_GUESS_INFER_H
