//===- TuneCommand.cpp - quadrille tune ---------------------------------------------------------------------------------------------===//

#include "ExportCommand.h"
#include "Given.h"
#include "TableCommand.h"

#include "cache/CacheFolder.h"
#include "cache/MachineFiles.h"
#include "diagnostics/OutputFile.h"
#include "emit/LibraryUnits.h"
#include "emit/PacketRule.h"
#include "ir/Walk.h"
#include "report/Text.h"
#include "run/Calibrate.h"
#include "run/Predictions.h"
#include "source/Counted.h"
#include "tune/CellFits.h"
#include "tune/ChoiceTable.h"
#include "tune/TuningTimes.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include <map>
#include <thread>

namespace quadrille::compiler {

/// The name of the processor, if the system tells it.
static std::string processorName() {
  if (auto text = llvm::MemoryBuffer::getFileAsStream("/proc/cpuinfo"))
    for (llvm::StringRef rest = (*text)->getBuffer(); !rest.empty();) {
      auto [line, others] = rest.split('\n');
      rest = others;
      if (line.consume_front("model name"))
        return line.ltrim(" \t:").rtrim().str();
    }
  return "a processor that does not tell its name";
}

namespace {

/// The values that are tried for parameters: radices, sizes of groups, dimensions; and numbers of packets, beside the one that the call would choose,
/// which does not know that very short messages are cheaper.
constexpr std::int64_t triedParameters[] = {2, 3, 4};

/// The number of places in the text, and in those of used schedules, where ranks copy or combine what they have. Costs do not count these.
size_t localOperations(const ir::Schedule &schedule) {
  size_t count = 0;
  ir::anyStatement(schedule.body, [&](const ir::Stmt &stmt) {
    if (const auto *use = llvm::dyn_cast<ir::UseStmt>(&stmt))
      count += localOperations(*use->callee);
    count += llvm::isa<ir::AssignStmt>(stmt);
    return false;
  });
  return count;
}

/// A schedule with one value of its parameter.
struct Contestant {
  const ir::Schedule *schedule;
  std::optional<std::int64_t> parameter; // nothing: the schedule has none; 0: the call chooses it

  std::string parameterText() const {
    if (!parameter)
      return "";
    return schedule->variables[ir::Schedule::firstNumber].name + "=" + (*parameter == 0 ? "auto" : std::to_string(*parameter));
  }
};

class TuneCommand {
public:
  explicit TuneCommand(Session &session) : session(session), options(session.options), began(std::chrono::steady_clock::now()),
        grid({options.files, options.ps, options.callsFile, options.predict}, session.sources, session.diagnostics) {
    request.program = &session.library.program();
    request.backend = options.backend == BackendChoice::Mpi ? emit::Backend::Mpi : emit::Backend::Shm;
    request.tables.pattern = LengthPattern::Even;
    request.executable = options.executable;
    request.launcher = options.launcher;
  }

  int run() {
    const std::string backend = emit::backendName(request.backend).str();
    tune::Journal journal = tune::Journal::beside(tableFile(), backend);
    if (!isWritable(tableFile(), session.diagnostics) || !grid.choose() || (keepsMeasurements() && !journal.read(session.diagnostics)))
      return 1;
    request.ns = grid.ns;
    run::Predictions predictions(request, std::set<std::int64_t>(grid.ps.begin(), grid.ps.end()), checkOptions(options), options.machine,
                                 session.diagnostics);
    if (!findMachine(predictions))
      return 1;
    request.machine = [&](std::int64_t p) { return predictions.machine(p); };
    predict(predictions);
    if (cells.empty()) { // nothing is written over a table that may be there
      if (!session.diagnostics.errorCount())
        session.diagnostics.reportFile(tableFile(), diag::NoCallsToTune{.reason = diag::NoCallsNotPredicted{}});
      return 1;
    }
    tune::TuningTimes times(grid, request, journal, keepsMeasurements(), began + std::chrono::seconds(std::min<std::uint64_t>(options.budget, longestBudget)), session.sources,
                            session.diagnostics);
    if (!options.predict) {
      if (!times.measure(cells))
        return 1;
      fits = tune::fitCells(cells, [&](std::int64_t p) { return predictions.parameters(p, elementBytes); });
    }
    auto writeTo = [&](llvm::raw_ostream &out) { out << tune::tableText(cells, backend, machineText(), tune::fitTexts(fits, elementBytes)); };
    if (!writeOutput(tableFile(), writeTo, session.diagnostics))
      return 1;
    if (tableFile() != "-")
      report(journal, times);
    return session.diagnostics.errorCount() ? 1 : 0;
  }

private:
  static constexpr std::int64_t elementBytes = tune::TuningGrid::elementBytes;
  static constexpr std::uint64_t longestBudget = 1'000'000'000; // seconds: longer than anybody waits, and a clock has room for it

