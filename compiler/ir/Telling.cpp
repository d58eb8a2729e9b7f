//===- Telling.cpp - Schedules by which ranks tell each other lengths -----------------------------------------------===//

#include "Telling.h"

namespace quadrille::compiler::ir {

static bool isVariable(const Expr *expr, unsigned variable) {
  return expr && expr->op == Op::Variable && expr->variable == variable;
}

/// y@i[j] == x@j, of an input on all ranks.
static bool isAllGather(const Collective &collective, const CollectiveParam &input, const CollectiveParam &output, const Promise &promise) {
  constexpr unsigned p = 0;
  return collective.numberCount == 0 && !input.presence && output.isArray && isVariable(output.count, p) && promise.indexVariable &&
         isVariable(promise.term.rank, *promise.indexVariable);
}

/// y@i == x@root, of an input at the root.
static bool isBroadcast(const Collective &collective, const CollectiveParam &input, const CollectiveParam &output, const Promise &promise) {
  constexpr unsigned root = 1;
  return collective.numberCount == 1 && isVariable(input.presence, root) && !output.isArray && isVariable(promise.term.rank, root);
}

/// The telling that a collective allows; nothing: it does not give all ranks everything.
static std::optional<Telling> tellingOf(const Collective &collective) {
  const CollectiveParam *input = nullptr;
  for (const CollectiveParam &param : collective.inputs) {
    if (param.isTable || (param.isData() && input))
      return std::nullopt;
    if (param.isData())
      input = &param;
  }
  if (!input || input->isArray || input->length || collective.outputs.size() != 1 || collective.promises.size() != 1)
    return std::nullopt;
  const CollectiveParam &output = collective.outputs[0];
  const Promise &promise = collective.promises[0];
  if (output.presence || output.length || promise.isHeard || promise.condition || !promise.rankVariable || promise.term.isFold || promise.term.index)
    return std::nullopt;
  if (isAllGather(collective, *input, output, promise))
    return Telling::Rows;
  if (isBroadcast(collective, *input, output, promise))
    return Telling::Table;
  return std::nullopt;
}

std::optional<Telling> tellingBy(const Schedule &schedule, NoTelling *whyNot) {
  const std::optional<Telling> telling = tellingOf(*schedule.collective);
  NoTelling reason;
  if (!telling)
    reason = NoTelling::Collective;
  else if (schedule.parameterCount > 0)
    reason = NoTelling::Parameters;
  else if (!schedule.requirements.empty())
    reason = NoTelling::Requirements;
  else if (schedule.usesNodes)
    reason = NoTelling::Nodes;
  else
    return telling;
  if (whyNot)
    *whyNot = reason;
  return std::nullopt;
}

/// me == root
static bool isAtRoot(const Expr *condition, const Schedule &schedule) {
  const std::optional<unsigned> root = schedule.rootVariable();
  if (!condition || !root || condition->op != Op::Equal)
    return false;
  const Expr *a = condition->operands[0], *b = condition->operands[1];
  return (isVariable(a, Schedule::variableMe) && isVariable(b, *root)) || (isVariable(a, *root) && isVariable(b, Schedule::variableMe));
}

bool knowsWhatItTells(const Schedule &schedule, unsigned table, Telling telling) {
  if (telling == Telling::Rows && !isVariable(schedule.tables[table].extents[0], Schedule::variableP))
    return false;
  return llvm::any_of(schedule.knowledge, [&](const Knowledge &known) {
    if (known.table != table || known.isRequired)
      return false;
    auto isAny = [](const Knowledge::Index &index) { return index.variable.has_value(); };
    if (telling == Telling::Table)
      return llvm::all_of(known.indices, isAny) && isAtRoot(known.condition, schedule) &&
             schedule.numberCount == schedule.parameterCount + 1;
    return isVariable(known.indices[0].value, Schedule::variableMe) && llvm::all_of(llvm::drop_begin(known.indices), isAny) && !known.condition;
  });
}

} // namespace quadrille::compiler::ir
