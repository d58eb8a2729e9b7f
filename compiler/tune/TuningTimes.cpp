//===- TuningTimes.cpp - The measurements of `quadrille tune` ---------------------------------------------------------------===//

#include "TuningTimes.h"

#include "limits/Limits.h"
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
  auto isLeft = [](const Cell &, const Timed &timed) { return !timed.measured && timed.isWanted; };
  auto note = [&](Cell &cell, Timed &timed, double seconds) {
    timed.measured = seconds;
    journal.note(keyOf(cell, timed), seconds);
  };
  if (!measureAll(cells, "", isLeft, note) || !measureFinals(cells))
    return false;
  if (request.backend == emit::Backend::Mpi && keepsJournal) // nobody else is told of them
    for (std::int64_t p : grid.ps)
      for (std::int64_t n : grid.ns)
        if (isTimeLeft() && !measureMpi(p, n, cells))
          return false;
  return true;
}

/// Measures what is wanted at each p and length, as long as there is time. False after an error.
bool TuningTimes::measureAll(std::vector<Cell> &cells, llvm::StringRef what, Wants wants, Note note) {
  for (std::int64_t p : grid.ps)
    for (std::int64_t n : grid.ns)
      for (std::int64_t parameter : {0, 2, 3, 4})
        for (bool ofIntegers : {false, true})
          if (isTimeLeft() && !measureAt({p, n, parameter, ofIntegers}, cells, what, wants, note))
            return false;
  return true;
}

/// Those that were timed by turns before; else those that should be. Empty: nothing is to be decided, or the first measurements are not complete.
std::vector<size_t> TuningTimes::finalists(const Cell &cell) const {
  std::vector<size_t> result;
  bool isDecided = true;
  for (const auto &[i, timed] : llvm::enumerate(cell.schedules))
    if (const size_t rounds = journal.roundsOf(keyOf(cell, timed)).size(); timed.measured && rounds > 0) {
      result.push_back(i);
      isDecided &= rounds >= FinalTimes::leastRounds;
    }
  // Until rounds have decided, the first times still say who takes part; some of these may not have had their turn before an interrupt.
  if (isDecided && result.size() > 1)
    return result;
  if (llvm::any_of(cell.schedules, [](const Timed &timed) { return timed.isWanted && !timed.measured; }))
    return {};
  result = finalistsOf(cell);
  return result.size() > 1 ? result : std::vector<size_t>();
}

FinalTimes TuningTimes::finalTimes(const Cell &cell, llvm::ArrayRef<size_t> finalists) const {
  FinalTimes result;
  for (size_t i : finalists)
    for (const auto &[round, seconds] : journal.roundsOf(keyOf(cell, cell.schedules[i])))
      result.add(i, round, seconds);
  result.dropIncomplete(finalists);
  return result;
}

unsigned TuningTimes::roundsLeft(const Cell &cell) const {
  const std::vector<size_t> close = finalists(cell);
  return close.empty() ? 0 : limits::finalRounds - finalTimes(cell, close).completeRounds(close);
}

/// Times the fastest schedules of each cell again, by turns: all cells in the first round, then all in the next one, so that rounds are far apart.
/// False after an error.
bool TuningTimes::measureFinals(std::vector<Cell> &cells) {
  struct Final {
    std::vector<size_t> finalists;
    FinalTimes times;
  };
  std::map<const Cell *, Final> open;
  for (const Cell &cell : cells)
    if (roundsLeft(cell) > 0) {
      const std::vector<size_t> close = finalists(cell);
      open[&cell] = {close, finalTimes(cell, close)};
    }
  auto indexOf = [](const Cell &cell, const Timed &timed) { return static_cast<size_t>(&timed - cell.schedules.data()); };
  for (unsigned round = 1; round <= limits::finalRounds && isTimeLeft(); ++round) {
    auto isWanted = [&](const Cell &cell, const Timed &timed) {
      const auto found = open.find(&cell);
      return found != open.end() && llvm::is_contained(found->second.finalists, indexOf(cell, timed)) && !found->second.times.has(indexOf(cell, timed), round);
    };
    auto note = [&](Cell &cell, Timed &timed, double seconds) {
      open[&cell].times.add(indexOf(cell, timed), round, seconds);
      journal.noteRound(keyOf(cell, timed), round, seconds);
    };
    if (!measureAll(cells, "the fastest by turns, round " + std::to_string(round) + " of " + std::to_string(limits::finalRounds) + ", ", isWanted, note))
      return false;
  }
  for (Cell &cell : cells) {
    const auto found = open.find(&cell);
    if (found == open.end() || !found->second.times.decide(cell, found->second.finalists))
      continue;
    for (const Timed &timed : cell.schedules)
      if (timed.measured)
        journal.note(keyOf(cell, timed), *timed.measured);
  }
  return !keepsJournal || journal.write(diagnostics);
}

