//===- Proofs.h - Proving several schedules at once ------------------------------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_CACHE_PROOFS_H
#define QUADRILLE_CACHE_PROOFS_H

#include "ProofCache.h"

#include "prove/solver/SharedAnswers.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <memory>
#include <optional>

namespace quadrille::compiler {

/// Proves schedules, or takes their verdicts from the cache.
class Proofs {
public:
  /// `cache`: keeps verdicts; null: none are kept. `memoryBytes`: the limit for all solvers together. `jobs`: the number of schedules that
  /// are proved at a time; 0: one for each core.
  Proofs(std::unique_ptr<ProofCache> cache, std::uint64_t memoryBytes, unsigned jobs);

  prove::ProofVerdict prove(const ir::Schedule &schedule, const prove::ProofOptions &options);
  /// Ends the checks before a proof at the first p after this time; the first p of all is always checked. Verdicts of checks that were
  /// ended are not kept.
  void endChecksAfter(std::optional<std::uint64_t> seconds) { maxSeconds = seconds; }
  /// The verdict that the cache has; nothing if it has none, or none that tells what the options want.
  std::optional<prove::ProofVerdict> remembered(const ir::Schedule &schedule, const prove::ProofOptions &options) const;

  /// Proves several at a time, and calls `use` with the verdicts in the order of the schedules, while others are still being proved. Calls
  /// `waitFor` with the number of a schedule before it waits for that proof. Ends early if `use` returns false.
  void prove(llvm::ArrayRef<const ir::Schedule *> schedules, const prove::ProofOptions &options,
             llvm::function_ref<void(size_t)> waitFor, llvm::function_ref<bool(prove::ProofVerdict &)> use);

private:
  std::unique_ptr<ProofCache> cache;
  std::unique_ptr<prove::SharedAnswers> answers = std::make_unique<prove::SharedAnswers>();
  std::size_t workers = 1;
  std::optional<std::uint64_t> maxSeconds;
};

} // namespace quadrille::compiler

#endif // QUADRILLE_CACHE_PROOFS_H
