//===- PlanCache.cpp - The plans of a communicator ------------------------===//

#include "PlanCache.h"

#include <algorithm>
#include <new>

using namespace quadrille;
using namespace quadrille::detail;

KnownCall *PlanCache::findSlowly(const void *site, std::uint64_t hint, const PlanKey &key,
                                 Index n) noexcept {
  for (const auto &known : known_) {
    if (!isFor(*known, site, hint, key, n))
      continue;
    known->lastUse = ++uses_;
    recent_[slotOf(site, hint)] = known.get();
    return known.get();
  }
  return nullptr;
}

KnownCall *PlanCache::keep(const void *site, std::uint64_t hint, const PlanKey &key, Index n,
                           std::shared_ptr<Plan> plan) noexcept {
  const std::size_t bytes = plan->bytes() + key.count() * sizeof(Index);
  if (bytes > mostBytes / 2)
    return nullptr;
  try {
    auto made = std::make_unique<KnownCall>();
    made->site = site;
    made->n = n;
    made->hint = hint;
    made->key.assign(key.begin(), key.end());
    made->plan = std::move(plan);
    made->bytes = bytes;
    made->lastUse = ++uses_;
    known_.push_back(std::move(made));
  } catch (const std::bad_alloc &) {
    return nullptr;
  }
  KnownCall *const kept = known_.back().get();
  bytes_ += bytes;
  while (known_.size() > mostPlans || bytes_ > mostBytes)
    if (!removeOldest())
      break;
  recent_[slotOf(site, hint)] = kept;
  return kept;
}

/// Removes the least recently used plan that is neither in use nor the last
/// one; false if there is none.
bool PlanCache::removeOldest() noexcept {
  const auto last = known_.end() - 1;
  auto oldest = last;
  for (auto known = known_.begin(); known != last; ++known)
    if (!(*known)->isReadyInUse && (oldest == last || (*known)->lastUse < (*oldest)->lastUse))
      oldest = known;
  if (oldest == last)
    return false;
  KnownCall *&recent = recent_[slotOf((*oldest)->site, (*oldest)->hint)];
  if (recent == oldest->get())
    recent = nullptr;
  bytes_ -= (*oldest)->bytes;
  known_.erase(oldest);
  ++removals_;
  return true;
}
