//===- PlanCache.h - The plans of a communicator --------------------------===//
//
// Private to the runtime.
//
//===----------------------------------------------------------------------===//

#ifndef QUADRILLE_PLAN_PLANCACHE_H
#define QUADRILLE_PLAN_PLANCACHE_H

#include "Plan.h"

#include "../common/Tasks.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace quadrille {
namespace detail {

/// All numbers on which a plan depends, beside its function and the number of
/// ranks. The object is reused, so that calls need no malloc.
class PlanKey {
public:
  /// Begins a key of `count` words, and returns the memory for them. Throws
  /// std::bad_alloc.
  Index *room(std::size_t count) {
    if (words_.size() < count)
      words_.resize(count);
    count_ = count;
    return words_.data();
  }
  Index operator[](std::size_t i) const { return words_[i]; }
  std::size_t count() const { return count_; }
  const Index *begin() const { return words_.data(); }
  const Index *end() const { return words_.data() + count_; }

private:
  std::vector<Index> words_;
  std::size_t count_ = 0;
};

/// A call that was made before, with its plan. Aligned, so that ranks do not
/// write to each other's cache lines.
struct alignas(64) KnownCall {
  const void *site;
  Index n; ///< the n for which the plan holds; below 0: every n
  std::uint64_t hint; ///< see PlanCache::find
  std::vector<Index> key;
  std::shared_ptr<Plan> plan;
  std::size_t bytes;
  std::uint64_t lastUse;
  /// The execution that carried it out last. It is reused for the next such
  /// call, for which only addresses have to be set. Null: there was none.
  std::unique_ptr<Job> ready;
  bool isReadyInUse = false;
};

/// Plans by all that they depend on. The cache is bounded: if there are too
/// many plans, or they take too much memory, the least recently used one is
/// removed.
class PlanCache {
public:
  static constexpr std::size_t mostPlans = 64;
  static constexpr std::size_t mostBytes = std::size_t{64} << 20;

  /// Finds the plan for a call; null if there is none. `site` identifies the
  /// emitted function. `n` matters only for plans that hold for one n. `hint`
  /// is a hash of the call: equal calls have equal hints, so different hints
  /// need no comparison of keys. The result is valid until the next `keep`, or
  /// as long as its `ready` is in use.
  KnownCall *find(const void *site, std::uint64_t hint, const PlanKey &key, Index n) noexcept {
    KnownCall *const recent = recent_[slotOf(site, hint)];
    if (!recent || !isFor(*recent, site, hint, key, n))
      return findSlowly(site, hint, key, n);
    recent->lastUse = ++uses_;
    return recent;
  }

  /// Adds a plan to the cache; null if there is no memory for it, or if it is
  /// too large. `n` < 0: it holds for every n.
  KnownCall *keep(const void *site, std::uint64_t hint, const PlanKey &key, Index n,
                  std::shared_ptr<Plan> plan) noexcept;

  std::size_t size() const { return known_.size(); }
  /// How many plans have been removed.
  std::uint64_t removals() const { return removals_; }

private:
  static constexpr std::size_t recentBits = 6;

  static std::size_t slotOf(const void *site, std::uint64_t hint) {
    return static_cast<std::size_t>(
        (hint + reinterpret_cast<std::uintptr_t>(site)) * 0x9e3779b97f4a7c15u >>
        (64 - recentBits));
  }
  static bool isFor(const KnownCall &known, const void *site, std::uint64_t hint,
                    const PlanKey &key, Index n) {
    if (known.hint != hint || known.site != site || (known.n >= 0 && known.n != n) ||
        known.key.size() != key.count())
      return false;
    const Index *own = known.key.data();
    for (const Index word : key)
      if (*own++ != word)
        return false;
    return true;
  }
  KnownCall *findSlowly(const void *site, std::uint64_t hint, const PlanKey &key,
                        Index n) noexcept;
  bool removeOldest() noexcept;

  std::vector<std::unique_ptr<KnownCall>> known_;
  /// The calls to look at first, by a hash of site and hint.
  std::array<KnownCall *, std::size_t{1} << recentBits> recent_{};
  std::uint64_t uses_ = 0, removals_ = 0;
  std::size_t bytes_ = 0;
};

} // namespace detail
} // namespace quadrille

#endif // QUADRILLE_PLAN_PLANCACHE_H
