//===- RunReport.cpp - How runs of several schedules ended --------------------------------------------------------------------===//

#include "RunReport.h"

#include "Text.h"
#include "VerdictReport.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace quadrille::compiler {

static std::string casesText(std::uint64_t count) { return std::to_string(count) + (count == 1 ? " case" : " cases"); }

RunReport::RunReport(llvm::ArrayRef<const ir::Schedule *> schedules, const run::RunRequest &request) : request(request) {
  for (const ir::Schedule *schedule : schedules)
    lines.push_back({schedule});
}

RunReport::Line &RunReport::lineOf(const ir::Schedule &schedule) {
  return *llvm::find_if(lines, [&](const Line &line) { return line.schedule == &schedule; });
}

void RunReport::setLeftOut(const ir::Schedule &schedule, const CheckOptions &check) {
  lineOf(schedule) = {&schedule, Verdict::LeftOut, "as `" + conditionText(schedule, check) + "` does not hold"};
}

void RunReport::setNotChecked(const ir::Schedule &schedule) { lineOf(schedule).text = "not run, as the checks found an error"; }

void RunReport::set(const run::ScheduleToRun &schedule, const run::ScheduleResult &result) {
  Line &line = lineOf(*schedule.schedule);
  cases += result.cases;
  if (result.isGood())
    line.verdict = Verdict::Good;
  if (result.stage == run::ScheduleResult::NotCompiled)
    line.text = "not run, as it does not compile";
  if (result.stage != run::ScheduleResult::Ran)
    return;
  line.text = "p = " + rangeText(schedule.ps) + "  ";
  if (result.failed == 0)
    line.text += casesText(result.cases) + (result.endedBadly ? ", and then it ended badly" : "");
  else
    line.text += std::to_string(result.failed) + " of " + casesText(result.cases) + "; " + result.firstFailure;
}

std::string RunReport::wordFor(Verdict verdict) const {
  switch (verdict) {
  case Verdict::Good:
    return request.verify ? "ok" : "ran, not verified";
  case Verdict::Failed:
    return "FAILED";
  case Verdict::LeftOut:
    return "left out";
  }
  return "";
}

void RunReport::print(llvm::raw_ostream &out) const {
  std::vector<std::vector<std::string>> rows;
  for (const Line &line : lines)
    rows.push_back({line.schedule->path(), wordFor(line.verdict), line.text});
  printColumns(rows, 0, out);
  out << lines.size() << " schedules, " << casesText(cases)
      << (request.validate ? ", not run but recorded" : ", backend " + emit::backendName(request.backend).str()) << ": ";
  llvm::ListSeparator separator;
  for (Verdict verdict : {Verdict::Good, Verdict::Failed, Verdict::LeftOut})
    if (auto count = llvm::count_if(lines, [&](const Line &line) { return line.verdict == verdict; }))
      out << separator << count << ' ' << llvm::StringRef(wordFor(verdict)).lower();
  out << '\n';
}

} // namespace quadrille::compiler
