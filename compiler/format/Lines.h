//===- Lines.h - Where lines begin ------------------------------------------------------------------------------*- C++ -*-===//
//
// Declarations, clauses and statements begin lines, unless the body that they are in stands on one line. Within a statement lines break
// where the author has broken them, if a line may begin there.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_FORMAT_LINES_H
#define QUADRILLE_FORMAT_LINES_H

#include "Elements.h"

namespace quadrille::compiler::format {

struct TextLine {
  unsigned first = 0, last = 0; // elements
  unsigned depth = 0;           // how many braces are open around the statement
  bool continues = false;       // it continues a statement that begins on a line above
  bool blankBefore = false;     // there is an empty line before it
  bool kept = false;            // it was one line of the source, without line breaks in comments
};

/// A part of an `if`, from `if` or `else` on, whose body stands on one line.
struct Branch {
  unsigned first, open, close; // elements
};

struct Lines {
  std::vector<TextLine> list;
  std::vector<std::vector<Branch>> branches; // rows of at least two that follow each other in one statement
  /// Additional blanks behind a keyword, which align what follows the keywords of a head.
  std::vector<unsigned> padding; // by element
};

Lines breakLines(const Elements &elements);

} // namespace quadrille::compiler::format

#endif // QUADRILLE_FORMAT_LINES_H
