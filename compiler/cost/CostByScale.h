//===- CostByScale.h - What a case costs, for all lengths of blocks at once ----------------------------------*- C++ -*-===//

#ifndef QUADRILLE_COST_COSTBYSCALE_H
#define QUADRILLE_COST_COSTBYSCALE_H

#include "LinearCost.h"

namespace quadrille::compiler {

/// The synchronous cost of one case where n and all entries of tables are the same multiple of given lengths, the scale, as a
/// function of the scale.
///
/// The smallest packets of a block are `unit` nearly equal ones. At the scale unit*w + r they are by w elements longer than at r,
/// or by w times what a table says. So from w to w + 1 a message grows by as much as its packets are long at the scale `unit`;
/// the longest message of a round by no less than from w - 1 to w, as a longer one takes its place only if it grows faster; and
/// in the end by the most of any message, which is what the round costs at the scale `unit`. Hence a cost that grows that
/// much once grows that much for ever.
class CostByScale {
public:
  /// `costs`: at the scales 0, 1, 2, ...; twice `unit` of them tell all, in most cases.
  CostByScale(std::int64_t unit, std::vector<Cost> costs);

  const std::int64_t unit;

  /// The cost from a step on, without operator applications unless these are wanted; nothing if it is not known there. The
  /// width of the steps is a multiple of the unit.
  std::optional<FormulaStretch> at(const GrowingLengths &lengths, std::int64_t step, bool withWork) const;

private:
  std::vector<Cost> costs;
  /// Of each rest modulo the unit: the scale from which on words, and operator applications as well, grow for ever.
  struct GrowsFrom {
    std::int64_t words = -1, all = -1; // -1: not known
  };
  std::vector<GrowsFrom> growsFrom;
};

} // namespace quadrille::compiler

#endif // QUADRILLE_COST_COSTBYSCALE_H
