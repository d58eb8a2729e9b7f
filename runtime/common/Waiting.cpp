//===- Waiting.cpp - How threads wait -------------------------------------===//
//
// Sleeping has two implementations: Linux's futex, and one in standard C++ for
// other systems. The macro QUADRILLE_PORTABLE_SLEEP selects the latter, for
// tests.
//
//===----------------------------------------------------------------------===//

#include "quadrille/waiting.h"

#include "Cores.h"

#include <algorithm>

#if defined(__linux__) && !defined(QUADRILLE_PORTABLE_SLEEP)
#include <cerrno>
#include <climits>
#include <ctime>
#include <linux/futex.h>
#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>
#if defined(SYS_futex)
#define QUADRILLE_FUTEX
#endif
#endif

#ifndef QUADRILLE_FUTEX
#include <condition_variable>
#include <functional>
#include <mutex>
#endif

using namespace quadrille;
using namespace quadrille::detail;

int detail::spinsFor(Index threads) noexcept {
  // Threads inherit their set of cores, so a program's threads share these.
  static const Index cores = availableCores();
  return spinsFor(threads, cores);
}

/// Some tens of microseconds, about what it takes to sleep and be woken: a thread that
/// spins so long and then sleeps waits at most twice as long as necessary.
static constexpr int shortSpins = 500;
/// About a millisecond. To sleep and be woken takes less than that on an idle core, and
/// a time slice, which is longer, where other programs want the core.
static constexpr int longSpins = 20000;

int detail::spinsFor(Index threads, Index cores) noexcept { return threads <= cores ? shortSpins : 1; }

int detail::longSpinsFor(Index ranks, Index cores) noexcept { return ranks <= cores ? longSpins : 1; }
int detail::longSpinsFor(Index ranks) noexcept { return spinsFor(ranks) > 1 ? longSpins : 1; }

/// The number of coming waits in which this thread does not yield, and the number
/// after the next slow yield.
static constexpr int fewestToSkip = 32;
static thread_local int toSkip = 0, skipNext = fewestToSkip;

/// The number of coming waits in which it yields at once, without spinning.
/// `spinsSkipNext` determines the number after it has spun in vain again.
static thread_local int spinsToSkip = 0, spinsSkipNext = 1;

int detail::spinsNow(int spins) noexcept {
  return spinsToSkip > 0 ? 0 : spins;
}

int detail::spinsOfNextWait(int spins) noexcept {
  if (spinsToSkip > 0) {
    --spinsToSkip;
    return 0;
  }
  // If it spins in vain again, spunInVain() undoes this.
  spinsSkipNext = std::max(spinsSkipNext / 2, 1);
  return spins;
}

void Patience::spunInVain() noexcept {
  // Spinning once in so many waits costs little, and shows when the cores are
  // free again.
  constexpr int longest = 64;
  spinsSkipNext = std::min(4 * spinsSkipNext, longest);
  spinsToSkip = spinsSkipNext;
}

Patience::Yielded Patience::yieldWhereCheap() noexcept {
  using Clock = std::chrono::steady_clock;
  // Longer than another rank needs for its part of a message, and shorter than
  // the time slice of a program that takes all it can get.
  constexpr std::chrono::milliseconds cheap(1);
  // So many waits without a yield compensate for one yield of some
  // milliseconds.
  constexpr int longest = 4096;

  if (toSkip > 0) {
    --toSkip;
    return Yielded::NotAtAll;
  }
  const Clock::time_point start = Clock::now();
  std::this_thread::yield();
  if (Clock::now() - start <= cheap) {
    skipNext = std::max(skipNext / 2, fewestToSkip);
    return Yielded::Shortly;
  }
  toSkip = skipNext;
  skipNext = std::min(2 * skipNext, longest);
  return Yielded::ForLong;
}

void Epoch::awaitSlowly(std::uint32_t epoch, int spins) noexcept {
  Patience patience(spinsOfNextWait(spins));
  for (;;) {
    std::uint32_t seen = word_.load(std::memory_order_acquire);
    if (seen >> 1 == epoch)
      return;
    if (patience.pass())
      continue;
    // Relaxed: this publishes no other data.
    if (!(seen & 1) && !word_.compare_exchange_strong(seen, seen | 1,
                                                      std::memory_order_relaxed))
      continue;
    sleepWhile(word_, seen | 1);
  }
}

