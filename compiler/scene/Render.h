//===- Render.h - Pictures as PDF and PNG --------------------------------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_SCENE_RENDER_H
#define QUADRILLE_SCENE_RENDER_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

#include <string>

namespace quadrille::compiler::scene {

enum class Rendering { Pdf, Png };

/// Whether Quadrille was built with librsvg, which does it.
bool canRender();

/// Writes an SVG in another form. `scale`: pixels of a PNG for one of the SVG. \returns what went wrong; empty: nothing.
std::string render(llvm::StringRef svg, Rendering form, double scale, llvm::raw_ostream &out);

} // namespace quadrille::compiler::scene

#endif // QUADRILLE_SCENE_RENDER_H