/// Measures the MPI library's own collectives, each beside one schedule. False after an error.
bool TuningTimes::measureMpi(std::int64_t p, std::int64_t n, const std::vector<Cell> &cells) {
  std::vector<run::ScheduleToRun> schedules;
  std::map<const ir::Schedule *, double> secondsOf;
  for (const Cell &cell : cells) {
    if (cell.p != p || cell.bytes != TuningGrid::bytesFor(cell.collective, n) || !needsMpi(cell))
      continue;
    const auto plain = llvm::find_if(cell.schedules, [](const Timed &timed) { return timed.parameter.empty() && timed.measured; });
    if (plain != cell.schedules.end()) {
      schedules.push_back({plain->schedule, {p}});
      secondsOf[plain->schedule] = *plain->measured;
    }
  }
  if (schedules.empty())
    return true;
  doing = std::to_string(n * TuningGrid::elementBytes) + " bytes, the MPI library's own, ";
  run::RunRequest beside = request;
  beside.ns = {n};
  beside.types = {"double"};
  beside.compareMpi = true;
  beside.repeat = 21;
  beside.caseDone = [&](const run::CaseReport &report) {
    const double beside = median(report.timing.calls);
    if (report.timing.library.empty() || beside <= 0)
      return;
    // The machine may have changed since the schedules were timed, so the ratio to one of them counts.
    const double seconds = median(report.timing.library) / beside * secondsOf[report.c.schedule];
    const std::string &collective = report.c.schedule->collective->name;
    const Journal::Key key = keyOfMpi(collective, p, TuningGrid::bytesFor(collective, n));
    journal.note(key, std::min(seconds, journal.find(key).value_or(seconds)));
  };
  // Other programs slow down some of them, but hardly the same ones each time.
  return runAll(schedules, beside, 3);
}

/// Measures what is wanted of the cells of a launch. `what` begins the progress line. False after an error.
bool TuningTimes::measureAt(const Launch &launch, std::vector<Cell> &cells, llvm::StringRef what, Wants wants, Note note) {
  constexpr size_t warmingSchedules = 8; // so many run before those that are measured
  std::vector<run::ScheduleToRun> schedules, warming;
  std::map<const ir::Schedule *, std::pair<Cell *, Timed *>> places;
  double perCall = 0;
  for (Cell &cell : cells) {
    if (cell.p != launch.p || cell.bytes != TuningGrid::bytesFor(cell.collective, launch.n) || grid.hasIntegers(cell) != launch.ofIntegers)
      continue;
    for (Timed &timed : cell.schedules) {
      if (timed.parameter.empty() && warming.size() < warmingSchedules)
        warming.push_back({timed.schedule, {launch.p}});
      const bool isAuto = timed.parameter.empty() || llvm::StringRef(timed.parameter).ends_with("=auto");
      if (!wants(cell, timed) ||
          (isAuto ? launch.parameter != 0 : !llvm::StringRef(timed.parameter).ends_with("=" + std::to_string(launch.parameter))))
        continue;
      schedules.push_back({timed.schedule, {launch.p}});
      places[timed.schedule] = {&cell, &timed};
      perCall += timed.predicted;
    }
  }
  if (schedules.empty())
    return true;
  // New threads share a core until the system has spread them, so whatever runs first is slow.
  schedules.insert(schedules.begin(), warming.begin(), warming.end());
  doing = what.str() + std::to_string(launch.n * TuningGrid::elementBytes) + " bytes, ";
  run::RunRequest measured = request;
  measured.ns = {launch.n};
  measured.parameters = {launch.parameter};
  measured.types = {launch.ofIntegers ? "int64" : "double"};
  // All schedules here together take some seconds, but each is called often enough for a median.
  measured.repeat = static_cast<unsigned>(std::clamp(2.0 / std::max(perCall, 1e-6), 9.0, 51.0));
  measured.caseDone = [&](const run::CaseReport &report) {
    const auto found = places.find(report.c.schedule);
    if (found == places.end() || report.timing.calls.empty())
      return;
    auto [cell, timed] = found->second;
    note(*cell, *timed, median(report.timing.calls));
  };
  return runAll(schedules, measured, 1);
}

bool TuningTimes::needsMpi(const Cell &cell) const {
  return request.backend == emit::Backend::Mpi && keepsJournal && !grid.hasIntegers(cell) && !journal.find(keyOfMpi(cell.collective, cell.p, cell.bytes)) &&
         llvm::any_of(cell.schedules, [](const Timed &timed) { return timed.parameter.empty() && timed.measured; });
}

/// Runs schedules some times; `what.caseDone` notes their times in the journal, which is written then. False after an error.
bool TuningTimes::runAll(llvm::ArrayRef<run::ScheduleToRun> schedules, const run::RunRequest &what, unsigned passes) {
  for (unsigned pass = 0; pass < passes; ++pass)
    if (!run::runSchedules(schedules, what, sources, diagnostics)) {
      progress.hide();
      return false;
    }
  progress.hide();
  return !keepsJournal || journal.write(diagnostics);
}

} // namespace quadrille::compiler::tune
