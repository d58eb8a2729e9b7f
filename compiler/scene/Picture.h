//===- Picture.h - Pages in all formats ------------------------------------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_SCENE_PICTURE_H
#define QUADRILLE_SCENE_PICTURE_H

#include "Page.h"

#include "llvm/Support/raw_ostream.h"

#include <optional>

namespace quadrille::compiler::scene {

enum class PictureFormat { Svg, Pdf, Png, Tex, Html };

/// By a word, "svg", which is also the ending of a file.
std::optional<PictureFormat> pictureFormat(llvm::StringRef word);

/// Whether it is made of the SVG by what Render.h has.
bool needsRendering(PictureFormat format);

/// `width`: in pixels, instead of the picture's own. \returns what went wrong; empty: nothing.
std::string write(const Page &page, PictureFormat format, Palette palette, std::optional<double> width, llvm::raw_ostream &out);

} // namespace quadrille::compiler::scene

#endif // QUADRILLE_SCENE_PICTURE_H
