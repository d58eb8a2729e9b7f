//===- PlanText.h - Plans as text -----------------------------------------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_PLAN_PLANTEXT_H
#define QUADRILLE_PLAN_PLANTEXT_H

#include "RankPlan.h"

#include "llvm/Support/raw_ostream.h"

namespace quadrille::compiler::plan {

/// Writes a table of all operations with time, line, step, region, partner and what they wait for; then lists which may run at the same
/// time, which were removed, and which blocks were joined. `schedule`: "scan/hypercube"; `caseText`: "p = 8".
void writeExplanation(const RankPlan &plan, llvm::StringRef schedule, llvm::StringRef caseText, llvm::raw_ostream &out);

/// Indices as numbers from 1, runs joined: "1", "1, 3..5". `numbers` is ascending.
std::string numbersText(llvm::ArrayRef<size_t> numbers);

} // namespace quadrille::compiler::plan

#endif // QUADRILLE_PLAN_PLANTEXT_H
