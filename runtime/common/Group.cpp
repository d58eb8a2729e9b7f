//===- Group.cpp - The ranks of a schedule --------------------------------===//

#include "quadrille/group.h"

#include <algorithm>

using namespace quadrille;

Group Group::of(std::vector<Index> ranks, Index me) {
  const auto at = std::find(ranks.begin(), ranks.end(), me);
  Group result(static_cast<Index>(ranks.size()),
               at == ranks.end() ? none : static_cast<Index>(at - ranks.begin()));
  result.table_ = std::make_shared<const std::vector<Index>>(std::move(ranks));
  return result;
}

Group Group::among(std::vector<Index> ranks) const {
  // Find the caller by its rank in this group, before ranks are translated.
  const auto me = rank_ == none ? ranks.end()
                                : std::find(ranks.begin(), ranks.end(), rank_);
  Group result(static_cast<Index>(ranks.size()),
               me == ranks.end() ? none : static_cast<Index>(me - ranks.begin()));
  // A rank that is not in this group becomes `none`, and the first message to it
  // is reported as a bad partner.
  for (Index &rank : ranks)
    rank = contains(rank) ? at(rank) : none;
  result.table_ = std::make_shared<const std::vector<Index>>(std::move(ranks));
  return result;
}
