//===- Proofs.h - Proving schedules, several at once, and none twice -------------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_CACHE_PROOFS_H
#define QUADRILLE_CACHE_PROOFS_H

#include "ProofCache.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <memory>

namespace quadrille::compiler {

/// Proves schedules, or remembers that they were proved.
class Proofs {
public:
  /// `cache`: remembers proofs, where it is given. `memoryBytes`: for all solvers together, at most. `jobs`: how many schedules are
  /// proved at a time; 0: as many as there are cores.
  Proofs(std::unique_ptr<ProofCache> cache, std::uint64_t memoryBytes, unsigned jobs);

  prove::ProofVerdict prove(const ir::Schedule &schedule, const prove::ProofOptions &options);

  /// Hands over the verdicts in the order of the schedules, while others are being proved, as many at a time as there may be. `waitFor` is called with the
  /// number of a schedule whose proof is not done yet, before waiting for it. Ends early if `use` returns false.
  void prove(llvm::ArrayRef<const ir::Schedule *> schedules, const prove::ProofOptions &options,
             llvm::function_ref<void(size_t)> waitFor, llvm::function_ref<bool(prove::ProofVerdict &)> use);

private:
  std::unique_ptr<ProofCache> cache;
  std::size_t workers = 1;
};

} // namespace quadrille::compiler

#endif // QUADRILLE_CACHE_PROOFS_H
