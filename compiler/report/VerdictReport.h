//===- VerdictReport.h - Verdicts of checks as lines of text --------------------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_REPORT_VERDICTREPORT_H
#define QUADRILLE_REPORT_VERDICTREPORT_H

#include "check/Check.h"

#include "llvm/Support/raw_ostream.h"

namespace quadrille::compiler {

/// The diagnostic if the schedule admits none of the cases that are asked for.
Diagnostic noAdmissibleCase(const ir::Schedule &schedule, const CheckOptions &options);

/// The condition under which the schedule admits a case: the `requires` clauses, and that the root is a rank. "pow2(p) and 2 < p"
std::string conditionText(const ir::Schedule &schedule, const CheckOptions &options);

/// The parameters in `requires` clauses that are tried where the usual ones are not admitted, for p up to `most`; nothing if there are none.
std::optional<diag::Tried> triedParameters(const ir::Schedule &schedule, const CheckOptions &options, std::int64_t most);

/// What the operator must obey: "-", "associative", "commutative".
std::string lawText(const ir::Schedule &schedule);

/// Which maps from ranks to nodes were tried; empty if the schedule does not ask for them.
std::string mapsText(const Verdict &verdict);

/// A line per schedule: path, verdict, p, model, operator law, cost, proof.
class VerdictTable {
public:
  VerdictTable(const std::vector<const ir::Schedule *> &schedules, bool verbose);
  /// `proof`: what was proved; `whyNot`: why not all was. Both may be empty.
  void print(const Verdict &verdict, const std::string &proof, const std::string &whyNot, bool clausesAreProved,
             llvm::raw_ostream &out) const;

private:
  size_t width = 0;
  bool verbose;
};

} // namespace quadrille::compiler

#endif // QUADRILLE_REPORT_VERDICTREPORT_H
