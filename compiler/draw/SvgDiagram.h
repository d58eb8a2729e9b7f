//===- SvgDiagram.h - A space-time diagram as SVG -----------------------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_DRAW_SVGDIAGRAM_H
#define QUADRILLE_DRAW_SVGDIAGRAM_H

#include "Diagram.h"

#include "llvm/Support/raw_ostream.h"

namespace quadrille::compiler::draw {

/// Writes the diagram: ranks are horizontal lines, rounds are columns. A message is an arrow from the sender's line to the
/// receiver's, and begins with a tag that names its data. The file uses no scripts, fonts or other files.
void writeSvg(const Diagram &diagram, llvm::raw_ostream &out);

} // namespace quadrille::compiler::draw

#endif // QUADRILLE_DRAW_SVGDIAGRAM_H
