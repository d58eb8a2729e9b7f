//===- TokenTree.h - All tokens of a text, and what they are part of --------------------------------------------*- C++ -*-===//
//
// What the syntax tree leaves out: every token and every comment of a text, in order, and which of them make a statement, an
// operation, a list. Built by parse/, for those that write the text again.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_AST_TOKENTREE_H
#define QUADRILLE_AST_TOKENTREE_H

#include "llvm/ADT/StringRef.h"

#include <vector>

namespace quadrille::compiler::ast {

enum class TokenKind { Code, LineComment, BlockComment };

struct Token {
  TokenKind kind;
  llvm::StringRef text; // a part of the text that was parsed
};

enum class Construct {
  File,
  Import,
  Collective,
  Ensures,
  Knows,
  Function,
  Lemma,
  Tree,
  Schedule,
  Instance, // the base of a schedule that is an instance
  Clause,
  Step,
  If, // also the one after an `else`
  For,
  Use,
  Invariant,
  Statement, // all others
  Binary,    // left, operator, right
  Sign,      // -a
  Select,    // if a then b else c
  Aggregate, // fold(e for j in a ..< b if c), sum(...), ...
  Name,
  Other, // a part of which only the place matters
};

/// A part of the grammar. Tokens between children are its own.
struct Node {
  Construct form = Construct::Other;
  unsigned first = 0, last = 0; // of TokenTree::code
  std::vector<Node> children;
};

struct TokenTree {
  std::vector<Token> tokens;
  std::vector<unsigned> code; // the indices of the tokens that are no comments
  Node file;                  // spans nothing if there is no code
};

} // namespace quadrille::compiler::ast

#endif // QUADRILLE_AST_TOKENTREE_H
