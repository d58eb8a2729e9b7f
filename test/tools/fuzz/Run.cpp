//===- Run.cpp - Compiles and runs programs -------------------------------------------------------------------------------===//

#include "Run.h"

#include "emit/IrToCpp.h"
#include "run/RunSchedules.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"

#include <cstdlib>

namespace quadrille::compiler::fuzz {

bool showsWhenRun(llvm::StringRef code) {
  // Not Q0502: the memory of an output that became empty still has its old content, which may be right.
  // Not Q0415: blocks without content are not moved, so it does not matter how many there are. Not Q0303: a message that a plan
  // combines as it arrives needs no room in the name under which it is received.
  for (const char *shown : {"Q0301", "Q0302", "Q0304", "Q0305", "Q0501", "Q0504"})
    if (code == shown)
      return true;
  return false;
}

namespace {

/// The numbers of ranks to run a program with: some of those checked, or the first for which it is refused.
std::vector<std::int64_t> ranksFor(const ir::Schedule &schedule, bool isAccepted, const std::vector<std::int64_t> &parameters) {
  CheckOptions options;
  options.parameters = parameters;
  options.limits.maxSteps = 1 << 20;
  options.limits.memoryBytes = std::uint64_t(256) << 20;
  std::vector<std::int64_t> ranks;
  for (std::int64_t p : {1, 2, 3, 4, 5}) {
    options.ps = {p};
    const Verdict verdict = checkSchedule(schedule, options);
    if (isAccepted && verdict.ok && !verdict.checkedPs.empty() && p != 4)
      ranks.push_back(p);
    if (!isAccepted && verdict.failure && !verdict.reachedLimit())
      return {p};
  }
  return ranks;
}

/// "ok", or what disagrees.
std::string judge(const run::ScheduleResult &result, const std::string &code, const std::string &messages) {
  if (!code.empty()) // it must fail for some of the lengths, roots and parameters
    return result.isGood() && result.cases > 0 && showsWhenRun(code) ? "refused with " + code + ", but right when run\n" : "ok";
  if (result.stage == run::ScheduleResult::NotCompiled)
    return "accepted, but what is emitted does not compile\n" + messages;
  if (result.failed > 0)
    return "accepted, but wrong when run\n" + result.firstFailure;
  return result.endedBadly ? "accepted, but it ends badly when run\n" + messages : "ok";
}

} // namespace

void compileAndRun(Compiler &compiler, const std::vector<Runnable> &programs, const RunOptions &options, const Teller &teller) {
  teller.tell("stage", "compiling and running");
  // Warnings are errors, except on `v == v`, which programs may contain. Do not keep the results in the user's cache.
  ::setenv("CXX", "c++ -Wall -Wextra -Werror -Wno-tautological-compare", 0);
  ::setenv("QUADRILLE_CACHE", options.scratch.c_str(), 1);
  run::RunRequest request;
  request.program = &compiler.program();
  request.backend = options.backend;
  request.ns = {0, 1, 2, 7};
  request.parameters = {1, 2, 3};
  request.allRoots = true;
  request.types = {"mat2", "uint32"};
  request.inPlace = true;
  request.verify = true;
  request.executable = options.executable;
  request.interpreterLimits.emplace();
  request.timeoutSeconds = llvm::any_of(programs, [](const Runnable &r) { return !r.code.empty(); }) ? 3 : 20;
  std::vector<run::ScheduleToRun> runs;
  std::vector<size_t> numbers; // index of the program of each
  for (size_t i = 0; i < programs.size(); ++i) {
    const std::string path = options.scratch + "/" + std::to_string(i) + ".quad";
    std::error_code failure;
    llvm::raw_fd_ostream(path, failure) << programs[i].text;
    const std::vector<const ir::Schedule *> schedules = compiler.analyze(path);
    if (schedules.empty() || (programs[i].code == "Q0504" && emit::needsCommutative(*schedules.back())))
      continue; // it runs with commutative operators only, with which a wrong order does not show
    std::vector<std::int64_t> ranks = ranksFor(*schedules.back(), programs[i].code.empty(), request.parameters);
    if (ranks.empty())
      continue;
    runs.push_back({schedules.back(), std::move(ranks)});
    numbers.push_back(i);
  }
  std::vector<std::string> results(programs.size(), "ok");
  const auto runAll = [&] {
    std::string messages;
    llvm::raw_string_ostream out(messages);
    Diagnostics diagnostics(compiler.sources, out, DiagnosticsFormat::Text, /*colour=*/false);
    const auto ran = run::runSchedules(runs, request, compiler.sources, diagnostics);
    if (!ran) {
      teller.tell("finding", "nothing can be run\n" + messages);
      return false;
    }
    for (size_t i = 0; i < runs.size(); ++i)
      results[numbers[i]] = judge((*ran)[i], programs[numbers[i]].code, messages);
    return true;
  };
  // Keeps the schedules to run again with another request: those for which an error was found already, or not.
  const auto keep = [&](bool areFound) {
    std::vector<run::ScheduleToRun> kept;
    std::vector<size_t> keptNumbers;
    for (size_t i = 0; i < runs.size(); ++i)
      if ((results[numbers[i]] != "ok") == areFound) {
        kept.push_back(std::move(runs[i]));
        keptNumbers.push_back(numbers[i]);
      }
    runs = std::move(kept);
    numbers = std::move(keptNumbers);
  };
  if (!runAll())
    return;
  if (llvm::all_of(programs, [](const Runnable &r) { return r.code.empty(); })) {
    keep(/*areFound=*/false);
    request.nonblocking = true;
  } else {
    // The entries at which a schedule is wrong may be 0 in an uneven table, as for p = 1. Try an even one.
    keep(/*areFound=*/true);
    request.tables.pattern = LengthPattern::Even;
  }
  if (!runs.empty() && !runAll())
    return;
  for (const std::string &text : results)
    teller.tell("ran", text);
}

} // namespace quadrille::compiler::fuzz
