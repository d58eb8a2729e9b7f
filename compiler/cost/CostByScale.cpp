//===- CostByScale.cpp - The cost of a case as a function of the lengths -----------------------------------------------===//

#include "CostByScale.h"

namespace quadrille::compiler {

CostByScale::CostByScale(std::int64_t unit, std::vector<Cost> known)
    : unit(unit), costs(std::move(known)), growsFrom(std::min(static_cast<size_t>(unit), costs.size())) {
  const size_t width = static_cast<size_t>(unit);
  for (size_t scale = costs.size(); scale-- > width;) {
    const Cost &from = costs[scale - width], &to = costs[scale], &most = costs[width];
    if (to.b - from.b != most.b)
      continue;
    GrowsFrom &grows = growsFrom[scale % width];
    grows.words = static_cast<std::int64_t>(scale - width);
    if (to.c - from.c == most.c)
      grows.all = grows.words;
  }
}

std::optional<CostStretch> CostByScale::at(const GrowingLengths &lengths, std::int64_t step, bool withWork) const {
  const std::int64_t scale = lengths.scale(step);
  const size_t rest = static_cast<size_t>(scale % unit);
  const GrowsFrom grows = rest < growsFrom.size() ? growsFrom[rest] : GrowsFrom();
  const std::int64_t from = withWork ? grows.all : grows.words;
  if (from < 0 || scale < from) {
    if (scale >= static_cast<std::int64_t>(costs.size()))
      return std::nullopt;
    return CostStretch{LinearCost::of(costs[static_cast<size_t>(scale)]), step};
  }
  const Cost &cost = costs[static_cast<size_t>(from)], &more = costs[static_cast<size_t>(unit)];
  const Polynomial times = Polynomial::line((lengths.first - from) / unit, lengths.width / unit);
  return CostStretch{{0, cost.a, cost.b + more.b * times, withWork ? cost.c + more.c * times : 0}, lengths.lastStep()};
}

} // namespace quadrille::compiler
