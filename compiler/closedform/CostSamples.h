//===- CostSamples.h - Exact costs of small cases ----------------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_CLOSEDFORM_COSTSAMPLES_H
#define QUADRILLE_CLOSEDFORM_COSTSAMPLES_H

#include "algebra/Formula.h"
#include "check/Check.h"

namespace quadrille::compiler {

/// The cost of one case at one length of blocks.
struct CostSample {
  Case instance;
  Lengths lengths;
  std::int64_t unit = 1; // packets per block
  Cost synchronous, asynchronous;
  std::shared_ptr<FormulaValues> values; // values of the symbols p, n and of the numbers of the schedule
};

struct CostSamples {
  std::shared_ptr<TreeCache> trees; // of the schedule
  std::vector<CostSample> samples;
  std::vector<std::int64_t> ps; // the p that were run
  std::vector<std::int64_t> parameters; // values of the parameters that were tried at every p
  bool allRoots = true;
  ClauseReach clauses; // for which lengths the clauses were compared in these cases
};

/// Runs and checks small cases: the smallest p, and some around powers of two, until they have about `transfers` transfers in all.
/// Throws Finding if a check fails.
CostSamples sampleCosts(const ir::Schedule &schedule, const Limits &limits, std::uint64_t transfers);

} // namespace quadrille::compiler

#endif // QUADRILLE_CLOSEDFORM_COSTSAMPLES_H
