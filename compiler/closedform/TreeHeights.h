//===- TreeHeights.h - How high the trees of a schedule are ------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_CLOSEDFORM_TREEHEIGHTS_H
#define QUADRILLE_CLOSEDFORM_TREEHEIGHTS_H

#include "ClosedForms.h"

namespace quadrille::compiler {

/// The height of a tree, in p: the edges of its longest path from the root to a leaf.
struct TreeHeight {
  std::string tree; // "inorder(0 ..< p, root)"
  CostFactor height;
};

/// Of the trees that `let`s at the top level of the schedule define, in their order: an exact formula or a bound in
/// logarithms of p that the small cases agree with; those without either are left out.
std::vector<TreeHeight> treeHeights(const ir::Schedule &schedule, const CostSamples &samples);

} // namespace quadrille::compiler

#endif // QUADRILLE_CLOSEDFORM_TREEHEIGHTS_H
