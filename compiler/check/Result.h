//===- Result.h - Does the collective's promise hold? -----------------------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_CHECK_RESULT_H
#define QUADRILLE_CHECK_RESULT_H

#include "instantiate/CaseRun.h"

#include <optional>

namespace quadrille::compiler {

/// Two ranks whose results are the same product, bracketed differently.
struct BracketingWitness {
  std::uint32_t first = 0, second = 0;
  diag::Slot slot;
};

struct ResultFacts {
  bool orderBroken = false; // some result is correct only if the operator is commutative
  std::optional<BracketingWitness> bracketing;
  /// Fingerprints of how all promised folds are bracketed, rank by rank; empty if not tracked.
  std::vector<std::uint64_t> brackets;
};

/// Compares the outputs of all ranks with the promises of the collective. Throws Finding for the first rank and block that
/// differ. Promises about `heard` are left to HeardTracker.
ResultFacts checkResult(const ir::Schedule &schedule, const Case &instance, const Machine &machine,
                        const FinalState &state, TreeCache &trees);

/// Calls `visit` for every output slot that a promise of the collective covers.
void forEachPromisedSlot(const ir::Schedule &schedule, const Case &instance, const Machine &machine,
                         const FinalState &state, TreeCache &trees,
                         llvm::function_ref<void(const Storage &output, std::uint32_t rank, std::uint32_t slot)> visit);

} // namespace quadrille::compiler

#endif // QUADRILLE_CHECK_RESULT_H
