//===- Sema.h - From syntax trees to schedules ---------------------------------------------------------------*- C++ -*-===//
//
// Resolves names, checks types and shapes that do not depend on p, and builds the IR. Everything it accepts can be
// evaluated; everything that depends on numbers (bounds, partners, lengths) is found by instantiate/ and check/.
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

/// The declarations that a file sees: its own and those of the standard files, its parent. Its own functions and trees
/// hide those of the standard files.
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

  /// What a call of `name` is about: a function or a tree; neither if there is none.
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

/// Finds the schedule that a `use` names; null if there is none or it is broken (then `reported` is set).
struct UsedSchedule {
  const ir::Schedule *schedule = nullptr;
  bool recursive = false;
  bool reported = false;
  std::string suggestion; // ", did you mean `...`?" or empty
};
using ScheduleResolver = std::function<UsedSchedule(llvm::StringRef collective, llvm::StringRef algorithm)>;

/// Declares what the file declares in `scope` and adds its schedules to `program`. True if there was no error.
/// `added` receives the schedules in the order of the text.
bool analyze(const ast::File &file, llvm::StringRef fileName, FileScope &scope, ir::Program &program,
             const Sources &sources, Diagnostics &diagnostics, const ScheduleResolver &resolver,
             std::vector<const ir::Schedule *> &added);

} // namespace quadrille::compiler

#endif // QUADRILLE_SEMA_SEMA_H
