//===- PlanDiagram.h - Pictures of what ranks plan to do ------------------------------------------------------------*- C++ -*-===//
//
// Operations stand in columns, by the earliest time at which they can begin.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_DRAW_PLANDIAGRAM_H
#define QUADRILLE_DRAW_PLANDIAGRAM_H

#include "Look.h"

#include "plan/RankPlan.h"
#include "scene/Scene.h"

#include "llvm/Support/raw_ostream.h"

namespace quadrille::compiler::draw {

struct PlanDiagram {
  std::string schedule; // "broadcast/pipelined_binary"
  std::string caseText; // "p = 7, k = 4, root = 0"
  std::vector<plan::RankPlan> plans;

  size_t operations() const;
  /// Columns: the latest time.
  size_t times() const;
  /// "rank 1", "ranks 0, 2, 5"; then operations, columns.
  std::string summary() const;
};

/// Boxes, and arrows from what has to be done before.
scene::Scene planScene(const PlanDiagram &diagram, const Look &look);

/// Columns beside each other, as many as fit, and what each operation waits for.
void writePlanText(const PlanDiagram &diagram, unsigned width, bool hasTitle, llvm::raw_ostream &out);

} // namespace quadrille::compiler::draw

#endif // QUADRILLE_DRAW_PLANDIAGRAM_H
