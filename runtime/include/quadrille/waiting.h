//===- quadrille/waiting.h - How threads wait -------------------*- C++ -*-===//
//
// How threads of the shared-memory backend wait: they spin while the partner is
// probably running, then yield to other threads, then sleep, so that there may
// be more threads than cores. An implementation detail of quadrille/shm.h,
// locks.h and barriers.h.
//
//===----------------------------------------------------------------------===//

#ifndef QUADRILLE_WAITING_H
#define QUADRILLE_WAITING_H

#include "quadrille/index.h"

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <thread>

namespace quadrille {
namespace shm {
namespace detail {

inline constexpr std::size_t cacheLineBytes = 64;

/// Tells the processor that this is a waiting loop.
inline void relax() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

/// How often a thread polls before it yields, if `threads` threads wait for each
/// other. With a core for each of them, a partner usually arrives within a few
/// hundred nanoseconds. Without, spinning may keep the partner from running.
int spinsFor(Index threads) noexcept;

/// `spins`, or 0 if recent waits of the calling thread without sleeping were
/// unsuccessful: see Patience.
int spinsNow(int spins) noexcept;

/// What a waiting thread does between two polls: it spins for a while, then yields
/// a few times; after that it should sleep.
class Patience {
public:
  explicit Patience(int spins) : spins_(spins) {}

  /// Spins for `pauses` short pauses. Returns false, without spinning, when it is
  /// time to yield.
  bool spin(int pauses = 1) {
    if (round_ >= spins_)
      return false;
    round_ += pauses;
    while (pauses-- > 0)
      relax();
    return true;
  }

  /// Yields to other threads. Returns false when it is time to sleep.
  bool yield() {
    if (yields_ >= mostYields)
      return false;
    if (!yieldWhereCheap()) {
      yields_ = mostYields;
      return false;
    }
    ++yields_;
    return true;
  }

  /// Spins or yields. Returns false when it is time to sleep.
  bool pass() { return spin() || yield(); }

  /// Begins again: something has happened.
  void renew() { round_ = yields_ = 0; }

private:
  static constexpr int mostYields = 8;

  /// Yields, unless the thread has had bad experiences with it.
  ///
  /// Between threads that wait for each other a yield is several times cheaper
  /// than sleeping and being woken. But where other programs want the core, it
  /// is theirs for milliseconds, whereas a sleeper gets it back when it is
  /// woken. So a thread that was away for longer than a waking takes sleeps at
  /// once the next times: twice as often with each such experience.
  static bool yieldWhereCheap() noexcept;

  int spins_;
  int round_ = 0;
  int yields_ = 0;
};

//===----------------------------------------------------------------------===//
// Sleeping
//===----------------------------------------------------------------------===//

/// A word on which threads sleep. One of its values, or one bit, means that a
/// thread may be asleep.
using Word = std::atomic<std::uint32_t>;
inline constexpr std::chrono::nanoseconds forever = std::chrono::nanoseconds::max();

/// Sleeps while `word` has this value. Returns when woken, after `atMost`, or
/// spuriously.
///
/// A thread that changes the word and then wakes misses no sleeper: the
/// comparison with `value` and the wake-ups are in one total order. These
/// functions do not order other memory accesses; accesses to the word must.
void sleepWhile(const Word &word, std::uint32_t value,
                std::chrono::nanoseconds atMost = forever) noexcept;

/// Wakes one thread, or all, that sleep on the word. May wake more.
void wakeOne(const Word &word) noexcept;
void wakeAll(const Word &word) noexcept;

/// Lets other ranks wake one rank.
///
/// A rank that wants to sleep stores `sleeping` and then checks once more for
/// work. A rank with work for it stores that (`posted`, `consumed`, an abort: see
/// World.h) and then reads `sleeping`. All four accesses are sequentially
/// consistent, hence in one total order, so at least one of the two reads sees
/// the other's store: no wake-up is lost. While no rank sleeps, a ring needs no
/// read-modify-write and no system call.
class Bell {
public:
  void announceSleep() { sleeping_.store(1, std::memory_order_seq_cst); }
  void cancelSleep() { sleeping_.store(0, std::memory_order_relaxed); }

  void ring() {
    // Relaxed: only the word itself is concerned; see sleepWhile.
    if (sleeping_.load(std::memory_order_seq_cst) == 1 &&
        sleeping_.exchange(0, std::memory_order_relaxed) == 1)
      wakeOne(sleeping_);
  }

  /// Sleeps until the bell is rung after the announcement, at most `atMost`. A
  /// ring for an earlier announcement may end it, too.
  void sleep(std::chrono::nanoseconds atMost) {
    sleepWhile(sleeping_, 1, atMost);
    cancelSleep();
  }

private:
  Word sleeping_{0};
};

/// An epoch number that one thread at a time sets and any number of threads wait
/// for. It may wrap round if no thread waits long enough to miss an epoch.
///
/// Bit 0 of the word means that a thread may sleep on it. A sleeper sets it by
/// compare-and-swap from the value that it saw. `set` exchanges the word, so it
/// either sees the bit, or the compare-and-swap fails: no wake-up is lost. There
/// is no system call while no thread sleeps.
///
/// Memory orders: what a thread wrote before `set` (release) is visible after an
/// `await` that saw the epoch (acquire). Setting the bit in between does not
/// matter, as a read-modify-write continues the release sequence.
class Epoch {
public:
  static constexpr std::uint32_t mask = 0x7fffffffu;

  explicit Epoch(std::uint32_t first = 0) : word_(first << 1) {}

  /// A relaxed read, for a thread that knows by other means that it is recent.
  std::uint32_t peek() const { return word_.load(std::memory_order_relaxed) >> 1; }

  /// Sets the epoch, modulo 2^31, and wakes sleepers.
  void set(std::uint32_t epoch) {
    if (word_.exchange(epoch << 1, std::memory_order_release) & 1)
      wakeAll(word_);
  }

  /// Waits until the epoch is this one, modulo 2^31.
  void await(std::uint32_t epoch, int spins) {
    if (word_.load(std::memory_order_acquire) >> 1 != (epoch & mask))
      awaitSlowly(epoch & mask, spins);
  }

private:
  void awaitSlowly(std::uint32_t epoch, int spins) noexcept;

  Word word_;
};

} // namespace detail
} // namespace shm
} // namespace quadrille

#endif // QUADRILLE_WAITING_H
