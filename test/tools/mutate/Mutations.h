//===- Mutations.h - A schedule's text, wrong in one place ------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_TEST_MUTATE_MUTATIONS_H
#define QUADRILLE_TEST_MUTATE_MUTATIONS_H

#include "ast/Ast.h"

#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace quadrille::compiler::mutate {

/// One change of a text: `length` bytes from `offset` become `replacement`.
struct Mutation {
  std::string kind; // "swap-operands", "loop-shorter", ...
  std::string id;   // the kind and how many of its kind came before it in this schedule: "loop-shorter#2"
  size_t offset = 0, length = 0;
  std::string replacement;
  std::string before, after; // what is shown of it, on one line each

  std::string applyTo(llvm::StringRef text) const;
};

/// All mutations of a schedule, in the order of the text; no two give the same text. `text` is the whole file.
/// `ofClaims`: what the clauses claim is changed as well, not only to claim less than the cost.
std::vector<Mutation> mutationsOf(const ast::Schedule &schedule, llvm::StringRef text, bool ofClaims = false);

} // namespace quadrille::compiler::mutate

#endif // QUADRILLE_TEST_MUTATE_MUTATIONS_H
