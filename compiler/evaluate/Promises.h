//===- Promises.h - What a promise speaks of ----------------------------------------------------------------------*- C++ -*-===//
//
// Checks of results and comparisons of runs find out what is promised in two ways, and take promises for the same: wherever the
// condition of one holds, the ranks and blocks of which it speaks exist, and a product has factors.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_EVALUATE_PROMISES_H
#define QUADRILLE_EVALUATE_PROMISES_H

#include "Evaluate.h"

namespace quadrille::compiler {

/// The rank of which a collective speaks as `data@rank`. Throws EvaluationError if there is none such.
std::int64_t requireRank(const ir::Collective &collective, const std::string &data, const ir::Expr &expr, std::int64_t rank,
                         std::int64_t p);

/// One of the blocks of a rank. Throws EvaluationError if there is none such.
std::int64_t requireBlock(const std::string &data, const ir::Expr &expr, std::int64_t rank, std::int64_t block, std::int64_t blocks);

/// That a rank is promised a product without factors as some block of an output.
EvaluationError productOfNothing(const ir::Collective &collective, const ir::Promise &promise, std::int64_t rank, std::int64_t block);

/// Visits what is promised, or every factor of the product, with the fold's variable in the frame. Counts in `steps` what was
/// looked at. Throws EvaluationError.
void forEachFactor(const ir::PromisedTerm &term, Frame &frame, std::uint64_t &steps, llvm::function_ref<void()> visit);

} // namespace quadrille::compiler

#endif // QUADRILLE_EVALUATE_PROMISES_H
