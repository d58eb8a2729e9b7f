//===- CostClaims.h - Are the `cost` and `rounds` clauses true? ---------------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_CHECK_COSTCLAIMS_H
#define QUADRILLE_CHECK_COSTCLAIMS_H

#include "cost/Meter.h"
#include "instantiate/Evaluate.h"

namespace quadrille {

/// Lengths n at which the clauses are compared, for blocks that are split into `unit` packets: n below, at and above
/// the number of packets, divisible and not, and a large one.
std::vector<std::int64_t> sampleLengths(std::int64_t unit);

/// The same as lengths of a run; tables are filled evenly, unevenly and with a single entry.
std::vector<Lengths> sampleLengths(std::int64_t unit, const LengthTables &tables);

/// Throws Finding for the first sample at which a clause is wrong, or the first of the lengths `given`.
void checkCostClaims(const ir::Schedule &schedule, const Case &instance, const MeasuredCost &cost,
                     std::uint32_t rounds, std::int64_t unit, llvm::ArrayRef<std::int64_t> given, TreeCache &trees);

} // namespace quadrille

#endif // QUADRILLE_CHECK_COSTCLAIMS_H
