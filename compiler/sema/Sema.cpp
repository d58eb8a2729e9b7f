//===- Sema.cpp - Declarations of a file ------------------------------------------------------------------------------===//

#include "Sema.h"

#include "CollectiveSema.h"
#include "ExprSema.h"
#include "ScheduleSema.h"

#include "llvm/ADT/StringSet.h"

namespace quadrille {

using namespace sema;

static void reportRedeclared(Diagnostics &diagnostics, const ast::Name &name, llvm::SMRange before) {
  Diagnostic diagnostic(diag::Id::Redeclared, name.range, {name.text});
  if (before.isValid())
    diagnostic.note(diag::Id::DeclaredHere, before, {name.text});
  diagnostics.report(std::move(diagnostic));
}

/// The type that the form of an expression gives it, whatever the names in it stand for.
static ir::Type typeByForm(const ast::Expr &expr) {
  static const llvm::StringRef conditions[] = {"==", "!=", "<", "<=", ">", ">=", "and", "or", "not"};
  static const llvm::StringRef predicates[] = {"pow2", "even", "odd"};
  bool isCondition = false;
  switch (expr.kind) {
  case ast::ExprKind::Binary:
  case ast::ExprKind::Unary:
    isCondition = llvm::is_contained(conditions, expr.text);
    break;
  case ast::ExprKind::Call:
    isCondition = llvm::is_contained(predicates, expr.text);
    break;
  case ast::ExprKind::Name:
    isCondition = expr.text == "true" || expr.text == "false";
    break;
  case ast::ExprKind::Select:
    return typeByForm(*expr.operands[1]);
  default:
    break;
  }
  return isCondition ? ir::Type::Boolean : ir::Type::Integer;
}

/// fn name(args) = expr. The name is known inside its own body: recursion is allowed, its depth bounded.
static void declareFunction(const ast::Function &text, FileScope &scope, ir::Program &program,
                            Diagnostics &diagnostics) {
  if (const ir::Function *before = scope.find(&FileScope::functions, text.name.text)) {
    reportRedeclared(diagnostics, text.name, before->range);
    return;
  }
  auto owned = std::make_unique<ir::Function>();
  ir::Function &function = *owned;
  function.name = text.name.text;
  function.range = text.name.range;
  Names names;
  ExprSema exprs(scope, program, function.variables, names, diagnostics);
  for (const ast::Name &param : text.params) {
    if (names.find(param.text))
      reportRedeclared(diagnostics, param, {});
    Symbol symbol;
    symbol.variable = exprs.newVariable(param.text, ir::Type::Integer, false, param.range);
    names.add(param.text, symbol);
  }
  function.argumentCount = static_cast<unsigned>(text.params.size());
  function.type = typeByForm(*text.body);
  scope.functions[text.name.text] = &function;
  program.functions.push_back(std::move(owned));
  function.body = exprs.any(*text.body);
  if (function.body)
    function.type = function.body->type;
}

/// tree name(range, r) { root r left ... right ... }
static void declareTree(const ast::Tree &text, FileScope &scope, ir::Program &program, Diagnostics &diagnostics) {
  if (const ir::Tree *before = scope.find(&FileScope::trees, text.name.text)) {
    reportRedeclared(diagnostics, text.name, before->range);
    return;
  }
  auto owned = std::make_unique<ir::Tree>();
  ir::Tree &tree = *owned;
  tree.name = text.name.text;
  tree.range = text.name.range;
  Names names;
  ExprSema exprs(scope, program, tree.variables, names, diagnostics);
  const ast::Name &range = text.params[0].name;
  Symbol rangeSymbol{Symbol::Range};
  rangeSymbol.variable = exprs.newVariable(range.text + ".lo", ir::Type::Integer, false, range.range);
  exprs.newVariable(range.text + ".hi", ir::Type::Integer, false, range.range);
  names.add(range.text, rangeSymbol);
  for (size_t i = 1; i < text.params.size(); ++i) {
    const ast::TreeParameter &param = text.params[i];
    bool isNew = !names.find(param.name.text);
    if (!isNew)
      reportRedeclared(diagnostics, param.name, {});
    // A preset speaks of what stands before it.
    tree.presets.push_back(param.preset ? exprs.integer(*param.preset) : nullptr);
    Symbol symbol;
    symbol.variable = exprs.newVariable(param.name.text, ir::Type::Integer, false, param.name.range);
    if (isNew)
      names.add(param.name.text, symbol);
  }
  scope.trees[text.name.text] = &tree;
  program.trees.push_back(std::move(owned));
  tree.root = exprs.integer(*text.root);
  tree.left = exprs.typed(*text.left, ir::Type::Tree);
  tree.right = exprs.typed(*text.right, ir::Type::Tree);
}

bool analyze(const ast::File &file, llvm::StringRef fileName, FileScope &scope, ir::Program &program,
             const Sources &sources, Diagnostics &diagnostics, const ScheduleResolver &resolver,
             std::vector<const ir::Schedule *> &added) {
  unsigned before = diagnostics.errorCount();
  for (const ast::Function &function : file.functions)
    declareFunction(function, scope, program, diagnostics);
  for (const ast::Tree &tree : file.trees)
    declareTree(tree, scope, program, diagnostics);
  for (const ast::Collective &collective : file.collectives)
    if (const ir::Collective *known = scope.find(&FileScope::collectives, collective.name.text))
      reportRedeclared(diagnostics, collective.name, known->range);
    else if (auto declared = analyzeCollective(collective, scope, program, diagnostics)) {
      scope.collectives[collective.name.text] = declared.get();
      program.collectives.push_back(std::move(declared));
    }
  if (diagnostics.errorCount() != before)
    return false; // broken declarations would be blamed on every schedule
  llvm::StringMap<llvm::SMRange> seen;
  llvm::StringSet<> broken;
  std::string current;
  // What this file holds itself comes first, also if it has errors or is just being analyzed.
  ScheduleResolver resolveHere = [&](llvm::StringRef collective, llvm::StringRef algorithm) {
    std::string path = collective.str() + "/" + algorithm.str();
    UsedSchedule used;
    used.recursive = path == current;
    used.reported = broken.contains(path);
    return used.recursive || used.reported ? used : resolver(collective, algorithm);
  };
  for (const ast::Schedule &schedule : file.schedules) {
    auto [entry, isNew] = seen.try_emplace(schedule.collective.text + "/" + schedule.name.text, schedule.name.range);
    if (!isNew) {
      reportRedeclared(diagnostics, schedule.name, entry->second);
      continue;
    }
    current = entry->first().str();
    ScheduleSema analysis(schedule, fileName, scope, program, sources, diagnostics, resolveHere);
    if (std::unique_ptr<ir::Schedule> result = analysis.run()) {
      added.push_back(result.get());
      program.schedules.push_back(std::move(result));
    } else {
      broken.insert(current);
    }
  }
  return diagnostics.errorCount() == before;
}

} // namespace quadrille
