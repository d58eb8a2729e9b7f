//===- RunCommand.cpp - quadrille run -------------------------------------------------------------------------------------------------===//

#include "Machines.h"
#include "Report.h"

#include "cost/Formula.h"
#include "instantiate/Interpret.h"
#include "run/Cases.h"
#include "run/RunSchedule.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

namespace quadrille {

/// Runs a case on the interpreter. What passed the checks cannot fail here but for want of memory or steps, so whatever
/// goes wrong is worth being told: a run that has not been compared is not right.
static std::string interpretCase(run::ReferenceCase &reference, const Limits &limits) {
  DataCase dataCase;
  dataCase.schedule = reference.schedule;
  dataCase.instance = {reference.p, reference.numbers};
  dataCase.lengths = reference.lengths;
  dataCase.elementBytes = reference.elementBytes;
  dataCase.combine = reference.combine;
  dataCase.inputs = std::move(reference.inputs);
  dataCase.outputs = std::move(reference.outputs);
  std::string problem;
  try {
    interpret(dataCase, limits);
    problem = dataCase.problem;
  } catch (const Finding &finding) {
    problem = formatMessage(finding.diagnostic.id, finding.diagnostic.args);
  } catch (const EvaluationError &error) {
    problem = formatMessage(error.id, error.args);
  }
  reference.inputs = std::move(dataCase.inputs);
  reference.outputs = std::move(dataCase.outputs);
  return problem;
}

/// The values of the parameter that checks try where `run` has the given ones, of which 0 stands for a choice.
static std::vector<std::int64_t> checkedParameters(std::vector<std::int64_t> given) {
  llvm::erase(given, 0);
  return given.empty() ? std::vector<std::int64_t>{4} : given;
}

/// Is there a root and a parameter with which the schedule runs on p ranks?
static bool admitsRanks(const ir::Schedule &schedule, std::int64_t p, const Options &options) {
  CheckOptions check = checkOptions(options);
  check.root.reset();
  check.parameters = checkedParameters(check.parameters);
  bool allRoots = true;
  TreeCache trees;
  try {
    return llvm::any_of(casesAt(schedule, p, check, allRoots), [&](const Case &c) { return admits(schedule, c, trees); });
  } catch (const Finding &) {
    return true; // reported by the checks
  }
}

/// Values that all ranks together put in.
static std::uint64_t inputElements(const ir::Schedule &schedule, std::int64_t p, std::int64_t n, std::int64_t parameter,
                                   std::int64_t root) {
  std::vector<std::int64_t> numbers(schedule.parameterCount, parameter);
  numbers.resize(schedule.numberCount, root);
  TreeCache trees;
  Frame frame = clauseFrame(schedule, p, numbers, trees);
  std::uint64_t total = 0;
  for (const ir::Buffer *input : schedule.inputs) {
    std::int64_t blocks = input->isArray ? std::max<std::int64_t>(0, evaluate(*input->count, frame)) : 1;
    total += static_cast<std::uint64_t>(blocks) * static_cast<std::uint64_t>(n) *
             (input->presence ? 1 : static_cast<std::uint64_t>(p));
  }
  return total;
}

/// The number of ranks that takes as many values as are given: `p` if it does, else the smallest, else `p`.
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

namespace {

/// What the machine makes of the cases of a run: that of --machine or, for each number of ranks, the nearest that
/// `calibrate` has measured.
class Predictions {
public:
  Predictions(Session &session, const run::RunRequest &request, const CheckOptions &check)
      : session(session), request(request), check(check) {
    this->check.lengths = request.ns;
    this->check.tables = request.tables;
  }

  /// False after an error, which has been reported.
  bool find() {
    const std::string backend = emit::backendName(request.backend).str();
    for (std::int64_t p : request.ps) {
      std::optional<std::string> file = session.options.machine.empty() ? nearestMachine(backend, p) : session.options.machine;
      if (!file)
        continue;
      std::optional<MachineDescription> &machine = files[*file];
      if (!machine && !(machine = readMachine(*file, session.diagnostics)))
        return false;
      if (!machine->backend.empty() && machine->backend != backend && ofRanks.empty())
        session.diagnostics.reportFile(diag::Id::OtherBackend, *file, {machine->backend, backend});
      ofRanks[p] = &*machine;
    }
    return true;
  }

  void announce(llvm::raw_ostream &out) const {
    if (ofRanks.empty())
      out << "no machine to predict by: `quadrille calibrate --backend=" << emit::backendName(request.backend)
          << " -p " << std::max<std::int64_t>(2, request.ps.back()) << "` measures this one\n";
    for (const auto &[file, machine] : files)
      out << "machine: " << machine->parameters.text()
          << (machine->ranks ? ", measured with " + std::to_string(machine->ranks) + " ranks" : "") << '\n';
  }

  MachineTimes machine(std::int64_t p) const {
    auto found = ofRanks.find(p);
    if (found == ofRanks.end())
      return machineFromEnvironment(request.backend == emit::Backend::Mpi ? usualMpiMachine : usualShmMachine);
    const MachineParameters bytes = found->second->forWordsOf(1);
    return {bytes.alpha, bytes.beta};
  }

