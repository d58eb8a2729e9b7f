//===- RunReport.h - How runs of several schedules ended ---------------------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_REPORT_RUNREPORT_H
#define QUADRILLE_REPORT_RUNREPORT_H

#include "check/Check.h"
#include "run/RunSchedules.h"

namespace quadrille::compiler {

/// The fastest and the median of times in seconds; 0 if there are none.
double fastest(const std::vector<double> &times);
double median(std::vector<double> times);

/// The line of a case: how it came out, and how long its calls took.
std::string caseLine(const run::CaseReport &report, const run::RunRequest &request);

/// What is known of a run of one schedule, for a line or as data.
enum class RunVerdict { Good, Failed, LeftOut };

/// Prints a line for each schedule, and one for all together.
class RunReport {
public:
  RunReport(llvm::ArrayRef<const ir::Schedule *> schedules, const run::RunRequest &request);

  void setLeftOut(const ir::Schedule &schedule, const CheckOptions &check);
  /// The runs have ended, as --max-seconds asks, before this one had its turn.
  void setEnded(const ir::Schedule &schedule);
  void setNotRun(const ir::Schedule &schedule, const std::string &why);
  void set(const run::ScheduleToRun &schedule, const run::ScheduleResult &result);

  void print(llvm::raw_ostream &out) const;

  struct Line {
    const ir::Schedule *schedule;
    RunVerdict verdict = RunVerdict::Failed;
    std::string text = "not run";
  };
  /// The lines, in the order of the schedules.
  const std::vector<Line> &lines() const { return ofSchedules; }
  std::string wordFor(RunVerdict verdict) const;

private:
  Line &lineOf(const ir::Schedule &schedule);

  const run::RunRequest &request;
  std::vector<Line> ofSchedules;
  std::uint64_t cases = 0;
};

} // namespace quadrille::compiler

#endif // QUADRILLE_REPORT_RUNREPORT_H
