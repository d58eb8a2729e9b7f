//===- Scale.h - The scale of an axis -------------------------------------------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_DRAW_SCALE_H
#define QUADRILLE_DRAW_SCALE_H

#include <string>
#include <vector>

namespace quadrille::compiler::draw {

/// A scale from the pixel `from` to the pixel `to`.
struct Scale {
  double least, most, from, to;
  bool isLogarithmic = false, isTime = false;

  double at(double value) const;
  /// Round numbers on the scale, so far apart that each has `each` pixels for its text.
  std::vector<double> ticks(double each) const;
  std::string text(double tick) const;
};

} // namespace quadrille::compiler::draw

#endif // QUADRILLE_DRAW_SCALE_H
