//===- RunSchedules.cpp - Compiling schedules, running them and looking at what came out -----------------------------------===//

#include "RunSchedules.h"

#include "HarnessUnit.h"
#include "Judge.h"

#include "diagnostics/Diagnostics.h"
#include "diagnostics/OutputFile.h"
#include "source/Counted.h"

#include "llvm/ADT/STLExtras.h"

#include <cassert>
#include <map>

namespace quadrille::compiler::run {

namespace {

/// The cases of one schedule in a launch.
struct Group {
  size_t schedule; // its index in `schedules`
  llvm::ArrayRef<CallCase> cases;
};

class Runner {
public:
  Runner(llvm::ArrayRef<ScheduleToRun> schedules, const RunRequest &request, Diagnostics &diagnostics)
      : schedules(schedules), request(request), diagnostics(diagnostics), casesOf(schedules.size()),
        judge(request, [this](const CallCase &c, const Scratch &scratch) {
          return launch(c, scratch, /*dump=*/true).ended == Ended::Well;
        }) {
    results.resize(schedules.size());
  }

  /// Runs all; false after an error that is not about one of the schedules.
  bool run(const Sources &sources);

  std::vector<ScheduleResult> results;

private:
  void makeCases();
  bool build(const Sources &sources);
  bool runOnRanks(std::int64_t p);
  Launched launch(llvm::ArrayRef<CallCase> cases, const Scratch &scratch, bool dump);
  bool conclude(const Group &group, llvm::ArrayRef<Outcome> outcomes, const Scratch &scratch);
  void blame(const Group &group, bool sawError, const Launched &launched);
  void findWhoEndsBadly(llvm::ArrayRef<Group> groups, const Launched &together);
  void progress(const std::string &what) const {
    if (request.progress)
      request.progress(what);
  }

