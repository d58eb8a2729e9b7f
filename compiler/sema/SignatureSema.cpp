//===- SignatureSema.cpp - Analysis of a schedule: its signature and clauses -----------------------------------------------------===//

#include "Replaced.h"
#include "ScheduleSema.h"

#include "ir/Print.h"
#include "ir/Telling.h"

#include "llvm/ADT/DenseMap.h"

#include <functional>

namespace quadrille::compiler::sema {

using ir::Op;
using ir::Type;

static bool isAboutTheOperator(const ast::Clause &clause) {
  return clause.kind == ast::ClauseKind::Requires && clause.expr->kind == ast::ExprKind::Name &&
         clause.expr->text == "commutative";
}

void ScheduleSema::notDeclared(const ast::Name &name) {
  if (const Symbol *before = names.find(name.text)) {
    Diagnostic diagnostic(name.range, diag::Redeclared{.name = name.text});
    if (before->range.isValid())
      diagnostic.note(before->range, diag::DeclaredHere{.name = name.text});
    diagnostics.report(std::move(diagnostic));
  }
}

void ScheduleSema::declare(const ast::Name &name, Symbol symbol) {
  notDeclared(name);
  symbol.range = name.range;
  exprs.note(name.range, symbol);
  names.add(name.text, symbol);
}

ir::Buffer *ScheduleSema::addBuffer(const ast::Name &name, ir::BufferKind kind) {
  auto buffer = std::make_unique<ir::Buffer>();
  buffer->name = exprs.untaken(name.text);
  buffer->kind = kind;
  buffer->index = static_cast<unsigned>(result->buffers.size());
  buffer->range = name.range;
  result->buffers.push_back(std::move(buffer));
  return result->buffers.back().get();
}

ir::Buffer *ScheduleSema::newBuffer(const ast::Name &name, ir::BufferKind kind) {
  ir::Buffer *added = addBuffer(name, kind);
  Symbol symbol{Symbol::Buffer};
  symbol.buffer = added;
  declare(name, symbol);
  return added;
}

/// Shapes, presence and lengths are expressions over the frame of the collective (p, its numbers, `me`). Translates one to the frame of
/// the schedule (p, `me`, its parameters, the numbers of the collective).
static const ir::Expr *translated(const ir::Expr *expr, const ir::Collective &collective, const ir::Schedule &schedule, ir::Program &program,
                                  const llvm::DenseMap<unsigned, unsigned> &binders) {
  if (!expr)
    return nullptr;
  ir::Expr copy = *expr;
  for (const ir::Expr *&operand : copy.operands)
    operand = translated(operand, collective, schedule, program, binders);
  if (copy.op == Op::Variable && copy.variable == collective.variableMe())
    copy.variable = ir::Schedule::variableMe;
  else if (copy.op == Op::Variable && binders.contains(copy.variable))
    copy.variable = binders.lookup(copy.variable);
  else if (copy.op == Op::Variable && copy.variable > 0)
    copy.variable += ir::Schedule::firstNumber + schedule.parameterCount - 1;
  return &program.expressions.emplace_back(std::move(copy));
}

ir::Buffer *ScheduleSema::newData(const ast::Name &name, const ir::CollectiveParam &param, ir::BufferKind kind,
                                  const ir::Collective &collective) {
  ir::Buffer *buffer = addBuffer(name, kind);
  llvm::DenseMap<unsigned, unsigned> binders;
  auto translate = [&](const ir::Expr *expr) { return translated(expr, collective, *result, program, binders); };
  buffer->isArray = param.isArray;
  buffer->count = translate(param.count);
  buffer->presence = translate(param.presence);
  if (param.length) {
    buffer->length = param.length;
    if (std::optional<unsigned> &binder = buffer->length->binder) {
      const std::string &blockNumber = collective.variables[*binder].name;
      binder = binders[*binder] = exprs.newVariable(blockNumber, Type::Integer, true, param.length->range);
    }
    for (const ir::Expr *&index : buffer->length->indices)
      index = translate(index);
    buffer->length->parts = translate(param.length->parts);
    buffer->length->part = translate(param.length->part);
  }
  (kind == ir::BufferKind::Input ? result->inputs : result->outputs).push_back(buffer);
  return buffer;
}

ir::Knowledge ScheduleSema::translatedKnowledge(const ir::Knowledge &stated, const ir::Collective &collective) {
  ir::Knowledge known = stated;
  llvm::DenseMap<unsigned, unsigned> variables;
  for (ir::Knowledge::Index &index : known.indices)
    if (index.variable) {
      const ir::Variable &variable = collective.variables[*index.variable];
      index.variable = variables[*index.variable] = exprs.newVariable(variable.name, Type::Integer, false, variable.range);
      result->variables[*index.variable].ofInvariant = true;
    }
  auto translate = [&](const ir::Expr *expr) { return translated(expr, collective, *result, program, variables); };
  for (ir::Knowledge::Index &index : known.indices)
    index.value = translate(index.value);
  known.condition = translate(known.condition);
  return known;
}

bool ScheduleSema::signature(const TreesGiven *given) {
  const ir::Collective *collective = record.scope->find(&FileScope::collectives, text.collective.text);
  if (!collective) {
    if (std::optional<Diagnostic> unknown = notImported(*record.scope, text.collective.text, text.collective.range)) {
      exprs.error(std::move(*unknown));
      return false;
    }
    std::vector<std::string> candidates;
    for (const FileScope *s : record.scope->visible())
      for (const auto &entry : s->collectives)
        candidates.push_back(entry.getKey().str());
    llvm::sort(candidates);
    exprs.error(text.collective.range,
                diag::UnknownCollective{.name = text.collective.text, .near = didYouMean(text.collective.text, candidates)});
    return false;
  }
  result->collective = collective;
  exprs.note(text.name.range, text.name.range, MentionKind::Schedule);
  exprs.note(text.collective.range, collective->range, MentionKind::Collective);
  auto builtin = [&](llvm::StringRef name, bool dependsOnRank) {
    Symbol symbol;
    symbol.variable = exprs.newVariable(name, Type::Integer, dependsOnRank, text.name.range);
    names.add(name, symbol);
  };
  builtin("p", false);
  builtin("me", true);
  auto number = [&](const ast::Name &name) {
    Symbol symbol;
    symbol.variable = exprs.newVariable(name.text, Type::Integer, false, name.range);
    declare(name, symbol);
    ++result->numberCount;
  };
  // Numbers are declared first, wherever trees stand among them.
  for (const ast::ScheduleParameter &param : text.params) {
    for (const ast::ScheduleParameter &before : llvm::ArrayRef(text.params).take_front(&param - text.params.data()))
      if (before.isTree != param.isTree && before.name.text == param.name.text) {
        diagnostics.report(Diagnostic(param.name.range, diag::Redeclared{.name = param.name.text})
                               .note(before.name.range, diag::DeclaredHere{.name = param.name.text}));
        return false;
      }
    if (!param.isTree)
      number(param.name);
  }
  if (given)
    declareNumbersOf(*given);
  result->ofTreesCount = static_cast<unsigned>(numbersOfTrees.size());
  result->parameterCount = result->numberCount;
  if (text.inputs.size() != collective->inputs.size() || text.outputs.size() != collective->outputs.size()) {
    bool inputs = text.inputs.size() != collective->inputs.size();
    exprs.error(text.collective.range, diag::ResultNames{.collective = collective->name,
                                                         .has = (inputs ? collective->inputs : collective->outputs).size(),
                                                         .inputs = inputs,
                                                         .named = (inputs ? text.inputs : text.outputs).size()});
    return false;
  }
  for (size_t i = 0; i < text.inputs.size(); ++i)
    if (collective->inputs[i].isNumber)
      number(text.inputs[i]);

  for (size_t i = 0; i < text.inputs.size(); ++i)
    if (const ir::CollectiveParam &param = collective->inputs[i]; param.isTable) {
      Symbol symbol{Symbol::Table};
      symbol.table = static_cast<unsigned>(result->tables.size());
      symbol.extents = static_cast<unsigned>(param.extents.size());
      declare(text.inputs[i], symbol);
      ir::Table &table = result->tables.emplace_back();
      table.name = text.inputs[i].text;
      table.range = text.inputs[i].range;
      for (const ir::Expr *extent : param.extents)
        table.extents.push_back(translated(extent, *collective, *result, program, llvm::DenseMap<unsigned, unsigned>()));
    }
  for (const ir::Knowledge &stated : collective->knowledge)
    result->knowledge.push_back(translatedKnowledge(stated, *collective));
  if (given && given->reversedFor)
    return reversedSignature(*given, *collective);
  auto data = [&](const ast::Name &name, const ir::CollectiveParam &param, ir::BufferKind kind) {
    Symbol symbol{Symbol::Buffer};
    symbol.buffer = newData(name, param, kind, *collective);
    declare(name, symbol);
  };
  for (size_t i = 0; i < text.inputs.size(); ++i)
    if (collective->inputs[i].isData())
      data(text.inputs[i], collective->inputs[i], ir::BufferKind::Input);
  for (size_t i = 0; i < text.outputs.size(); ++i)
    data(text.outputs[i], collective->outputs[i], ir::BufferKind::Output);
  declareTrees(given);
  return true;
}

void ScheduleSema::model(const ast::Clause &clause) {
  if (result->model && !ofBase.erase(&result->model))
    return duplicate(clause, "model", result->model->range);
  const std::optional<ir::PortModel> kind = ir::portModelNamed(clause.name.text);
  if (!kind)
    return exprs.error(clause.name.range,
                       diag::UnknownModel{.name = clause.name.text,
                                          .near = didYouMean(clause.name.text, {std::begin(ir::portModelNames), std::end(ir::portModelNames)})});
  bool takesNumber = *kind == ir::PortModel::Ports;
  if (takesNumber != (clause.expr != nullptr))
    return exprs.error(clause.name.range,
                       diag::WrongArity{.name = clause.name.text,
                                        .wanted = takesNumber ? diag::Arity(diag::ArityPorts{}) : diag::ArityNoPorts{},
                                        .found = takesNumber ? 0u : 1u,
                                        .ports = true});
  ir::ModelClause model;
  model.model = *kind;
  model.text = clause.name.text;
  model.range = clause.range;
  if (clause.expr) {
    model.ports = withoutLets(exprs.integer(*clause.expr));
    model.text += "(" + textOfClause(*clause.expr, model.ports) + ")";
    if (model.ports && model.ports->dependsOnRank)
      exprs.error(clause.expr->range, diag::RankDependentClause{.what = diag::UniformClause{.clause = "model"}});
  }
  result->model = model;
}

/// An expression of a clause that is evaluated before any statement, with values in the place of the top-level `let`s that it names.
const ir::Expr *ScheduleSema::withoutLets(const ir::Expr *expr) {
  const std::function<const ir::Expr *(const ir::Expr &)> valueOf = [&](const ir::Expr &part) -> const ir::Expr * {
    const auto let = part.op == Op::Variable ? outerLets.find(part.variable) : outerLets.end();
    return let == outerLets.end() ? nullptr : replaced(*let->second, valueOf, program);
  };
  return expr && !expr->dependsOnRank ? replaced(*expr, valueOf, program) : expr;
}

void ScheduleSema::requirement(const ast::Clause &clause) {
  if (isAboutTheOperator(clause))
    return;
  ir::Requirement requirement;
  requirement.condition = withoutLets(exprs.boolean(*clause.expr));
  requirement.range = clause.range;
  requirement.text = textOfClause(*clause.expr, requirement.condition);
  if (requirement.condition && requirement.condition->dependsOnRank)
    exprs.error(clause.expr->range, diag::RankDependentClause{.what = diag::UniformClause{.clause = "requires"}});
  result->requirements.push_back(requirement);
}

void ScheduleSema::knowledge(const ast::Clause &clause) {
  std::optional<ir::Knowledge> known = exprs.knowledgeOf(*clause.expr, clause.condition.get());
  if (!known)
    return;
  auto depends = [](const ir::Expr *expr) { return expr && expr->dependsOnRank; };
  if (depends(known->condition) || llvm::any_of(known->indices, [&](const auto &index) { return depends(index.value); })) {
    exprs.error(clause.range, diag::RankDependentClause{.what = diag::UniformClause{.clause = "requires"}});
    return;
  }
  for (const ir::Knowledge::Index &index : known->indices)
    if (index.variable)
      result->variables[*index.variable].ofInvariant = true;
  known->range = clause.range;
  known->isRequired = true;
  if (!clause.name.text.empty()) {
    known->toldBy = toldBy(clause, *known);
    if (!known->toldBy)
      return;
  }
  result->knowledge.push_back(std::move(*known));
}

static diag::NoTelling phraseOf(ir::NoTelling whyNot, const ir::Schedule &schedule) {
  switch (whyNot) {
  case ir::NoTelling::Collective:
    return diag::NoTellingCollective{};
  case ir::NoTelling::Parameters:
    return diag::NoTellingParameters{};
  case ir::NoTelling::Requirements:
    return diag::NoTellingRequirement{.condition = schedule.requirements[0].text};
  case ir::NoTelling::Nodes:
    return diag::NoTellingNodes{};
  }
  llvm_unreachable("no such reason");
}

const ir::Schedule *ScheduleSema::toldBy(const ast::Clause &clause, const ir::Knowledge &known) {
  const std::string path = clause.folder.text + "/" + clause.name.text;
  const llvm::SMRange range(clause.folder.range.Start, clause.name.range.End);
  const UsedSchedule used = named(*levels[current].record, &clause, range, clause.folder.text, clause.name.text);
  if (!used.schedule && !used.text) {
    reportMissing(used, path, range, /*isBase=*/false);
    return nullptr;
  }
  exprs.note(clause.name.range, used.text->text->name.range, MentionKind::Schedule);
  const std::string &table = result->tables[known.table].name;
  ir::NoTelling whyNot{};
  const std::optional<ir::Telling> telling = used.schedule ? ir::tellingBy(*used.schedule, &whyNot) : std::nullopt;
  if (!telling)
    exprs.error(range, diag::TellsNoLengths{.schedule = path, .reason = used.schedule ? phraseOf(whyNot, *used.schedule) : diag::NoTellingOpenTree{}});
  else if (!known.isOfAll())
    exprs.error(clause.range, diag::ToldInPart{.table = table});
  else if (const ir::Knowledge *before = result->tellingOf(known.table))
    duplicate(clause, "requires knows " + table + " by", before->range);
  else if (llvm::none_of(result->knowledge, [&](const ir::Knowledge &stated) { return stated.table == known.table && !stated.isRequired; }))
    exprs.error(clause.range, diag::KnownByAll{.table = table, .collective = result->collective->name});
  else if (!ir::knowsWhatItTells(*result, known.table, *telling))
    exprs.error(range, diag::NothingToTell{.schedule = path, .collective = result->collective->name, .table = table,
                                           .rows = *telling == ir::Telling::Rows});
  else
    return used.schedule;
  return nullptr;
}

void ScheduleSema::checkTold() {
  if (!result->tellsLengths())
    return;
  for (unsigned table = 0; table < result->tables.size(); ++table)
    if (!result->knowledgeOf(table).empty())
      exprs.error(result->tables[table].range, diag::ToldInPart{.table = result->tables[table].name});
}

void ScheduleSema::claim(const ast::Clause &clause, std::optional<ir::CostClause> &into, llvm::StringRef word) {
  if (into && !ofBase.erase(&into))
    return duplicate(clause, word, into->range);
  ir::CostClause claim;
  claim.upperBound = clause.upperBound;
  claim.range = clause.range;
  exprs.setContext(ExprSema::Context::Cost);
  claim.formula = exprs.integer(*clause.expr);
  exprs.setContext(ExprSema::Context::Plain);
  if (!claim.formula)
    return;
  claim.text = textOfClause(*clause.expr, claim.formula);
  if (claim.formula->dependsOnRank)
    exprs.error(clause.expr->range, diag::RankDependentClause{.what = diag::UniformClause{.clause = word}});
  claim.mentionsGamma = mentions(*claim.formula, Op::Gamma);
  into = claim;
}

/// Reports a clause of which the text has another one, at `before`.
void ScheduleSema::duplicate(const ast::Clause &clause, llvm::StringRef word, llvm::SMRange before) {
  Diagnostic diagnostic(clause.range, diag::DuplicateClause{.clause = word.str()});
  const llvm::SMRange own = levels[current].record->text->range;
  if (before.Start.getPointer() < own.Start.getPointer() || before.Start.getPointer() >= own.End.getPointer())
    diagnostic.note(before, diag::ClauseOfAll{});
  diagnostics.report(std::move(diagnostic));
}

std::string ScheduleSema::textOfClause(const ast::Expr &expr, const ir::Expr *meaning) const {
  return levels[current].isRenamed && meaning ? ir::shortText(*meaning, *result) : textOf(expr.range);
}

/// Calls `analyze` for each clause, base before instance, with the names of the clause's own text in force.
template <typename Analyze> void ScheduleSema::forClauses(Analyze analyze) {
  for (size_t level = levels.size(); level-- > 0;) {
    const bool isLast = level + 1 == levels.size();
    current = level;
    exprs.setScope(*levels[level].record->scope);
    if (!isLast)
      std::swap(names, levels[level].names);
    std::optional<Diagnostics::During> during;
    if (level > 0)
      during.emplace(diagnostics, text.name.range, factOfInstance());
    for (const ast::Clause &clause : levels[level].record->text->clauses)
      analyze(clause);
    if (plainFrom == level)
      claimForLongest();
    // Claims about a schedule need not hold backwards: the reversal's clauses may replace them.
    if (llvm::any_of(reversals, [level](const Running &running) { return running.level == level; })) {
      if (result->model)
        ofBase.insert(&result->model);
      for (std::optional<ir::CostClause> *claim : {&result->cost, &result->rounds})
        if (*claim)
          ofBase.insert(claim);
    }
    if (!isLast)
      std::swap(names, levels[level].names);
  }
  exprs.setScope(*statementsOf().scope);
}

void ScheduleSema::clausesThatShapeStatements() {
  forClauses([&](const ast::Clause &clause) {
    if (clause.kind == ast::ClauseKind::RanksFrom) {
      if (result->origin)
        duplicate(clause, "ranks from", originRange);
      originRange = clause.range;
      result->origin = exprs.integer(*clause.expr);
      if (result->origin && result->origin->dependsOnRank)
        exprs.error(clause.expr->range, diag::RankDependentClause{.what = diag::UniformClause{.clause = "ranks from"}});
    } else if (clause.kind == ast::ClauseKind::Lockstep) {
      if (result->lockstep)
        duplicate(clause, "lockstep", lockstepRange);
      lockstepRange = clause.range;
      result->lockstep = true;
    } else if (clause.kind == ast::ClauseKind::Knows) {
      knowledge(clause);
    } else if (isAboutTheOperator(clause)) {
      result->requiresCommutative = true;
      result->commutativeRange = clause.range;
    }
  });
  checkTold();
}

void ScheduleSema::clauses() {
  forClauses([&](const ast::Clause &clause) {
    switch (clause.kind) {
    case ast::ClauseKind::Requires:
      requirement(clause);
      break;
    case ast::ClauseKind::Model:
      model(clause);
      break;
    case ast::ClauseKind::Cost:
      claim(clause, result->cost, "cost");
      break;
    case ast::ClauseKind::Rounds:
      claim(clause, result->rounds, "rounds");
      break;
    case ast::ClauseKind::Knows:
    case ast::ClauseKind::RanksFrom:
    case ast::ClauseKind::Lockstep:
      break;
    }
  });
}

} // namespace quadrille::compiler::sema
