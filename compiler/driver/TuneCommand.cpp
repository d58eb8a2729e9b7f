//===- TuneCommand.cpp - quadrille tune ---------------------------------------------------------------------------------------------===//

#include "ChoiceTable.h"
#include "ExportCommand.h"
#include "Given.h"
#include "Predictions.h"
#include "TableCommand.h"

#include "cache/CacheFolder.h"
#include "cache/MachineFiles.h"
#include "diagnostics/OutputFile.h"
#include "emit/LibraryUnits.h"
#include "emit/PacketRule.h"
#include "report/ProgressLine.h"
#include "report/RunReport.h"
#include "report/Text.h"
#include "run/Calibrate.h"
#include "sema/ExprSema.h"
#include "source/Counted.h"
#include "tune/Calls.h"
#include "tune/CellFits.h"
#include "tune/Journal.h"
#include "tune/SelectionTable.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include <chrono>
#include <cmath>
#include <map>
#include <thread>
#include <tuple>

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

/// The values that are tried for parameters that are not numbers of packets: radices, sizes of groups, dimensions.
constexpr std::int64_t triedParameters[] = {2, 3, 4};

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
  explicit TuneCommand(Session &session) : session(session), options(session.options), began(std::chrono::steady_clock::now()) {
    request.program = &session.library.program();
    request.backend = options.backend == BackendChoice::Mpi ? emit::Backend::Mpi : emit::Backend::Shm;
    request.tables.pattern = LengthPattern::Even;
    request.executable = options.executable;
    request.launcher = options.launcher;
    request.progress = [this](const std::string &what) { what.empty() ? progress.hide() : progress.show(doing + what); };
  }

  int run() {
    const std::string backend = emit::backendName(request.backend).str();
    tune::Journal journal = tune::Journal::beside(tableFile(), backend);
    if (!isWritable(tableFile(), session.diagnostics) || !chooseCollectives() || !choosePlaces() || (keepsMeasurements() && !journal.read(session.diagnostics)))
      return 1;
    Predictions predictions(session, request, std::set<std::int64_t>(ps.begin(), ps.end()));
    if (!findMachine(predictions))
      return 1;
    request.machine = [&](std::int64_t p) { return predictions.machine(p); };
    predict(predictions);
    if (!options.predict) {
      if (!measure(journal))
        return 1;
      fits = tune::fitCells(cells, [&](std::int64_t p) { return predictions.parameters(p, elementBytes); });
    }
    auto writeTo = [&](llvm::raw_ostream &out) { out << tune::tableText(cells, backend, machineText(), tune::fitTexts(fits, elementBytes)); };
    if (!writeOutput(tableFile(), writeTo, session.diagnostics))
      return 1;
    if (tableFile() != "-")
      report(journal);
    return session.diagnostics.errorCount() ? 1 : 0;
  }

