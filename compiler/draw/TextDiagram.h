//===- TextDiagram.h - A space-time diagram as text ---------------------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_DRAW_TEXTDIAGRAM_H
#define QUADRILLE_DRAW_TEXTDIAGRAM_H

#include "Diagram.h"

#include "llvm/Support/raw_ostream.h"

namespace quadrille::compiler::draw {

/// A grid, rank down and round across, broken into panels of at most `width` columns where a round is not wider than
/// that; below it the rounds as lists, sender>receiver:label. UTF-8.
void writeText(const Diagram &diagram, unsigned width, llvm::raw_ostream &out);

} // namespace quadrille::compiler::draw

#endif // QUADRILLE_DRAW_TEXTDIAGRAM_H