  llvm::ArrayRef<ScheduleToRun> schedules;
  const RunRequest &request;
  Diagnostics &diagnostics;
  std::optional<Toolchain> toolchain;
  std::vector<std::map<std::int64_t, std::vector<CallCase>>> casesOf; // per schedule, by p; empty if it cannot be run
  std::string program;
  Judge judge;
};

/// Makes the cases of all schedules, which reports mistakes in the request before anything is compiled.
void Runner::makeCases() {
  for (size_t i = 0; i < schedules.size(); ++i)
    for (std::int64_t p : schedules[i].ps) {
      std::optional<std::vector<CallCase>> cases = casesFor(*schedules[i].schedule, request, p, diagnostics);
      if (!cases) {
        casesOf[i].clear();
        break;
      }
      casesOf[i].emplace(p, std::move(*cases));
    }
}

/// Builds the program of all schedules that have cases and compile; false after an error, which has been reported.
bool Runner::build(const Sources &sources) {
  std::set<std::string> names;
  std::vector<Unit> units;
  std::vector<size_t> unitSchedules;
  for (size_t i = 0; i < schedules.size(); ++i) {
    if (casesOf[i].empty())
      continue;
    HarnessUnit unit = harnessUnit(*schedules[i].schedule, *request.program, sources, request.backend, names);
    for (auto &[p, cases] : casesOf[i])
      for (CallCase &c : cases)
        c.name = unit.name;
    units.push_back(std::move(unit.unit));
    unitSchedules.push_back(i);
  }
  Builder builder(*toolchain, harnessHeaders(request.backend), diagnostics);
  std::optional<std::vector<std::string>> objects = builder.compile(units, [&](size_t done, size_t of) {
    progress("compiled " + std::to_string(done) + " of " + std::to_string(of));
  });
  progress("");
  if (!objects)
    return false;
  for (size_t i = 0; i < units.size(); ++i) {
    const bool isCompiled = !(*objects)[i].empty();
    results[unitSchedules[i]].stage = isCompiled ? ScheduleResult::Ran : ScheduleResult::NotCompiled;
    if (!isCompiled)
      casesOf[unitSchedules[i]].clear();
  }
  llvm::erase(*objects, "");
  if (objects->empty())
    return true;
  std::optional<std::string> linked = builder.link(*objects);
  program = linked.value_or("");
  return linked.has_value();
}

Launched Runner::launch(llvm::ArrayRef<CallCase> cases, const Scratch &scratch, bool dump) {
  if (scratch.failure)
    return {Ended::NotAtAll, diag::FailureNoTemporaryFolder{.said = scratch.failure.message()}};
  const std::string casesFile = scratch.file("cases");
  auto encodeCases = [&](llvm::raw_ostream &out) {
    for (const CallCase &c : cases)
      out << encode(c, request);
  };
  if (std::error_code failure = writeFile(casesFile, encodeCases))
    return {Ended::NotAtAll, diag::FailureCasesNotWritten{.said = failure.message()}};
  std::vector<std::string> arguments;
  if (request.nonblocking)
    arguments.push_back("--nonblocking");
  if (request.persistent)
    arguments.push_back("--persistent");
  if (request.validate)
    arguments.push_back("--validate");
  if (request.tracedCalls > 0)
    arguments.insert(arguments.end(), {"--trace-times", std::to_string(request.tracedCalls)});
  if (dump)
    arguments.push_back("--dump");
  const std::int64_t p = cases.front().p;
  arguments.insert(arguments.end(), {std::to_string(p), casesFile, scratch.file("rank")});
  // The program has deadlines of its own, per step and per call; this one catches the rest.
  const std::uint64_t seconds = std::uint64_t{request.timeoutSeconds} * cases.size() + 5;
  return run::launch(*toolchain, program, p, arguments, seconds, scratch, request.nodes);
}

/// Judges and prints the cases of a group, some of which may not have been reached. \returns whether all are right.
bool Runner::conclude(const Group &group, llvm::ArrayRef<Outcome> outcomes, const Scratch &scratch) {
  ScheduleResult &result = results[group.schedule];
  bool sawError = false;
  for (const CallCase &c : group.cases) {
    const Outcome &outcome = outcomes[static_cast<size_t>(c.id)];
    const std::string wrong = sawError && !outcome.wasReached() ? "not run" : judge.wrongWith(c, outcome);
    ++result.cases;
    if (!wrong.empty()) {
      sawError = true;
      ++result.failed;
      if (result.firstFailure.empty())
        result.firstFailure = describe(c, request) + ": " + wrong;
    }
    if (!request.caseDone)
      continue;
    CaseReport report{c, wrong, outcome.wasReached(), {}, {}, {}};
    if (wrong.empty())
      report.timing = judge.timing(c, outcome);
    if (wrong.empty() && request.tracedCalls > 0)
      report.trace = callTrace(outcome.traced, outcome.clocks);
    if (request.show && outcome.wasReached())
      report.shown = judge.shownResults(c, scratch);
    request.caseDone(report);
  }
  return !sawError;
}

/// Reports that a launch ended badly at this group.
void Runner::blame(const Group &group, bool sawError, const Launched &launched) {
  const llvm::SMRange range = schedules[group.schedule].schedule->nameRange;
  const std::int64_t p = group.cases.front().p;
  results[group.schedule].endedBadly = true;
  if (launched.ended == Ended::TooLate)
    diagnostics.report(range, diag::RunTimedOut{.p = p, .seconds = request.timeoutSeconds});
  else if (!sawError)
    diagnostics.report(range, diag::RunCrashed{.p = p, .started = true, .problem = launched.problem});
  else
    diagnostics.report(Diagnostic(range, diag::RunCrashed{.p = p, .started = true, .problem = std::nullopt})
                           .note({}, diag::RunSaid{.text = *launched.problem}));
}

/// Finds the group to blame if all cases were done, but the program ended badly: runs each group again, alone.
void Runner::findWhoEndsBadly(llvm::ArrayRef<Group> groups, const Launched &together) {
  bool isFound = false;
  for (const Group &group : groups) {
    Scratch scratch;
    const Launched alone = groups.size() == 1 ? together : launch(group.cases, scratch, /*dump=*/false);
    if (alone.ended == Ended::Well)
      continue;
    blame(group, /*sawError=*/false, alone);
    isFound = true;
  }
  if (!isFound)
    diagnostics.report({}, diag::RunCrashed{.p = groups[0].cases[0].p, .started = true, .problem = together.problem});
}

/// Launches all groups together. If a group ends the program, the groups after it are launched again. False if the program cannot
/// be started at all.
bool Runner::runOnRanks(std::int64_t p) {
  std::vector<CallCase> cases;
  std::vector<std::pair<size_t, size_t>> ends; // schedule, and the number of cases up to its last one
  for (size_t i = 0; i < schedules.size(); ++i)
    if (auto found = casesOf[i].find(p); found != casesOf[i].end() && !found->second.empty()) {
      for (CallCase &c : found->second) {
        c.id = static_cast<std::int64_t>(cases.size());
        cases.push_back(std::move(c));
      }
      ends.push_back({i, cases.size()});
    }
  std::vector<Group> groups;
  for (size_t i = 0; i < ends.size(); ++i) {
    const size_t begin = i == 0 ? 0 : ends[i - 1].second;
    groups.push_back({ends[i].first, llvm::ArrayRef(cases).slice(begin, ends[i].second - begin)});
  }

  for (size_t first = 0; first < groups.size();) {
    const llvm::ArrayRef<Group> left = llvm::ArrayRef(groups).drop_front(first);
    const auto casesLeft = llvm::ArrayRef(cases).drop_front(static_cast<size_t>(left[0].cases[0].id));
    progress("p = " + std::to_string(p) + ": " + counted(casesLeft.size(), "case"));
    Scratch scratch;
    Launched launched = launch(casesLeft, scratch, request.show);
    progress("");
    if (launched.ended == Ended::NotAtAll) {
      const llvm::SMRange range = schedules.size() == 1 ? schedules[0].schedule->nameRange : llvm::SMRange();
      diagnostics.report(range, diag::RunCrashed{.p = p, .started = false, .problem = launched.problem});
      return false;
    }
    const std::vector<Outcome> outcomes = readReports(p, cases.size(), scratch);
    const bool nobodyBegan = !anyRankBegan(p, scratch);
    const bool startedNothing = launched.ended == Ended::Well && nobodyBegan; // a launcher that does something else
    if (startedNothing)
      launched.problem = diag::FailureNotStarted{};
    if (startedNothing || (launched.ended != Ended::Well && schedules.size() > 1 && nobodyBegan)) {
      for (const Group &group : left)
        results[group.schedule].endedBadly = true;
      diagnostics.report({}, diag::RunCrashed{.p = p, .started = true, .problem = launched.problem});
      for (const Group &group : left)
        conclude(group, outcomes, scratch);
      return true;
    }
    // Groups run one after the other: no rank begins one before all ranks have finished the one before. So the program ended in
    // the last group that some rank reported about, if that is not done, or else in the next one.
    auto wasReached = [&](const Group &group) { return llvm::any_of(group.cases, [&](const CallCase &c) { return outcomes[static_cast<size_t>(c.id)].wasReached(); }); };
    auto isDone = [&](const Group &group) { return llvm::all_of(group.cases, [&](const CallCase &c) { return outcomes[static_cast<size_t>(c.id)].isDone(p); }); };
    size_t last = left.size();
    while (last > 0 && !wasReached(left[last - 1]))
      --last;
    if (last > 0 && !isDone(left[last - 1]))
      --last;
    for (size_t i = 0; i < std::min(last + 1, left.size()); ++i) {
      const bool isGood = conclude(left[i], outcomes, scratch);
      if (i == last && launched.ended != Ended::Well)
        blame(left[i], !isGood, launched);
    }
    if (last == left.size() && launched.ended != Ended::Well)
      findWhoEndsBadly(left, launched);
    first += last + 1;
  }
  return true;
}

bool Runner::run(const Sources &sources) {
  makeCases();
  if (llvm::all_of(casesOf, [](const auto &cases) { return cases.empty(); }))
    return true;
  // Compiling takes seconds, so errors that would make it useless are reported before.
  if (Scratch scratch; scratch.failure) {
    scratch.reportFailure(diagnostics);
    return false;
  }
  toolchain = findToolchain(request.backend, request.executable, request.launcher, diagnostics);
  if (!toolchain || !build(sources))
    return false;
  llvm::SmallVector<std::int64_t, 16> ps; // in the order of the request
  for (const ScheduleToRun &schedule : schedules)
    for (std::int64_t p : schedule.ps)
      if (!llvm::is_contained(ps, p))
        ps.push_back(p);
  for (size_t i = 0; i < ps.size(); ++i) {
    if (request.goesOn && !request.goesOn()) {
      for (size_t s = 0; s < schedules.size(); ++s)
        llvm::copy_if(schedules[s].ps, std::back_inserter(results[s].notRun),
                      [&](std::int64_t p) { return llvm::is_contained(llvm::ArrayRef(ps).drop_front(i), p); });
      break;
    }
    if (!runOnRanks(ps[i]))
      return false;
  }
  for (size_t i = 0; i < schedules.size(); ++i)
    if (results[i].failed > 0)
      diagnostics.report(schedules[i].schedule->nameRange,
                         diag::RunsFailed{.failed = results[i].failed, .cases = results[i].cases});
  return true;
}

} // namespace

std::optional<std::vector<ScheduleResult>> runSchedules(llvm::ArrayRef<ScheduleToRun> schedules, const RunRequest &request,
                                                        const Sources &sources, Diagnostics &diagnostics) {
  Runner runner(schedules, request, diagnostics);
  if (!runner.run(sources))
    return std::nullopt;
  assert(runner.results.size() == schedules.size() && "there is a result for each schedule");
  return std::move(runner.results);
}

} // namespace quadrille::compiler::run
