//===- Render.h - Pictures as PDF and PNG --------------------------------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_SCENE_RENDER_H
#define QUADRILLE_SCENE_RENDER_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

#include <string>

namespace quadrille::compiler::scene {

enum class Rendering { Pdf, Png };

/// Rendering needs librsvg, which is loaded at the first call of a function here.
enum class RenderingSupport {
  Present,
  NotBuilt, // Quadrille was built without it
  NotFound, // it is not on this machine
};
RenderingSupport renderingSupport();

/// Writes an SVG as PDF or PNG. `scale`: pixels of the PNG per pixel of the SVG. \returns what went wrong; empty: nothing.
std::string render(llvm::StringRef svg, Rendering form, double scale, llvm::raw_ostream &out);

} // namespace quadrille::compiler::scene

#endif // QUADRILLE_SCENE_RENDER_H
