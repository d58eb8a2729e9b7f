//===- Svg.cpp - Scenes as SVG --------------------------------------------------------------------------------------------===//

#include "Svg.h"

#include "Px.h"

#include "llvm/ADT/StringExtras.h"

#include <map>

namespace quadrille::compiler::scene {

std::string escapeXml(llvm::StringRef text) {
  std::string result;
  llvm::raw_string_ostream out(result);
  llvm::printHTMLEscaped(text, out);
  return result;
}

namespace {

/// Attributes have the colours of a light page, for whoever reads no styles; classes replace them on a dark one.
class SvgWriter {
public:
  SvgWriter(Palette palette, SvgUse use, llvm::raw_ostream &out) : palette(palette), use(use), out(out) {}

  void operator()(const Line &line) {
    out << "<line x1=\"" << Px{line.from.x} << "\" y1=\"" << Px{line.from.y} << "\" x2=\"" << Px{line.to.x} << "\" y2=\"" << Px{line.to.y} << '"';
    paint({}, line.stroke);
    out << "/>\n";
  }

  void operator()(const Polygon &polygon) {
    out << "<polygon points=\"";
    for (const Point &corner : polygon.corners)
      out << (&corner == polygon.corners.data() ? "" : " ") << Px{corner.x} << ',' << Px{corner.y};
    out << '"';
    paint(polygon.fill, polygon.stroke);
    out << "/>\n";
  }

  void operator()(const Curve &curve) {
    out << "<path d=\"M" << Px{curve.from.x} << ' ' << Px{curve.from.y} << (curve.controls.size() == 1 ? " Q" : " C");
    for (const Point &control : curve.controls)
      out << Px{control.x} << ' ' << Px{control.y} << ' ';
    out << Px{curve.to.x} << ' ' << Px{curve.to.y} << '"';
    paint({}, curve.stroke);
    out << "/>\n";
  }

  void operator()(const Polyline &line) {
    out << "<polyline points=\"";
    for (const Point &point : line.points)
      out << (&point == line.points.data() ? "" : " ") << Px{point.x} << ',' << Px{point.y};
    out << "\" stroke-linejoin=\"round\"";
    paint({}, line.stroke);
    out << "/>\n";
  }

  void operator()(const Rectangle &box) {
    out << "<rect x=\"" << Px{box.corner.x} << "\" y=\"" << Px{box.corner.y} << "\" width=\"" << Px{box.width} << "\" height=\"" << Px{box.height} << '"';
    if (box.rounding > 0)
      out << " rx=\"" << Px{box.rounding} << '"';
    paint(box.fill, box.stroke);
    out << "/>\n";
  }

  void operator()(const Circle &circle) {
    out << "<circle cx=\"" << Px{circle.centre.x} << "\" cy=\"" << Px{circle.centre.y} << "\" r=\"" << Px{circle.radius} << '"';
    paint(circle.fill, circle.stroke);
    out << "/>\n";
  }

  void operator()(const Text &text) {
    out << "<text x=\"" << Px{text.at.x} << "\" y=\"" << Px{text.at.y} << "\" font-size=\"" << Px{text.size} << '"';
    if (text.anchor != Anchor::Start)
      out << " text-anchor=\"" << (text.anchor == Anchor::Middle ? "middle" : "end") << '"';
    if (text.bold)
      out << " font-weight=\"600\"";
    if (text.upwards)
      out << " transform=\"rotate(-90 " << Px{text.at.x} << ' ' << Px{text.at.y} << ")\"";
    if (text.halo)
      out << " paint-order=\"stroke\" stroke-linejoin=\"round\"";
    paint(text.colour, text.halo ? Stroke{Colour::Paper, 3} : Stroke{});
    out << '>' << escapeXml(text.content) << "</text>\n";
  }

  void operator()(const Open &group) {
    out << "<g";
    if (use.insideHtml && group.step != Open::always)
      out << " data-step=\"" << group.step << '"';
    if (use.insideHtml && !group.hover.empty())
      out << " data-hover=\"" << escapeXml(group.hover) << "\" tabindex=\"-1\"";
    if (group.opacity < 1)
      out << " opacity=\"" << Px{group.opacity, 100} << '"';
    out << ">\n";
    if (!use.insideHtml && !group.hover.empty())
      out << "<title>" << escapeXml(group.hover) << "</title>\n";
  }

  void operator()(const Close &) { out << "</g>\n"; }

  /// What replaces the colours on a dark page.
  std::string darkStyle() const {
    std::string style;
    for (const auto &[colour, name] : classes) {
      const std::string hex = "#" + hexOf(colour, palette, /*isDark=*/true);
      style += ".f" + name + "{fill:" + hex + "}.s" + name + "{stroke:" + hex + "}\n";
    }
    return style;
  }

private:
  void paint(Colour fill, const Stroke &stroke) {
    std::string names;
    const auto set = [&](const char *attribute, const char *prefix, Colour colour) {
      out << ' ' << attribute << "=\"#" << hexOf(colour, palette, /*isDark=*/false) << '"';
      const auto [entry, isNew] = classes.try_emplace(colour, std::to_string(classes.size()));
      names += (names.empty() ? "" : " ") + std::string(prefix) + entry->second;
    };
    if (fill)
      set("fill", "f", fill);
    else if (stroke.colour)
      out << " fill=\"none\"";
    if (stroke.colour) {
      set("stroke", "s", stroke.colour);
      out << " stroke-width=\"" << Px{stroke.width} << '"';
      if (stroke.dashed)
        out << " stroke-dasharray=\"" << Px{3 * stroke.width} << ' ' << Px{2.4 * stroke.width} << '"';
    }
    if (use.follows && !names.empty())
      out << " class=\"" << names << '"';
  }

  const Palette palette;
  const SvgUse use;
  llvm::raw_ostream &out;
  std::map<Colour, std::string> classes;
};

} // namespace

void writeSvg(const Scene &scene, Palette palette, std::optional<double> width, SvgUse use, llvm::raw_ostream &out) {
  std::string body;
  llvm::raw_string_ostream bodyOut(body);
  SvgWriter writer(palette, use, bodyOut);
  writer(Rectangle{{}, scene.width, scene.height, 0, Colour::Paper, {}});
  for (const Shape &shape : scene.shapes)
    std::visit(writer, shape);
  const double scale = width ? *width / scene.width : 1;
  out << "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" << Px{scene.width * scale} << "\" height=\"" << Px{scene.height * scale}
      << "\" viewBox=\"0 0 " << Px{scene.width} << ' ' << Px{scene.height}
      << "\" role=\"img\" font-family=\"Inter, 'Helvetica Neue', Helvetica, Arial, 'DejaVu Sans', sans-serif\">\n";
  out << "<title>" << escapeXml(scene.title) << "</title>\n";
  out << "<desc>" << escapeXml(scene.description) << "</desc>\n";
  if (use.follows)
    out << "<style>@media (prefers-color-scheme: dark) {\n" << writer.darkStyle() << "}</style>\n";
  out << body << "</svg>\n";
}

} // namespace quadrille::compiler::scene
