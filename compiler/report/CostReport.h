//===- CostReport.h - Costs for all p, as lines of text ----------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_REPORT_COSTREPORT_H
#define QUADRILLE_REPORT_COSTREPORT_H

#include "closedform/CostSummary.h"

#include "llvm/Support/raw_ostream.h"

namespace quadrille::compiler {

/// Prints T of both readings, factor by factor, each with how it is known, and what the author claims.
void printCostSummary(const ir::Schedule &schedule, const CostSummary &summary, llvm::raw_ostream &out);

} // namespace quadrille::compiler

#endif // QUADRILLE_REPORT_COSTREPORT_H
