//===- LengthForm.h - Costs in which lengths are symbols -------------------------------------------------------*- C++ -*-===//
//
// If blocks have lengths from tables, the length of a message is a sum of entries, the cost of a round is the maximum of such
// sums, and the cost of a schedule is the sum over its rounds. Most cost clauses are such sums of maxima as well. Both are
// brought into one normal form; if the forms are equal, so are the costs for all lengths.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_COST_LENGTHFORM_H
#define QUADRILLE_COST_LENGTHFORM_H

#include "algebra/Rational.h"
#include "instantiate/Round.h"
#include "limits/Limits.h"

#include <map>

namespace quadrille::compiler {

/// A linear combination of lengths: symbol and nonzero count. All lengths are >= 0.
using LengthSum = std::map<std::uint32_t, Rational>;

/// A linear combination of lengths and of maxima of LengthSums.
class LengthForm {
public:
  /// The symbols: `one` stands for the number 1; `n` for n; entries of tables are numbered from `firstEntry` on.
  static constexpr std::uint32_t one = 0, n = 1, firstEntry = 2;

  LengthForm(const Rational &number = 0);
  static LengthForm length(std::uint32_t symbol);
  /// The maximum of some sums, of which there must be at least one.
  static LengthForm largest(std::vector<LengthSum> sums);
  /// The maximum of some forms, of which there must be at least one; nothing if it cannot be written as a form.
  static std::optional<LengthForm> largest(llvm::ArrayRef<LengthForm> forms);

  void add(const LengthForm &other, const Rational &times = 1);

  bool valid() const;
  bool isZero() const { return sum.empty() && maxima.empty(); }
  /// The value, if it is the same for all lengths.
  std::optional<Rational> number() const;
  Rational at(const Lengths &lengths) const;
  /// True only if the value is >= 0 for all lengths. False may also mean that this was not found out.
  bool isNowhereNegative() const;

private:
  /// The operands of a maximum in normal form: sorted, at least two, none <= another for all lengths, no length with a positive
  /// count in all of them, and the first count of the last operand is 1.
  using Sums = std::vector<LengthSum>;
  static bool isCovered(const LengthSum &x, const LengthSum &by);

  LengthSum sum;
  std::map<Sums, Rational> maxima; // operands of a maximum, and its factor
};

/// constant + a*alpha + b*beta + c*gamma.
struct LengthFormCost {
  LengthForm constant, a, b, c;
};

/// The formula of a clause as a form; nothing if it takes too long or is no sum of maxima of sums, for instance if it rounds or
/// compares lengths or takes a minimum of them. Throws EvaluationError.
std::optional<LengthFormCost> evaluateForAllLengths(const ir::Expr &formula, const Frame &frame, const LengthTables &tables);

/// Counts startups and words of a run with lengths as symbols. The machine must have tables of lengths and no packets.
class LengthFormMeter : public RunObserver {
public:
  bool wantsTransfers() const override { return words(); }
  void onRound(const Round &round, const Machine &machine) override;

  /// Null if counting exceeded the limit.
  const LengthForm *words() const { return slots <= limits::lengthFormSlots ? &total : nullptr; }
  std::int64_t startups() const { return rounds; }

private:
  LengthForm total;
  std::int64_t rounds = 0;
  std::uint64_t slots = 0; // work done: slots of messages, and pairs of messages compared
};

} // namespace quadrille::compiler

#endif // QUADRILLE_COST_LENGTHFORM_H
