//===- Look.h - What of a picture is wanted ---------------------------------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_DRAW_LOOK_H
#define QUADRILLE_DRAW_LOOK_H

#include <cstdint>
#include <optional>

namespace quadrille::compiler::draw {

/// Both ends are in it.
struct Interval {
  std::uint32_t first = 0, last = UINT32_MAX;
  bool contains(std::uint32_t number) const { return first <= number && number <= last; }
};

struct Look {
  bool title = true;
  std::optional<double> width; // pixels; what is longer goes on below
  std::optional<Interval> rounds, ranks;

  bool showsRound(std::uint32_t number) const { return !rounds || rounds->contains(number); }
};

} // namespace quadrille::compiler::draw

#endif // QUADRILLE_DRAW_LOOK_H
