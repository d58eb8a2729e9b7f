//===- Svg.h - What all pictures share -----------------------------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_DRAW_SVG_H
#define QUADRILLE_DRAW_SVG_H

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>
#include <iterator>
#include <string>

namespace quadrille::draw {

// Okabe and Ito, Color Universal Design, 2008, without yellow, which a white page swallows; three dark colours added. Their
// number is odd, so that hues a power of two apart differ.
inline constexpr const char *palette[] = {"#0072b2", "#d55e00", "#009e73", "#b5528c", "#d98e04", "#3f9fd8", "#882255", "#5b6670", "#6b7a12"};
inline constexpr size_t paletteSize = std::size(palette);

inline const char *seriesColour(size_t i) { return palette[i % paletteSize]; }

/// In tenths of a pixel, so that the bytes do not depend on how a machine prints fractions.
struct Px {
  double value;
};
inline llvm::raw_ostream &operator<<(llvm::raw_ostream &out, Px px) {
  long tenths = std::lround(px.value * 10);
  if (tenths < 0)
    out << '-';
  out << std::labs(tenths) / 10;
  if (tenths % 10)
    out << '.' << std::labs(tenths) % 10;
  return out;
}

inline std::string escape(llvm::StringRef text) {
  std::string result;
  llvm::raw_string_ostream out(result);
  llvm::printHTMLEscaped(text, out);
  return result;
}

/// A generous guess at the width of text in whatever sans-serif font the reader has.
inline double textWidth(llvm::StringRef text, double size) {
  double ems = 0;
  for (char c : text)
    if ((c & 0xC0) != 0x80)
      ems += llvm::StringRef(".,:[]()il ").contains(c) ? 0.36 : c == 'm' || c == 'w' ? 0.9 : 0.64;
  return ems * size;
}

} // namespace quadrille::draw

#endif // QUADRILLE_DRAW_SVG_H
