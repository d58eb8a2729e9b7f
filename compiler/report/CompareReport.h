//===- CompareReport.h - Which schedule is fastest where ---------------------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_REPORT_COMPAREREPORT_H
#define QUADRILLE_REPORT_COMPAREREPORT_H

#include "draw/CostMap.h"
#include "machines/Compare.h"

#include "llvm/Support/raw_ostream.h"

namespace quadrille::compiler {

/// Schedules of one collective, and which of them is fastest for which p and n.
struct ScheduleComparison {
  /// A schedule that is not compared, and why.
  struct LeftOut {
    std::string path;
    diag::LeftOut reason;
  };

  std::string collective;
  MachineParameters machine = commonMachine;
  std::vector<Candidate> candidates;
  std::vector<LeftOut> leftOut;
  std::vector<std::int64_t> ps, ns; // those that were asked for
  Comparison comparison;            // of the candidates
};

void printComparisonText(const ScheduleComparison &compared, llvm::raw_ostream &out);
void printComparisonJson(const ScheduleComparison &compared, llvm::raw_ostream &out);
draw::CostMap costMap(const ScheduleComparison &compared);

} // namespace quadrille::compiler

#endif // QUADRILLE_REPORT_COMPAREREPORT_H