  /// By the asynchronous reading, as ranks do not wait for rounds to end.
  std::optional<double> seconds(const run::Case &c) {
    auto found = ofRanks.find(c.p);
    if (found == ofRanks.end())
      return std::nullopt;
    auto [entry, isNew] = costs.try_emplace({c.p, c.numbers});
    if (isNew) {
      try {
        TreeCache trees;
        entry->second = checkCase(*request.schedule, {c.p, c.numbers}, check, request.schedule->requiresCommutative, trees).cost;
      } catch (const Finding &) { // as with --unchecked, or for want of memory
      } catch (const EvaluationError &) {
      }
    }
    const auto n = llvm::find(request.ns, static_cast<std::int64_t>(c.n));
    if (!entry->second || (n == request.ns.end() && c.n != 0))
      return std::nullopt;
    const size_t sample = n == request.ns.end() ? 0 : static_cast<size_t>(n - request.ns.begin());
    const Cost cost = entry->second->at(entry->second->asynchronous, sample, static_cast<std::int64_t>(c.n));
    return found->second->forWordsOf(static_cast<std::int64_t>(harness::elementBytes(c.element))).seconds(cost);
  }

private:
  Session &session;
  const run::RunRequest &request;
  CheckOptions check;
  std::map<std::string, std::optional<MachineDescription>> files;
  std::map<std::int64_t, const MachineDescription *> ofRanks;
  std::map<std::pair<std::int64_t, std::vector<std::int64_t>>, std::optional<MeasuredCost>> costs;
};

} // namespace

int runCommand(Session &session) {
  const Options &options = session.options;
  std::vector<const ir::Schedule *> schedules = session.library.find(options.files[0]);
  if (schedules.size() > 1)
    session.diagnostics.reportFile(diag::Id::SeveralSchedules, options.files[0], {std::to_string(schedules.size()), "run"});
  if (schedules.size() != 1)
    return 1;
  const ir::Schedule &schedule = *schedules[0];
  run::RunRequest request;
  request.schedule = &schedule;
  request.program = &session.library.program();
  request.backend = options.backend == BackendChoice::Mpi ? emit::Backend::Mpi : emit::Backend::Shm;
  request.input = options.input;
  request.show = options.show;
  request.roots = {options.root.value_or(0)};
  if (!request.input.empty())
    request.ns = {1};
  if (!options.ns.empty())
    request.ns = options.ns;
  if (!options.ps.empty())
    request.ps = options.ps;
  else if (!request.input.empty())
    request.ps = {ranksFor(schedule, request.ps[0], request, checkedParameters(options.ks)[0])};
  // Of several numbers of ranks, those that the schedule does not admit are left out; a single one is an error below.
  if (request.ps.size() > 1) {
    std::vector<std::int64_t> admitted;
    for (std::int64_t p : request.ps)
      if (admitsRanks(schedule, p, options))
        admitted.push_back(p);
    if (!admitted.empty())
      request.ps = admitted;
  }
  warnOfUnreadOptions({&schedule}, session);
  request.allRoots = options.allRoots;
  if (!options.types.empty())
    request.types = options.types;
  request.operators = options.operators;
  request.inPlace = options.inPlace;
  request.tables = options.tables;
  request.nonblocking = options.nonblocking;
  request.verify = options.verify;
  request.repeat = options.repeat;
  request.timeoutSeconds = options.timeoutSeconds;
  request.seed = options.seed;
  request.executable = options.executable;
  // Emission relies on the checks, so what runs has passed them for the ranks asked for.
  CheckOptions check = checkOptions(options);
  check.root.reset();
  if (check.ps.empty() || options.ps.empty())
    check.ps = request.ps;
  check.parameters = checkedParameters(options.ks);
  if (!options.unchecked)
    if (Verdict verdict = checkSchedule(schedule, check); verdict.failure) {
      session.diagnostics.report(*verdict.failure);
      return 1;
    }
  request.reference = [&](run::ReferenceCase &reference) { return interpretCase(reference, check.limits); };
  Predictions predictions(session, request, check);
  const bool wantsMachine = options.repeat > 0 || !options.machine.empty() || llvm::is_contained(options.ks, 0);
  if (wantsMachine && !predictions.find())
    return 1;
  request.machine = [&](std::int64_t p) { return predictions.machine(p); };
  if (options.repeat > 0) {
    predictions.announce(llvm::outs());
    request.predict = [&](const run::Case &c) { return predictions.seconds(c); };
  }
  bool ok = true;
  std::vector<std::int64_t> values = schedule.parameterCount == 0 ? std::vector<std::int64_t>{0}
                                     : options.ks.empty()         ? check.parameters
                                                                  : options.ks;
  for (std::int64_t value : values) {
    request.params.assign(schedule.parameterCount, value);
    ok &= run::runSchedule(request, session.sources, llvm::outs(), session.diagnostics);
  }
  return ok && session.diagnostics.errorCount() == 0 ? 0 : 1;
}

} // namespace quadrille
