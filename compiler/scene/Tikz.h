//===- Tikz.h - Scenes for LaTeX ------------------------------------------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_SCENE_TIKZ_H
#define QUADRILLE_SCENE_TIKZ_H

#include "Scene.h"

#include "llvm/Support/raw_ostream.h"

#include <optional>

namespace quadrille::compiler::scene {

/// Writes a document of one page, as large as the picture, for pdfLaTeX, LuaLaTeX and XeLaTeX. \input into a document that has loaded
/// TikZ it is the picture alone. `width`: in pixels, instead of the scene's own.
void writeTikz(const Scene &scene, Palette palette, std::optional<double> width, llvm::raw_ostream &out);

} // namespace quadrille::compiler::scene

#endif // QUADRILLE_SCENE_TIKZ_H
