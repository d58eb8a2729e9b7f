//===- Picture.cpp - Pages in all formats -----------------------------------------------------------------------------------===//

#include "Picture.h"

#include "Html.h"
#include "Render.h"
#include "Svg.h"
#include "Tikz.h"

#include "llvm/ADT/StringSwitch.h"

namespace quadrille::compiler::scene {

std::optional<PictureFormat> pictureFormat(llvm::StringRef word) {
  return llvm::StringSwitch<std::optional<PictureFormat>>(word)
      .Case("svg", PictureFormat::Svg)
      .Case("pdf", PictureFormat::Pdf)
      .Case("png", PictureFormat::Png)
      .Case("tex", PictureFormat::Tex)
      .Case("html", PictureFormat::Html)
      .Default(std::nullopt);
}

bool needsRendering(PictureFormat format) { return format == PictureFormat::Pdf || format == PictureFormat::Png; }

std::string write(const Page &page, PictureFormat format, Palette palette, std::optional<double> width, llvm::raw_ostream &out) {
  switch (format) {
  case PictureFormat::Svg:
    writeSvg(page.scene, palette, width, {}, out);
    return "";
  case PictureFormat::Tex:
    writeTikz(page.scene, palette, width, out);
    return "";
  case PictureFormat::Html:
    writeHtml(page, palette, width, out);
    return "";
  case PictureFormat::Pdf:
  case PictureFormat::Png:
    break;
  }
  std::string svg;
  llvm::raw_string_ostream svgOut(svg);
  writeSvg(page.scene, palette, width, {.follows = false}, svgOut);
  // Without a wanted width, pictures have twice the pixels in each direction, for screens with small pixels.
  return render(svg, format == PictureFormat::Pdf ? Rendering::Pdf : Rendering::Png, width ? 1 : 2, out);
}

} // namespace quadrille::compiler::scene
