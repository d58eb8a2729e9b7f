//===- InPlace.cpp - Data of calls with MPI_IN_PLACE -----------------------------------------------------------------------===//

#include "InPlace.h"

#include "Queries.h"

namespace quadrille::compiler::emit {

using namespace ir;

static bool isVariable(const Expr *expr, const std::optional<unsigned> &variable) {
  return expr && variable && expr->op == Op::Variable && expr->variable == *variable;
}

static bool sameShape(const Buffer &input, const Buffer &output) {
  if (input.isArray != output.isArray || input.length || output.length)
    return false;
  return !input.isArray || sameExpr(input.count, output.count);
}

std::optional<InPlace> inPlaceForm(const Schedule &schedule) {
  const std::vector<Promise> &promises = schedule.collective->promises;
  if (schedule.inputs.size() != 1 || schedule.outputs.size() != 1 || promises.size() != 1)
    return std::nullopt;
  const Buffer &input = *schedule.inputs[0], &output = *schedule.outputs[0];
  const Promise &promise = promises[0];
  const PromisedTerm &term = promise.term;
  // A gather: a rank's own block is where it will be.
  if (!input.isArray && output.isArray && !term.isFold && isVariable(term.rank, promise.indexVariable))
    return InPlace{.isOutput = false, .isOwnBlock = true};
  // A scatter: the root keeps its block where it is.
  if (input.isArray && input.presence && !output.isArray && !term.isFold && isVariable(term.index, promise.rankVariable))
    return InPlace{.isOutput = true, .isOwnBlock = true};
  // A reduction with scattered results: all inputs are where the result will begin.
  if (input.isArray && !input.presence && !output.isArray && term.isFold)
    return InPlace{};
  if (!input.presence && sameShape(input, output))
    return InPlace{};
  return std::nullopt;
}

} // namespace quadrille::compiler::emit
