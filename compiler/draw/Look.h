//===- Look.h - Which part of a picture is wanted, and how wide -------------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_DRAW_LOOK_H
#define QUADRILLE_DRAW_LOOK_H

#include <cstdint>
#include <optional>

namespace quadrille::compiler::draw {

/// The numbers first .. last, both included.
struct NumberRange {
  std::uint32_t first = 0, last = UINT32_MAX;
  bool contains(std::uint32_t number) const { return first <= number && number <= last; }
};

struct Look {
  bool title = true;
  std::optional<double> width; // in pixels; a longer picture goes on below
  std::optional<NumberRange> rounds, ranks;

  bool showsRound(std::uint32_t number) const { return !rounds || rounds->contains(number); }
};

} // namespace quadrille::compiler::draw

#endif // QUADRILLE_DRAW_LOOK_H
