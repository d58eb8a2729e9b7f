//===- CostFacts.h - What a cost is worth: bounds, and the best number of packets --------------------------------*- C++ -*-===//

#ifndef QUADRILLE_DRIVER_COSTFACTS_H
#define QUADRILLE_DRIVER_COSTFACTS_H

#include "check/Check.h"

#include "cost/ClosedForm.h"
#include "cost/Machine.h"

#include "llvm/Support/raw_ostream.h"

namespace quadrille {

/// The name of the parameter that is a number of packets, if the schedule has one such: the cost has ceil(n/k) in it.
std::optional<std::string> packetParameter(const ir::Schedule &schedule, const ScheduleCost &cost);

/// Lines about the lower bounds of the collective, and how far the schedule is from them; and about the best k. `measured`:
/// the synchronous cost of the case with blocks of n elements.
void printCostFacts(const ir::Schedule &schedule, const Case &instance, std::int64_t n, const CaseResult &result,
                    const Cost &measured, const MachineParameters &machine, TreeCache &trees, llvm::raw_ostream &out);

} // namespace quadrille

#endif // QUADRILLE_DRIVER_COSTFACTS_H
