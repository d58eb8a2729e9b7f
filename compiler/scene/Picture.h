//===- Picture.h - Pages in all formats ------------------------------------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_SCENE_PICTURE_H
#define QUADRILLE_SCENE_PICTURE_H

#include "Page.h"

#include "llvm/Support/raw_ostream.h"

#include <optional>

namespace quadrille::compiler::scene {

enum class PictureFormat { Svg, Pdf, Png, Tex, Html };

/// The format with this name, such as "svg", which is also the extension of its files.
std::optional<PictureFormat> pictureFormat(llvm::StringRef word);

/// Whether the format is made from SVG by Render.h.
bool needsRendering(PictureFormat format);

/// `width`: in pixels, instead of the picture's own. \returns what went wrong; empty: nothing.
std::string write(const Page &page, PictureFormat format, Palette palette, std::optional<double> width, llvm::raw_ostream &out);

} // namespace quadrille::compiler::scene

#endif // QUADRILLE_SCENE_PICTURE_H
