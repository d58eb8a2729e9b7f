//===- Proofs.cpp - Proving what the command line names -------------------------------------------------------------------------===//

#include "Proofs.h"

#include "ProgressLine.h"
#include "Report.h"

#include "prove/solver/Solver.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Threading.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/thread.h"

#include <atomic>
#include <condition_variable>

namespace quadrille::compiler {

using prove::ClaimVerdict;
using prove::ProofOptions;
using prove::ProofVerdict;
using prove::Strength;

/// Megabytes for all solvers together; `--memory` may give them less.
static constexpr std::uint64_t solverMegabytes = 2048;
/// More than any proof of the library takes. Where memory runs out the answer depends on what else is being proved.
static constexpr std::uint64_t megabytesPerWorker = 256;

Proofs::Proofs(const Session &session) : session(session) {
  if (session.options.useCache)
    cache.emplace(session.library, session.sources, session.options.executable);
  const std::uint64_t megabytes = std::clamp<std::uint64_t>(session.options.memoryBytes >> 20, 1, solverMegabytes);
  prove::limitSolverMemory(static_cast<unsigned>(megabytes));
  // The cores that this process may run on.
  const unsigned cores = llvm::hardware_concurrency().compute_thread_count();
  workers = session.options.jobs > 0 ? session.options.jobs
                                     : std::clamp<std::uint64_t>(megabytes / megabytesPerWorker, 1, std::max(1u, cores));
}

ProofOptions Proofs::defaults() const {
  ProofOptions options;
  options.check = defaultCheckOptions(session.options);
  return options;
}

ProofVerdict Proofs::proveQuietly(const ir::Schedule &schedule, const ProofOptions &options) {
  // Formulas are not kept.
  const bool mayBeKnown = cache && !options.wantObligations && !options.wantExplanations && !options.wantVacuous;
  if (mayBeKnown)
    if (std::optional<ProofVerdict> known = cache->find(schedule, options))
      return std::move(*known);
  ProofVerdict verdict = prove::prove(schedule, options);
  if (mayBeKnown)
    cache->keep(verdict, options);
  return verdict;
}

ProofVerdict Proofs::prove(const ir::Schedule &schedule, const ProofOptions &options) {
  ProgressLine progress;
  progress.show("proving " + schedule.path());
  return proveQuietly(schedule, options);
}

void Proofs::prove(llvm::ArrayRef<const ir::Schedule *> schedules, const ProofOptions &options,
                   llvm::function_ref<bool(ProofVerdict &)> use) {
  // Schedules, sources and the library are only read from here on. This thread alone writes.
  std::vector<std::optional<ProofVerdict>> verdicts(schedules.size());
  std::atomic<size_t> next = 0;
  std::mutex mutex; // of the verdicts
  std::condition_variable isDone;
  auto work = [&] {
    for (size_t i; (i = next++) < schedules.size();) {
      ProofVerdict verdict = proveQuietly(*schedules[i], options);
      std::lock_guard lock(mutex);
      verdicts[i] = std::move(verdict);
      isDone.notify_one();
    }
  };
  std::vector<llvm::thread> threads;
  auto joinAll = llvm::make_scope_exit([&] {
    next = schedules.size(); // whatever has not begun is not wanted any more
    for (llvm::thread &thread : threads)
      thread.join();
  });
  for (size_t i = 0; i < std::min<size_t>(workers, schedules.size()); ++i)
    threads.emplace_back(evaluationStackBytes, work);

  ProgressLine progress;
  for (size_t i = 0; i < schedules.size(); ++i) {
    std::unique_lock lock(mutex);
    if (!verdicts[i]) {
      progress.show(schedules.size() == 1 ? "proving " + schedules[i]->path()
                                          : "[" + std::to_string(i + 1) + "/" + std::to_string(schedules.size()) + "] " +
                                                schedules[i]->path());
      isDone.wait(lock, [&] { return verdicts[i].has_value(); });
      progress.hide();
    }
    ProofVerdict verdict = std::move(*verdicts[i]);
    lock.unlock();
    if (!use(verdict))
      return;
  }
}

// ---- words -------------------------------------------------------------------------------------------------------------

std::string placeText(const Sources &sources, llvm::SMRange range) {
  if (!range.isValid())
    return "";
  Place place = sources.place(range.Start);
  return place.file + ":" + std::to_string(place.line) + ":" + std::to_string(place.column);
}

std::string openClaims(const ProofVerdict &verdict) {
  std::vector<std::string> open;
  for (const ClaimVerdict &claim : verdict.claims)
    if (claim.strength != Strength::Proved)
      open.push_back(prove::claimName(claim.claim).str());
  return llvm::join(open, ", ");
}

std::string proofText(const ProofVerdict &verdict) {
  if (verdict.isProved())
    return "proved for " + verdict.scope;
  bool anyProved = llvm::any_of(verdict.claims, [](const ClaimVerdict &claim) { return claim.strength == Strength::Proved; });
  return anyProved && !verdict.isRefuted() ? "proved for " + verdict.scope + ", but " + openClaims(verdict) : "";
}

std::string whyNotProved(const ProofVerdict &verdict, const Sources &sources) {
  for (const ClaimVerdict &claim : verdict.claims)
    if (claim.strength != Strength::Proved)
      return claim.reason + (claim.range.isValid() ? " (" + placeText(sources, claim.range) + ")" : "");
  return "";
}

} // namespace quadrille::compiler
