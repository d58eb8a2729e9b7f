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

/// All that a plan depends on beside its function and the number of ranks. Kept
/// and used again, so that it costs no malloc.
class PlanKey {
public:
  /// Begins a key of `count` words: returns where they go. Throws std::bad_alloc.
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

/// A call that was made before. No rank writes to a line of another's.
struct alignas(64) KnownCall {
  const void *site;
  Index n; ///< below 0: for every n
  std::uint64_t hint; ///< see PlanCache::find
  std::vector<Index> key;
  std::shared_ptr<Plan> plan;
  std::size_t bytes;
  std::uint64_t lastUse;
  /// The execution that carried it out last, for the next time: then only
  /// addresses have to be told to it. Null: there was none.
  std::unique_ptr<Job> ready;
  bool isReadyInUse = false;
};

/// Plans by all that they depend on. Bounded: the least recently used goes when
/// there are too many, or they take too much memory.
class PlanCache {
public:
  static constexpr std::size_t mostPlans = 64;
  static constexpr std::size_t mostBytes = std::size_t{64} << 20;

  /// The plan for the call of the emitted function that `site` names; null if
  /// there is none. `n` matters only to plans that hold for one n. Calls whose
  /// `hint` differs are found without comparing keys; those of one call are the
  /// same. It stays until the next `keep`, or as long as its `ready` is in use.
  KnownCall *find(const void *site, std::uint64_t hint, const PlanKey &key, Index n) noexcept {
    KnownCall *const recent = recent_[slotOf(site, hint)];
    if (!recent || !isFor(*recent, site, hint, key, n))
      return findSlowly(site, hint, key, n);
    recent->lastUse = ++uses_;
    return recent;
  }

  /// Keeps a plan, as far as there is memory; null if not. `n` < 0: for every n.
  KnownCall *keep(const void *site, std::uint64_t hint, const PlanKey &key, Index n,
                  std::shared_ptr<Plan> plan) noexcept;

  std::size_t size() const { return known_.size(); }
  /// How many plans have gone.
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
  /// Where to look first, by site and hint.
  std::array<KnownCall *, std::size_t{1} << recentBits> recent_{};
  std::uint64_t uses_ = 0, removals_ = 0;
  std::size_t bytes_ = 0;
};

} // namespace detail
} // namespace quadrille

#endif // QUADRILLE_PLAN_PLANCACHE_H
