//===- CostMap.h - Which schedule is fastest where, as SVG --------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_DRAW_COSTMAP_H
#define QUADRILLE_DRAW_COSTMAP_H

#include "machines/Compare.h"

#include "llvm/Support/raw_ostream.h"

namespace quadrille::compiler::draw {

/// One of the maps beside each other: all p of one kind, so that what only some p admit does not make stripes.
struct CostPanel {
  std::string title; // "powers of two"
  Comparison comparison;
};

struct CostMap {
  std::string title, subtitle;
  std::vector<std::string> names; // of the candidates
  std::vector<CostPanel> panels;
};

/// p to the right, n upwards, both logarithmic. Regions are coloured by schedule and named in place and in a legend; lines
/// are where two schedules take equally long. For light and dark pages. No scripts, no fonts or files from elsewhere.
void writeSvg(const CostMap &map, llvm::raw_ostream &out);

} // namespace quadrille::compiler::draw

#endif // QUADRILLE_DRAW_COSTMAP_H