  std::string tableFile() const { return options.output.empty() ? "quadrille.table" : options.output; }

  bool keepsMeasurements() const { return !options.predict && tableFile() != "-"; }

  /// Finds the machine that `calibrate` has measured, or measures it now. False after an error.
  bool findMachine(run::Predictions &predictions) {
    if (!predictions.find())
      return false;
    if (llvm::all_of(grid.ps, [&](std::int64_t p) { return predictions.knows(p); }))
      return true;
    run::CalibrationRequest calibration;
    calibration.backend = request.backend;
    calibration.p = std::max<std::int64_t>(2, std::thread::hardware_concurrency());
    calibration.executable = options.executable;
    calibration.launcher = options.launcher;
    progress.show("measuring what startups, words and operators take");
    std::optional<MachineDescription> machine = run::calibrate(calibration, session.diagnostics);
    progress.hide();
    if (!machine)
      return false;
    if (std::optional<std::string> file = machinePath(emit::backendName(request.backend), calibration.p))
      (void)writeFile(*file, [&](llvm::raw_ostream &out) { out << compiler::machineText(*machine); }, session.diagnostics);
    predictions.otherwise(*machine);
    return true;
  }

  /// Whether all ranks use the same bracketing and so get the same bits. Programs need this, since their ranks branch on results.
  bool givesSameBits(const ir::Schedule &schedule) const {
    if (!schedule.usesOperator)
      return true;
    CheckOptions check = defaultCheckOptions(options);
    check.ps = {2, 3, 4, 5, 8};
    const Verdict verdict = checkSchedule(schedule, check);
    return !verdict.failure && verdict.sameBracketing;
  }

  /// In the order in which they are preferred where their predictions are equal.
  std::vector<Contestant> contestants(const std::string &collective) {
    std::vector<Contestant> result;
    for (const ir::Schedule *schedule : session.library.all()) {
      std::optional<diag::NoPackets> whyNot;
      if (schedule->collective->name != collective || schedule->parameterCount > 1 || !givesSameBits(*schedule))
        continue;
      if (schedule->parameterCount == 0) {
        result.push_back({schedule, std::nullopt});
        continue;
      }
      if (emit::takesLength(*schedule) && emit::packetRule(*schedule, whyNot))
        result.push_back({schedule, 0});
      for (std::int64_t value : triedParameters)
        result.push_back({schedule, value});
    }
    llvm::stable_sort(result, [](const Contestant &a, const Contestant &b) { return localOperations(*a.schedule) < localOperations(*b.schedule); });
    return result;
  }

  static bool admits(const Contestant &contestant, std::int64_t p) {
    Case instance{p, std::vector<std::int64_t>(contestant.schedule->numberCount, 0)};
    std::fill_n(instance.numbers.begin(), contestant.schedule->parameterCount, contestant.parameter.value_or(1) == 0 ? 1 : contestant.parameter.value_or(1));
    TreeCache trees;
    return isAdmitted(*contestant.schedule, instance, trees);
  }

  /// Fills the cells with all schedules and their predicted times.
  void predict(run::Predictions &predictions) {
    for (const std::string &collective : grid.collectives) {
      const std::vector<Contestant> all = contestants(collective);
      for (std::int64_t p : grid.ps) {
        progress.show("predicting " + collective + ", p = " + std::to_string(p));
        const size_t first = cells.size();
        const bool hasData = collective != "barrier";
        const llvm::ArrayRef<std::int64_t> lengths = grid.ns;
        for (std::int64_t n : hasData ? lengths : lengths.take_front())
          cells.push_back({collective, p, tune::TuningGrid::bytesFor(collective, n), {}});
        for (const Contestant &contestant : all) {
          if (!admits(contestant, p))
            continue;
          const bool hasFreePorts = needsPorts(*contestant.schedule);
          request.parameters = {contestant.parameter.value_or(4)};
          std::optional<std::vector<run::Case>> cases = run::casesFor(*contestant.schedule, request, p, session.diagnostics);
          for (const run::Case &c : cases ? *cases : std::vector<run::Case>()) {
            const size_t place = hasData ? static_cast<size_t>(llvm::find(grid.ns, static_cast<std::int64_t>(c.n)) - grid.ns.begin()) : 0;
            if (std::optional<Cost> cost = predictions.cost(c))
              cells[first + place].schedules.push_back(
                  {contestant.schedule, contestant.parameterText(), predictions.parameters(p, elementBytes).seconds(*cost), std::nullopt, hasFreePorts, *cost});
          }
        }
      }
    }
    progress.hide();
    for (tune::Cell &cell : cells) {
      const std::optional<tune::TuningGrid::Wish> wanted = grid.wishFor(cell);
      llvm::erase_if(cell.schedules, [&](const tune::Timed &timed) { return !wanted || (wanted->isOrdered && timed.needsCommutative()); });
    }
    llvm::erase_if(cells, [](const tune::Cell &cell) { return cell.schedules.empty(); });
  }

