//===- CostReport.h - Costs for all p, as lines of text ----------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_REPORT_COSTREPORT_H
#define QUADRILLE_REPORT_COSTREPORT_H

#include "closedform/ClosedForms.h"

#include "llvm/Support/raw_ostream.h"

namespace quadrille::compiler {

/// "2*(p - 1)*alpha + 2*(p - 1)*ceil(n/p)*beta"; factors without a formula are "?". Of a pipeline:
/// "r(k)*alpha + (r(k)*(n div k) + r(n mod k))*beta, r(k) = p + k - 2, r(0) = 0".
std::string totalText(const CostReading &reading, const ir::Schedule &schedule);

/// Prints T of both readings, factor by factor, each with how it is known, and what the author claims.
void printClosedForms(const ir::Schedule &schedule, const ClosedForms &forms, llvm::raw_ostream &out);

} // namespace quadrille::compiler

#endif // QUADRILLE_REPORT_COSTREPORT_H
