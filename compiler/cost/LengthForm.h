//===- LengthForm.h - Costs in which lengths are symbols -------------------------------------------------------*- C++ -*-===//
//
// Where blocks have lengths of their own, a message is a sum of entries of tables, a round costs the largest of such sums, and a
// schedule the sum of its rounds. The clauses of most schedules are such sums as well. Written in one way, the two are the same
// for all lengths if they look the same.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_COST_LENGTHFORM_H
#define QUADRILLE_COST_LENGTHFORM_H

#include "algebra/Rational.h"
#include "instantiate/Round.h"

#include <map>

namespace quadrille::compiler {

/// A sum of lengths that are not negative: how often each occurs. None occurs 0 times.
using LengthSum = std::map<std::uint32_t, Rational>;

/// A sum of lengths and of maxima of such sums.
class LengthForm {
public:
  /// What lengths are called: the number 1, which is none but not negative either; n; and from `firstEntry` on the entries of tables.
  static constexpr std::uint32_t one = 0, n = 1, firstEntry = 2;

  LengthForm(const Rational &number = 0);
  static LengthForm length(std::uint32_t symbol);
  /// The largest of some sums; at least one.
  static LengthForm largest(std::vector<LengthSum> sums);
  /// The largest of some forms; nothing if that is not such a form. At least one.
  static std::optional<LengthForm> largest(llvm::ArrayRef<LengthForm> forms);

  void add(const LengthForm &other, const Rational &times = 1);

  bool valid() const;
  bool isZero() const { return sum.empty() && maxima.empty(); }
  /// Its value if it has the same one for all lengths.
  std::optional<Rational> number() const;
  Rational at(const Lengths &lengths) const;
  /// Whether its value is not negative, whatever the lengths are; if that can be seen.
  bool isNowhereNegative() const;

private:
  /// In order; two at least, of which none is nowhere larger than another, and none of the lengths occurs in all. The last one
  /// begins with a count of 1.
  using Sums = std::vector<LengthSum>;
  static bool isCovered(const LengthSum &x, const LengthSum &by);

  LengthSum sum;
  std::map<Sums, Rational> maxima; // how often the largest of these
};

/// constant + a*alpha + b*beta + c*gamma.
struct LengthFormCost {
  LengthForm constant, a, b, c;
};

/// What the formula of a clause says of all lengths; nothing if that takes too long or is no sum of maxima of sums, as where a
/// length is rounded, compared or the smallest. Throws EvaluationError.
std::optional<LengthFormCost> evaluateForAllLengths(const ir::Expr &formula, const Frame &frame, const LengthTables &tables);

/// Startups and words of a run of a machine with tables and without packets, in which lengths are symbols.
class LengthFormMeter : public RunObserver {
public:
  bool wantsTransfers() const override { return words(); }
  void onRound(const Round &round, const Machine &machine) override;

  /// Nothing if that took too long.
  const LengthForm *words() const { return slots <= mostSlots ? &total : nullptr; }
  std::int64_t startups() const { return rounds; }

private:
  static constexpr std::uint64_t mostSlots = std::uint64_t(1) << 20;
  LengthForm total;
  std::int64_t rounds = 0;
  std::uint64_t slots = 0; // that have been looked at, and pairs of messages
};

} // namespace quadrille::compiler

#endif // QUADRILLE_COST_LENGTHFORM_H
