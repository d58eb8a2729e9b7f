//===- Elements.h - What a text consists of, as the formatter sees it -------------------------------------------*- C++ -*-===//
//
// Tokens and comments in their order, where they stood, and what the grammar says of the blanks and line breaks around them.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_FORMAT_ELEMENTS_H
#define QUADRILLE_FORMAT_ELEMENTS_H

#include "ast/TokenTree.h"

#include "llvm/ADT/SmallVector.h"

#include <optional>

namespace quadrille::compiler::format {

/// What decides about the blanks around a token.
enum class Role : unsigned char {
  Other,
  Name,    // a bracket that follows it is an index or a list of arguments
  Sign,    // of a number
  Product, // `*` or `/`, with blanks or without
  Tight,   // an operator without blanks
  Colon,   // before a type
};

struct Element {
  ast::TokenKind kind = ast::TokenKind::Code;
  llvm::StringRef text;

  // Where it stood; lines and columns count from 0, columns in characters.
  unsigned line = 0, column = 0;
  unsigned lastLine = 0, end = 0; // behind its last character
  unsigned newlines = 0;          // line breaks between the element before it and this one

  // Of code.
  Role role = Role::Other;
  bool spaced = false;         // Product: blanks around it
  bool leads = false;          // a line may begin with it, and no line ends with it
  bool follows = false;        // a line may begin with it
  std::optional<unsigned> anchor; // the element below which such a line begins, unless the author has chosen another one

  bool isCode() const { return kind == ast::TokenKind::Code; }
  bool isMultiline() const { return lastLine != line; }
};

/// The number of blanks at the beginning of a later line of a comment that began in column `from` and now begins in column `to`. The line
/// began with `blanks` blanks.
unsigned moved(unsigned blanks, unsigned from, unsigned to);

/// The lines of a comment.
llvm::SmallVector<llvm::StringRef, 4> linesOf(llvm::StringRef comment);

/// How many characters a text has, or the part of it behind its last line break.
unsigned width(llvm::StringRef text);

class Elements {
public:
  /// `text`: what the tree was made from.
  Elements(llvm::StringRef text, const ast::TokenTree &tree);

  const ast::TokenTree &tree;
  std::vector<Element> list;

  /// The element of a token of TokenTree::code.
  unsigned ofCode(unsigned token) const { return tree.code[token]; }
  const Element &code(unsigned token) const { return list[tree.code[token]]; }
  /// Blanks between an element and the one before it, if they stand on one line and nothing is aligned.
  unsigned blanksBefore(unsigned element) const;
  unsigned size() const { return static_cast<unsigned>(list.size()); }

private:
  void locate(llvm::StringRef text);
  void chooseProducts();
  void moveBreaks();
};

/// The column behind an element that begins in `column`. `beginsLine`: it is the first one on its line.
unsigned endAt(const Elements &elements, unsigned element, unsigned column, bool beginsLine);

} // namespace quadrille::compiler::format

#endif // QUADRILLE_FORMAT_ELEMENTS_H
