//===- Sema.h - From syntax trees to schedules ---------------------------------------------------------------*- C++ -*-===//
//
// Resolves names, checks types and those shapes that do not depend on p, and builds the IR. What it accepts can be evaluated;
// errors that depend on numbers (bounds, partners, lengths) are found by instantiate/ and check/.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_SEMA_SEMA_H
#define QUADRILLE_SEMA_SEMA_H

#include "ast/Ast.h"
#include "ir/Schedule.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"

#include <functional>
#include <memory>
#include <optional>

namespace quadrille::compiler {

class Diagnostics;
struct Diagnostic;
class Mentions;
class Sources;

struct ScheduleText;

/// The schedule that a `use` or an instance names. `schedule` is null if there is none, if it has errors - then `reported` is set -, or if
/// it leaves a tree open.
struct UsedSchedule {
  const ir::Schedule *schedule = nullptr;
  ScheduleText *text = nullptr; // set with `schedule`, and of open schedules
  bool recursive = false;
  bool tooDeep = false; // limits::useDepth
  bool reported = false;
  std::string suggestion; // ", did you mean `...`?" or empty
};

/// The text of a schedule without errors. Each of its instances is analyzed from it anew.
struct ScheduleText {
  const ast::Schedule *text = nullptr;
  const struct FileScope *scope = nullptr;
  std::string file;
  const ir::Schedule *schedule = nullptr; // null if it leaves a tree open
  std::unique_ptr<ir::Schedule> open;     // if it leaves a tree open: its signature, and its requirements on schedules that use it
  /// The schedules that its `use` statements and clauses name and, under null, its base. Kept here because an instance in another file
  /// might find others by these names.
  llvm::DenseMap<const void *, UsedSchedule> named;
  bool hasInstance = false;

  std::string path() const { return text->collective.text + "/" + text->name.text; }
  /// The first parameter that is a tree; null if there is none.
  const ast::ScheduleParameter *openTree() const {
    for (const ast::ScheduleParameter &param : text->params)
      if (param.isTree)
        return &param;
    return nullptr;
  }
};

/// The declarations visible in a file: its own, those of the files that it imports, and, in the parent scope, those of the standard
/// files. Its own functions and trees hide the others, imported ones those of the parent. What an imported file imports is not visible.
struct FileScope {
  const FileScope *parent = nullptr;
  std::vector<const FileScope *> imports;
  /// For names that are not visible: the file to import that declares this function, tree or collective; empty if none is known.
  std::function<std::string(llvm::StringRef name)> fileToImport;
  llvm::SMLoc importPlace; // where another import can be written
  bool isImportApart = false; // such an import is followed by an empty line
  Mentions *mentions = nullptr; // records the names of this file; null: they are not recorded
  llvm::StringMap<const ir::Collective *> collectives;
  llvm::StringMap<const ir::Function *> functions;
  llvm::StringMap<const ir::Tree *> trees;
  std::vector<std::unique_ptr<ScheduleText>> schedules; // in the order of the text; they refer to the syntax tree

  /// All scopes with visible declarations: what is found in an earlier one hides what is in a later one.
  llvm::SmallVector<const FileScope *, 4> visible() const {
    llvm::SmallVector<const FileScope *, 4> result;
    result.push_back(this);
    llvm::append_range(result, imports);
    for (const FileScope *scope = parent; scope; scope = scope->parent)
      result.push_back(scope);
    return result;
  }

  template <typename T> const T *find(llvm::StringMap<const T *> FileScope::*table, llvm::StringRef name) const {
    for (const FileScope *scope : visible())
      if (auto found = (scope->*table).find(name); found != (scope->*table).end())
        return found->second;
    return nullptr;
  }

  /// The function or tree that a call of `name` refers to; both are null if there is none.
  struct Callee {
    const ir::Function *function = nullptr;
    const ir::Tree *tree = nullptr;
  };
  Callee findCallee(llvm::StringRef name) const {
    for (const FileScope *scope : visible())
      if (Callee callee{scope->functions.lookup(name), scope->trees.lookup(name)}; callee.function || callee.tree)
        return callee;
    return {};
  }
};

/// The error that `name`, at `range`, is declared only in a file that `scope` does not import, with the import as its mend; nothing if no
/// such file is known.
std::optional<Diagnostic> notImported(const FileScope &scope, llvm::StringRef name, llvm::SMRange range);

using ScheduleResolver = std::function<UsedSchedule(llvm::StringRef collective, llvm::StringRef algorithm)>;

/// Analyzes a file: adds its declarations to `scope` and `program`, and its schedules, in the order of the text and without those that
/// leave a tree open, to `added`. Returns true if there was no error. If others may name its schedules, `file` has to live as long
/// as `scope`.
bool analyze(const ast::File &file, llvm::StringRef fileName, FileScope &scope, ir::Program &program,
             const Sources &sources, Diagnostics &diagnostics, const ScheduleResolver &resolver,
             std::vector<const ir::Schedule *> &added);

} // namespace quadrille::compiler

#endif // QUADRILLE_SEMA_SEMA_H
