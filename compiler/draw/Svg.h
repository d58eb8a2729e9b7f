//===- Svg.h - What all pictures in SVG have in common ----------------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_DRAW_SVG_H
#define QUADRILLE_DRAW_SVG_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

#include <iterator>
#include <string>

namespace quadrille::compiler::draw {

// Okabe and Ito, Color Universal Design, 2008, without yellow, which a white page swallows; three dark colours added. Their
// number is odd, so that hues a power of two apart differ.
inline constexpr const char *palette[] = {"#0072b2", "#d55e00", "#009e73", "#b5528c", "#d98e04", "#3f9fd8", "#882255", "#5b6670", "#6b7a12"};
inline constexpr size_t paletteSize = std::size(palette);

inline const char *seriesColour(size_t i) { return palette[i % paletteSize]; }

constexpr const char *ink = "#1f2328", *faint = "#59636e";

/// In tenths of a pixel, so that the bytes do not depend on how a machine prints fractions.
struct Px {
  double value;
};
llvm::raw_ostream &operator<<(llvm::raw_ostream &out, Px px);

std::string escapeXml(llvm::StringRef text);

/// A generous guess at the width of text in whatever sans-serif font the reader has.
double textWidth(llvm::StringRef text, double size);

/// The head of a picture on a white page, which stays readable where pages are dark. Whoever opens it writes `</svg>`.
void openSvg(llvm::raw_ostream &out, double width, double height, llvm::StringRef title, llvm::StringRef description);

/// `anchor`: start, middle, end.
void writeText(llvm::raw_ostream &out, double x, double y, double size, llvm::StringRef colour, llvm::StringRef anchor,
               llvm::StringRef content, llvm::StringRef weight = "");

} // namespace quadrille::compiler::draw

#endif // QUADRILLE_DRAW_SVG_H
