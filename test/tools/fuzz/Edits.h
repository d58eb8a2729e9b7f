//===- Edits.h - Random changes of a program -----------------------------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_TEST_FUZZ_EDITS_H
#define QUADRILLE_TEST_FUZZ_EDITS_H

#include "Random.h"

#include "ast/Ast.h"

#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace quadrille::compiler::fuzz {

/// A change: the bytes lo ..< hi of a text are replaced.
struct Edit {
  size_t lo = 0, hi = 0;
  std::string replacement;

  std::string applyTo(llvm::StringRef text) const {
    return text.take_front(lo).str() + replacement + text.drop_front(hi).str();
  }
};

/// Small changes after which a program is usually still well formed, and often wrong: other partners, slices, bounds, guards,
/// operands and numbers, statements in another order or place, other declarations of buffers.
std::vector<Edit> editsOf(const ast::File &file, llvm::StringRef text, Random &random);

/// Changes that make a program smaller: they delete a declaration, a statement or a clause, replace loops and conditions by
/// their bodies, or expressions by a part or a small number. Those that delete most come first.
std::vector<Edit> reductionsOf(const ast::File &file, llvm::StringRef text);

} // namespace quadrille::compiler::fuzz

#endif // QUADRILLE_TEST_FUZZ_EDITS_H
