//===- PlanCache.cpp - The plans of a communicator ------------------------===//

#include "PlanCache.h"

#include <algorithm>
#include <new>

using namespace quadrille;
using namespace quadrille::detail;

std::shared_ptr<Plan> PlanCache::find(const void *site, const std::vector<Index> &key,
                                      Index n) noexcept {
  for (auto entry = entries_.begin(); entry != entries_.end(); ++entry) {
    if (entry->site != site || (entry->n >= 0 && entry->n != n) || entry->key != key)
      continue;
    if (entry != entries_.begin())
      std::rotate(entries_.begin(), entry, entry + 1);
    return entries_.front().plan;
  }
  return nullptr;
}

void PlanCache::keep(const void *site, const std::vector<Index> &key, Index n,
                     std::shared_ptr<Plan> plan) noexcept {
  const std::size_t bytes = plan->bytes() + key.size() * sizeof(Index);
  if (bytes > mostBytes / 2)
    return;
  try {
    entries_.insert(entries_.begin(), {site, n, key, std::move(plan), bytes});
  } catch (const std::bad_alloc &) {
    return;
  }
  bytes_ += bytes;
  while (entries_.size() > mostPlans || bytes_ > mostBytes) {
    bytes_ -= entries_.back().bytes;
    entries_.pop_back();
  }
}