  /// Whether the schedule needs several ports. They are free in predictions, so a schedule that uses them would win everywhere.
  bool needsPorts(const ir::Schedule &schedule) {
    auto [entry, isNew] = ports.try_emplace(&schedule, false);
    if (isNew) {
      const std::optional<ModelInForce> needed = neededModel(schedule);
      entry->second = !needed || !ModelInForce{ir::PortModel::FullDuplex}.contains(*needed);
    }
    return entry->second;
  }

  /// The line of the table that describes the machine.
  std::string machineText() const {
    return processorName() + ", " + std::to_string(std::thread::hardware_concurrency()) + " cores, p = " + rangeText(grid.ps) +
           (options.predict ? ", predicted" : "");
  }

  void report(const tune::Journal &journal, const tune::TuningTimes &times) const {
    llvm::raw_ostream &out = llvm::outs();
    size_t all = 0, measured = 0, done = 0;
    for (const tune::Cell &cell : cells)
      for (const tune::Timed &timed : cell.schedules) {
        ++all;
        measured += timed.measured.has_value();
        done += timed.measured && timed.isWanted;
      }
    out << "written to " << tableFile() << "; QUADRILLE_TABLE=" << tableFile() << " makes libquadrille choose by it\n";
    if (options.predict)
      out << counted(all, "time") << " predicted, none measured\n";
    else
      out << measured << " of " << all << " times measured; " << all - times.worthMeasuring() << (all - times.worthMeasuring() == 1 ? " was" : " were") << " predicted to be more than 3 times the fastest\n";
    const size_t left = times.worthMeasuring() - done + static_cast<size_t>(llvm::count_if(cells, [&](const tune::Cell &cell) { return times.needsMpi(cell); }));
    const auto undecided = llvm::count_if(cells, [&](const tune::Cell &cell) { return times.roundsLeft(cell) > 0; });
    if (!options.predict && left + static_cast<size_t>(undecided) > 0) {
      out << "the budget of " << options.budget << " s is used up";
      if (left > 0)
        out << ", " << left << (left == 1 ? " is" : " are") << " left";
      if (undecided > 0)
        out << ", at " << undecided << (undecided == 1 ? " place" : " places") << " rounds of the fastest by turns are left";
      out << ": the same command goes on\n";
    }
    for (const std::string &line : tune::fitTexts(fits, elementBytes))
      out << line << '\n';
    tune::ChoiceTable table(session.library.all(), options.sharesCores, session.diagnostics);
    if (options.predict || !table.read(tableFile(), emit::backendName(request.backend).str()))
      return;
    for (const std::string &collective : grid.collectives)
      if (const std::optional<tune::Worth> worth = table.worth(collective, journal))
        out << collective << ": " << tune::worthText(*worth) << '\n';
  }

  Session &session;
  const Options &options;
  const std::chrono::steady_clock::time_point began;
  tune::TuningGrid grid;
  ProgressLine progress;
  run::RunRequest request;
  std::vector<tune::Cell> cells;
  std::map<std::int64_t, CostFit> fits; // by p
  std::map<const ir::Schedule *, bool> ports; // whether a schedule needs several ports
};

} // namespace

int tuneCommand(Session &session) {
  if (!session.options.exportFor.empty())
    return exportCommand(session);
  if (session.options.showTable || !session.options.plotted.empty())
    return tableCommand(session);
  return TuneCommand(session).run();
}

} // namespace quadrille::compiler
