//===- CostMap.h - A map of the fastest schedule for each p and n, as a scene -----------------------------*- C++ -*-===//

#ifndef QUADRILLE_DRAW_COSTMAP_H
#define QUADRILLE_DRAW_COSTMAP_H

#include "Look.h"

#include "machines/Compare.h"
#include "scene/Scene.h"

namespace quadrille::compiler::draw {

/// One of several maps side by side. Each shows one kind of p: on one map, a schedule that admits only some p would make stripes.
struct CostPanel {
  std::string title; // "powers of two"
  Comparison comparison;
};

struct CostMap {
  std::string title, subtitle;
  std::string vertical = "n, elements per block"; // the name of the vertical axis
  std::vector<std::string> names; // of the candidates
  std::vector<CostPanel> panels;
};

/// p runs to the right and n upwards, both logarithmic. A region has the colour and the name of its schedule; a legend has all names. On the
/// lines between regions two schedules take equally long.
scene::Scene mapScene(const CostMap &map, const Look &look);

} // namespace quadrille::compiler::draw

#endif // QUADRILLE_DRAW_COSTMAP_H
