//===- Declarations.h - Declarations as they are written -------------------------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_LSP_DECLARATIONS_H
#define QUADRILLE_LSP_DECLARATIONS_H

#include "ast/Ast.h"

#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>

namespace quadrille::compiler::lsp {

enum class DeclarationKind { Collective, Function, Lemma, Tree, Schedule };

struct Declaration {
  DeclarationKind kind;
  const ast::Name *name;
  llvm::SMRange whole;
  const char *headEnd; // the end of its head: of a schedule, the `{` before its statements
  const ast::Schedule *schedule = nullptr;
};

/// The declarations of a file, in the order of `text`, the file's text.
std::vector<Declaration> declarationsOf(const ast::File &file, llvm::StringRef text);

/// The head of a declaration as it is written: "fn f(a) = a + 1".
std::string headOf(const Declaration &declaration);

/// The comment above a declaration that begins at `declaration` in the text, without its slashes; empty if there is none.
std::string commentAbove(llvm::StringRef text, const char *declaration);

} // namespace quadrille::compiler::lsp

#endif // QUADRILLE_LSP_DECLARATIONS_H
