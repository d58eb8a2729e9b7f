//===- RunReport.h - How runs of several schedules ended ---------------------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_REPORT_RUNREPORT_H
#define QUADRILLE_REPORT_RUNREPORT_H

#include "check/Check.h"
#include "run/RunSchedules.h"

namespace quadrille::compiler {

/// A line per schedule, and one for all of them.
class RunReport {
public:
  enum class Verdict { Good, Failed, LeftOut };

  RunReport(llvm::ArrayRef<const ir::Schedule *> schedules, const run::RunRequest &request);

  void setLeftOut(const ir::Schedule &schedule, const CheckOptions &check);
  void setNotChecked(const ir::Schedule &schedule);
  void set(const run::ScheduleToRun &schedule, const run::ScheduleResult &result);

  void print(llvm::raw_ostream &out) const;

private:
  struct Line {
    const ir::Schedule *schedule;
    Verdict verdict = Verdict::Failed;
    std::string text = "not run";
  };
  Line &lineOf(const ir::Schedule &schedule);
  std::string wordFor(Verdict verdict) const;

  const run::RunRequest &request;
  std::vector<Line> lines; // in the order of the schedules
  std::uint64_t cases = 0;
};

} // namespace quadrille::compiler

#endif // QUADRILLE_REPORT_RUNREPORT_H
