//===- Sema.cpp - Declarations of a file ------------------------------------------------------------------------------===//

#include "Sema.h"

#include "CollectiveSema.h"
#include "ExprSema.h"
#include "ScheduleSema.h"

#include "ir/Verify.h"
#include "limits/Limits.h"
#include "source/Sources.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/ErrorHandling.h"

namespace quadrille::compiler {

using namespace sema;

static void reportRedeclared(Diagnostics &diagnostics, const ast::Name &name, llvm::SMRange before) {
  Diagnostic diagnostic(name.range, diag::Redeclared{.name = name.text});
  if (before.isValid())
    diagnostic.note(before, diag::DeclaredHere{.name = name.text});
  diagnostics.report(std::move(diagnostic));
}

std::optional<Diagnostic> notImported(const FileScope &scope, llvm::StringRef name, llvm::SMRange range) {
  const std::string file = scope.fileToImport ? scope.fileToImport(name) : "";
  if (file.empty())
    return std::nullopt;
  Diagnostic diagnostic(range, diag::NotImported{.name = name.str(), .file = file});
  if (scope.importPlace.isValid())
    diagnostic.mend({"import `" + file + "`", llvm::SMRange(scope.importPlace, scope.importPlace), "import " + file + (scope.isImportApart ? "\n\n" : "\n")});
  return diagnostic;
}

/// Sets where another import can be written: above the first one, else above the first declaration and the comment on it.
static void findImportPlace(const ast::File &file, const Sources &sources, FileScope &scope) {
  scope.isImportApart = file.imports.empty();
  if (!file.first.isValid())
    return;
  const unsigned buffer = sources.manager().FindBufferContainingLoc(file.first);
  const llvm::StringRef text = sources.text(buffer);
  auto lineBegin = [&](size_t at) { return text.take_front(at).rfind('\n') + 1; };
  size_t at = lineBegin(static_cast<size_t>(file.first.getPointer() - text.data()));
  if (!file.imports.empty())
    at = lineBegin(static_cast<size_t>(file.imports.front().range.Start.getPointer() - text.data()));
  else
    for (size_t above; at > 0 && text.slice(above = lineBegin(at - 1), at).ltrim().starts_with("//");)
      at = above;
  scope.importPlace = llvm::SMLoc::getFromPointer(text.data() + at);
}

/// The type of an expression as far as its syntax determines it.
static ir::Type typeByForm(const ast::Expr &expr, const FileScope &scope) {
  static const llvm::StringRef conditions[] = {"==", "!=", "<", "<=", ">", ">=", "and", "or", "not"};
  static const llvm::StringRef predicates[] = {"pow2", "even", "odd"};
  bool isCondition = false;
  switch (expr.kind) {
  case ast::ExprKind::Binary:
  case ast::ExprKind::Unary:
    isCondition = llvm::is_contained(conditions, expr.text);
    break;
  case ast::ExprKind::Call: {
    const ir::Function *function = scope.findCallee(expr.text).function;
    isCondition = llvm::is_contained(predicates, expr.text) || (function && function->type == ir::Type::Boolean);
    break;
  }
  case ast::ExprKind::Name:
    isCondition = expr.text == "true" || expr.text == "false";
    break;
  case ast::ExprKind::Select:
    return typeByForm(*expr.operands[1], scope);
  default:
    break;
  }
  return isCondition ? ir::Type::Boolean : ir::Type::Integer;
}

namespace {

/// The functions and trees of a file. All are declared before any is defined, so they may call each other in any order;
/// recursion is allowed, its depth bounded.
class CalleeSema {
public:
  CalleeSema(FileScope &scope, ir::Program &program, Diagnostics &diagnostics)
      : scope(scope), program(program), diagnostics(diagnostics) {}

  void run(const ast::File &file) {
    for (const ast::Function &text : file.functions)
      declare(text);
    for (const ast::Tree &text : file.trees)
      declare(text);
    // A function whose body is a call has the type of the called one, which may be declared later.
    for (bool changed = true; changed;) {
      changed = false;
      for (auto &[text, function] : functions)
        if (ir::Type type = typeByForm(*text->body, scope); type != function->type) {
          function->type = type;
          changed = true;
        }
    }
    for (auto &[text, function] : functions)
      define(*text, *function);
    for (auto &[text, tree] : trees)
      define(*text, *tree);
    for (const ast::Lemma &text : file.lemmas)
      define(text);
  }

private:
  /// Reports a redeclaration. Functions and trees of the standard files may be redeclared.
  bool isNew(const ast::Name &name) {
    const ir::Function *function = scope.functions.lookup(name.text);
    const ir::Tree *tree = scope.trees.lookup(name.text);
    if (!function && !tree && !ExprSema::isBuiltin(name.text))
      return true;
    reportRedeclared(diagnostics, name, function ? function->range : tree ? tree->range : llvm::SMRange());
    return false;
  }

