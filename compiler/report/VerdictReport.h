//===- VerdictReport.h - Verdicts of checks as lines of text --------------------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_REPORT_VERDICTREPORT_H
#define QUADRILLE_REPORT_VERDICTREPORT_H

#include "check/Check.h"

#include "llvm/Support/raw_ostream.h"

namespace quadrille::compiler {

/// What to say if none of the cases asked for is one of the schedule's.
Diagnostic noAdmissibleCase(const ir::Schedule &schedule, const CheckOptions &options);

/// What has to hold of the cases of the options: the `requires` clauses, and that the root is a rank. "pow2(p) and 2 < p"
std::string conditionText(const ir::Schedule &schedule, const CheckOptions &options);

/// What the operator must obey: "-", "associative", "commutative".
std::string lawText(const ir::Schedule &schedule);

/// Which maps from ranks to nodes were tried; empty if the schedule does not ask for them.
std::string mapsText(const Verdict &verdict);

/// A line per schedule: path, verdict, p, model, operator law, cost, proof.
class VerdictTable {
public:
  VerdictTable(const std::vector<const ir::Schedule *> &schedules, bool verbose);
  /// `proof`: what was shown beyond the cases that were tried; `whyNot`: why it was no more. Both may be empty.
  void print(const Verdict &verdict, const std::string &proof, const std::string &whyNot, bool clausesAreProved,
             llvm::raw_ostream &out) const;

private:
  size_t width = 0;
  bool verbose;
};

} // namespace quadrille::compiler

#endif // QUADRILLE_REPORT_VERDICTREPORT_H
