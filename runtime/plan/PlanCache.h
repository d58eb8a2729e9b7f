//===- PlanCache.h - The plans of a communicator --------------------------===//
//
// Private to the runtime.
//
//===----------------------------------------------------------------------===//

#ifndef QUADRILLE_PLAN_PLANCACHE_H
#define QUADRILLE_PLAN_PLANCACHE_H

#include "Plan.h"

#include <cstddef>
#include <memory>
#include <vector>

namespace quadrille {
namespace detail {

/// Plans by all that they depend on, those last used first. Bounded: the least
/// recently used goes when there are too many, or they take too much memory.
class PlanCache {
public:
  static constexpr std::size_t mostPlans = 64;
  static constexpr std::size_t mostBytes = std::size_t{64} << 20;

  /// The plan for the call of the emitted function that `site` names; null if
  /// there is none. `n` matters only to plans that hold for one n.
  std::shared_ptr<Plan> find(const void *site, const std::vector<Index> &key, Index n) noexcept;

  /// Keeps a plan, as far as there is memory. `n` < 0: for every n.
  void keep(const void *site, const std::vector<Index> &key, Index n,
            std::shared_ptr<Plan> plan) noexcept;

  std::size_t size() const { return entries_.size(); }

private:
  struct Entry {
    const void *site;
    Index n;
    std::vector<Index> key;
    std::shared_ptr<Plan> plan;
    std::size_t bytes;
  };
  std::vector<Entry> entries_;
  std::size_t bytes_ = 0;
};

} // namespace detail
} // namespace quadrille

#endif // QUADRILLE_PLAN_PLANCACHE_H
