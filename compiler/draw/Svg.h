//===- Svg.h - Common parts of SVG pictures ----------------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_DRAW_SVG_H
#define QUADRILLE_DRAW_SVG_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

#include <iterator>
#include <string>

namespace quadrille::compiler::draw {

// Okabe and Ito, Color Universal Design, 2008, without yellow, which is hard to see on white, and with three dark colours added.
// Their number is odd, so that hues whose distance is a power of two differ.
inline constexpr const char *palette[] = {"#0072b2", "#d55e00", "#009e73", "#b5528c", "#d98e04", "#3f9fd8", "#882255", "#5b6670", "#6b7a12"};
inline constexpr size_t paletteSize = std::size(palette);

inline const char *seriesColour(size_t i) { return palette[i % paletteSize]; }

constexpr const char *ink = "#1f2328", *faint = "#59636e";

/// A length in pixels, written with one digit after the point, so that files do not depend on how a machine prints fractions.
struct Px {
  double value;
};
llvm::raw_ostream &operator<<(llvm::raw_ostream &out, Px px);

std::string escapeXml(llvm::StringRef text);

/// An upper estimate of the width of a text in a sans-serif font.
double textWidth(llvm::StringRef text, double size);

/// Writes the beginning of a picture with a white background, readable on dark pages, too. The caller writes `</svg>`.
void openSvg(llvm::raw_ostream &out, double width, double height, llvm::StringRef title, llvm::StringRef description);

/// `anchor`: "start", "middle" or "end", as in SVG.
void writeText(llvm::raw_ostream &out, double x, double y, double size, llvm::StringRef colour, llvm::StringRef anchor,
               llvm::StringRef content, llvm::StringRef weight = "");

} // namespace quadrille::compiler::draw

#endif // QUADRILLE_DRAW_SVG_H
