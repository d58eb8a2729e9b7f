//===- Lines.h - Where lines begin ------------------------------------------------------------------------------*- C++ -*-===//
//
// What the grammar separates - declarations, clauses, statements, bodies - begins a line where its body does not stand on one. Within
// a statement lines break where the author has broken them, as far as lines may begin there.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_FORMAT_LINES_H
#define QUADRILLE_FORMAT_LINES_H

#include "Elements.h"

namespace quadrille::compiler::format {

struct Line {
  unsigned first = 0, last = 0; // elements
  unsigned depth = 0;           // of the statement, in braces
  bool continues = false;       // a statement that begins on a line above
  bool blankBefore = false;     // an empty line
  bool kept = false;            // it was a line of the source, without line breaks in comments
};

/// A part of an `if`, from `if` or `else` on, whose body stands on one line.
struct Branch {
  unsigned first, open, close; // elements
};

struct Lines {
  std::vector<Line> list;
  std::vector<std::vector<Branch>> branches; // that follow each other in one statement: at least two
  /// Blanks more than one behind a keyword, so that what follows the keywords of a head stands below each other.
  std::vector<unsigned> padding; // by element
};

Lines breakLines(const Elements &elements);

} // namespace quadrille::compiler::format

#endif // QUADRILLE_FORMAT_LINES_H