  void declare(const ast::Function &text) {
    if (!isNew(text.name))
      return;
    auto function = std::make_unique<ir::Function>();
    function->name = text.name.text;
    function->range = text.name.range;
    function->argumentCount = static_cast<unsigned>(text.params.size());
    scope.functions[text.name.text] = function.get();
    functions.push_back({&text, function.get()});
    program.functions.push_back(std::move(function));
  }

  void declare(const ast::Tree &text) {
    if (!isNew(text.name))
      return;
    auto tree = std::make_unique<ir::Tree>();
    tree->name = text.name.text;
    tree->range = text.name.range;
    tree->byRelatives = text.parent != nullptr;
    tree->presets.resize(text.params.size());
    if (tree->byRelatives) // in a tree that splits ranges, every parameter has a default: the middle
      for (size_t i = 0; i < text.params.size(); ++i)
        if (!text.params[i].preset)
          tree->requiredParameters = static_cast<unsigned>(i + 1);
    scope.trees[text.name.text] = tree.get();
    trees.push_back({&text, tree.get()});
    program.trees.push_back(std::move(tree));
  }

  void declareParams(const std::vector<ast::Name> &params, ExprSema &exprs, Names &names) {
    for (const ast::Name &param : params) {
      if (names.find(param.text))
        reportRedeclared(diagnostics, param, {});
      Symbol symbol;
      symbol.variable = exprs.newVariable(param.text, ir::Type::Integer, false, param.range);
      symbol.range = param.range;
      exprs.note(param.range, symbol);
      names.add(param.text, symbol);
    }
  }

  void define(const ast::Function &text, ir::Function &function) {
    Names names;
    ExprSema exprs(scope, program, function.variables, names, diagnostics);
    exprs.note(function.range, function.range, MentionKind::Function);
    declareParams(text.params, exprs, names);
    function.body = exprs.any(*text.body);
    if (function.body)
      function.type = function.body->type;
  }

  void define(const ast::Lemma &text) {
    if (auto [before, isNew] = lemmas.try_emplace(text.name.text, text.name.range); !isNew)
      return reportRedeclared(diagnostics, text.name, before->second);
    auto lemma = std::make_unique<ir::Lemma>();
    lemma->name = text.name.text;
    lemma->range = text.name.range;
    lemma->number = static_cast<unsigned>(program.lemmas.size());
    lemma->argumentCount = static_cast<unsigned>(text.params.size());
    Names names;
    ExprSema exprs(scope, program, lemma->variables, names, diagnostics);
    exprs.note(lemma->range, lemma->range, MentionKind::Lemma);
    declareParams(text.params, exprs, names);
    lemma->claim = exprs.boolean(*text.claim);
    lemma->condition = text.condition ? exprs.boolean(*text.condition) : nullptr;
    if (!lemma->claim || (text.condition && !lemma->condition))
      return;
    // Attach the lemma to all functions of its file that it mentions, directly or indirectly.
    llvm::SmallPtrSet<const ir::Function *, 8> reached;
    reach(*lemma->claim, reached);
    if (lemma->condition)
      reach(*lemma->condition, reached);
    bool isAsked = false;
    for (auto &[ofText, function] : functions)
      if (reached.contains(function)) {
        function->lemmas.push_back(lemma.get());
        isAsked = true;
      }
    if (!isAsked)
      exprs.error(text.name.range, diag::LemmaOfNoFunction{.lemma = text.name.text});
    program.lemmas.push_back(std::move(lemma));
  }

  static void reach(const ir::Expr &expr, llvm::SmallPtrSetImpl<const ir::Function *> &reached) {
    if (expr.op == ir::Op::Call && reached.insert(expr.function).second && expr.function->body)
      reach(*expr.function->body, reached);
    for (const ir::Expr *operand : expr.operands)
      reach(*operand, reached);
  }

