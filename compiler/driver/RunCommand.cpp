//===- RunCommand.cpp - quadrille run -------------------------------------------------------------------------------------------------===//

#include "Commands.h"
#include "Report.h"

#include "instantiate/Interpret.h"
#include "run/RunSchedule.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

namespace quadrille {

static bool interpretCase(run::ReferenceCase &reference, const Limits &limits) {
  DataCase dataCase;
  dataCase.schedule = reference.schedule;
  dataCase.instance = {reference.p, reference.numbers};
  dataCase.lengths = reference.lengths;
  dataCase.elementBytes = reference.elementBytes;
  dataCase.combine = reference.combine;
  dataCase.inputs = std::move(reference.inputs);
  dataCase.outputs = std::move(reference.outputs);
  bool done = true;
  try {
    interpret(dataCase, limits);
  } catch (const Finding &) {
    done = false;
  } catch (const EvaluationError &) {
    done = false;
  }
  reference.inputs = std::move(dataCase.inputs);
  reference.outputs = std::move(dataCase.outputs);
  return done;
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
  if (!options.ps.empty())
    request.ps = options.ps;
  if (!options.ns.empty())
    request.ns = options.ns;
  // Of several numbers of ranks, those that the schedule does not admit are left out; a single one is an error below.
  if (request.ps.size() > 1) {
    std::vector<std::int64_t> admitted;
    for (std::int64_t p : request.ps)
      if (admitsRanks(schedule, p, options))
        admitted.push_back(p);
    if (!admitted.empty())
      request.ps = admitted;
  }
  request.roots = {options.root.value_or(0)};
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
