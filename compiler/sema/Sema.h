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

#include "llvm/ADT/StringMap.h"

#include <functional>

namespace quadrille::compiler {

class Diagnostics;
class Sources;

/// The declarations visible in a file: its own and, in the parent scope, those of the standard files. Its own functions and trees
/// hide those of the parent.
struct FileScope {
  const FileScope *parent = nullptr;
  llvm::StringMap<const ir::Collective *> collectives;
  llvm::StringMap<const ir::Function *> functions;
  llvm::StringMap<const ir::Tree *> trees;

  template <typename T> const T *find(llvm::StringMap<const T *> FileScope::*table, llvm::StringRef name) const {
    for (const FileScope *scope = this; scope; scope = scope->parent)
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
    for (const FileScope *scope = this; scope; scope = scope->parent)
      if (Callee callee{scope->functions.lookup(name), scope->trees.lookup(name)}; callee.function || callee.tree)
        return callee;
    return {};
  }
};

/// The schedule that a `use` names. `schedule` is null if there is none, or if it has errors; then `reported` is set.
struct UsedSchedule {
  const ir::Schedule *schedule = nullptr;
  bool recursive = false;
  bool reported = false;
  std::string suggestion; // ", did you mean `...`?" or empty
};
using ScheduleResolver = std::function<UsedSchedule(llvm::StringRef collective, llvm::StringRef algorithm)>;

/// Analyzes a file: adds its declarations to `scope` and `program`, and its schedules, in the order of the text, to `added`. Returns
/// true if there was no error.
bool analyze(const ast::File &file, llvm::StringRef fileName, FileScope &scope, ir::Program &program,
             const Sources &sources, Diagnostics &diagnostics, const ScheduleResolver &resolver,
             std::vector<const ir::Schedule *> &added);

} // namespace quadrille::compiler

#endif // QUADRILLE_SEMA_SEMA_H
