//===- RunCommand.cpp - quadrille run -------------------------------------------------------------------------------------------------===//

#include "Commands.h"
#include "Report.h"

#include "cost/Formula.h"
#include "instantiate/Interpret.h"
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
  } catch (const Finding &finding) {
    problem = formatMessage(finding.diagnostic.id, finding.diagnostic.args);
  } catch (const EvaluationError &error) {
    problem = formatMessage(error.id, error.args);
  }
  reference.inputs = std::move(dataCase.inputs);
  reference.outputs = std::move(dataCase.outputs);
  return problem;
}

/// Is there a root and a parameter with which the schedule runs on p ranks?
static bool admitsRanks(const ir::Schedule &schedule, std::int64_t p, const Options &options) {
  CheckOptions check = checkOptions(options);
  check.root.reset();
  if (check.parameters.empty())
    check.parameters = {4};
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
    request.ps = {ranksFor(schedule, request.ps[0], request, options.ks.empty() ? 4 : options.ks[0])};
  // Of several numbers of ranks, those that the schedule does not admit are left out; a single one is an error below.
  if (request.ps.size() > 1) {
    std::vector<std::int64_t> admitted;
    for (std::int64_t p : request.ps)
      if (admitsRanks(schedule, p, options))
        admitted.push_back(p);
    if (!admitted.empty())
      request.ps = admitted;
  }
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
  if (check.parameters.empty())
    check.parameters = {4};
  if (!options.unchecked)
    if (Verdict verdict = checkSchedule(schedule, check); verdict.failure) {
      session.diagnostics.report(*verdict.failure);
      return 1;
    }
  request.reference = [&](run::ReferenceCase &reference) { return interpretCase(reference, check.limits); };
  bool ok = true;
  std::vector<std::int64_t> values = schedule.parameterCount == 0 ? std::vector<std::int64_t>{0} : check.parameters;
  for (std::int64_t value : values) {
    request.params.assign(schedule.parameterCount, value);
    ok &= run::runSchedule(request, session.sources, llvm::outs(), session.diagnostics);
  }
  return ok && session.diagnostics.errorCount() == 0 ? 0 : 1;
}

} // namespace quadrille
