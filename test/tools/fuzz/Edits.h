//===- Edits.h - Random changes of a text -----------------------------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_TEST_FUZZ_EDITS_H
#define QUADRILLE_TEST_FUZZ_EDITS_H

#include "Random.h"

#include "ast/Ast.h"

#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace quadrille::compiler::fuzz {

/// Bytes `lo ..< hi` of a text become another text.
struct Edit {
  size_t lo = 0, hi = 0;
  std::string replacement;

  std::string applyTo(llvm::StringRef text) const {
    return text.take_front(lo).str() + replacement + text.drop_front(hi).str();
  }
};

/// Small changes after which a program is well formed still, most often, and as likely as not wrong: other partners, slices,
/// bounds, guards, operands and numbers, statements in another order or place, buffers declared otherwise.
std::vector<Edit> editsOf(const ast::File &file, llvm::StringRef text, Random &random);

/// What makes the program smaller: without a declaration, a statement or a clause, loops and conditions replaced by what is in
/// them, expressions by a part of them or by a small number. Those that take most come first.
std::vector<Edit> reductionsOf(const ast::File &file, llvm::StringRef text);

} // namespace quadrille::compiler::fuzz

#endif // QUADRILLE_TEST_FUZZ_EDITS_H
