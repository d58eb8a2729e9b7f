//===- CostByScale.h - The cost of a case as a function of the lengths ----------------------------------*- C++ -*-===//

#ifndef QUADRILLE_COST_COSTBYSCALE_H
#define QUADRILLE_COST_COSTBYSCALE_H

#include "LinearCost.h"

namespace quadrille::compiler {

/// The synchronous cost of one case when n and all entries of tables are multiplied by the same number, the scale.
///
/// A block has at most `unit` packets, nearly equal in length. Every packet at the scale unit*(w + 1) + r is longer than at
/// unit*w + r by a fixed number of elements, so a message grows by the same amount with every w: by its length at the scale
/// `unit`. The longest message of a round grows by ever larger amounts (a maximum of linear functions is convex) and finally by
/// the largest amount of any message, which is the cost of the round at the scale `unit`. Hence a cost that has grown by that
/// amount once grows by it at every later step.
class CostByScale {
public:
  /// `costs`: measured at the scales 0, 1, 2, ... In most cases 2*unit of them determine all others.
  CostByScale(std::int64_t unit, std::vector<Cost> costs);

  const std::int64_t unit;

  /// The cost from `step` on; nothing if the measurements do not determine it. `withWork`: including operator applications. If the
  /// lengths grow by a width that `unit` does not divide, the result holds for this step only.
  std::optional<CostStretch> at(const GrowingLengths &lengths, std::int64_t step, bool withWork) const;

private:
  std::vector<Cost> costs;
  /// For each remainder modulo `unit`: the scale from which on the words (`words`), or words and operator applications (`all`), grow
  /// linearly.
  struct GrowsFrom {
    std::int64_t words = -1, all = -1; // -1: not reached by the measurements
  };
  std::vector<GrowsFrom> growsFrom;
};

} // namespace quadrille::compiler

#endif // QUADRILLE_COST_COSTBYSCALE_H
