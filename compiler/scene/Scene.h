//===- Scene.h - A picture, before it has a format ------------------------------------------------------------*- C++ -*-===//
//
// What is drawn, with all positions in pixels of 1/96 inch, y downwards. Who makes a scene knows nothing of formats, and who writes
// one (Svg.h, Tikz.h, Html.h) nothing of what it shows.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_SCENE_SCENE_H
#define QUADRILLE_SCENE_SCENE_H

#include "Colour.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <string>
#include <variant>
#include <vector>

namespace quadrille::compiler::scene {

struct Point {
  double x = 0, y = 0;
};

struct Stroke {
  Colour colour = Colour::None;
  double width = 1;
  bool dashed = false;
};

struct Line {
  Point from, to;
  Stroke stroke;
};

struct Polygon {
  std::vector<Point> corners;
  Colour fill;
  Stroke stroke;
};

/// A Bézier curve: of the second degree with one control point, of the third with two.
struct Curve {
  Point from, to;
  std::vector<Point> controls;
  Stroke stroke;
};

/// A line through points.
struct Polyline {
  std::vector<Point> points;
  Stroke stroke;
};

struct Rectangle {
  Point corner; // upper left
  double width = 0, height = 0;
  double rounding = 0; // radius of the corners
  Colour fill;
  Stroke stroke;
};

struct Circle {
  Point centre;
  double radius = 0;
  Colour fill;
  Stroke stroke;
};

enum class Anchor { Start, Middle, End };

/// One line of UTF-8.
struct Text {
  Point at; // of the anchor, on the base line
  double size = 12;
  Colour colour;
  Anchor anchor = Anchor::Start;
  std::string content;
  bool bold = false;
  bool halo = false;    // a rim in the colour of the page, so that it can be read over lines
  bool upwards = false; // turned by 90 degrees, around the anchor
};

/// Begins a group of shapes, which ends with the matching Close. Groups nest.
struct Open {
  static constexpr int always = -1;
  int step = always; // the step that the group belongs to, for formats that show steps one after the other
  std::string hover = {}; // the text that is shown when the reader points at it
  double opacity = 1; // of the group as a whole
};
struct Close {};

using Shape = std::variant<Line, Polygon, Curve, Polyline, Rectangle, Circle, Text, Open, Close>;

struct Scene {
  double width = 0, height = 0;
  std::string title, description; // for those who cannot see it
  std::vector<Shape> shapes;      // later ones lie above earlier ones

  template <class Any> void add(const Any &shape) { shapes.emplace_back(std::in_place_type<Any>, shape); }
  void text(double x, double y, double size, Colour colour, Anchor anchor, llvm::StringRef content, bool bold = false) {
    add(Text{{x, y}, size, colour, anchor, content.str(), bold});
  }
  /// A triangle that points from one place to another, with its tip at the latter.
  void head(Point from, Point tip, double length, double width, Colour fill);
};

/// An upper estimate of the width of a text in a sans-serif font.
double textWidth(llvm::StringRef text, double size);

/// The text, with its end cut off if it would be wider than `width`.
std::string shortened(llvm::StringRef text, double size, double width);

} // namespace quadrille::compiler::scene

#endif // QUADRILLE_SCENE_SCENE_H
