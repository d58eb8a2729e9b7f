//===- Columns.h - Where on its line everything stands ----------------------------------------------------------*- C++ -*-===//
//
// Lines are indented, and elements follow each other with the blanks of their kinds, but for columns. The grammar makes some: the
// bodies of an `if` and its `else`. Others are the author's, who asks for them with blanks: what stood in one column, with more
// blanks than usual before some of it, stands in one column again, in the first for which there is room. A line that continues a
// statement stands below what it stood below.
//
// Formatted again, a text stays as it is: what stands in one column then includes all that was put there, and there is no more room
// than there was.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_FORMAT_COLUMNS_H
#define QUADRILLE_FORMAT_COLUMNS_H

#include "Lines.h"

namespace quadrille::compiler::format {

/// The column of each element, from 0.
std::vector<unsigned> placeColumns(const Elements &elements, const Lines &lines);

} // namespace quadrille::compiler::format

#endif // QUADRILLE_FORMAT_COLUMNS_H
