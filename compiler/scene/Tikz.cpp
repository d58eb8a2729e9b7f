//===- Tikz.cpp - Scenes for LaTeX --------------------------------------------------------------------------------------===//

#include "Tikz.h"

#include "Px.h"

#include <set>

namespace quadrille::compiler::scene {

namespace {

constexpr double pointsPerPixel = 0.75; // PDF's and CSS's points, "bp" in TeX

/// A character that TeX takes for something else, or that its usual fonts do not have, and how to write it.
struct Spelled {
  llvm::StringLiteral character, tex;
};
constexpr Spelled spelled[] = {
    {"\\", "\\textbackslash{}"}, {"{", "\\{"}, {"}", "\\}"}, {"$", "\\$"}, {"&", "\\&"}, {"#", "\\#"}, {"%", "\\%"}, {"_", "\\_"},
    {"^", "\\textasciicircum{}"}, {"~", "\\textasciitilde{}"}, {"<", "$<$"}, {">", "$>$"}, {"|", "$|$"}, {"\"", "\\textquotedbl{}"}, {"`", "\\textasciigrave{}"},
    {"→", "$\\to$"}, {"←", "$\\leftarrow$"}, {"↔", "$\\leftrightarrow$"}, {"α", "$\\alpha$"}, {"β", "$\\beta$"}, {"γ", "$\\gamma$"},
    {"·", "$\\cdot$"}, {"≤", "$\\le$"}, {"×", "$\\times$"}, {"…", "\\dots{}"}, {"–", "--"}, {"µ", "$\\mu$"}, {"*", "$*$"},
};

std::string inTex(llvm::StringRef text) {
  std::string result;
  while (!text.empty()) {
    const Spelled *found = nullptr;
    for (const Spelled &one : spelled)
      if (text.starts_with(one.character))
        found = &one;
    if (found) {
      result += found->tex;
      text = text.drop_front(found->character.size());
    } else if (text.starts_with("  ")) { // TeX would print one blank
      result += "~";
      text = text.drop_front();
    } else {
      result += text.front();
      text = text.drop_front();
    }
  }
  return result;
}

class TikzWriter {
public:
  TikzWriter(double scale, llvm::raw_ostream &out) : scale(scale), out(out) {}

  void operator()(const Line &line) {
    draw({}, line.stroke, [&] { out << at(line.from) << " -- " << at(line.to); });
  }

  void operator()(const Polygon &polygon) {
    draw(polygon.fill, polygon.stroke, [&] {
      for (const Point &corner : polygon.corners)
        out << at(corner) << " -- ";
      out << "cycle";
    });
  }

  void operator()(const Curve &curve) {
    draw({}, curve.stroke, [&] {
      Point a = curve.controls.front(), b = curve.controls.back();
      if (curve.controls.size() == 1) { // the same curve, of the third degree
        a = {(curve.from.x + 2 * a.x) / 3, (curve.from.y + 2 * a.y) / 3};
        b = {(curve.to.x + 2 * b.x) / 3, (curve.to.y + 2 * b.y) / 3};
      }
      out << at(curve.from) << " .. controls " << at(a) << " and " << at(b) << " .. " << at(curve.to);
    });
  }

  void operator()(const Polyline &line) {
    draw({}, line.stroke, [&] {
      for (const Point &point : line.points)
        out << (&point == line.points.data() ? "" : " -- ") << at(point);
    });
  }

  void operator()(const Rectangle &box) {
    const double rounding = std::min({box.rounding, box.width / 2, box.height / 2});
    draw(box.fill, box.stroke, [&] {
      if (rounding > 0)
        out << "{[rounded corners=" << pt(rounding) << "] ";
      out << at(box.corner) << " rectangle " << at({box.corner.x + box.width, box.corner.y + box.height}) << (rounding > 0 ? "}" : "");
    });
  }

  void operator()(const Circle &circle) {
    draw(circle.fill, circle.stroke, [&] { out << at(circle.centre) << " circle[radius=" << pt(circle.radius) << ']'; });
  }

