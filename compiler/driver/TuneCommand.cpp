//===- TuneCommand.cpp - quadrille tune ---------------------------------------------------------------------------------------------===//

#include "ExportCommand.h"
#include "Given.h"
#include "TableCommand.h"

#include "cache/CacheFolder.h"
#include "cache/MachineFiles.h"
#include "diagnostics/OutputFile.h"
#include "report/Text.h"
#include "run/Calibrate.h"
#include "run/Predictions.h"
#include "source/Counted.h"
#include "tune/CellFits.h"
#include "tune/ChoiceTable.h"
#include "tune/PredictedCells.h"
#include "tune/TuningSummary.h"

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
    tune::Contestants contestants(session.library.all(), defaultCheckOptions(options));
    cells = tune::predictedCells(grid, contestants, predictions, request, progress, session.diagnostics);
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

  /// The line of the table that describes the machine.
  std::string machineText() const {
    return processorName() + ", " + std::to_string(std::thread::hardware_concurrency()) + " cores, p = " + rangeText(grid.ps) +
           (options.predict ? ", predicted" : "");
  }

  void report(const tune::Journal &journal, const tune::TuningTimes &times) const {
    llvm::raw_ostream &out = llvm::outs();
    out << "written to " << tableFile() << "; QUADRILLE_TABLE=" << tableFile() << " makes libquadrille choose by it\n";
    if (options.predict)
      tune::printPredicted(cells, out);
    else
      tune::printSummary(cells, times, options.budget, out);
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