#if defined(QUADRILLE_FUTEX) && defined(SYS_membarrier)

static bool membarrier(int command) noexcept {
  const int error = errno;
  const bool works = syscall(SYS_membarrier, command, 0, 0) == 0;
  errno = error;
  return works;
}

bool detail::canFenceOthers() noexcept {
  static const bool isRegistered = membarrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED);
  return isRegistered;
}

void detail::fenceOthers() noexcept { (void)membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED); }

#else

bool detail::canFenceOthers() noexcept { return false; }
void detail::fenceOthers() noexcept { std::atomic_thread_fence(std::memory_order_seq_cst); }

#endif

#ifdef QUADRILLE_FUTEX

static_assert(sizeof(Word) == sizeof(std::uint32_t) && Word::is_always_lock_free,
              "the kernel looks at the word as it is in memory");

/// Calls futex. Errors are ignored, since all of them mean "look again": the
/// word has changed, a signal has come, or the time is over.
static void futex(const Word &word, int operation, std::uint32_t value,
                  const timespec *atMost, Sharing sharing = Sharing::Threads) {
  const int error = errno;
  if (sharing == Sharing::Threads)
    operation |= FUTEX_PRIVATE_FLAG;
  (void)syscall(SYS_futex, &word, operation, value, atMost, nullptr, 0);
  errno = error;
}

void detail::sleepWhile(const Word &word, std::uint32_t value,
                        std::chrono::nanoseconds atMost, Sharing sharing) noexcept {
  timespec time;
  time.tv_sec = static_cast<time_t>(atMost.count() / 1'000'000'000);
  time.tv_nsec = static_cast<long>(atMost.count() % 1'000'000'000);
  futex(word, FUTEX_WAIT, value, atMost == forever ? nullptr : &time, sharing);
}

void detail::wakeOne(const Word &word, Sharing sharing) noexcept {
  futex(word, FUTEX_WAKE, 1, nullptr, sharing);
}

void detail::wakeAll(const Word &word) noexcept {
  futex(word, FUTEX_WAKE, INT_MAX, nullptr);
}

#else

namespace {
/// Threads that sleep on words which share this room wait here.
struct alignas(cacheLineBytes) Room {
  std::mutex mutex;
  std::condition_variable changed;
};
} // namespace

static Room &roomOf(const Word &word) {
  constexpr std::size_t count = 64;
  // Never destroyed, since threads may outlive static objects.
  static Room *const rooms = new Room[count];
  const std::size_t hash = std::hash<const Word *>()(&word);
  return rooms[(hash / sizeof(Word) ^ hash / cacheLineBytes) % count];
}

// The sleeper looks at the word while it holds the mutex. The thread that
// changes the word takes the mutex afterwards: either before the sleeper, which
// then sees the change, or after the sleeper has gone to sleep, so that the
// notification reaches it.

void detail::sleepWhile(const Word &word, std::uint32_t value,
                        std::chrono::nanoseconds atMost, Sharing sharing) noexcept {
  if (sharing == Sharing::Processes) {
    // Nobody can notify another process: look again soon.
    std::this_thread::sleep_for(std::min<std::chrono::nanoseconds>(atMost, std::chrono::microseconds(50)));
    return;
  }
  Room &room = roomOf(word);
  std::unique_lock<std::mutex> lock(room.mutex);
  if (word.load(std::memory_order_relaxed) != value)
    return;
  if (atMost == forever)
    room.changed.wait(lock);
  else
    room.changed.wait_for(lock, atMost);
}

void detail::wakeOne(const Word &word, Sharing) noexcept {
  // Wake all, since sleepers on other words may be in the room.
  wakeAll(word);
}

void detail::wakeAll(const Word &word) noexcept {
  Room &room = roomOf(word);
  { const std::lock_guard<std::mutex> lock(room.mutex); }
  room.changed.notify_all();
}

#endif
