//===- InvariantSema.cpp - Analysis of a schedule: invariants -------------------------------------------===//

#include "ScheduleSema.h"

namespace quadrille::compiler::sema {

using ir::Type;

/// The place where an expression first reads a variable; nothing if it does not.
static std::optional<llvm::SMRange> readingOf(unsigned variable, const ir::Expr *expr) {
  if (!expr)
    return std::nullopt;
  if (expr->op == ir::Op::Variable && expr->variable == variable)
    return expr->range;
  for (const ir::Expr *operand : expr->operands)
    if (auto range = readingOf(variable, operand))
      return range;
  return std::nullopt;
}

/// The place where an expression first reads a variable that differs between ranks, other than those bound by an invariant.
std::optional<llvm::SMRange> ScheduleSema::readingOfRank(const ir::Expr *expr) const {
  if (!expr || !expr->dependsOnRank)
    return std::nullopt;
  if (llvm::any_of(expr->operands, [](const ir::Expr *operand) { return operand->dependsOnRank; })) {
    for (const ir::Expr *operand : expr->operands)
      if (auto range = readingOfRank(operand))
        return range;
    return std::nullopt;
  }
  const bool isOwnName = expr->op == ir::Op::Variable && result->variables[expr->variable].ofInvariant;
  return isOwnName ? std::nullopt : std::optional(expr->range);
}

std::vector<ir::Invariant> ScheduleSema::invariants(Statements heads, std::optional<unsigned> withoutEnd) {
  std::vector<ir::Invariant> invariants;
  for (const auto &s : heads) {
    ir::Invariant invariant;
    const unsigned before = diagnostics.errorCount();
    names.push();
    exprs.setContext(ExprSema::Context::Invariant);
    this->invariant(*s, withoutEnd, invariant);
    exprs.setContext(ExprSema::Context::Plain);
    names.pop();
    if (diagnostics.errorCount() > before)
      continue;
    if (!invariant.buffer && llvm::none_of(result->collective->promises, [](const ir::Promise &p) { return p.isHeard; })) {
      notAnInvariant(s->value->range, diag::NoInvariantNothingHeard{.collective = result->collective->name});
      continue;
    }
    bool isSecond = llvm::any_of(invariants, [&](const ir::Invariant &other) { return other.buffer == invariant.buffer; });
    if (isSecond)
      exprs.error(s->keyword, diag::InvariantTwice{.subject = invariant.buffer ? invariant.buffer->name : "heard"});
    else
      invariants.push_back(invariant);
  }
  return invariants;
}

void ScheduleSema::notAnInvariant(llvm::SMRange range, diag::MaybeNoInvariant why) {
  exprs.error(range, diag::NotAnInvariant{.reason = std::move(why)});
}

unsigned ScheduleSema::invariantVariable(const ast::Name &name) {
  Symbol symbol;
  symbol.variable = exprs.newVariable(name.text, Type::Integer, true, name.range);
  result->variables[symbol.variable].ofInvariant = true;
  declare(name, symbol);
  return symbol.variable;
}

/// The variable of an index in an invariant, which ranges over all blocks, packets or ranks.
std::optional<unsigned> ScheduleSema::invariantIndex(const ast::Expr &expr) {
  if (expr.kind == ast::ExprKind::Name)
    return invariantVariable({expr.text, expr.range});
  notAnInvariant(expr.range, diag::NoInvariantIndexNotNew{});
  return std::nullopt;
}

void ScheduleSema::invariant(const ast::Statement &s, std::optional<unsigned> withoutEnd, ir::Invariant &into) {
  const ast::Expr &claim = *s.value;
  into.range = s.range;
  if (claim.kind == ast::ExprKind::Call && claim.text == "heard" && claim.operands.size() == 1) {
    into.blockVariable = invariantIndex(*claim.operands[0]);
    if (!into.blockVariable)
      return;
  } else if (claim.kind != ast::ExprKind::Binary || claim.text != "==") {
    return notAnInvariant(claim.range);
  } else {
    const ast::Expr &left = *claim.operands[0];
    if (left.kind == ast::ExprKind::Fold)
      return invariantOfAll(s, into, withoutEnd);
    if (!invariantSubject(left, into))
      return; // the right side cannot be analyzed without the variables of the left one
    invariantValue(*claim.operands[1], into);
  }
  if (s.condition)
    into.condition = exprs.boolean(*s.condition);
  into.elseEmpty = !s.names.empty();
  if (into.elseEmpty && s.names[0].text != "empty")
    exprs.error(s.names[0].range, diag::ElseNotEmpty{.found = s.names[0].text});
  requireEnd(into, withoutEnd);
}

void ScheduleSema::requireEnd(const ir::Invariant &stated, std::optional<unsigned> withoutEnd) {
  if (withoutEnd)
    for (const ir::Expr *part : {stated.rank, stated.index, stated.lo, stated.hi, stated.condition})
      if (auto range = readingOf(*withoutEnd, part))
        return exprs.error(*range, diag::NoValueAfterLoop{.variable = result->variables[*withoutEnd].name});
}

static bool isName(const ast::Expr &expr, llvm::StringRef name) {
  return expr.kind == ast::ExprKind::Name && expr.text == name;
}

static bool isOverAll(const ast::Expr &fold) {
  return fold.operands[1]->kind == ast::ExprKind::Integer && fold.operands[1]->value == 0 && !fold.inclusive &&
         isName(*fold.operands[2], "p");
}

/// `fold(y@r[j] for r in 0 ..< p if c) == fold(x@i for i in 0 ..< p)`: the product of what the ranks with c hold contains each
/// operand once.
void ScheduleSema::invariantOfAll(const ast::Statement &s, ir::Invariant &into, std::optional<unsigned> withoutEnd) {
  const ast::Expr &left = *s.value->operands[0], &right = *s.value->operands[1];
  if (!result->collective->folds())
    return exprs.error(left.range, diag::OperatorUnavailable{.collective = result->collective->name});
  if (!result->requiresCommutative)
    return notAnInvariant(left.range, diag::NoInvariantNoOrder{});
  if (right.kind != ast::ExprKind::Fold)
    return notAnInvariant(right.range, diag::NoInvariantProductOfAll{});
  for (const ast::Expr *fold : {&left, &right})
    if (!isOverAll(*fold))
      return notAnInvariant(fold->range, diag::NoInvariantOverAllRanks{});
  if (s.condition)
    return notAnInvariant(s.condition->range, diag::NoInvariantConditionOutside{});
  into.holder = invariantVariable({left.text, left.textRange});
  if (!invariantSubject(*left.operands[0], into))
    return;
  invariantValue(right, into);
  if (into.isCyclic)
    return notAnInvariant(right.range, diag::NoInvariantRanksAre{.variable = right.text});
  if (left.operands.size() > 3)
    into.condition = exprs.boolean(*left.operands[3]);
  for (const ir::Expr *part : {into.index, into.condition})
    if (auto range = readingOfRank(part))
      return notAnInvariant(*range, diag::NoInvariantDependsOnMe{});
  requireEnd(into, withoutEnd);
}

/// Analyzes the left side: `y`, `y[j]` or `y[j][k]`; in a product over ranks r: `y@r`, `y@r[j]` or `y@r[j][k]`.
bool ScheduleSema::invariantSubject(const ast::Expr &left, ir::Invariant &into) {
  llvm::SmallVector<const ast::Expr *, 2> indices;
  const ast::Expr *base = &left;
  for (; base->kind == ast::ExprKind::Index && base->indexKind == ast::IndexKind::Point; base = base->operands[0].get())
    indices.insert(indices.begin(), base);
  if (into.holder) {
    const std::string &holder = result->variables[*into.holder].name;
    if (base->kind != ast::ExprKind::AtRank || !isName(*base->operands[1], holder)) {
      notAnInvariant(left.range, diag::NoInvariantFactorsOfHolders{.variable = holder});
      return false;
    }
    base = base->operands[0].get();
  }
  if (base->kind != ast::ExprKind::Name) {
    if (base->kind == ast::ExprKind::AtRank)
      notAnInvariant(left.range, diag::NoInvariantLeftOfMe{});
    else if (base->kind == ast::ExprKind::Index)
      notAnInvariant(left.range, diag::NoInvariantEveryBlock{});
    else
      notAnInvariant(left.range);
    return false;
  }
  const Symbol *symbol = exprs.find(base->text, base->range);
  if (!symbol) {
    exprs.error(
        base->range,
        diag::UnknownName{.name = base->text, .near = names.suggestion(base->text), .aggregate = false, .commutative = false});
    return false;
  }
  const bool isBuffer = symbol->kind == Symbol::Buffer;
  if (!isBuffer || symbol->buffer->kind == ir::BufferKind::Input) {
    exprs.error(base->range, diag::InvariantSubject{.name = base->text,
                                                    .is = isBuffer                        ? diag::Thing(diag::ThingInput{})
                                                          : symbol->kind == Symbol::Table ? diag::Thing(diag::ThingTable{})
                                                                                          : diag::ThingNumber{}});
    return false;
  }
  const ir::Buffer &buffer = *symbol->buffer;
  into.buffer = &buffer;
  if (buffer.isArray && indices.empty()) {
    exprs.error(left.range,
                diag::ShapeMismatch{.expected = diag::ThingOneBlockOf{.buffer = buffer.name}, .found = diag::ThingAll{}});
    return false;
  }
  const size_t levels = (buffer.isArray ? 1 : 0) + (buffer.parts ? 1 : 0);
  if (indices.size() > levels) {
    exprs.error(indices[levels]->range, diag::NotIndexable{.name = buffer.name});
    return false;
  }
  for (size_t i = 0; i < indices.size(); ++i) {
    std::optional<unsigned> variable = invariantIndex(*indices[i]->operands[1]);
    if (!variable)
      return false;
    (buffer.isArray && i == 0 ? into.blockVariable : into.packetVariable) = variable;
  }
  return true;
}

/// Analyzes the right side: `x@r`, `x@r[b]`, or a fold of these over ranks.
void ScheduleSema::invariantValue(const ast::Expr &right, ir::Invariant &into) {
  into.isFold = right.kind == ast::ExprKind::Fold;
  const ast::Expr &term = into.isFold ? *right.operands[0] : right;
  std::optional<DataAtRank> data = dataAtRank(term);
  if (!data)
    return notAnInvariant(right.range);
  const ast::Expr &base = *data->base;
  const Symbol *symbol = exprs.find(base.text, base.range);
  if (!symbol)
    return exprs.error(
        base.range,
        diag::UnknownName{.name = base.text, .near = names.suggestion(base.text), .aggregate = false, .commutative = false});
  const auto input = llvm::find(result->inputs, symbol->kind == Symbol::Buffer ? symbol->buffer : nullptr);
  if (input == result->inputs.end())
    return notAnInvariant(base.range, diag::NoInvariantNoInput{.name = base.text});
  into.input = static_cast<unsigned>(input - result->inputs.begin());
  const ir::Buffer &buffer = **input;
  if (buffer.isArray != (data->index != nullptr))
    return exprs.error(term.range,
                       buffer.isArray ? diag::ShapeMismatch{.expected = diag::ThingOneBlockOfRank{.buffer = buffer.name}, .found = diag::ThingAll{}}
                                      : diag::ShapeMismatch{.expected = diag::ThingSingleBlockOf{.buffer = buffer.name}, .found = diag::ThingIndex{}});
  if (into.isFold) {
    names.push();
    invariantFold(right, *data, into);
    names.pop();
  } else {
    into.rank = exprs.integer(*data->rank);
    into.index = data->index ? exprs.integer(*data->index) : nullptr;
  }
}

/// Analyzes a fold of one block over an interval of ranks, possibly cyclic. Proofs support no other folds.
void ScheduleSema::invariantFold(const ast::Expr &fold, const DataAtRank &data, ir::Invariant &into) {
  if (!result->collective->folds())
    return exprs.error(fold.range, diag::OperatorUnavailable{.collective = result->collective->name});
  into.lo = exprs.integer(*fold.operands[1]);
  into.hi = exprs.exclusive(exprs.integer(*fold.operands[2]), fold.inclusive);
  into.binder = invariantVariable({fold.text, fold.textRange});
  const ast::Expr &rank = *data.rank;
  into.isCyclic = rank.kind == ast::ExprKind::Binary && rank.text == "mod" && isName(*rank.operands[0], fold.text) &&
                  isName(*rank.operands[1], "p");
  if (!into.isCyclic && !isName(rank, fold.text))
    return into.holder ? notAnInvariant(rank.range, diag::NoInvariantRanksAre{.variable = fold.text})
                       : notAnInvariant(rank.range, diag::NoInvariantRanksAreModulo{.variable = fold.text});
  if (fold.operands.size() > 3)
    return notAnInvariant(fold.operands[3]->range, diag::NoInvariantAllOfRange{});
  into.index = data.index ? exprs.integer(*data.index) : nullptr;
  if (auto range = readingOf(into.binder, into.index))
    return notAnInvariant(*range, diag::NoInvariantSameBlock{});
}

} // namespace quadrille::compiler::sema
