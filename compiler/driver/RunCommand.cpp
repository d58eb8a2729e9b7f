//===- RunCommand.cpp - quadrille run -------------------------------------------------------------------------------------------------===//

#include "DataOutput.h"
#include "Given.h"
#include "WatchedCheck.h"

#include "report/ProgressLine.h"
#include "report/RunData.h"
#include "report/RunReport.h"
#include "report/VerdictReport.h"
#include "run/Cases.h"
#include "run/MpiCollectives.h"
#include "run/Predictions.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Support/raw_ostream.h"

#include <chrono>
#include <set>

namespace quadrille::compiler {

/// The values of the parameter for checks: those of the run without 0, which lets the emitted code choose; by default 4.
static std::vector<std::int64_t> checkedParameters(std::vector<std::int64_t> given) {
  llvm::erase(given, 0);
  return given.empty() ? std::vector<std::int64_t>{4} : given;
}

/// Whether the schedule admits p ranks with some of the given roots and parameters.
static bool admitsRanks(const ir::Schedule &schedule, std::int64_t p, const Options &options) {
  CheckOptions check = checkOptions(options);
  check.root = options.allRoots ? std::nullopt : std::optional(options.root.value_or(0));
  check.parameters = checkedParameters(check.parameters);
  bool allRoots = true;
  TreeCache trees;
  try {
    return llvm::any_of(casesAt(schedule, p, check, allRoots), [&](const Case &c) { return admits(schedule, c, trees); });
  } catch (const Finding &) {
    return true; // the checks report the error
  }
}

/// The number of elements in the inputs of all ranks together.
static std::uint64_t inputElements(const ir::Schedule &schedule, std::int64_t p, std::int64_t n, std::int64_t parameter,
                                   std::int64_t root) {
  std::vector<std::int64_t> numbers(schedule.parameterCount, parameter);
  numbers.resize(schedule.numberCount, root);
  TreeCache trees;
  Frame frame = clauseFrame(schedule, {p, numbers}, trees);
  std::uint64_t total = 0;
  for (const ir::Buffer *input : schedule.inputs) {
    std::int64_t blocks = input->isArray ? std::max<std::int64_t>(0, evaluate(*input->count, frame)) : 1;
    total += static_cast<std::uint64_t>(blocks) * static_cast<std::uint64_t>(n) *
             (input->presence ? 1 : static_cast<std::uint64_t>(p));
  }
  return total;
}

/// The number of ranks for which the given input has the right number of elements: `p` if that fits or none does, else the smallest
/// one that fits.
static std::int64_t ranksFor(const ir::Schedule &schedule, std::int64_t p, const run::RunRequest &request,
                             std::int64_t parameter) {
  auto fits = [&](std::int64_t ranks) {
    try {
      return inputElements(schedule, ranks, request.ns[0], parameter, request.roots[0]) == request.input.size();
    } catch (const EvaluationError &) {
      return false;
    }
  };
  if (fits(p))
    return p;
  for (std::int64_t ranks = 1; ranks <= static_cast<std::int64_t>(request.input.size()); ++ranks)
    if (fits(ranks))
      return ranks;
  return p;
}

static run::RunRequest requestFor(const Options &options) {
  run::RunRequest request;
  request.backend = options.backend == BackendChoice::Mpi ? emit::Backend::Mpi : emit::Backend::Shm;
  request.input = options.input;
  request.show = options.show;
  request.roots = {options.root.value_or(0)};
  request.allRoots = options.allRoots;
  if (!request.input.empty())
    request.ns = {1};
  if (!options.ns.empty())
    request.ns = options.ns;
  if (!options.ks.empty())
    request.parameters = options.ks;
  if (!options.types.empty())
    request.types = options.types;
  request.operators = options.operators;
  request.inPlace = options.inPlace;
  request.tables = options.tables;
  request.nodes = options.nodes;
  if (options.validate && !request.nodes.isGiven())
    request.nodes.nodes = 2; // so that a plan has messages within nodes and between them
  request.nonblocking = options.nonblocking;
  request.verify = options.verify || options.validate;
  request.validate = options.validate;
  request.persistent = options.persistent;
  // In a validation a few elements show as much as many.
  if (options.validate && options.ns.empty() && request.input.empty())
    request.ns = {7};
  request.repeat = options.repeat;
  request.compareMpi = options.compareMpi;
  constexpr unsigned tracedCalls = 31; // if the command line does not say how many
  request.tracedCalls = !options.traceTimes ? 0 : options.repeat > 0 ? options.repeat : tracedCalls;
  request.timeoutSeconds = options.timeoutSeconds;
  request.seed = options.seed;
  request.executable = options.executable;
  request.launcher = options.launcher;
  return request;
}

/// The numbers of ranks to run a schedule on.
static std::vector<std::int64_t> ranksOf(const ir::Schedule &schedule, const run::RunRequest &request, const Options &options) {
  constexpr std::int64_t usual = 4;
  if (!options.ps.empty())
    return options.ps;
  return {request.input.empty() ? usual : ranksFor(schedule, usual, request, checkedParameters(options.ks)[0])};
}

/// Adds all schedules to the results. `about`: the diagnostics about each that were reported before anything was run. Those that were
/// reported since are about the schedule at whose name they are.
static void addResults(const RunReport &report, const RunData &data, std::map<const ir::Schedule *, std::vector<size_t>> &about,
                       const Session &session, Results &results) {
  for (size_t number : results.reportedSince())
    for (const RunReport::Line &line : report.lines())
      if (session.diagnostics.reported()[number].range.Start == line.schedule->nameRange.Start)
        about[line.schedule].push_back(number);
  for (const RunReport::Line &line : report.lines()) {
    const std::string verdict = line.verdict == RunVerdict::Failed ? "failed" : report.wordFor(line.verdict);
    results.add(data.entry(line, verdict, about[line.schedule]));
  }
}

namespace {
/// Which schedules are run, and what has been said of them.
struct ChosenRuns {
  std::vector<run::ScheduleToRun> runs;
  std::set<std::int64_t> ps;
  std::vector<Diagnostic> leftOut; // why schedules admit none of the numbers of ranks
  std::map<const ir::Schedule *, std::vector<size_t>> about; // the diagnostics about a schedule
};
} // namespace

/// Chooses the numbers of ranks for each schedule, and checks it for these. Reports the errors that it finds.
static ChosenRuns choose(llvm::ArrayRef<const ir::Schedule *> schedules, const run::RunRequest &request, CheckOptions check, Session &session,
                         Results &results, RunReport &report, ProgressLine &progress) {
  const Options &options = session.options;
  ChosenRuns chosen;
  for (const ir::Schedule *schedule : schedules) {
    if (options.compareMpi && run::mpiCollective(*schedule->collective).empty()) {
      session.diagnostics.report(schedule->nameRange, diag::NoMpiCollective{.collective = schedule->collective->name});
      chosen.about[schedule] = results.reportedSince();
      report.setNotRun(*schedule, "not run, as MPI has no such collective");
      continue;
    }
    progress.show("checking " + schedule->path());
    check.ps = ranksOf(*schedule, request, options);
    // Leave out the p that the schedule does not admit. A single schedule that admits none keeps them, and is reported below.
    std::vector<std::int64_t> admitted;
    llvm::copy_if(check.ps, std::back_inserter(admitted), [&](std::int64_t p) { return admitsRanks(*schedule, p, options); });
    if (admitted.empty() && schedules.size() == 1)
      admitted = check.ps;
    if (admitted.empty()) {
      report.setLeftOut(*schedule, check);
      chosen.leftOut.push_back(noAdmissibleCase(*schedule, check));
      continue;
    }
    // Emission relies on the checks, so check the schedule for the given p first.
    if (!options.unchecked) {
      check.goesOn = watching(*schedule, check, progress, options.maxSeconds);
      const Verdict verdict = checkSchedule(*schedule, check);
      if (verdict.failure) {
        progress.hide();
        session.diagnostics.report(*verdict.failure);
        chosen.about[schedule] = results.reportedSince();
        report.setNotRun(*schedule, "not run, as the checks found an error");
        continue;
      }
      // What was not checked is not run.
      if (verdict.endedBefore) {
        progress.hide();
        session.diagnostics.report(schedule->nameRange, diag::CheckEnded{.runs = false, .schedule = schedule->path(), .p = *verdict.endedBefore,
                                                                         .seconds = *options.maxSeconds});
        chosen.about[schedule] = results.reportedSince();
        llvm::erase_if(admitted, [&](std::int64_t p) { return p >= *verdict.endedBefore; });
        if (admitted.empty()) {
          report.setEnded(*schedule);
          continue;
        }
      }
    }
    chosen.ps.insert(admitted.begin(), admitted.end());
    chosen.runs.push_back({schedule, std::move(admitted)});
  }
  progress.hide();
  return chosen;
}

int runCommand(Session &session) {
  const Options &options = session.options;
  DataOutput output(session, "run");
  llvm::SetVector<const ir::Schedule *> schedules;
  for (const std::string &file : options.files)
    for (const ir::Schedule *schedule : session.library.find(file))
      schedules.insert(schedule);
  if (schedules.empty())
    return output.finish(1);
  const bool isSingle = schedules.size() == 1;
  warnOfUnreadOptions(schedules.getArrayRef(), session);
  run::RunRequest request = requestFor(options);
  request.program = &session.library.program();

  ProgressLine progress;
  request.progress = [&](const std::string &what) { progress.show(what); };
  if (options.maxSeconds)
    request.goesOn = [limit = std::chrono::seconds(*options.maxSeconds), begun = std::optional<std::chrono::steady_clock::time_point>()]() mutable {
      const auto now = std::chrono::steady_clock::now();
      return now - begun.emplace(begun.value_or(now)) < limit;
    };
  RunReport report(schedules.getArrayRef(), request);
  RunData data(request);
  output.results.begin();
  CheckOptions check = checkOptions(options);
  check.root.reset();
  check.parameters = checkedParameters(options.ks);
  ChosenRuns chosen = choose(schedules.getArrayRef(), request, check, session, output.results, report, progress);
  std::vector<run::ScheduleToRun> &runs = chosen.runs;

  request.interpreterLimits = check.limits;
  run::Predictions predictions(request, chosen.ps, checkOptions(options), options.machine, session.diagnostics);
  const bool wantsMachine = options.repeat > 0 || !options.machine.empty() || llvm::is_contained(options.ks, 0);
  if (wantsMachine && !predictions.find())
    return output.finish(1);
  request.machine = [&](std::int64_t p) { return predictions.machine(p); };
  if (options.repeat > 0 && !runs.empty()) {
    predictions.announce(output.text());
    request.predict = [&](const run::CallCase &c) { return predictions.seconds(c); };
  }
  const bool printsCases = isSingle || options.verbose || options.show || options.repeat > 0;
  request.caseDone = [&](const run::CaseReport &done) {
    data.add(done);
    if (!printsCases)
      return;
    output.text() << (isSingle ? "" : done.c.schedule->path() + " ") << caseLine(done, request) << '\n';
    for (const std::string &line : done.shown)
      output.text() << "  " << line << '\n';
    output.text().flush();
  };
  std::optional<std::vector<run::ScheduleResult>> results = run::runSchedules(runs, request, session.sources, session.diagnostics);
  if (!results)
    return output.finish(1);
  bool isGood = !runs.empty();
  for (size_t i = 0; i < runs.size(); ++i) {
    if (const std::vector<std::int64_t> &ps = (*results)[i].notRun; !ps.empty())
      session.diagnostics.report(runs[i].schedule->nameRange, diag::CheckEnded{.runs = true, .schedule = runs[i].schedule->path(),
                                                                               .p = ps.front(), .seconds = *options.maxSeconds});
    report.set(runs[i], (*results)[i]);
    isGood &= (*results)[i].isGood();
  }
  // Leaving out schedules is no error, but running none is.
  if (runs.empty())
    for (const Diagnostic &diagnostic : chosen.leftOut)
      session.diagnostics.report(diagnostic);
  if (!isSingle)
    report.print(output.text());
  addResults(report, data, chosen.about, session, output.results);
  return output.finish(isGood && session.diagnostics.errorCount() == 0 ? 0 : 1);
}

} // namespace quadrille::compiler