  void define(const ast::Tree &text, ir::Tree &tree) {
    Names names;
    ExprSema exprs(scope, program, tree.variables, names, diagnostics);
    const ast::Name &subject = text.subject;
    Symbol symbol{tree.byRelatives ? Symbol::Number : Symbol::Range};
    if (tree.byRelatives) {
      symbol.variable = exprs.newVariable(subject.text, ir::Type::Integer, true, subject.range);
    } else {
      symbol.variable = exprs.newVariable(subject.text + ".lo", ir::Type::Integer, false, subject.range);
      exprs.newVariable(subject.text + ".hi", ir::Type::Integer, false, subject.range);
    }
    symbol.range = subject.range;
    exprs.note(tree.range, tree.range, MentionKind::TreeDefinition);
    exprs.note(subject.range, symbol);
    names.add(subject.text, symbol);
    // Analyzes an expression that must not depend on the node.
    auto ofTree = [&](const ast::Expr &expr, const diag::Uniform &what) {
      const ir::Expr *result = exprs.integer(expr);
      if (result && result->dependsOnRank)
        exprs.error(expr.range, diag::RankDependentClause{.what = what});
      return result;
    };
    for (size_t i = 0; i < text.params.size(); ++i) {
      const ast::TreeParameter &param = text.params[i];
      bool isNew = !names.find(param.name.text);
      if (!isNew)
        reportRedeclared(diagnostics, param.name, {});
      // A default may use the parameters before it.
      tree.presets[i] = param.preset ? ofTree(*param.preset, diag::UniformDefault{}) : nullptr;
      Symbol paramSymbol;
      paramSymbol.variable = exprs.newVariable(param.name.text, ir::Type::Integer, false, param.name.range);
      paramSymbol.range = param.name.range;
      exprs.note(param.name.range, paramSymbol);
      if (isNew)
        names.add(param.name.text, paramSymbol);
    }
    tree.root = ofTree(*text.root, diag::UniformRootOfTree{});
    if (tree.byRelatives)
      tree.parent = exprs.integer(*text.parent);
    const ir::Type part = tree.byRelatives ? ir::Type::Integer : ir::Type::Tree;
    tree.left = exprs.typed(*text.left, part);
    tree.right = exprs.typed(*text.right, part);
  }

  FileScope &scope;
  ir::Program &program;
  Diagnostics &diagnostics;
  std::vector<std::pair<const ast::Function *, ir::Function *>> functions;
  std::vector<std::pair<const ast::Tree *, ir::Tree *>> trees;
  llvm::StringMap<llvm::SMRange> lemmas; // by name, the place of each
};

} // namespace

/// Ends the program with a message if sema has built a malformed IR.
template <typename Declaration>
static void requireWellFormed(const Declaration &declaration) {
  if (const std::string violation = ir::verify(declaration); !violation.empty())
    llvm::report_fatal_error(llvm::Twine("malformed description after analysis: ") + violation);
}

namespace {

/// The schedules of a file, each analyzed before those that use it.
class SchedulesSema {
public:
  SchedulesSema(const ast::File &file, llvm::StringRef fileName, FileScope &scope, ir::Program &program, const Sources &sources,
                Diagnostics &diagnostics, const ScheduleResolver &resolver, std::vector<const ir::Schedule *> &added)
      : file(file), fileName(fileName), scope(scope), program(program), sources(sources), diagnostics(diagnostics), resolver(resolver),
        added(added) {}

  void run() {
    for (const ast::Schedule &schedule : file.schedules)
      known.try_emplace(pathOf(schedule), Known{&schedule});
    for (const ast::Schedule &schedule : file.schedules) {
      Known &first = known.find(pathOf(schedule))->second;
      if (first.text != &schedule)
        reportRedeclared(diagnostics, schedule.name, first.text->name.range);
      else if (first.state == State::Waiting)
        analyze(first);
    }
  }

private:
  enum class State { Waiting, UnderAnalysis, Good, Broken };
  struct Known {
    const ast::Schedule *text;
    State state = State::Waiting;
  };
  /// Whether one more schedule cannot be analyzed for one that uses it. That takes as much of the stack as four levels of a text.
  bool isTooDeep() const { return nested > limits::useDepth; }

  static std::string pathOf(const ast::Schedule &schedule) { return schedule.collective.text + "/" + schedule.name.text; }

