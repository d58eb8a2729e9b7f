//===- Mutations.h - Mutants of a schedule ------------------------------------------------*- C++ -*-===//

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
  std::string id;   // the kind and the number of earlier ones of this kind in the schedule: "loop-shorter#2"
  size_t offset = 0, length = 0;
  std::string replacement;
  std::string before, after; // the old and new text to print, one line each

  std::string applyTo(llvm::StringRef text) const;
};

/// All mutations of a schedule, in the order of the text, without duplicates. `text`: the whole file. `ofClaims`: include all
/// changes of clauses, not only those that claim less than the cost.
std::vector<Mutation> mutationsOf(const ast::Schedule &schedule, llvm::StringRef text, bool ofClaims = false);

} // namespace quadrille::compiler::mutate

#endif // QUADRILLE_TEST_MUTATE_MUTATIONS_H
