//===- UseSema.cpp - Analysis of a schedule: `use` ------------------------------------------------------------------===//

#include "ScheduleSema.h"

#include "ir/Lengths.h"

namespace quadrille::compiler::sema {

using ir::Type;

/// The tree that an argument gives; null if it is open, or after an error, which is reported.
const ir::Expr *ScheduleSema::treeGiven(const ast::Expr &expr) {
  const ir::Expr *tree = exprs.typed(expr, Type::Tree);
  return tree && tree->op == ir::Op::Variable ? names.find(expr.text)->value : tree;
}

/// The slice that is passed for a parameter; nothing after an error, which is reported.
std::optional<ir::Slice> ScheduleSema::passed(const ast::Expr &expr, const ir::CollectiveParam &param, bool isResult) {
  std::optional<ir::Slice> got = slice(expr);
  if (!got || (isResult && !writable(*got, expr.range)))
    return std::nullopt;
  if (const ir::Buffer *message = ir::shapingMessage(*got->buffer)) {
    exprs.error(expr.range,
                diag::MessagePassed{.name = got->buffer->name,
                                    .message = message == got->buffer ? "" : message->name});
    return std::nullopt;
  }
  bool several = got->packets.kind != ir::IndexKind::Whole
                     ? got->packets.kind != ir::IndexKind::Point
                     : got->blocks.kind != ir::IndexKind::Whole ? got->blocks.kind != ir::IndexKind::Point
                                                                : got->buffer->isArray || got->buffer->parts;
  bool wholeSplit = !got->buffer->isArray && got->buffer->parts && got->packets.kind == ir::IndexKind::Whole;
  if (several != param.isArray && !(wholeSplit && !param.isArray)) {
    exprs.error(expr.range, diag::ShapeMismatch{.expected = param.isArray ? diag::Thing(diag::ThingArrayFor{.buffer = param.name})
                                                                          : diag::ThingSingleBlockFor{.buffer = param.name},
                                                .found = several ? diag::Thing(diag::ThingSeveralBlocks{}) : diag::ThingSingleBlock{}});
    return std::nullopt;
  }
  for (ir::IndexKind kind : {got->blocks.kind, got->packets.kind})
    if (kind == ir::IndexKind::Cyclic || kind == ir::IndexKind::Filter) {
      exprs.error(expr.range, diag::ScatteredView{});
      return std::nullopt;
    }
  return got;
}

/// The table that is passed for a parameter; nothing after an error, which is reported.
std::optional<unsigned> ScheduleSema::passedTable(const ast::Expr &expr, const ir::CollectiveParam &param) {
  const Symbol *symbol = expr.kind == ast::ExprKind::Name ? exprs.find(expr.text, expr.range) : nullptr;
  if (symbol && symbol->kind == Symbol::Table && symbol->extents == param.extents.size())
    return symbol->table;
  exprs.error(expr.range, diag::TypeMismatch{.expected = param.extents.size() == 1 ? diag::Thing(diag::ThingTableOfOne{}) : diag::ThingTableOfTwo{},
                                             .found = exprs.describe(expr)});
  return std::nullopt;
}

void ScheduleSema::use(const ast::Statement &s, ir::Body &into) {
  if (stepDepth)
    return exprs.error(s.keyword, diag::NotInStep{.statement = "use"});
  std::string path = s.names[0].text + "/" + s.names[1].text;
  llvm::SMRange pathRange(s.names[0].range.Start, s.names[1].range.End);
  UsedSchedule used = named(*levels.back().record, &s, s.keyword, s.names[0].text, s.names[1].text);
  if (!used.schedule && !used.text)
    return reportMissing(used, path, pathRange, /*isBase=*/false);
  if (used.text)
    exprs.note(s.names[1].range, used.text->text->name.range, MentionKind::Schedule);
  const bool isOpen = !used.schedule;
  const ir::Schedule &callee = isOpen ? *used.text->open : *used.schedule;
  const ir::Collective &collective = *callee.collective;
  ir::UseStmt &stmt = append<ir::UseStmt>(into, s);
  stmt.callee = &callee;
  stmt.clock = clockOf(/*isUse=*/true, s.keyword);
  const size_t parameters = isOpen ? used.text->text->params.size() : callee.parameterCount, inputs = collective.inputs.size(),
               results = collective.outputs.size();
  auto wrongArity = [&](diag::Arity wanted, size_t found) {
    exprs.error(pathRange, diag::WrongArity{.name = path, .wanted = std::move(wanted), .found = found, .ports = false});
  };
  if (s.params.size() != parameters)
    return wrongArity(diag::ArityParameters{.count = parameters}, s.params.size());
  if (s.args.size() != inputs)
    return wrongArity(diag::ArityInputs{.count = inputs}, s.args.size());
  if (s.results.size() != results)
    return wrongArity(diag::ArityResults{.count = results}, s.results.size());
  auto number = [&](const ast::Expr &expr) {
    stmt.numbers.push_back(exprs.integer(expr));
  };
  TreesGiven given;
  given.isAmong = s.member != nullptr;
  for (size_t i = 0; i < s.params.size(); ++i)
    if (isOpen && used.text->text->params[i].isTree)
      given.trees.push_back(treeGiven(*s.params[i]));
    else
      number(*s.params[i]);
  usedTexts[&stmt] = {used.text, given};
  // A tree that the using schedule leaves open itself is known in its instances.
  if (isOpen && !llvm::is_contained(given.trees, nullptr)) {
    stmt.callee = withTrees(*used.text, given, s.keyword, stmt.numbers);
    if (!stmt.callee)
      return;
  }
  for (size_t i = 0; i < s.args.size(); ++i)
    if (collective.inputs[i].isNumber)
      number(*s.args[i]);
    else if (collective.inputs[i].isTable) {
      if (std::optional<unsigned> table = passedTable(*s.args[i], collective.inputs[i])) {
        if (s.member)
          exprs.error(pathRange, diag::TableAmong{.schedule = path});
        else
          stmt.tables.push_back(*table);
      }
    } else if (std::optional<ir::Slice> got = passed(*s.args[i], collective.inputs[i], false))
      stmt.inputs.push_back(*got);
  for (size_t i = 0; i < s.results.size(); ++i)
    if (std::optional<ir::Slice> got = passed(*s.results[i], collective.outputs[i], true))
      stmt.outputs.push_back(*got);
  checkLengthsKnown(stmt, pathRange);
  if (callee.usesOperator) {
    result->usesOperator = true;
    if (!result->collective->folds())
      exprs.error(pathRange, diag::OperatorUnavailable{.collective = result->collective->name});
  }
  if (!s.member)
    return;
  stmt.lo = exprs.integer(*s.lo);
  stmt.hi = exprs.exclusive(exprs.integer(*s.hi), s.inclusive);
  names.push();
  Symbol binder;
  binder.variable = stmt.binder = exprs.newVariable(s.binder.text, Type::Integer, true, s.binder.range);
  declare(s.binder, binder);
  stmt.member = exprs.integer(*s.member);
  names.pop();
}

} // namespace quadrille::compiler::sema
