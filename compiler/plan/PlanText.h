//===- PlanText.h - A plan, explained -------------------------------------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_PLAN_PLANTEXT_H
#define QUADRILLE_PLAN_PLANTEXT_H

#include "RankPlan.h"

#include "llvm/Support/raw_ostream.h"

namespace quadrille::compiler::plan {

/// Every operation with its time, line, step, region, partner and what it waits for; then which are under way together, what was removed
/// and what was joined. `schedule`: "scan/hypercube"; `caseText`: "p = 8".
void writeExplanation(const RankPlan &plan, llvm::StringRef schedule, llvm::StringRef caseText, llvm::raw_ostream &out);

/// "1", "1, 3..5": numbers for people, which begin with 1; `numbers` is ascending.
std::string numbersText(llvm::ArrayRef<size_t> numbers);

} // namespace quadrille::compiler::plan

#endif // QUADRILLE_PLAN_PLANTEXT_H
