//===- Svg.h - Scenes as SVG -------------------------------------------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_SCENE_SVG_H
#define QUADRILLE_SCENE_SVG_H

#include "Scene.h"

#include "llvm/Support/raw_ostream.h"

#include <optional>

namespace quadrille::compiler::scene {

/// Where an SVG is shown.
struct SvgUse {
  bool follows = true;      // colours follow the reader's choice between light and dark
  bool insideHtml = false;  // as a part of a page, whose script finds steps and texts by attributes
};

/// Writes a picture without scripts, fonts or other files. `width`: in pixels, instead of its own.
void writeSvg(const Scene &scene, Palette palette, std::optional<double> width, SvgUse use, llvm::raw_ostream &out);

/// Escapes a text for XML and HTML.
std::string escapeXml(llvm::StringRef text);

} // namespace quadrille::compiler::scene

#endif // QUADRILLE_SCENE_SVG_H
