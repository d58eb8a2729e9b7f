//===- Report.h - Verdicts as lines of text ----------------------------------------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_DRIVER_REPORT_H
#define QUADRILLE_DRIVER_REPORT_H

#include "check/Check.h"

#include "llvm/Support/raw_ostream.h"

namespace quadrille::compiler {

struct Options;
struct Session;

/// The options of a check, from the command line.
CheckOptions checkOptions(const Options &options);

/// Of every case with up to 17 ranks, within the limits of the command line.
CheckOptions defaultCheckOptions(const Options &options);

/// "1..33", "1, 2, 4, 8"
std::string rangeText(const std::vector<std::int64_t> &values);

/// What to say if none of the cases asked for is one of the schedule's.
Diagnostic noAdmissibleCase(const ir::Schedule &schedule, const CheckOptions &options);

/// What has to hold of the cases of the options: the `requires` clauses, and that the root is a rank. "pow2(p) and 2 < p"
std::string conditionText(const ir::Schedule &schedule, const CheckOptions &options);

/// Warns of options about numbers or lengths that none of the schedules has.
void warnOfUnreadOptions(llvm::ArrayRef<const ir::Schedule *> schedules, Session &session);

/// What the operator must obey: "-", "associative", "commutative".
std::string lawText(const ir::Schedule &schedule);

/// Prints rows of as many cells each in columns of UTF-8 text. Where the lines would be longer than `width`, columns on
/// the right are left out, but for the first two; 0: any length.
void printColumns(const std::vector<std::vector<std::string>> &rows, unsigned width, llvm::raw_ostream &out);

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

#endif // QUADRILLE_DRIVER_REPORT_H
