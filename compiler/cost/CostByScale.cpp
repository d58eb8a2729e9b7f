//===- CostByScale.cpp - The cost of a case as a function of the lengths -----------------------------------------------===//

#include "CostByScale.h"

#include <cassert>

namespace quadrille::compiler {

CostByScale::CostByScale(std::int64_t unit, std::vector<Cost> known)
    : unit(unit), costs(std::move(known)), growsFrom(std::min(static_cast<size_t>(unit), costs.size())) {
  assert(unit > 0 && "a block has at least one packet");
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
  assert(step >= 0 && "steps are counted from 0");
  const std::int64_t scale = lengths.scale(step);
  const size_t rest = static_cast<size_t>(scale % unit);
  const GrowsFrom grows = rest < growsFrom.size() ? growsFrom[rest] : GrowsFrom();
  const std::int64_t from = withWork ? grows.all : grows.words;
  if (from < 0 || scale < from) {
    if (scale >= static_cast<std::int64_t>(costs.size()))
      return std::nullopt;
    return CostStretch{LinearCost::of(costs[static_cast<size_t>(scale)]), step};
  }
  assert(static_cast<size_t>(unit) < costs.size() && "growth was seen in the measurements");
  const Cost &cost = costs[static_cast<size_t>(from)], &more = costs[static_cast<size_t>(unit)];
  // The cost is linear in the steps if all of them have the same remainder modulo `unit`.
  const bool isLine = lengths.width % unit == 0;
  const Polynomial times = isLine ? Polynomial::line((lengths.first - from) / unit, lengths.width / unit) : Polynomial::line((scale - from) / unit, 0);
  return CostStretch{{0, cost.a, cost.b + more.b * times, withWork ? cost.c + more.c * times : 0}, isLine ? lengths.lastStep() : step};
}

} // namespace quadrille::compiler
