//===- SvgDiagram.h - A space-time diagram as SVG -----------------------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_DRAW_SVGDIAGRAM_H
#define QUADRILLE_DRAW_SVGDIAGRAM_H

#include "Diagram.h"

#include "llvm/Support/raw_ostream.h"

namespace quadrille::compiler::draw {

/// Ranks are horizontal lines, rounds are columns. A message starts at its sender's line with a tag that says what it
/// carries, and its arrow crosses the column to the receiver's line. No scripts, no fonts or files from elsewhere.
void writeSvg(const Diagram &diagram, llvm::raw_ostream &out);

} // namespace quadrille::compiler::draw

#endif // QUADRILLE_DRAW_SVGDIAGRAM_H
