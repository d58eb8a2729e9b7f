//===- PlanLayout.h - Where the boxes and arrows of a plan stand ----------------------------------------------------*- C++ -*-===//
//
// In layers: an arrow that passes over columns has a place of its own in each of them, so that it runs past their boxes and not
// through them (after Sugiyama, Tagawa and Toda, 1981).
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_DRAW_PLANLAYOUT_H
#define QUADRILLE_DRAW_PLANLAYOUT_H

#include "plan/RankPlan.h"

namespace quadrille::compiler::draw {

/// A box of a column, or where an arrow passes it.
struct PlanNode {
  size_t operation = 0; // whose box it is, or from whose box the arrow comes
  bool isBox = true;
  double y = 0;         // of its middle, from the top of the rank's band
};

/// The operations of one rank.
struct PlanLayout {
  std::vector<std::vector<PlanNode>> columns; // by time - 1, from top to bottom
  /// From a node of one column to one of the next: places in `columns`.
  struct Edge {
    size_t column, from, to;
  };
  std::vector<Edge> edges;
  double height = 0;
};

/// `boxHeight` and `laneHeight`: what a box and an arrow that passes take, with the space below.
PlanLayout layOut(const plan::RankPlan &plan, size_t times, double boxHeight, double laneHeight);

} // namespace quadrille::compiler::draw

#endif // QUADRILLE_DRAW_PLANLAYOUT_H