private:
  // In elements of eight bytes: 8 B to 1 MiB. With --from there are lengths up to 16 MiB.
  static constexpr std::int64_t usualLengths[] = {1, 8, 64, 512, 4096, 32768, 131072};
  static constexpr std::int64_t elementBytes = 8, longestCalled = 1 << 21;

  /// What the calls of a program need to know of a collective for one p and one length.
  struct Wish {
    bool hasIntegers = false;  // most calls combine integers, and not numbers of floating point
    bool isOrdered = true;     // no operator commutes
    std::uint64_t integers = 0, others = 0;
  };
  using Place = std::tuple<std::string, std::int64_t, std::int64_t>; // collective, p, n

  static constexpr size_t warmingSchedules = 8; // so many schedules run before those that are measured

  std::int64_t mostRanks() const {
    return options.predict ? 64 : std::max<std::int64_t>(4, std::thread::hardware_concurrency());
  }

  std::string tableFile() const { return options.output.empty() ? "quadrille.table" : options.output; }

  bool keepsMeasurements() const { return !options.predict && tableFile() != "-"; }

  bool chooseCollectives() {
    const llvm::ArrayRef<llvm::StringRef> known = emit::libraryCollectives();
    for (const std::string &name : options.files)
      if (!llvm::is_contained(known, name))
        session.diagnostics.reportFile(name, diag::NothingToList{.near = sema::didYouMean(name, std::vector<std::string>(known.begin(), known.end()))});
    for (llvm::StringRef name : known)
      if (options.files.empty() || llvm::is_contained(options.files, name))
        collectives.push_back(name.str());
    return session.diagnostics.errorCount() == 0;
  }

  /// Chooses numbers of ranks and lengths, and with --from what is needed at each. False after an error.
  bool choosePlaces() {
    ps = options.ps;
    if (options.callsFile.empty()) {
      for (std::int64_t p = 2; options.ps.empty() && p <= mostRanks(); p *= 2)
        ps.push_back(p);
      request.ns.assign(std::begin(usualLengths), std::end(usualLengths));
    } else {
      const std::optional<std::vector<tune::Call>> calls = tune::readCalls(options.callsFile, emit::libraryCollectives(), session.sources, session.diagnostics);
      if (!calls)
        return false;
      request.ns.clear();
      for (const tune::Call &call : *calls)
        if (llvm::is_contained(collectives, call.collective) && (options.ps.empty() || llvm::is_contained(options.ps, call.p)))
          wish(call);
      if (wishes.empty()) {
        session.diagnostics.reportFile(options.callsFile, diag::NoCallsToTune{.reason = "none of the calls is of these collectives with these numbers of ranks"});
        return false;
      }
    }
    for (std::vector<std::int64_t> *numbers : {&ps, &request.ns}) {
      llvm::sort(*numbers);
      numbers->erase(std::unique(numbers->begin(), numbers->end()), numbers->end());
    }
    return true;
  }

  void wish(const tune::Call &call) {
    const double elements = call.typicalBytes() / static_cast<double>(elementBytes);
    const std::int64_t n = std::clamp<std::int64_t>(std::llround(std::min(elements, static_cast<double>(longestCalled))), 1, longestCalled);
    Wish &wish = wishes[{call.collective, call.p, n}];
    (call.type == "integer" ? wish.integers : wish.others) += call.calls;
    wish.hasIntegers = wish.integers > wish.others;
    wish.isOrdered &= call.law == "ordered";
    if (options.ps.empty())
      ps.push_back(call.p);
    request.ns.push_back(n);
  }

  /// What is needed of a collective for this p and n; nothing if the program makes no such calls.
  std::optional<Wish> wishAt(const std::string &collective, std::int64_t p, std::int64_t n) const {
    if (options.callsFile.empty())
      return Wish{.isOrdered = false};
    const auto found = wishes.find({collective, p, n});
    return found == wishes.end() ? std::nullopt : std::optional(found->second);
  }
  static std::uint64_t bytesFor(llvm::StringRef collective, std::int64_t n) {
    return collective == "barrier" ? 0 : static_cast<std::uint64_t>(n * elementBytes);
  }
  static tune::Journal::Key keyOfMpi(const std::string &collective, std::int64_t p, std::uint64_t bytes) {
    return {p, bytes, collective + "/" + tune::ownOfMpi, ""};
  }
  static std::int64_t lengthOf(const tune::Cell &cell) { return std::max<std::int64_t>(1, static_cast<std::int64_t>(cell.bytes) / elementBytes); }

  /// Finds the machine that `calibrate` has measured, or measures it now. False after an error.
  bool findMachine(Predictions &predictions) {
    if (!predictions.find())
      return false;
    if (llvm::all_of(ps, [&](std::int64_t p) { return predictions.knows(p); }))
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

  std::vector<Contestant> contestants(const std::string &collective) {
    std::vector<Contestant> result;
    for (const ir::Schedule *schedule : session.library.all()) {
      std::string whyNot;
      if (schedule->collective->name != collective || schedule->parameterCount > 1 || !givesSameBits(*schedule))
        continue;
      if (schedule->parameterCount == 0)
        result.push_back({schedule, std::nullopt});
      else if (emit::takesLength(*schedule) && emit::packetRule(*schedule, whyNot))
        result.push_back({schedule, 0});
      else
        for (std::int64_t value : triedParameters)
          result.push_back({schedule, value});
    }
    return result;
  }

  static bool admits(const Contestant &contestant, std::int64_t p) {
    Case instance{p, std::vector<std::int64_t>(contestant.schedule->numberCount, 0)};
    std::fill_n(instance.numbers.begin(), contestant.schedule->parameterCount, contestant.parameter.value_or(1) == 0 ? 1 : contestant.parameter.value_or(1));
    TreeCache trees;
    return isAdmitted(*contestant.schedule, instance, trees);
  }

  /// Fills the cells with all schedules and their predicted times.
  void predict(Predictions &predictions) {
    for (const std::string &collective : collectives) {
      const std::vector<Contestant> all = contestants(collective);
      for (std::int64_t p : ps) {
        progress.show("predicting " + collective + ", p = " + std::to_string(p));
        const size_t first = cells.size();
        const bool hasData = collective != "barrier";
        const llvm::ArrayRef<std::int64_t> lengths = request.ns;
        for (std::int64_t n : hasData ? lengths : lengths.take_front())
          cells.push_back({collective, p, hasData ? static_cast<std::uint64_t>(n * elementBytes) : 0, {}});
        for (const Contestant &contestant : all) {
          if (!admits(contestant, p))
            continue;
          const bool hasFreePorts = needsPorts(*contestant.schedule);
          request.parameters = {contestant.parameter.value_or(4)};
          std::optional<std::vector<run::Case>> cases = run::casesFor(*contestant.schedule, request, p, session.diagnostics);
          for (const run::Case &c : cases ? *cases : std::vector<run::Case>()) {
            const size_t place = hasData ? static_cast<size_t>(llvm::find(request.ns, static_cast<std::int64_t>(c.n)) - request.ns.begin()) : 0;
            if (std::optional<Cost> cost = predictions.cost(c))
              cells[first + place].schedules.push_back(
                  {contestant.schedule, contestant.parameterText(), predictions.parameters(p, elementBytes).seconds(*cost), std::nullopt, hasFreePorts, *cost});
          }
        }
      }
    }
    progress.hide();
    for (tune::Cell &cell : cells) {
      const std::optional<Wish> wanted = wishAt(cell.collective, cell.p, lengthOf(cell));
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

  /// Whether it is worth measuring a schedule: if predictions err by no more than is known (docs/machines.md), it may be the fastest.
  static bool isWorthIt(const tune::Cell &cell, const tune::Timed &timed) {
    double best = timed.predicted;
    for (const tune::Timed &other : cell.schedules)
      if (!other.hasFreePorts)
        best = std::min(best, other.predicted);
    return timed.predicted <= tune::hopeless * best;
  }

  double elapsed() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count(); }

  bool hasIntegers(const tune::Cell &cell) const {
    const std::optional<Wish> wanted = wishAt(cell.collective, cell.p, lengthOf(cell));
    return wanted && wanted->hasIntegers;
  }

  tune::Journal::Key keyOf(const tune::Cell &cell, const tune::Timed &timed) const {
    const std::string parameter = timed.parameter.empty() && hasIntegers(cell) ? "-" : timed.parameter;
    return {cell.p, cell.bytes, timed.schedule->path(), parameter + (hasIntegers(cell) ? ":int64" : "")};
  }

  /// Measures one p after the other, and for each p one length after the other, each with all collectives. False after an error.
  bool measure(tune::Journal &journal) {
    for (tune::Cell &cell : cells)
      for (tune::Timed &timed : cell.schedules) {
        timed.measured = journal.find(keyOf(cell, timed));
        timed.isWanted = isWorthIt(cell, timed);
        wanted += timed.isWanted;
      }
    const std::vector<std::int64_t> ns = request.ns;
    for (std::int64_t p : ps)
      for (std::int64_t n : ns)
        // A request has one value of the parameter for all its schedules, so there is a launch for each value.
        for (std::int64_t parameter : {0, 2, 3, 4})
          for (bool ofIntegers : {false, true}) {
            if (elapsed() > static_cast<double>(options.budget))
              return true;
            if (!measureAt(p, n, parameter, ofIntegers, journal))
              return false;
          }
    if (request.backend == emit::Backend::Mpi && keepsMeasurements()) // nobody else is told of them
      for (std::int64_t p : ps)
        for (std::int64_t n : ns)
          if (elapsed() <= static_cast<double>(options.budget) && !measureMpi(p, n, journal))
            return false;
    return true;
  }

  /// Measures the MPI library's own collectives, each beside one schedule. False after an error.
  bool measureMpi(std::int64_t p, std::int64_t n, tune::Journal &journal) {
    std::vector<run::ScheduleToRun> schedules;
    for (const tune::Cell &cell : cells) {
      if (cell.p != p || cell.bytes != bytesFor(cell.collective, n) || !needsMpi(cell, journal))
        continue;
      const auto plain = llvm::find_if(cell.schedules, [](const tune::Timed &timed) { return timed.parameter.empty() && timed.measured; });
      if (plain != cell.schedules.end())
        schedules.push_back({plain->schedule, {p}});
    }
    if (schedules.empty())
      return true;
    doing = "p = " + std::to_string(p) + ", " + std::to_string(n * elementBytes) + " bytes, the MPI library's own: ";
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
      const tune::Journal::Key key = keyOfMpi(collective, p, bytesFor(collective, n));
      journal.note(key, std::min(seconds, journal.find(key).value_or(seconds)));
    };
    return runAll(schedules, beside, journal);
  }

  bool measureAt(std::int64_t p, std::int64_t n, std::int64_t parameter, bool ofIntegers, tune::Journal &journal) {
    std::vector<run::ScheduleToRun> schedules, warming;
    std::map<const ir::Schedule *, std::pair<tune::Cell *, tune::Timed *>> places;
    double perCall = 0;
    for (tune::Cell &cell : cells) {
      if (cell.p != p || cell.bytes != bytesFor(cell.collective, n))
        continue;
      if (hasIntegers(cell) != ofIntegers)
        continue;
      for (tune::Timed &timed : cell.schedules) {
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
    doing = "p = " + std::to_string(p) + ", " + std::to_string(n * elementBytes) + " bytes: ";
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
    return runAll(schedules, measured, journal);
  }

  /// Whether the MPI library's own collective is to be measured in the cell.
  bool needsMpi(const tune::Cell &cell, const tune::Journal &journal) const {
    return request.backend == emit::Backend::Mpi && keepsMeasurements() && !hasIntegers(cell) && !journal.find(keyOfMpi(cell.collective, cell.p, cell.bytes)) &&
           llvm::any_of(cell.schedules, [](const tune::Timed &timed) { return timed.parameter.empty() && timed.measured; });
  }

  /// Runs schedules some times; `what.caseDone` notes their times in the journal, which is written then. False after an error.
  bool runAll(llvm::ArrayRef<run::ScheduleToRun> schedules, const run::RunRequest &what, const tune::Journal &journal) {
    // Schedules are measured one after the other. Other programs slow down some of them, but hardly the same ones each time.
    constexpr unsigned passes = 3;
    for (unsigned pass = 0; pass < passes; ++pass)
      if (!run::runSchedules(schedules, what, session.sources, session.diagnostics)) {
        progress.hide();
        return false;
      }
    progress.hide();
    return !keepsMeasurements() || journal.write(session.diagnostics);
  }

  /// The line of the table that describes the machine.
  std::string machineText() const {
    return processorName() + ", " + std::to_string(std::thread::hardware_concurrency()) + " cores, p = " + rangeText(ps) +
           (options.predict ? ", predicted" : "");
  }

  void report(const tune::Journal &journal) const {
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
      out << measured << " of " << all << " times measured; " << all - wanted << (all - wanted == 1 ? " was" : " were") << " predicted to be more than 3 times the fastest\n";
    const size_t left = wanted - done + static_cast<size_t>(llvm::count_if(cells, [&](const tune::Cell &cell) { return needsMpi(cell, journal); }));
    if (!options.predict && left > 0)
      out << "the budget of " << options.budget << " s is used up, " << left << (left == 1 ? " is" : " are") << " left: the same command goes on\n";
    for (const std::string &line : tune::fitTexts(fits, elementBytes))
      out << line << '\n';
    ChoiceTable table(session);
    if (options.predict || !table.read(tableFile(), emit::backendName(request.backend).str()))
      return;
    for (const std::string &collective : collectives)
      if (const std::optional<tune::Worth> worth = table.worth(collective, journal))
        out << collective << ": " << tune::worthText(*worth) << '\n';
  }

  Session &session;
  const Options &options;
  const std::chrono::steady_clock::time_point began;
  ProgressLine progress;
  std::string doing; // the beginning of the progress line during a run
  run::RunRequest request;
  std::vector<std::int64_t> ps;
  std::vector<std::string> collectives;
  std::map<Place, Wish> wishes; // with --from
  std::vector<tune::Cell> cells;
  std::map<std::int64_t, CostFit> fits; // by p
  std::map<const ir::Schedule *, bool> ports; // whether a schedule needs several ports
  size_t wanted = 0; // the number of times that are worth measuring
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
