//===- InstanceSema.cpp - Analysis of instances, and of trees as parameters ----------------------------------------------===//
//
// An instance is analyzed as if the statements and clauses of its base were its own, with the arguments for the parameters. The result
// is a schedule like any other. A schedule that leaves trees open is analyzed once on its own, for its errors.
//
//===----------------------------------------------------------------------------------------------------------------===//

#include "ScheduleSema.h"

#include "llvm/ADT/StringExtras.h"

namespace quadrille::compiler::sema {

using ir::Op;
using ir::Type;

// ---- trees -------------------------------------------------------------------------------------------------------------

/// How an operand of a tree, given over the frame of the using schedule, is expressed in the frame of the used one.
enum class PassedAs { Constant, Ranks, Number };

static PassedAs passedAs(const ir::Expr &tree, size_t i, bool isAmong) {
  const ir::Expr &operand = *tree.operands[i];
  if (tree.tree->byRelatives && i == 0)
    return PassedAs::Ranks;
  if (operand.op == Op::Constant)
    return PassedAs::Constant;
  const bool isRanks = operand.op == Op::Variable && operand.variable == ir::Schedule::variableP;
  return isRanks && !isAmong ? PassedAs::Ranks : PassedAs::Number;
}

/// Calls `visit` for each number that is passed on for a tree.
template <typename Visit> static void forNumbers(const ir::Expr &tree, bool isAmong, Visit visit) {
  for (size_t i = 0; i < tree.operands.size(); ++i)
    if (passedAs(tree, i, isAmong) == PassedAs::Number)
      visit(i);
}

void ScheduleSema::declareNumbersOf(const TreesGiven &given) {
  size_t next = 0;
  for (const ast::ScheduleParameter &param : text.params) {
    if (!param.isTree)
      continue;
    const ir::Expr &tree = *given.trees[next++];
    forNumbers(tree, given.isAmong, [&](size_t i) {
      std::string name = param.name.text + "_" + tree.tree->variables[i].name;
      std::replace(name.begin(), name.end(), '.', '_');
      numbersOfTrees.push_back(exprs.newVariable(name, Type::Integer, false, param.name.range));
      ++result->numberCount;
    });
  }
}

Symbol ScheduleSema::treeSymbol(const ast::Name &name, const ir::Expr *value) {
  Symbol symbol;
  symbol.variable = exprs.newVariable(name.text, Type::Tree, false, name.range);
  symbol.value = value;
  symbol.range = name.range;
  if (value) {
    outerLets[symbol.variable] = value;
    auto let = std::make_unique<ir::LetStmt>();
    let->range = let->keyword = name.range; // in the text of the statements
    let->variable = symbol.variable;
    let->value = value;
    treeLets.push_back(std::move(let));
  }
  return symbol;
}

void ScheduleSema::declareTrees(const TreesGiven *given) {
  size_t next = 0, number = 0;
  for (const ast::ScheduleParameter &param : text.params) {
    if (!param.isTree)
      continue;
    if (!given) {
      declare(param.name, treeSymbol(param.name, nullptr));
      continue;
    }
    const ir::Expr &tree = *given->trees[next++];
    llvm::SmallVector<const ir::Expr *, 4> operands;
    for (size_t i = 0; i < tree.operands.size(); ++i) {
      const PassedAs operand = passedAs(tree, i, given->isAmong);
      operands.push_back(operand == PassedAs::Constant ? exprs.constant(tree.operands[i]->value, param.name.range)
                         : operand == PassedAs::Ranks  ? exprs.variable(ir::Schedule::variableP, param.name.range)
                                                      : exprs.variable(numbersOfTrees[number++], param.name.range));
    }
    ir::Expr *value = exprs.make(Op::BuildTree, Type::Tree, param.name.range, operands);
    value->tree = tree.tree;
    declare(param.name, treeSymbol(param.name, value));
  }
}

const ir::Schedule *ScheduleSema::withTrees(ScheduleText &open, TreesGiven given, llvm::SMRange place,
                                            std::vector<const ir::Expr *> &numbers) {
  std::string key;
  given.name = open.text->name.text;
  if (given.reversedFor) {
    given.name += "_reversed";
    key = given.reversedFor->name + (given.isCommutative ? " commutative " : " ");
  }
  for (const ir::Expr *tree : given.trees) {
    given.name += "_with_" + tree->tree->name;
    key += llvm::utohexstr(reinterpret_cast<std::uintptr_t>(tree->tree));
    for (size_t i = 0; i < tree->operands.size(); ++i)
      switch (passedAs(*tree, i, given.isAmong)) {
      case PassedAs::Constant:
        key += " " + std::to_string(tree->operands[i]->value);
        break;
      case PassedAs::Ranks:
        key += " p";
        break;
      case PassedAs::Number:
        key += " ?";
        numbers.push_back(tree->operands[i]);
        break;
      }
    key += ";";
  }
  llvm::StringMap<const ir::Schedule *> &instances = program.instances[&open];
  const ir::Schedule *&made = instances[key];
  if (made)
    return made;
  const auto isTaken = [&](const std::string &name) {
    return llvm::any_of(instances, [&](const auto &other) { return other.second && other.second->name == name; });
  };
  const std::string first = given.name;
  for (unsigned i = 2; isTaken(given.name); ++i)
    given.name = first + "_" + std::to_string(i);
  Diagnostics::During during(diagnostics, place, diag::WhileUsed{});
  std::unique_ptr<ir::Schedule> schedule = ScheduleSema(open, program, sources, diagnostics, resolver).run(&given);
  if (!schedule)
    return nullptr;
  made = schedule.get();
  open.hasInstance = true;
  program.schedules.push_back(std::move(schedule));
  return made;
}

// ---- bases -------------------------------------------------------------------------------------------------------------

void ScheduleSema::reportMissing(const UsedSchedule &used, const std::string &path, llvm::SMRange range, bool isBase) {
  if (used.recursive && isBase)
    exprs.error(range, diag::RecursiveInstance{.schedule = path});
  else if (used.recursive)
    exprs.error(range, diag::RecursiveUse{.schedule = path});
  else if (used.tooDeep)
    exprs.error(range, diag::UsedTooDeeply{.schedule = path, .limit = limits::useDepth});
  else if (!used.reported)
    exprs.error(range, diag::UnknownSchedule{.name = path, .near = used.suggestion});
}

UsedSchedule ScheduleSema::named(ScheduleText &in, const void *by, llvm::SMRange place, llvm::StringRef folder, llvm::StringRef schedule) {
  if (auto found = in.named.find(by); found != in.named.end())
    return found->second;
  // Errors in its file are reported now: they get a note with this place.
  const Diagnostics::During during(diagnostics, place, diag::WhileUsed{});
  UsedSchedule used = resolver(folder, schedule);
  if (used.schedule || used.text)
    in.named[by] = used;
  return used;
}

Symbol ScheduleSema::argument(const ast::Expr &expr, const ast::ScheduleParameter &param, const std::string &base, bool &isSameName) {
  const ir::Expr *value = exprs.typed(expr, param.isTree ? Type::Tree : Type::Integer);
  if (!value)
    return treeSymbol(param.name, nullptr);
  if (value->dependsOnRank)
    exprs.error(expr.range, diag::RankDependentClause{.what = diag::UniformArgumentOfInstance{}});
  isSameName = expr.kind == ast::ExprKind::Name && expr.text == param.name.text;
  if (param.isTree && value->op != Op::Variable)
    return treeSymbol(param.name, value);
  const auto isAtLeastOne = [&](unsigned variable) {
    return variable == ir::Schedule::variableP ||
           (variable >= ir::Schedule::firstNumber && result->isParameter(variable - ir::Schedule::firstNumber));
  };
  if (!param.isTree && !(value->op == Op::Variable && isAtLeastOne(value->variable)))
    result->arguments.push_back({value, param.name.text, base});
  Symbol symbol;
  if (value->op == Op::Variable) {
    symbol = *names.find(expr.text);
  } else {
    symbol.kind = Symbol::Inlined;
    symbol.value = value;
  }
  symbol.range = param.name.range;
  return symbol;
}

bool ScheduleSema::enterBase() {
  const ast::Schedule &from = *levels.back().record->text;
  const ast::Instance &instance = *from.instance;
  const llvm::StringRef folder = instance.folder.text.empty() ? from.collective.text : instance.folder.text;
  const std::string path = (folder + "/" + instance.schedule.text).str();
  const llvm::SMRange range(instance.folder.text.empty() ? instance.schedule.range.Start : instance.folder.range.Start,
                            instance.schedule.range.End);
  const UsedSchedule used = named(*levels.back().record, nullptr, instance.schedule.range, folder, instance.schedule.text);
  if (!used.text) {
    reportMissing(used, path, range, /*isBase=*/true);
    return false;
  }
  ScheduleText &record = *used.text;
  exprs.note(instance.schedule.range, record.text->name.range, MentionKind::Schedule);
  const ast::Schedule &base = *record.text;
  const unsigned before = diagnostics.errorCount();
  const ir::Collective *collective = record.scope->find(&FileScope::collectives, base.collective.text);
  const ir::Collective *own = levels.back().record->scope->find(&FileScope::collectives, from.collective.text);
  const auto hasTables = [](const ir::Collective &of) { return llvm::any_of(of.inputs, [](const auto &input) { return input.isTable; }); };
  const bool becomesPlain = instance.isReversed ? hasTables(*own) && !hasTables(*collective) : isPlainFormOf(*collective, *own);
  if (collective != own && !instance.isReversed && !becomesPlain)
    exprs.error(range, diag::InstanceOfOther{.schedule = path, .collective = collective->name, .found = own->name});
  else if (instance.args.size() != base.params.size())
    exprs.error(range, diag::WrongArity{.name = path,
                                        .wanted = diag::ArityParameters{.count = base.params.size()},
                                        .found = instance.args.size(),
                                        .ports = false});
  if (!from.body.empty())
    exprs.error(from.body.front()->keyword, diag::InstanceStatement{.schedule = path});
  if (diagnostics.errorCount() != before)
    return false;

  for (llvm::StringRef name : names.all())
    exprs.take(name);
  if (becomesPlain)
    plainFrom = levels.size();
  Level next{&record, {}, levels.back().isRenamed};
  Names inner;
  for (llvm::StringRef name : {"p", "me"})
    inner.add(name, *names.find(name));
  std::vector<std::pair<std::string, Symbol>> params;
  for (size_t i = 0; i < base.params.size(); ++i) {
    bool isSameName = true;
    Symbol symbol = argument(*instance.args[i], base.params[i], record.path(), isSameName);
    next.isRenamed |= !base.params[i].isTree && !isSameName;
    inner.add(base.params[i].name.text, symbol);
    params.push_back({base.params[i].name.text, symbol});
  }
  auto pass = [&](const std::vector<ast::Name> &outer, const std::vector<ast::Name> &own) {
    for (size_t i = 0; i < outer.size(); ++i) {
      Symbol symbol = *names.find(outer[i].text);
      symbol.range = own[i].range;
      inner.add(own[i].text, symbol);
      next.isRenamed |= symbol.kind != Symbol::Buffer && outer[i].text != own[i].text;
    }
  };
  // The names that are passed on, in their order: not the data of a reversal, which beginReversal has declared, and no tables to a text
  // for blocks of n elements.
  const auto passed = [&](const std::vector<ast::Name> &names, const std::vector<ir::CollectiveParam> &params) {
    std::vector<ast::Name> result;
    for (auto [name, param] : llvm::zip(names, params))
      if (param.isNumber || (param.isTable ? !becomesPlain : !instance.isReversed))
        result.push_back(name);
    return result;
  };
  if (instance.isReversed && !beginReversal(base, *collective, becomesPlain ? nullptr : own, path, range, inner))
    return false;
  pass(passed(from.inputs, own->inputs), passed(base.inputs, collective->inputs));
  if (!instance.isReversed)
    pass(from.outputs, base.outputs);
  if (diagnostics.errorCount() != before)
    return false;
  // The clauses of an instance may name the parameters of its base.
  for (const auto &[name, symbol] : params)
    if (!names.find(name))
      names.add(name, symbol);
  record.hasInstance = true;
  result->bases.push_back({record.path(), instance.isReversed, becomesPlain, base.range});
  exprs.setScope(*record.scope);
  levels.back().names = std::exchange(names, std::move(inner));
  levels.push_back(std::move(next));
  return true;
}

} // namespace quadrille::compiler::sema
