//===- CostSamples.h - Exact costs of small cases ----------------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_CLOSEDFORM_COSTSAMPLES_H
#define QUADRILLE_CLOSEDFORM_COSTSAMPLES_H

#include "algebra/Formula.h"
#include "check/Check.h"

namespace quadrille::compiler {

/// What one case costs at one length of blocks.
struct CostSample {
  Case instance;
  Lengths lengths;
  std::int64_t unit = 1; // packets per block
  Cost synchronous, asynchronous;
  std::unique_ptr<FormulaValues> values; // of the symbols p, n and the schedule's numbers
};

struct CostSamples {
  std::shared_ptr<TreeCache> trees; // of the schedule
  std::vector<CostSample> samples;
  std::vector<std::int64_t> ps; // those that `requires` admits
  std::vector<std::int64_t> parameters; // their values at every p, where `requires` admits them
  bool allRoots = true;
  ClauseReach clauses; // what they were compared for in these cases
};

/// The costs of small cases: the first p, and some around powers of two, up to about `transfers` transfers in all. Throws
/// Finding where a case is wrong.
CostSamples sampleCosts(const ir::Schedule &schedule, const Limits &limits, std::uint64_t transfers);

} // namespace quadrille::compiler

#endif // QUADRILLE_CLOSEDFORM_COSTSAMPLES_H
