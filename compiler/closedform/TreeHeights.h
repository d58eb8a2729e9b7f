//===- TreeHeights.h - The heights of the trees of a schedule ------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_CLOSEDFORM_TREEHEIGHTS_H
#define QUADRILLE_CLOSEDFORM_TREEHEIGHTS_H

#include "ClosedForms.h"

namespace quadrille::compiler {

/// The height of a tree as a function of p: the number of edges of its longest path from the root to a leaf.
struct TreeHeight {
  std::string tree; // "inorder(0 ..< p, root)"
  CostFactor height;
};

/// The heights of the trees that top-level `let`s of the schedule define, in their order. A height is an exact formula, or a bound
/// in logarithms of p, that holds in the small cases. Trees with neither are left out.
std::vector<TreeHeight> treeHeights(const ir::Schedule &schedule, const CostSamples &samples);

} // namespace quadrille::compiler

#endif // QUADRILLE_CLOSEDFORM_TREEHEIGHTS_H
