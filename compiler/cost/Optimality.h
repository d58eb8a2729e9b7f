//===- Optimality.h - Does a cost equal its lower bound? ---------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_COST_OPTIMALITY_H
#define QUADRILLE_COST_OPTIMALITY_H

#include "CostFormulas.h"
#include "LowerBounds.h"

namespace quadrille::compiler {

enum class Optimality {
  Proved,         // the formulas are equal for all p that the schedule admits
  ButForRounding, // equal for all p if all divisions of lengths have no remainder
  No,             // there are p at which they differ
  Unknown,
};

/// Compares a cost with its bound, both as formulas in p, n, root, k.
Optimality optimality(const Formula &cost, const Formula &bound, const FormulaFacts &facts);

} // namespace quadrille::compiler

#endif // QUADRILLE_COST_OPTIMALITY_H
