//===- TextDiagram.h - A space-time diagram as text ---------------------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_DRAW_TEXTDIAGRAM_H
#define QUADRILLE_DRAW_TEXTDIAGRAM_H

#include "Diagram.h"

#include "llvm/Support/raw_ostream.h"

namespace quadrille::compiler::draw {

/// Writes the diagram as UTF-8 text: a grid with a row per rank and a column per round, split into panels of at most `width`
/// characters (unless a single round is wider); below it the transfers of each round as a list, sender>receiver:label.
void writeText(const Diagram &diagram, unsigned width, const Look &look, llvm::raw_ostream &out);

} // namespace quadrille::compiler::draw

#endif // QUADRILLE_DRAW_TEXTDIAGRAM_H
