//===- Scene.cpp - A picture, before it has a format -------------------------------------------------------------------===//

#include "Scene.h"

#include <algorithm>
#include <cmath>

namespace quadrille::compiler::scene {

void Scene::head(Point from, Point tip, double length, double width, Colour fill) {
  const double distance = std::max(1e-6, std::hypot(tip.x - from.x, tip.y - from.y));
  const double dx = (tip.x - from.x) / distance, dy = (tip.y - from.y) / distance;
  const Point base{tip.x - length * dx, tip.y - length * dy};
  const double wx = -dy * width / 2, wy = dx * width / 2;
  add(Polygon{{tip, {base.x + wx, base.y + wy}, {base.x - wx, base.y - wy}}, fill, {}});
}

double textWidth(llvm::StringRef text, double size) {
  double ems = 0;
  for (char c : text)
    if ((c & 0xC0) != 0x80)
      ems += llvm::StringRef(".,:[]()il ").contains(c) ? 0.36 : c == 'm' || c == 'w' ? 0.9 : 0.64;
  return ems * size;
}

std::string shortened(llvm::StringRef text, double size, double width) {
  std::string result = text.str();
  while (textWidth(result, size) > width && result.size() > 8) {
    result.resize(result.size() - 4);
    while (!result.empty() && (result.back() & 0x80)) // not within a character
      result.pop_back();
    result += "...";
  }
  return result;
}

} // namespace quadrille::compiler::scene
