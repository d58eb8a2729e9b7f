//===- CostMap.h - A map of the fastest schedule for each p and n, as a scene -----------------------------*- C++ -*-===//

#ifndef QUADRILLE_DRAW_COSTMAP_H
#define QUADRILLE_DRAW_COSTMAP_H

#include "Look.h"

#include "machines/Compare.h"
#include "scene/Scene.h"

namespace quadrille::compiler::draw {

/// One of several maps side by side. Each shows one kind of p; otherwise a schedule that admits only some p would make stripes.
struct CostPanel {
  std::string title; // "powers of two"
  Comparison comparison;
};

struct CostMap {
  std::string title, subtitle;
  std::string vertical = "n, elements per block"; // what is upwards
  std::vector<std::string> names; // of the candidates
  std::vector<CostPanel> panels;
};

/// p to the right, n upwards, both logarithmic. Regions are coloured by schedule, with names in place and in a legend. Lines separate
/// regions, where two schedules take equally long.
scene::Scene mapScene(const CostMap &map, const Look &look);

} // namespace quadrille::compiler::draw

#endif // QUADRILLE_DRAW_COSTMAP_H
