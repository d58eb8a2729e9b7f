//===- Promises.h - Ranks, blocks and factors that promises name ------------------------------------------*- C++ -*-===//
//
// The check of results and the comparison of runs evaluate promises separately. Both use these functions, so that they agree:
// wherever the condition of a promise holds, the ranks and blocks that it names must exist, and a product must have factors.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_EVALUATE_PROMISES_H
#define QUADRILLE_EVALUATE_PROMISES_H

#include "Evaluate.h"

namespace quadrille::compiler {

/// Returns `rank`, of `data@rank` in a collective. Throws EvaluationError if it is not in 0 ..< p.
std::int64_t requireRank(const ir::Collective &collective, const std::string &data, const ir::Expr &expr, std::int64_t rank,
                         std::int64_t p);

/// Returns `block`. Throws EvaluationError if it is not in 0 ..< blocks.
std::int64_t requireBlock(const std::string &data, const ir::Expr &expr, std::int64_t rank, std::int64_t block, std::int64_t blocks);

/// The error that a rank is promised a product without factors.
EvaluationError productOfNothing(const ir::Collective &collective, const ir::Promise &promise, std::int64_t rank, std::int64_t block);

/// Calls `visit` once for a single term, or for every factor of a fold, with the variable of the fold set in the frame. Adds the
/// number of values tried to `steps`. Throws EvaluationError.
void forEachFactor(const ir::PromisedTerm &term, Frame &frame, std::uint64_t &steps, llvm::function_ref<void()> visit);

} // namespace quadrille::compiler

#endif // QUADRILLE_EVALUATE_PROMISES_H
