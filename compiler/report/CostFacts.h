//===- CostFacts.h - What a cost is worth: bounds, and the best number of packets --------------------------------*- C++ -*-===//

#ifndef QUADRILLE_REPORT_COSTFACTS_H
#define QUADRILLE_REPORT_COSTFACTS_H

#include "check/Check.h"
#include "cost/CostFormulas.h"
#include "machines/MachineDescription.h"

#include "llvm/Support/raw_ostream.h"

namespace quadrille::compiler {

/// The name of the parameter that is a number of packets, if the schedule has one such: the cost has ceil(n/k) in it.
std::optional<std::string> packetParameter(const ir::Schedule &schedule, const ScheduleCost &cost);

/// Lines about the lower bounds of the collective, and how far a schedule is from them; and about the best k. What does not
/// depend on the case is found once.
class CostFacts {
public:
  CostFacts(const ir::Schedule &schedule, const MachineParameters &machine);
  ~CostFacts();
  /// `measured`: the synchronous cost of the case with these lengths.
  void print(const Case &instance, const Lengths &lengths, const CaseResult &result, const Cost &measured, TreeCache &trees,
             llvm::raw_ostream &out);

private:
  struct Known;
  std::unique_ptr<Known> known;
};

} // namespace quadrille::compiler

#endif // QUADRILLE_REPORT_COSTFACTS_H
