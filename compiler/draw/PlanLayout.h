//===- PlanLayout.h - Where the boxes and arrows of a plan stand ----------------------------------------------------*- C++ -*-===//
//
// A layered layout (after Sugiyama, Tagawa and Toda, 1981): an arrow that passes over columns has a place of its own in each of them, so it
// runs past their boxes and not through them.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_DRAW_PLANLAYOUT_H
#define QUADRILLE_DRAW_PLANLAYOUT_H

#include "plan/RankPlan.h"

namespace quadrille::compiler::draw {

/// A box in a column, or the place where an arrow passes the column.
struct PlanNode {
  size_t operation = 0; // the operation of the box, or the one from which the arrow comes
  bool isBox = true;
  double y = 0;         // of its middle, from the top of the rank's band
};

/// The operations of one rank.
struct PlanLayout {
  std::vector<std::vector<PlanNode>> columns; // by time - 1, from top to bottom
  /// A line from a node of one column to one of the next, by indices in `columns`.
  struct Edge {
    size_t column, from, to;
  };
  std::vector<Edge> edges;
  double height = 0;
};

/// `boxHeight` and `laneHeight`: the heights of a box and of a passing arrow, including the space below.
PlanLayout layOut(const plan::RankPlan &plan, size_t times, double boxHeight, double laneHeight);

} // namespace quadrille::compiler::draw

#endif // QUADRILLE_DRAW_PLANLAYOUT_H
