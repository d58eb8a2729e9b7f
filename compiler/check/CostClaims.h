//===- CostClaims.h - Are the `cost` and `rounds` clauses true? ---------------------------------------------------------*- C++ -*-===//
//
// A clause is compared with the cost of a case for all n at once: both are piecewise polynomials in n (cost/LinearCost.h,
// cost/CostByScale.h). With tables of lengths there are two comparisons. All multiples of some tables are compared in the same way,
// which finds errors. And clause and cost are written as sums of maxima of lengths (cost/LengthForm.h): if these are equal, the
// clause holds for all tables. If a comparison exceeds its budget, ClauseReach says for which lengths it was made.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_CHECK_COSTCLAIMS_H
#define QUADRILLE_CHECK_COSTCLAIMS_H

#include "cost/CostByScale.h"
#include "cost/LengthForm.h"
#include "instantiate/CaseRun.h"
#include "limits/Limits.h"

namespace quadrille::compiler {

/// For which lengths the clauses of a schedule were compared with its cost.
struct ClauseReach {
  std::optional<std::int64_t> below; // compared for every n below this one, and for some larger ones; nothing: for every n
  bool ofTables = false;             // compared for some tables only, and their multiples
  bool isUnmeasured = false;         // measuring the case at more lengths would extend the comparison
  std::optional<LimitInForce> limit; // that ended the comparison; nothing if numbers got too large to compute with

  void join(const ClauseReach &other);
  bool isEverything() const { return !below && !ofTables; }
  /// "every n", "all lengths", "n < 64 and some more, within `clauseStretches` = 4096 stretches (--effort)", "some lengths".
  std::string text(const ir::Schedule &schedule) const;
};

/// Default lengths n at which a run is measured, for blocks of `unit` packets: n below, at and above the number of packets,
/// divisible by it and not, and a large one.
std::vector<std::int64_t> sampleLengths(std::int64_t unit);

/// The same if there are tables of lengths: they are filled evenly, unevenly and with a single nonzero entry.
std::vector<Lengths> sampleLengths(std::int64_t unit, const LengthTables &tables);

/// The cost of a case at lengths 0, 1, 2, ... times `once`.
struct CostLine {
  Lengths once;
  CostByScale cost;
};

/// Chooses the lengths at which a case is measured so that its clauses can be checked.
class ClauseLengths {
public:
  /// Appends lengths to `samples`: for each line `turns` lengths per packet of a block, as many as the budget allows. Appends none if the cost is
  /// measured in whole blocks, which holds for all n.
  ClauseLengths(const CaseRun &run, unsigned turns, std::vector<Lengths> &samples);

  /// Whether the constructor would append more lengths if `turns` were twice as large.
  bool hasMore() const { return canDouble; }
  /// The measured costs, line by line. `cost`: of a run with the samples of the constructor.
  std::vector<CostLine> lines(const MeasuredCost &cost) const;

private:
  const std::int64_t unit;
  size_t scales = 2; // multiples 0 ..< scales of each line; those from 1 on are measured
  bool canDouble = false;
  std::vector<size_t> firstSamples; // for each line, the index of its first sample
};

/// The cost of a case, as far as it was measured.
struct KnownCost {
  std::uint32_t rounds = 0;
  std::vector<CostLine> lines;
  std::vector<std::pair<Lengths, Cost>> samples; // costs at further lengths
  size_t given = 0;                              // the number of samples, the first ones, at lengths that the user gave: always compared
  bool hasWork = true;                           // operator applications were measured
  LengthTables tables;
  const LengthFormMeter *forms = nullptr;        // the cost as a form for all tables; may be null
};

/// Throws Finding if a clause is wrong: at the smallest wrong multiple of the first line that has one, else at the first wrong sample.
ClauseReach checkCostClaims(const CaseRun &run, const KnownCost &known);

} // namespace quadrille::compiler

#endif // QUADRILLE_CHECK_COSTCLAIMS_H