  /// Schedules of this file take precedence, even those with errors or under analysis.
  UsedSchedule find(llvm::StringRef collective, llvm::StringRef algorithm) {
    if (const auto here = known.find(collective.str() + "/" + algorithm.str()); here != known.end()) {
      UsedSchedule used;
      Known &found = here->second;
      used.recursive = found.state == State::UnderAnalysis;
      used.tooDeep = found.state == State::Waiting && isTooDeep();
      if (!used.tooDeep && found.state == State::Waiting)
        analyze(found);
      used.reported = found.state == State::Broken;
      if (used.recursive || used.tooDeep || used.reported)
        return used;
    }
    return resolver(collective, algorithm);
  }

  void analyze(Known &schedule) {
    schedule.state = State::UnderAnalysis;
    ++nested;
    schedule.state = isGood(*schedule.text) ? State::Good : State::Broken;
    --nested;
  }

  bool isGood(const ast::Schedule &schedule) {
    auto record = std::make_unique<ScheduleText>();
    record->text = &schedule;
    record->scope = &scope;
    record->file = fileName.str();
    ScheduleSema analysis(*record, program, sources, diagnostics, findHere);
    std::unique_ptr<ir::Schedule> result = analysis.run();
    if (!result)
      return false;
    if (record->openTree()) {
      record->open = std::move(result);
    } else {
      record->schedule = result.get();
      added.push_back(result.get());
      program.schedules.push_back(std::move(result));
    }
    scope.schedules.push_back(std::move(record));
    return true;
  }

  const ast::File &file;
  llvm::StringRef fileName;
  FileScope &scope;
  ir::Program &program;
  const Sources &sources;
  Diagnostics &diagnostics;
  const ScheduleResolver &resolver;
  std::vector<const ir::Schedule *> &added;
  const ScheduleResolver findHere = [this](llvm::StringRef collective, llvm::StringRef algorithm) { return find(collective, algorithm); };
  llvm::StringMap<Known> known; // by path, the first of each
  unsigned nested = 0;          // how many are under analysis
};

} // namespace

bool analyze(const ast::File &file, llvm::StringRef fileName, FileScope &scope, ir::Program &program,
             const Sources &sources, Diagnostics &diagnostics, const ScheduleResolver &resolver,
             std::vector<const ir::Schedule *> &added) {
  findImportPlace(file, sources, scope);
  unsigned before = diagnostics.errorCount();
  const size_t functions = program.functions.size(), trees = program.trees.size(), lemmas = program.lemmas.size();
  CalleeSema(scope, program, diagnostics).run(file);
  if (diagnostics.errorCount() == before) {
    for (const auto &function : llvm::drop_begin(program.functions, functions))
      requireWellFormed(*function);
    for (const auto &tree : llvm::drop_begin(program.trees, trees))
      requireWellFormed(*tree);
    for (const auto &lemma : llvm::drop_begin(program.lemmas, lemmas))
      requireWellFormed(*lemma);
  }
  for (const ast::Collective &collective : file.collectives)
    if (const ir::Collective *known = scope.find(&FileScope::collectives, collective.name.text))
      reportRedeclared(diagnostics, collective.name, known->range);
    else if (auto declared = analyzeCollective(collective, scope, program, diagnostics)) {
      requireWellFormed(*declared);
      scope.collectives[collective.name.text] = declared.get();
      program.collectives.push_back(std::move(declared));
    }
  if (diagnostics.errorCount() != before)
    return false; // avoid follow-up errors in every schedule
  const size_t firstRecord = scope.schedules.size(), firstAdded = added.size();
  SchedulesSema(file, fileName, scope, program, sources, diagnostics, resolver, added).run();
  // Those that others use have been analyzed first.
  const auto inOrderOfText = [](llvm::SMRange a, llvm::SMRange b) { return a.Start.getPointer() < b.Start.getPointer(); };
  llvm::sort(llvm::drop_begin(scope.schedules, firstRecord),
             [&](const auto &a, const auto &b) { return inOrderOfText(a->text->range, b->text->range); });
  llvm::sort(llvm::drop_begin(added, firstAdded), [&](const auto *a, const auto *b) { return inOrderOfText(a->range, b->range); });
  return diagnostics.errorCount() == before;
}

} // namespace quadrille::compiler
