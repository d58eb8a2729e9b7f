//===- TaskWait.h - How a thread waits for collectives in flight ----------===//
//
// Private to the runtime.
//
//===----------------------------------------------------------------------===//

#ifndef QUADRILLE_COMMON_TASKWAIT_H
#define QUADRILLE_COMMON_TASKWAIT_H

#include "quadrille/waiting.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>

namespace quadrille {
namespace detail {

/// How long a rank sleeps that waits for others of its node: longer each time,
/// and never so long that MPI makes no progress meanwhile.
class Naps {
public:
  std::chrono::nanoseconds next() {
    const std::chrono::nanoseconds now = length_;
    length_ = std::min(2 * length_, longest);
    return now;
  }
  void renew() { length_ = shortest; }

private:
  static constexpr std::chrono::nanoseconds shortest = std::chrono::microseconds(50),
                                            longest = std::chrono::milliseconds(1);
  std::chrono::nanoseconds length_ = shortest;
};

/// How a thread waits for tasks: since when nothing has happened.
class TaskWait {
public:
  /// Something has happened.
  void renew() {
    round_ = 0;
    naps_.renew();
  }
  /// Counts a look in vain. Returns how many there were.
  std::uint64_t next() { return ++round_; }
  /// What the thread does after such a look; it spins at first, as spinsOfNextWait(spins) says.
  Patience &patience(int spins) {
    if (!patience_)
      patience_.emplace(spinsOfNextWait(spins));
    else if (round_ == 1)
      patience_->renew(spinsOfNextWait(spins));
    return *patience_;
  }

  /// How long it sleeps then, if nobody may wake it.
  std::chrono::nanoseconds nextNap() { return naps_.next(); }

private:
  std::uint64_t round_ = 0;
  Naps naps_;
  std::optional<Patience> patience_;
};

} // namespace detail
} // namespace quadrille

#endif // QUADRILLE_COMMON_TASKWAIT_H
