//===- ReversalSema.cpp - Analysis of schedules that run another one backwards --------------------------------------===//
//
// The statements are analyzed with the data of the base, as in an instance, and then reversed (Reversal.h). The inputs of the base are the
// outputs of the reversal, so the two collectives must fit.
//
//===----------------------------------------------------------------------------------------------------------------===//

#include "Reversal.h"
#include "ScheduleSema.h"

namespace quadrille::compiler::sema {

/// How a buffer of the base differs from its counterpart in the reversal; nothing if it does not.
static std::optional<diag::OtherSide> difference(const ir::Buffer &ofBase, const ir::Buffer &here) {
  const std::string base = nameInText(ofBase), own = nameInText(here);
  if (ofBase.isArray != here.isArray)
    return diag::OtherSideShapes{.base = base, .here = own, .isArray = ofBase.isArray};
  if (!areSame(ofBase.count, here.count))
    return diag::OtherSideBlocks{.base = base, .here = own};
  if (!areSame(ofBase.presence, here.presence))
    return diag::OtherSideRanks{.base = base, .here = own};
  const bool haveLengths = ofBase.length && here.length;
  const auto areEqual = [&](const ir::Expr *a, const ir::Expr *b) {
    // The number of a block has a name of its own on each side.
    const std::function<bool(const ir::Expr *, const ir::Expr *)> same = [&](const ir::Expr *x, const ir::Expr *y) {
      if (!x || !y)
        return x == y;
      if (x->op == ir::Op::Variable && ofBase.length->binder && x->variable == *ofBase.length->binder)
        return y->op == ir::Op::Variable && here.length->binder && y->variable == *here.length->binder;
      return x->op == y->op && x->value == y->value && x->variable == y->variable && x->function == y->function &&
             llvm::equal(x->operands, y->operands, same);
    };
    return same(a, b);
  };
  if (ofBase.length.has_value() != here.length.has_value() ||
      (haveLengths && (ofBase.length->table != here.length->table || !llvm::equal(ofBase.length->indices, here.length->indices, areEqual) ||
                       !areEqual(ofBase.length->parts, here.length->parts) || !areEqual(ofBase.length->part, here.length->part))))
    return diag::OtherSideLengths{.base = base, .here = own};
  return std::nullopt;
}

bool ScheduleSema::beginReversal(const ast::Schedule &base, const ir::Collective &collective, const ir::Collective *own,
                                 const std::string &path, llvm::SMRange range, Names &inner) {
  const auto refuse = [&](const diag::OtherSide &reason) {
    exprs.error(range, diag::ReversalOfOther{.schedule = path, .collective = result->collective->name, .reason = reason});
    return false;
  };
  const auto kindsOf = [&](const ir::Collective &of) {
    std::string kinds;
    for (const ir::CollectiveParam &param : of.inputs)
      if (!param.isData() && !(plainFrom && param.isTable))
        kinds += param.isNumber ? "n" : std::to_string(param.extents.size());
    return kinds;
  };
  if (kindsOf(collective) != kindsOf(*result->collective))
    return refuse(diag::OtherSideNumbers{.collective = collective.name});
  Running running;
  running.outer = {result->collective, result->inputs, result->outputs};
  running.path = path;
  running.own = own;
  for (const std::vector<const ir::Buffer *> *list : {&result->inputs, &result->outputs})
    for (const ir::Buffer *buffer : *list)
      exprs.take(buffer->name);
  result->inputs.clear();
  result->outputs.clear();
  const auto data = [&](const ast::Name &name, const ir::CollectiveParam &param, ir::BufferKind kind) {
    Symbol symbol{Symbol::Buffer};
    symbol.buffer = newData(name, param, kind, collective);
    symbol.range = name.range;
    inner.add(name.text, symbol);
  };
  for (size_t i = 0; i < base.inputs.size(); ++i)
    if (collective.inputs[i].isData())
      data(base.inputs[i], collective.inputs[i], ir::BufferKind::Input);
  for (size_t i = 0; i < base.outputs.size(); ++i)
    data(base.outputs[i], collective.outputs[i], ir::BufferKind::Output);
  if (result->inputs.size() != running.outer.outputs.size() || result->outputs.size() != running.outer.inputs.size())
    return refuse(diag::OtherSideCounts{.yields = result->inputs.size(), .takes = result->outputs.size()});
  for (auto [list, ofReversal] : {std::pair(&result->inputs, &running.outer.outputs), std::pair(&result->outputs, &running.outer.inputs)})
    for (auto [ofBase, here] : llvm::zip(*list, *ofReversal)) {
      if (plainFrom)
        result->buffers[ofBase->index]->length = here->length;
      if (const std::optional<diag::OtherSide> reason = difference(*ofBase, *here))
        return refuse(*reason);
    }
  result->collective = &collective;
  running.level = levels.size();
  reversals.push_back(std::move(running));
  return true;
}

bool ScheduleSema::reversedSignature(const TreesGiven &given, const ir::Collective &forward) {
  const ir::Collective &backward = *given.reversedFor;
  result->collective = &backward;
  const auto dataOf = [&](const std::vector<ast::Name> &from, const std::vector<ir::CollectiveParam> &params) {
    std::vector<ast::Name> ofData;
    for (size_t i = 0; i < from.size(); ++i)
      if (params[i].isData())
        ofData.push_back(from[i]);
    return ofData;
  };
  const auto add = [&](const std::vector<ast::Name> &from, const std::vector<ir::CollectiveParam> &params, ir::BufferKind kind) {
    size_t next = 0;
    for (const ir::CollectiveParam &param : params)
      if (param.isData())
        newData(next < from.size() ? from[next++] : text.name, param, kind, backward);
  };
  add(dataOf(text.outputs, forward.outputs), backward.inputs, ir::BufferKind::Input);
  add(dataOf(text.inputs, forward.inputs), backward.outputs, ir::BufferKind::Output);
  if (!beginReversal(text, forward, &backward, record.path(), text.name.range, this->names))
    return false;
  declareTrees(&given);
  return true;
}

diag::Facts ScheduleSema::factOfInstance() const {
  if (reversals.empty() && plainFrom)
    return diag::OfPlain{.instance = record.path()};
  if (reversals.empty())
    return diag::OfInstance{.instance = record.path()};
  return diag::OfReversal{.reversal = record.path()};
}

void ScheduleSema::reverse() {
  for (Running &running : llvm::reverse(reversals)) {
    const Direction forward{result->collective, result->inputs, result->outputs};
    result->collective = running.outer.collective;
    result->inputs = running.outer.inputs;
    result->outputs = running.outer.outputs;
    Reversal reversal(*result, forward, program, exprs, running.path,
                      [&](const ir::UseStmt &use) { return reverseUsed(use, *forward.collective, running); });
    reversal.know(treeLets);
    const unsigned before = diagnostics.errorCount();
    result->body = reversal.run(result->body);
    if (diagnostics.errorCount() != before)
      return;
  }
}

const ir::Schedule *ScheduleSema::reverseUsed(const ir::UseStmt &use, const ir::Collective &forward, const Running &running) {
  const ir::Collective *backward = running.own;
  const ir::Collective *wanted = use.callee->collective == &forward   ? backward
                                 : use.callee->collective == backward ? &forward
                                                                      : nullptr;
  if (!wanted) {
    const std::string used = use.callee->path();
    exprs.error(use.keyword,
                diag::NotReversible{.schedule = running.path,
                                    .reason = backward ? diag::OneWay(diag::OneWayUsedForTwo{.used = used, .forward = forward.name, .backward = backward->name})
                                                       : diag::OneWayUsedForNone{.used = used}});
    return nullptr;
  }
  const Used &used = usedTexts.find(&use)->second;
  TreesGiven given = used.given;
  if (llvm::is_contained(given.trees, nullptr))
    return use.callee; // understood in instances only
  given.reversedFor = wanted;
  given.isCommutative = result->requiresCommutative;
  std::vector<const ir::Expr *> numbers;
  return withTrees(*used.text, given, use.keyword, numbers);
}

} // namespace quadrille::compiler::sema
