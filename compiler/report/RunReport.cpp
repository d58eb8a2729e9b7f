//===- RunReport.cpp - How runs of several schedules ended --------------------------------------------------------------------===//

#include "RunReport.h"

#include "Text.h"
#include "VerdictReport.h"

#include "run/Cases.h"
#include "source/Counted.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"

#include <algorithm>

namespace quadrille::compiler {

double fastest(const std::vector<double> &times) { return times.empty() ? 0 : *std::min_element(times.begin(), times.end()); }

double median(std::vector<double> times) {
  if (times.empty())
    return 0;
  llvm::sort(times);
  return times[times.size() / 2];
}

std::string caseLine(const run::CaseReport &report, const run::RunRequest &request) {
  const run::CallCase &c = report.c;
  std::string text;
  llvm::raw_string_ostream out(text);
  out << describe(c, request) << ": ";
  if (!report.wrong.empty()) {
    out << report.wrong;
    return text;
  }
  out << (request.verify ? "ok" : "ran, not verified");
  const run::Timing &timing = report.timing;
  if (timing.calls.empty())
    return text;
  const double middle = median(timing.calls);
  out << llvm::format(" min=%.3fus median=%.3fus", fastest(timing.calls) * 1e6, middle * 1e6);
  if (c.n > 0 && middle > 0)
    out << llvm::format(" words/s=%.4g", static_cast<double>(c.n) / middle);
  if (!timing.library.empty()) {
    const double library = median(timing.library);
    out << llvm::format(" mpi=%.3fus", library * 1e6);
    if (middle > 0)
      out << llvm::format(" mpi/own=%.2f", library / middle);
  }
  if (timing.predicted) {
    out << llvm::format(" predicted=%.3fus", *timing.predicted * 1e6);
    if (*timing.predicted > 0)
      out << llvm::format(" ratio=%.2f", middle / *timing.predicted);
  }
  return text;
}

static std::string casesText(std::uint64_t count) { return counted(count, "case"); }

RunReport::RunReport(llvm::ArrayRef<const ir::Schedule *> schedules, const run::RunRequest &request) : request(request) {
  for (const ir::Schedule *schedule : schedules)
    ofSchedules.push_back({schedule});
}

RunReport::Line &RunReport::lineOf(const ir::Schedule &schedule) {
  return *llvm::find_if(ofSchedules, [&](const Line &line) { return line.schedule == &schedule; });
}

void RunReport::setLeftOut(const ir::Schedule &schedule, const CheckOptions &check) {
  lineOf(schedule) = {&schedule, RunVerdict::LeftOut, "as `" + conditionText(schedule, check) + "` does not hold"};
}

void RunReport::setEnded(const ir::Schedule &schedule) { lineOf(schedule) = {&schedule, RunVerdict::LeftOut, "as the time of --max-seconds was over"}; }

void RunReport::setNotRun(const ir::Schedule &schedule, const std::string &why) { lineOf(schedule).text = why; }

void RunReport::set(const run::ScheduleToRun &schedule, const run::ScheduleResult &result) {
  Line &line = lineOf(*schedule.schedule);
  cases += result.cases;
  if (result.isGood())
    line.verdict = RunVerdict::Good;
  if (result.stage == run::ScheduleResult::NotCompiled)
    line.text = "not run, as it does not compile";
  if (result.stage != run::ScheduleResult::Ran)
    return;
  std::vector<std::int64_t> ps;
  llvm::copy_if(schedule.ps, std::back_inserter(ps), [&](std::int64_t p) { return !llvm::is_contained(result.notRun, p); });
  if (ps.empty())
    return setEnded(*schedule.schedule);
  line.text = "p = " + rangeText(ps) + "  ";
  if (result.failed == 0)
    line.text += casesText(result.cases) + (result.endedBadly ? ", and then it ended badly" : "");
  else
    line.text += std::to_string(result.failed) + " of " + casesText(result.cases) + "; " + result.firstFailure;
}

std::string RunReport::wordFor(RunVerdict verdict) const {
  switch (verdict) {
  case RunVerdict::Good:
    return request.verify ? "ok" : "ran, not verified";
  case RunVerdict::Failed:
    return "FAILED";
  case RunVerdict::LeftOut:
    return "left out";
  }
  return "";
}

void RunReport::print(llvm::raw_ostream &out) const {
  std::vector<std::vector<std::string>> rows;
  for (const Line &line : ofSchedules)
    rows.push_back({line.schedule->path(), wordFor(line.verdict), line.text});
  printWrapped(rows, terminalColumns(out), out);
  out << counted(ofSchedules.size(), "schedule") << ", " << casesText(cases)
      << (request.validate ? ", not run but recorded" : ", backend " + emit::backendName(request.backend).str()) << ": ";
  llvm::ListSeparator separator;
  for (RunVerdict verdict : {RunVerdict::Good, RunVerdict::Failed, RunVerdict::LeftOut})
    if (auto count = llvm::count_if(ofSchedules, [&](const Line &line) { return line.verdict == verdict; }))
      out << separator << count << ' ' << llvm::StringRef(wordFor(verdict)).lower();
  out << '\n';
}

} // namespace quadrille::compiler
