//===- RecordPlans.cpp - The plans of ranks, from the emitted code ----------------------------------------------------------===//

#include "RecordPlans.h"

#include "Build.h"
#include "Cases.h"
#include "HarnessUnit.h"
#include "Launch.h"

#include "diagnostics/Diagnostics.h"
#include "diagnostics/OutputFile.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"

namespace quadrille::compiler::run {

/// Builds the program that contains the schedule; nothing after an error, which has been reported.
static std::optional<std::string> build(const HarnessUnit &unit, const Toolchain &toolchain, const RunRequest &request,
                                        Diagnostics &diagnostics) {
  // Always for shm: what is recorded does not depend on whether ranks are threads or processes.
  Builder builder(toolchain, harnessHeaders(emit::Backend::Shm), diagnostics);
  const auto objects = builder.compile(unit.unit, [&](size_t done, size_t) {
    if (done == 0 && request.progress)
      request.progress("compiling what is emitted, to record its plans");
  });
  if (!objects || objects->front().empty())
    return std::nullopt;
  return builder.link(*objects);
}

std::optional<std::vector<plan::RankPlan>> recordPlans(const ir::Schedule &schedule, std::int64_t p, llvm::ArrayRef<std::int64_t> ranks,
                                                       const RunRequest &request, const Sources &sources, Diagnostics &diagnostics) {
  std::optional<std::vector<CallCase>> cases = casesFor(schedule, request, p, diagnostics);
  if (!cases || cases->empty())
    return std::nullopt;
  const std::optional<Toolchain> toolchain = findToolchain(emit::Backend::Shm, request.executable, /*launcher=*/"", diagnostics);
  if (!toolchain)
    return std::nullopt;
  std::set<std::string> names;
  const HarnessUnit unit = harnessUnit(schedule, *request.program, sources, emit::Backend::Shm, names);
  const std::optional<std::string> program = build(unit, *toolchain, request, diagnostics);
  if (!program)
    return std::nullopt;

  auto fail = [&](bool started, const std::optional<diag::Failure> &problem) {
    diagnostics.report(schedule.nameRange, diag::RunCrashed{.p = p, .started = started, .problem = problem});
    return std::nullopt;
  };
  Scratch scratch;
  if (scratch.failure)
    return fail(false, diag::FailureNoTemporaryFolder{.said = scratch.failure.message()});
  CallCase &only = cases->front();
  only.name = unit.name;
  const std::string casesFile = scratch.file("cases");
  if (std::error_code failure = writeFile(casesFile, [&](llvm::raw_ostream &out) { out << encode(only, request); }))
    return fail(false, diag::FailureCaseNotWritten{.said = failure.message()});
  std::vector<std::string> arguments{"--plans", llvm::join(llvm::map_range(ranks, [](std::int64_t rank) { return std::to_string(rank); }), ",")};
  if (request.backend == emit::Backend::Mpi)
    arguments.push_back("--receives-first");
  arguments.insert(arguments.end(), {std::to_string(p), casesFile, scratch.file("rank")});
  const Launched launched = launch(*toolchain, *program, p, arguments, request.timeoutSeconds, scratch, request.nodes);
  if (launched.ended == Ended::TooLate) {
    diagnostics.report(schedule.nameRange, diag::RunTimedOut{.p = p, .seconds = request.timeoutSeconds});
    return std::nullopt;
  }
  if (launched.ended != Ended::Well)
    return fail(launched.ended != Ended::NotAtAll, launched.problem);
  std::vector<plan::RankPlan> plans;
  for (std::int64_t rank : ranks) {
    const auto file = llvm::MemoryBuffer::getFile(scratch.file("rank" + std::to_string(rank) + ".plan"));
    std::optional<plan::RankPlan> plan = file ? plan::readPlan((*file)->getBuffer()) : std::nullopt;
    if (!plan)
      return fail(true, diag::FailureNoPlan{.rank = rank});
    plans.push_back(std::move(*plan));
  }
  return plans;
}

} // namespace quadrille::compiler::run
