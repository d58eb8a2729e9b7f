//===- CostData.h - Costs as data --------------------------------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_REPORT_COSTDATA_H
#define QUADRILLE_REPORT_COSTDATA_H

#include "CostFacts.h"
#include "Results.h"

#include "closedform/CostSummary.h"
#include "cost/LinearCost.h"
#include "cost/NodeCosts.h"
#include "machines/Delays.h"
#include "topology/Contention.h"

#include <deque>
#include <memory>

namespace quadrille::compiler {

/// What a case costs at some length.
struct CaseCost {
  struct OnNetwork {
    std::shared_ptr<const topology::Topology> network;
    topology::Contention contention;
    std::int64_t scale; // the factor from words of `contention` to elements
  };

  Case instance;
  Lengths lengths;
  std::int64_t rounds = 0;
  Cost synchronous, asynchronous;
  bool isByFormula = false; // the case was not run
  bool hasApplications = true, hasAsynchronous = true; // false if the formulas do not tell them
  std::optional<LinearCost> claimed; // the value of the clause
  CaseFacts facts;
  std::vector<OnNetwork> networks;
  std::optional<NodeCost> byNodes; // in multiples of `nodeScale` words
  std::int64_t nodeScale = 1;
  std::vector<Completion> completions; // of the ranks, with late ranks or noise
};

/// Collects what a schedule costs.
class CostData {
public:
  CostData(const ir::Schedule &schedule, const std::optional<MachineParameters> &machine) : schedule(schedule), machine(machine) {}

  CaseCost &add(const Case &instance, const Lengths &lengths) {
    CaseCost &added = cases.emplace_back();
    added.instance = instance;
    added.lengths = lengths;
    return added;
  }
  /// `diagnostics`: those about the schedule.
  Results::Entry entry(bool isWrong, std::vector<size_t> diagnostics) const;

  std::optional<CostSummary> summary;

private:
  const ir::Schedule &schedule;
  const std::optional<MachineParameters> machine;
  std::deque<CaseCost> cases;
};

} // namespace quadrille::compiler

#endif // QUADRILLE_REPORT_COSTDATA_H
