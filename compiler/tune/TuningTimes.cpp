//===- TuningTimes.cpp - The measurements of `quadrille tune` ---------------------------------------------------------------===//

#include "TuningTimes.h"

#include "report/RunReport.h"

#include "llvm/ADT/STLExtras.h"

namespace quadrille::compiler::tune {

TuningTimes::TuningTimes(const TuningGrid &grid, const run::RunRequest &request, Journal &journal, bool keepsJournal,
                         std::chrono::steady_clock::time_point end, Sources &sources, Diagnostics &diagnostics)
    : grid(grid), request(request), journal(journal), keepsJournal(keepsJournal), end(end), sources(sources), diagnostics(diagnostics) {
  this->request.progress = [this](const std::string &what) { what.empty() ? progress.hide() : progress.show(doing + what); };
}

bool TuningTimes::isTimeLeft() const { return std::chrono::steady_clock::now() <= end; }

Journal::Key TuningTimes::keyOf(const Cell &cell, const Timed &timed) const {
  const std::string parameter = timed.parameter.empty() && grid.hasIntegers(cell) ? "-" : timed.parameter;
  return {cell.p, cell.bytes, timed.schedule->path(), parameter + (grid.hasIntegers(cell) ? ":int64" : "")};
}

static Journal::Key keyOfMpi(const std::string &collective, std::int64_t p, std::uint64_t bytes) {
  return {p, bytes, collective + "/" + ownOfMpi, ""};
}

/// Whether it is worth measuring a schedule: if predictions err by no more than is known (docs/machines.md), it may be the fastest.
static bool isWorthIt(const Cell &cell, const Timed &timed) {
  double best = timed.predicted;
  for (const Timed &other : cell.schedules)
    if (!other.hasFreePorts)
      best = std::min(best, other.predicted);
  return timed.predicted <= hopeless * best;
}

bool TuningTimes::measure(std::vector<Cell> &cells) {
  for (Cell &cell : cells)
    for (Timed &timed : cell.schedules) {
      timed.measured = journal.find(keyOf(cell, timed));
      timed.isWanted = isWorthIt(cell, timed);
      wanted += timed.isWanted;
    }
  for (std::int64_t p : grid.ps)
    for (std::int64_t n : grid.ns)
      // A request has one value of the parameter for all its schedules, so there is a launch for each value.
      for (std::int64_t parameter : {0, 2, 3, 4})
        for (bool ofIntegers : {false, true}) {
          if (!isTimeLeft())
            return true;
          if (!measureAt(p, n, parameter, ofIntegers, cells))
            return false;
        }
  if (request.backend == emit::Backend::Mpi && keepsJournal) // nobody else is told of them
    for (std::int64_t p : grid.ps)
      for (std::int64_t n : grid.ns)
        if (isTimeLeft() && !measureMpi(p, n, cells))
          return false;
  return true;
}

/// Measures the MPI library's own collectives, each beside one schedule. False after an error.
bool TuningTimes::measureMpi(std::int64_t p, std::int64_t n, const std::vector<Cell> &cells) {
  std::vector<run::ScheduleToRun> schedules;
  for (const Cell &cell : cells) {
    if (cell.p != p || cell.bytes != TuningGrid::bytesFor(cell.collective, n) || !needsMpi(cell))
      continue;
    const auto plain = llvm::find_if(cell.schedules, [](const Timed &timed) { return timed.parameter.empty() && timed.measured; });
    if (plain != cell.schedules.end())
      schedules.push_back({plain->schedule, {p}});
  }
  if (schedules.empty())
    return true;
  doing = "p = " + std::to_string(p) + ", " + std::to_string(n * TuningGrid::elementBytes) + " bytes, the MPI library's own: ";
  run::RunRequest beside = request;
  beside.ns = {n};
  beside.types = {"double"};
  beside.compareMpi = true;
  beside.repeat = 21;
  beside.caseDone = [&](const run::CaseReport &report) {
    if (report.timing.library.empty())
      return;
    const double seconds = median(report.timing.library);
    const std::string &collective = report.c.schedule->collective->name;
    const Journal::Key key = keyOfMpi(collective, p, TuningGrid::bytesFor(collective, n));
    journal.note(key, std::min(seconds, journal.find(key).value_or(seconds)));
  };
  return runAll(schedules, beside);
}

/// Measures the schedules of all cells with this p and n whose parameter has this value (0: the call chooses it, or there is none). False
/// after an error.
bool TuningTimes::measureAt(std::int64_t p, std::int64_t n, std::int64_t parameter, bool ofIntegers, std::vector<Cell> &cells) {
  constexpr size_t warmingSchedules = 8; // so many run before those that are measured
  std::vector<run::ScheduleToRun> schedules, warming;
  std::map<const ir::Schedule *, std::pair<Cell *, Timed *>> places;
  double perCall = 0;
  for (Cell &cell : cells) {
    if (cell.p != p || cell.bytes != TuningGrid::bytesFor(cell.collective, n))
      continue;
    if (grid.hasIntegers(cell) != ofIntegers)
      continue;
    for (Timed &timed : cell.schedules) {
      if (timed.parameter.empty() && warming.size() < warmingSchedules)
        warming.push_back({timed.schedule, {p}});
      const bool isAuto = timed.parameter.empty() || llvm::StringRef(timed.parameter).ends_with("=auto");
      if (timed.measured || !timed.isWanted || (isAuto ? parameter != 0 : !llvm::StringRef(timed.parameter).ends_with("=" + std::to_string(parameter))))
        continue;
      schedules.push_back({timed.schedule, {p}});
      places[timed.schedule] = {&cell, &timed};
      perCall += timed.predicted;
    }
  }
  if (schedules.empty())
    return true;
  // New threads share a core until the system has spread them, so whatever runs first is slow.
  schedules.insert(schedules.begin(), warming.begin(), warming.end());
  doing = "p = " + std::to_string(p) + ", " + std::to_string(n * TuningGrid::elementBytes) + " bytes: ";
  run::RunRequest measured = request;
  measured.ns = {n};
  measured.parameters = {parameter};
  measured.types = {ofIntegers ? "int64" : "double"};
  // All schedules here together take some seconds, but each is called often enough for a median.
  measured.repeat = static_cast<unsigned>(std::clamp(2.0 / std::max(perCall, 1e-6), 9.0, 51.0));
  measured.caseDone = [&](const run::CaseReport &report) {
    const auto found = places.find(report.c.schedule);
    if (found == places.end() || report.timing.calls.empty())
      return;
    const double seconds = median(report.timing.calls);
    auto [cell, timed] = found->second;
    timed->measured = std::min(seconds, timed->measured.value_or(seconds));
    journal.note(keyOf(*cell, *timed), *timed->measured);
  };
  return runAll(schedules, measured);
}

bool TuningTimes::needsMpi(const Cell &cell) const {
  return request.backend == emit::Backend::Mpi && keepsJournal && !grid.hasIntegers(cell) && !journal.find(keyOfMpi(cell.collective, cell.p, cell.bytes)) &&
         llvm::any_of(cell.schedules, [](const Timed &timed) { return timed.parameter.empty() && timed.measured; });
}

/// Runs schedules some times; `what.caseDone` notes their times in the journal, which is written then. False after an error.
bool TuningTimes::runAll(llvm::ArrayRef<run::ScheduleToRun> schedules, const run::RunRequest &what) {
  // Schedules are measured one after the other. Other programs slow down some of them, but hardly the same ones each time.
  constexpr unsigned passes = 3;
  for (unsigned pass = 0; pass < passes; ++pass)
    if (!run::runSchedules(schedules, what, sources, diagnostics)) {
      progress.hide();
      return false;
    }
  progress.hide();
  return !keepsJournal || journal.write(diagnostics);
}

} // namespace quadrille::compiler::tune
