//===- Columns.h - Where on its line everything stands ----------------------------------------------------------*- C++ -*-===//
//
// Lines are indented, and elements of a line are separated by the blanks that their kinds need, unless they stand in columns. The
// bodies of an `if` and its `else` make a column, where each stands on a line of its own. The author makes all others: if elements
// stood in one column, some of them behind more blanks than they need, they are put in one column again, the leftmost in which all
// fit. A line that continues a statement stays below the element that it stood below.
//
// A formatted text stays as it is when it is formatted again: its columns contain at least the elements that were put in them, so
// there is no place further to the left.
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
