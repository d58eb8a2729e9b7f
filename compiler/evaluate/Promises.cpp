//===- Promises.cpp - Ranks, blocks and factors that promises name --------------------------------------------------===//

#include "Promises.h"

#include "limits/Limits.h"

namespace quadrille::compiler {

std::int64_t requireRank(const ir::Collective &collective, const std::string &data, const ir::Expr &expr, std::int64_t rank,
                         std::int64_t p) {
  if (rank < 0 || rank >= p)
    throw EvaluationError{expr.range, diag::PromiseOfNoRank{.collective = collective.name,
                                                            .data = data + "@" + (rank == ir::none ? "none" : std::to_string(rank)),
                                                            .p = p}};
  return rank;
}

std::int64_t requireBlock(const std::string &data, const ir::Expr &expr, std::int64_t rank, std::int64_t block, std::int64_t blocks) {
  if (block < 0 || block >= blocks)
    throw EvaluationError{expr.range, diag::IndexOutOfRange{.rank = rank, .part = {block, 1, /*packets=*/false}, .name = data,
                                                            .size = {blocks, /*packets=*/false}}};
  return block;
}

EvaluationError productOfNothing(const ir::Collective &collective, const ir::Promise &promise, std::int64_t rank, std::int64_t block) {
  const ir::CollectiveParam &output = collective.outputs[promise.output];
  return {promise.range, diag::ProductOfNothing{.collective = collective.name,
                                                .rank = rank,
                                                .result = output.name + (output.isArray ? "[" + std::to_string(block) + "]" : "")}};
}

void forEachFactor(const ir::PromisedTerm &term, Frame &frame, std::uint64_t &steps, llvm::function_ref<void()> visit) {
  if (!term.isFold)
    return visit();
  const std::int64_t lo = evaluate(*term.lo, frame), hi = evaluate(*term.hi, frame);
  for (std::int64_t i = lo; i < hi; ++i) {
    if (++steps > limits::promisedFactors)
      throw EvaluationError{
          term.rank->range,
          diag::TooManySteps{.limit = limits::promisedFactors, .what = diag::WorkloadFactors{}}};
    frame[term.binder] = i;
    if (!term.condition || evaluate(*term.condition, frame))
      visit();
  }
}

} // namespace quadrille::compiler
