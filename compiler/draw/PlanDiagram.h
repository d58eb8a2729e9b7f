//===- PlanDiagram.h - Pictures of what ranks plan to do ------------------------------------------------------------*- C++ -*-===//
//
// Operations stand in columns, ordered by the earliest time at which they can begin.
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
  /// The number of columns, that is, of times.
  size_t times() const;
  /// "rank 1", "ranks 0, 2, 5"; then operations, columns.
  std::string summary() const;
};

/// Operations are boxes; an arrow leads from each operation to those that wait for it.
scene::Scene planScene(const PlanDiagram &diagram, const Look &look);

/// Writes the plans as text, as many columns beside each other as fit, and for each operation those that it waits for.
void writePlanText(const PlanDiagram &diagram, unsigned width, bool hasTitle, llvm::raw_ostream &out);

} // namespace quadrille::compiler::draw

#endif // QUADRILLE_DRAW_PLANDIAGRAM_H
