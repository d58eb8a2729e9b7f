//===- Proofs.cpp - Proving several schedules at once ----------------------------------------------------------------------------------===//

#include "Proofs.h"

#include "evaluate/EvaluationThread.h"
#include "limits/Limits.h"
#include "prove/solver/Solver.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/Threading.h"

#include <atomic>
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <utility>

namespace quadrille::compiler {

using prove::ProofOptions;
using prove::ProofVerdict;

Proofs::Proofs(std::unique_ptr<ProofCache> cache, std::uint64_t memoryBytes, unsigned jobs) : cache(std::move(cache)) {
  const std::uint64_t megabytes = std::clamp<std::uint64_t>(memoryBytes >> 20, 1, limits::solverMemory.value());
  prove::limitSolverMemory(static_cast<unsigned>(megabytes));
  // The cores that this process may run on.
  const unsigned cores = llvm::hardware_concurrency().compute_thread_count();
  workers = jobs > 0 ? jobs : std::clamp<std::uint64_t>(megabytes / limits::workerMemory.value(), 1, std::max(1u, cores));
}

/// The cache has verdicts only, not obligations or explanations.
static bool asksForVerdict(const ProofOptions &options) {
  return !options.wantObligations && !options.wantExplanations && !options.wantVacuous;
}

std::optional<ProofVerdict> Proofs::remembered(const ir::Schedule &schedule, const ProofOptions &options) const {
  return cache && asksForVerdict(options) ? cache->find(schedule, options) : std::nullopt;
}

ProofVerdict Proofs::prove(const ir::Schedule &schedule, const ProofOptions &options) {
  if (std::optional<ProofVerdict> known = remembered(schedule, options))
    return std::move(*known);
  ProofOptions shared = options;
  shared.shared = answers.get();
  if (maxSeconds && !shared.check.goesOn)
    shared.check.goesOn = [begun = std::chrono::steady_clock::now(), limit = std::chrono::seconds(*maxSeconds), isFirst = true](std::int64_t) mutable {
      return std::exchange(isFirst, false) || std::chrono::steady_clock::now() - begun < limit;
    };
  ProofVerdict verdict = prove::prove(schedule, shared);
  if (cache && !verdict.checked.endedBefore)
    cache->keep(verdict, options);
  return verdict;
}

void Proofs::prove(llvm::ArrayRef<const ir::Schedule *> schedules, const ProofOptions &options,
                   llvm::function_ref<void(size_t)> waitFor, llvm::function_ref<bool(ProofVerdict &)> use) {
  // Schedules, sources and the library are only read from here on. This thread alone calls back.
  std::vector<std::optional<ProofVerdict>> verdicts(schedules.size());
  std::atomic<size_t> next = 0;
  std::mutex mutex; // of the verdicts
  std::condition_variable isDone;
  auto work = [&] {
    for (size_t i; (i = next++) < schedules.size();) {
      ProofVerdict verdict = prove(*schedules[i], options);
      std::lock_guard lock(mutex);
      verdicts[i] = std::move(verdict);
      isDone.notify_one();
    }
  };
  std::vector<EvaluationThread> threads;
  auto joinAll = llvm::make_scope_exit([&] {
    next = schedules.size(); // whatever has not begun is not wanted any more
    for (EvaluationThread &thread : threads)
      thread.join();
  });
  for (size_t i = 0; i < std::min<size_t>(workers, schedules.size()); ++i)
    threads.emplace_back(work);
  // Where limits of the shell allow no other thread, this one does the work: its stack is as large.
  if (llvm::all_of(threads, [](const EvaluationThread &thread) { return static_cast<bool>(thread.failure()); }))
    work();

  for (size_t i = 0; i < schedules.size(); ++i) {
    std::unique_lock lock(mutex);
    if (!verdicts[i]) {
      waitFor(i);
      isDone.wait(lock, [&] { return verdicts[i].has_value(); });
    }
    ProofVerdict verdict = std::move(*verdicts[i]);
    lock.unlock();
    assert(verdict.schedule == schedules[i] && "verdicts are in the order of the schedules");
    if (!use(verdict))
      return;
  }
}

} // namespace quadrille::compiler
