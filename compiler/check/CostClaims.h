//===- CostClaims.h - Are the `cost` and `rounds` clauses true? ---------------------------------------------------------*- C++ -*-===//
//
// A clause is compared with the cost of a case for all n at once, as both are polynomials in n from one length to another
// (cost/LinearCost.h, cost/CostByScale.h). Where blocks have lengths of their own, all multiples of some tables are looked at, which
// finds what is wrong; and both are written as sums of maxima (cost/LengthForm.h), which shows that nothing is, for all tables.
// Where neither comes to an end, the clause was compared for the lengths that a ClauseReach tells.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_CHECK_COSTCLAIMS_H
#define QUADRILLE_CHECK_COSTCLAIMS_H

#include "cost/CostByScale.h"
#include "cost/LengthForm.h"
#include "instantiate/CaseRun.h"

namespace quadrille::compiler {

/// For which lengths the clauses of a schedule were compared with its cost.
struct ClauseReach {
  std::optional<std::int64_t> below; // every n below this one, and some more; nothing: every n
  bool ofTables = false;             // some tables, each with all multiples of its entries
  bool isUnmeasured = false;         // more could be said if the case were measured at more lengths

  void join(const ClauseReach &other);
  bool isEverything() const { return !below && !ofTables; }
  /// "every n", "all lengths", "n < 64 and some more", "some lengths".
  std::string text(const ir::Schedule &schedule) const;
};

/// Lengths n at which a run is measured for those who want some, for blocks that are split into `unit` packets: n below, at
/// and above the number of packets, divisible and not, and a large one.
std::vector<std::int64_t> sampleLengths(std::int64_t unit);

/// The same as lengths of a run; tables are filled evenly, unevenly and with a single entry.
std::vector<Lengths> sampleLengths(std::int64_t unit, const LengthTables &tables);

/// All multiples of some lengths, and what one case costs there.
struct CostLine {
  Lengths once;
  CostByScale cost;
};

/// The lengths at which a case is measured for its clauses.
class ClauseLengths {
public:
  /// Appends them to `samples`, which are others' concern: `turns` of them for each packet of a block. A machine that counts
  /// blocks needs none.
  ClauseLengths(const CaseRun &run, unsigned turns, std::vector<Lengths> &samples);

  /// Whether there are more of them with twice the turns.
  bool hasMore() const { return canDouble; }
  std::vector<CostLine> lines(const MeasuredCost &cost) const;

private:
  const std::int64_t unit;
  size_t scales = 2; // from 0 on; those from 1 on are measured
  bool canDouble = false;
  std::vector<size_t> firstSamples; // of each line
};

/// What is known of the cost of a case.
struct KnownCost {
  std::uint32_t rounds = 0;
  std::vector<CostLine> lines;
  std::vector<std::pair<Lengths, Cost>> samples; // besides
  size_t given = 0;                              // so many of these were asked for, and are looked at wherever they lie
  bool hasWork = true;                           // operator applications are known
  LengthTables tables;
  const LengthFormMeter *forms = nullptr;        // of all tables; may be null
};

/// Throws Finding for the smallest multiple on a line at which a clause is found wrong, or for the first such sample.
ClauseReach checkCostClaims(const CaseRun &run, const KnownCost &known);

} // namespace quadrille::compiler

#endif // QUADRILLE_CHECK_COSTCLAIMS_H
