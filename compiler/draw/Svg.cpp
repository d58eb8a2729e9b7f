//===- Svg.cpp - Common parts of SVG pictures ---------------------------------------------------------------------===//

#include "Svg.h"

#include "llvm/ADT/StringExtras.h"

#include <cmath>

namespace quadrille::compiler::draw {

llvm::raw_ostream &operator<<(llvm::raw_ostream &out, Px px) {
  long tenths = std::lround(px.value * 10);
  if (tenths < 0)
    out << '-';
  out << std::labs(tenths) / 10;
  if (tenths % 10)
    out << '.' << std::labs(tenths) % 10;
  return out;
}

std::string escapeXml(llvm::StringRef text) {
  std::string result;
  llvm::raw_string_ostream out(result);
  llvm::printHTMLEscaped(text, out);
  return result;
}

double textWidth(llvm::StringRef text, double size) {
  double ems = 0;
  for (char c : text)
    if ((c & 0xC0) != 0x80)
      ems += llvm::StringRef(".,:[]()il ").contains(c) ? 0.36 : c == 'm' || c == 'w' ? 0.9 : 0.64;
  return ems * size;
}

void openSvg(llvm::raw_ostream &out, double width, double height, llvm::StringRef title, llvm::StringRef description) {
  out << "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" << Px{width} << "\" height=\"" << Px{height}
      << "\" viewBox=\"0 0 " << Px{width} << ' ' << Px{height}
      << "\" role=\"img\" font-family=\"Inter, 'Helvetica Neue', Helvetica, Arial, 'DejaVu Sans', sans-serif\">\n";
  out << "<title>" << escapeXml(title) << "</title>\n";
  out << "<desc>" << escapeXml(description) << "</desc>\n";
  out << "<rect width=\"" << Px{width} << "\" height=\"" << Px{height} << "\" fill=\"#ffffff\"/>\n";
}

void writeText(llvm::raw_ostream &out, double x, double y, double size, llvm::StringRef colour, llvm::StringRef anchor,
               llvm::StringRef content, llvm::StringRef weight) {
  out << "<text x=\"" << Px{x} << "\" y=\"" << Px{y} << "\" font-size=\"" << Px{size} << "\" fill=\"" << colour << '"';
  if (anchor != "start")
    out << " text-anchor=\"" << anchor << '"';
  if (!weight.empty())
    out << " font-weight=\"" << weight << '"';
  out << '>' << escapeXml(content) << "</text>\n";
}

} // namespace quadrille::compiler::draw
