//===- Infer.h - Formulas fitted to tables --------------------------------------------------------------------------*- C++ -*-===//
//
// Guesses formulas for the contents of slots at the head of a loop. It enumerates all integer expressions up to some size, of
// which those with equal values on a sample of the rows count as one. Conditions are comparisons of two of them, joined by `and`
// or `or`. A result holds in every row of the table, which proves nothing: proofs are the solver's task.
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
  std::size_t sampleRows = limits::fitSample;    // the number of rows on which expressions are enumerated
  std::size_t expressions = limits::fitExpressions;  // the number of expressions kept, with different values on the sample
  std::size_t candidates = limits::fitCandidates; // the number of expressions looked at
  unsigned size = limits::fitSize;               // the largest size of an expression
  unsigned answers = limits::fitAnswers;            // the number of formulas returned
  unsigned rounds = limits::fitRounds;             // attempts with larger samples, if no formula fits all rows
  bool inPieces = false; // try more features and, if nothing fits, formulas for parts of the rows
  unsigned levels = 2;   // inPieces: how many conditions may divide the rows, one within the other
};

class Enumeration;

/// Fits formulas to columns over the same table. Enumerated expressions are kept from one column to the next.
class Fitter {
public:
  Fitter(TermPool &pool, const FeatureTable &table, FitLimits limits = {});
  ~Fitter();

  /// Returns terms with the values of `target` in the rows for which `mask` is not 0, the simplest first.
  std::vector<Term> fitInteger(llvm::ArrayRef<std::int32_t> target, llvm::ArrayRef<std::uint8_t> mask);
  std::vector<Term> fitBoolean(llvm::ArrayRef<std::uint8_t> target, llvm::ArrayRef<std::uint8_t> mask);

  /// Returns comparisons that are true in many rows and in none where `target` is 0, those that are true in most rows first.
  std::vector<Term> fitWithin(llvm::ArrayRef<std::uint8_t> target, llvm::ArrayRef<std::uint8_t> mask);

  /// The limit that ends the search: of the size of expressions, or of their number.
  LimitInForce bound() const;

  /// The number of rows in the sample. It grows if formulas fit by chance; until then the same column gets the same formulas.
  std::size_t sampled() const { return sample.size(); }

private:
  /// Formulas `if c then a else b`, where c is a guard, and a and b are fitted to the rows of each side. `depth`: how many may nest.
  template <typename Value, typename Fit>
  std::vector<Term> inPieces(llvm::ArrayRef<Value> target, llvm::ArrayRef<std::uint8_t> mask, unsigned depth, Fit fit);

  /// Formulas that `search` finds on the sample and no row contradicts. contradicts(value, target): a formula with this value is wrong.
  template <typename Value, typename Search, typename Contradicts>
  std::vector<Term> fit(llvm::ArrayRef<Value> target, llvm::ArrayRef<std::uint8_t> mask, Search search, Contradicts contradicts);

  TermPool &pool;
  const FeatureTable &table;
  const FitLimits limits;
  std::vector<std::uint32_t> sample;
  std::unique_ptr<Enumeration> enumeration;
  unsigned piecesTried = 0;
};

/// The content of a slot, as formulas over the symbols of a trace. Parts for which there is no row are 0.
struct ContentFormula {
  Term valid;
  Term input, block, packet;
  Term lo, length;
  Term member; // if products are no intervals, instead of `lo` and `length`: a formula in `contributor`; else null
               // all three are null: the product has no formula, as is admitted `ofPlaces`
  /// The formulas describe only live slots, which are still read. Others may be full though `valid` is false.
  bool live = false;
  Term known = {}; // the parts above are right where this holds, and nothing is said of other full slots; null: of all

  bool operator==(const ContentFormula &) const = default;
};

/// Fits formulas to the contents of a storage, the best first: formulas for all slots, or if none fit, for live slots. `cyclic`:
/// operands may be in any order, so a product of all ranks may begin at any rank. `ofSome`: behind them come formulas for some of the
/// full slots. `slots`: of which slots formulas are sought. Empty if nothing fits; `reached`, if not null, is then set to the limit that ended
/// the search.
enum class OfSlots {
  AllOrLive, // all, or if none fit, live ones
  Live,      // live ones, if some full slots are not live
  Needed,    // needed ones
  Places,    // live ones, and their products need no formula
};
std::vector<ContentFormula> fitContent(TermPool &pool, const TraceRows &rows, const TraceSymbols &symbols, const Atoms &atoms,
                                       bool cyclic, bool ofSome = false, FitLimits limits = {}, LimitInForce *reached = nullptr,
                                       OfSlots slots = OfSlots::AllOrLive);

} // namespace quadrille::compiler::prove

#endif // QUADRILLE_PROVE_GUESS_INFER_H