  void operator()(const Text &text) {
    const char *anchor = text.anchor == Anchor::Start ? "base west" : text.anchor == Anchor::Middle ? "base" : "base east";
    out << "\\node[" << name(text.colour) << ", anchor=" << anchor << ", font=\\sffamily" << (text.bold ? "\\bfseries" : "") << "\\fontsize{"
        << Px{text.size * pointsPerPixel * scale, 100} << "bp}{" << Px{text.size * pointsPerPixel * scale * 1.2, 100} << "bp}\\selectfont";
    if (text.upwards)
      out << ", rotate=90";
    if (text.halo)
      out << ", fill=" << name(Colour::Paper) << ", fill opacity=0.75, text opacity=1, inner sep=0.6bp";
    out << "] at " << at(text.at) << " {" << inTex(text.content) << "};\n";
  }

  void operator()(const Open &group) {
    out << "\\begin{scope}";
    if (group.opacity < 1)
      out << "[transparency group, opacity=" << Px{group.opacity, 100} << ']';
    out << '\n';
  }

  void operator()(const Close &) { out << "\\end{scope}\n"; }

  /// The colours that have been used, and their names.
  void define(Palette palette, llvm::raw_ostream &to) const {
    for (const Colour &colour : colours)
      to << "\\definecolor{" << nameOf(colour) << "}{HTML}{" << llvm::StringRef(hexOf(colour, palette, false)).upper() << "}\n";
  }

private:
  struct At {
    Point point;
    friend llvm::raw_ostream &operator<<(llvm::raw_ostream &out, At at) { return out << '(' << Px{at.point.x} << ',' << Px{at.point.y} << ')'; }
  };
  static At at(Point point) { return {point}; }

  /// A length that TikZ does not scale with the units of the picture, such as a line width.
  std::string pt(double pixels) const {
    std::string text;
    llvm::raw_string_ostream(text) << Px{pixels * pointsPerPixel * scale, 100} << "bp";
    return text;
  }

  static std::string nameOf(Colour colour) {
    static constexpr const char *roles[] = {"none", "paper", "ink", "faint", "rule", "band", "muted", "idle", "alarm", "series", "tint", "ramp"};
    return std::string("quadrille-") + roles[colour.role] + (colour.role >= Colour::Series ? std::to_string(colour.index) : "");
  }
  std::string name(Colour colour) {
    colours.insert(colour);
    return nameOf(colour);
  }

  template <class Path> void draw(Colour fill, const Stroke &stroke, Path path) {
    out << "\\path[";
    if (fill)
      out << "fill=" << name(fill) << (stroke.colour ? ", " : "");
    if (stroke.colour)
      out << "draw=" << name(stroke.colour) << ", line width=" << pt(stroke.width);
    if (stroke.colour && stroke.dashed)
      out << ", dash pattern=on " << pt(3 * stroke.width) << " off " << pt(2.4 * stroke.width);
    out << "] ";
    path();
    out << ";\n";
  }

  const double scale;
  llvm::raw_ostream &out;
  std::set<Colour> colours;
};

} // namespace

void writeTikz(const Scene &scene, Palette palette, std::optional<double> width, llvm::raw_ostream &out) {
  const double scale = width ? *width / scene.width : 1, unit = pointsPerPixel * scale;
  std::string body;
  llvm::raw_string_ostream bodyOut(body);
  TikzWriter writer(scale, bodyOut);
  for (const Shape &shape : scene.shapes)
    std::visit(writer, shape);
  // If TikZ is loaded already, this is read by another document; otherwise it is a document of its own.
  out << "% " << scene.title << "\n"
      << "% A document of its own, or, where TikZ is loaded, a picture for \\input.\n"
         "\\ifdefined\\tikzpicture\\def\\quadrilleend{}\\else\n"
         "\\documentclass{article}\n"
         "\\usepackage{fix-cm}\n"
         "\\usepackage{tikz}\n"
      << "\\usepackage[paperwidth=" << Px{scene.width * unit, 1000} << "bp, paperheight=" << Px{scene.height * unit, 1000} << "bp, margin=0pt]{geometry}\n"
      << "\\pagestyle{empty}\\parindent=0pt\\topskip=0pt\\lineskip=0pt\n"
         "\\def\\quadrilleend{\\end{document}}\n"
         "\\begin{document}\n"
         "\\fi\n";
  writer.define(palette, out);
  out << "\\begin{tikzpicture}[x=" << Px{unit, 10000} << "bp, y=-" << Px{unit, 10000} << "bp, inner sep=0pt, outer sep=0pt]\n"
      << "\\path[use as bounding box] (0,0) rectangle (" << Px{scene.width} << ',' << Px{scene.height} << ");\n"
      << body << "\\end{tikzpicture}%\n\\quadrilleend\n";
}

} // namespace quadrille::compiler::scene
