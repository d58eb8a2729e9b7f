//===- quadrille/locks.h - Locks for threads --------------------*- C++ -*-===//
//
// Mutual exclusion in shared memory, after Sanders et al., 2019, Sect. 13.4:
//
//   SpinLock          for short critical sections; release is a single store
//   ReaderWriterLock  the same, with any number of readers at a time
//   SleepingLock      for any critical sections; long waits use no processor
//
// They meet the standard's requirements for std::lock_guard, std::unique_lock,
// std::scoped_lock and, the second one, std::shared_lock. What a thread wrote
// before it released a lock is visible to the next holder.
//
// They are not fair: a thread that arrives when the lock is free gets it, even
// if others have waited longer. A thread must not acquire a lock that it holds,
// nor release one that it does not hold. They never throw.
//
//===----------------------------------------------------------------------===//

#ifndef QUADRILLE_LOCKS_H
#define QUADRILLE_LOCKS_H

#include "quadrille/index.h"
#include "quadrille/waiting.h"

#include <atomic>
#include <cstdint>

namespace quadrille {
namespace shm {

namespace detail {

/// Exponential backoff: the time between two attempts to acquire a lock. The
/// period grows up to Theta(p) while a thread waits, and shrinks when it
/// succeeds. All threads that use the lock share it.
class Backoff {
public:
  /// For `threads` threads; 0: as many as there are cores.
  explicit Backoff(Index threads) noexcept;

  /// The wait of one thread for the lock.
  class Turn {
  public:
    explicit Turn(Backoff &backoff) noexcept
        : backoff_(backoff), patience_(backoff.spins_),
          // Relaxed, here and below: a hint.
          period_(backoff.period_.load(std::memory_order_relaxed)) {}

    /// Waits for the period, and lengthens it. After a while it yields, and then
    /// sleeps for short times: no other thread would wake it.
    void wait() noexcept;

    /// Shortens the period. Called after the lock has been acquired.
    void succeed() noexcept {
      backoff_.period_.store(period_ > 1 ? period_ / 2 : 1,
                             std::memory_order_relaxed);
    }

  private:
    Backoff &backoff_;
    Patience patience_;
    int period_;
    int napUs_ = 0;
  };

private:
  int spins_;
  int longest_;
  std::atomic<int> period_{1};
};

} // namespace detail

/// A lock for critical sections of a few instructions, with exponential backoff.
/// Its cell is 1 while the lock is held.
///
/// A waiting thread spins, then yields, then sleeps for up to a millisecond at a
/// time, so that the holder gets a core even if there are more threads than
/// cores. Then, however, SleepingLock is better: it wakes its waiters.
class SpinLock {
public:
  /// `threads`: the expected number of threads, which bounds the backoff; 0: the
  /// number of cores. Any number may use the lock.
  explicit SpinLock(Index threads = 0) noexcept : backoff_(threads) {}
  SpinLock(const SpinLock &) = delete;
  SpinLock &operator=(const SpinLock &) = delete;

  void lock() noexcept {
    if (!try_lock())
      lockSlowly();
  }

  /// False if the lock is held.
  bool try_lock() noexcept {
    // Read first (relaxed: the exchange orders), which leaves the cache line to
    // the holder. Acquire: sees what previous holders wrote.
    return cell_.load(std::memory_order_relaxed) == 0 &&
           cell_.exchange(1, std::memory_order_acquire) == 0;
  }

  void unlock() noexcept {
    // Release: publishes what this thread wrote. A plain store on x86.
    cell_.store(0, std::memory_order_release);
  }

private:
  void lockSlowly() noexcept;

  std::atomic<std::uint32_t> cell_{0};
  detail::Backoff backoff_;
};

/// A lock for several readers or one writer. Its cell counts the readers that
/// hold the lock, plus the large number `writer` once a writer has announced
/// itself. A reader waits until there is no writer; a writer waits until it can
/// announce itself, and then until all readers have left.
///
/// So readers cannot starve a writer, but writers can starve readers. A thread
/// waits as for a SpinLock. A reader must not acquire the lock twice: a writer
/// may have announced itself in between.
class ReaderWriterLock {
public:
  /// As for SpinLock.
  explicit ReaderWriterLock(Index threads = 0) noexcept : backoff_(threads) {}
  ReaderWriterLock(const ReaderWriterLock &) = delete;
  ReaderWriterLock &operator=(const ReaderWriterLock &) = delete;

  void lock() noexcept {
    if (!try_lock())
      lockSlowly();
  }

  /// False if the lock is held, or a writer waits for it.
  bool try_lock() noexcept {
    std::uint32_t seen = 0;
    // Acquire: sees what previous writers wrote, and follows all previous reads.
    // Every reader leaves by a read-modify-write, which continues the release
    // sequence of those that left before.
    return cell_.compare_exchange_strong(seen, writer, std::memory_order_acquire,
                                         std::memory_order_relaxed);
  }

  void unlock() noexcept {
    // No other thread changes the cell while a writer holds the lock. Release:
    // publishes what this thread wrote.
    cell_.store(0, std::memory_order_release);
  }

  void lock_shared() noexcept {
    if (!try_lock_shared())
      lockSharedSlowly();
  }

  /// False if a writer holds the lock or waits for it.
  bool try_lock_shared() noexcept {
    std::uint32_t seen = cell_.load(std::memory_order_relaxed);
    while (seen < writer)
      // Acquire: sees what the last writer wrote.
      if (cell_.compare_exchange_weak(seen, seen + 1, std::memory_order_acquire,
                                      std::memory_order_relaxed))
        return true;
    return false;
  }

  void unlock_shared() noexcept {
    // Release: reads of this thread precede writes of the next writer.
    cell_.fetch_sub(1, std::memory_order_release);
  }

private:
  /// Larger than any number of readers.
  static constexpr std::uint32_t writer = 0x80000000u;

  void lockSlowly() noexcept;
  void lockSharedSlowly() noexcept;

  std::atomic<std::uint32_t> cell_{0};
  detail::Backoff backoff_;
};

/// A lock for critical sections of any length, also with more threads than cores.
/// A waiting thread spins for some tens of microseconds if there is a core for
/// every thread, then yields a few times, then sleeps until it is woken.
class SleepingLock {
public:
  /// `threads`: the expected number of threads, which decides whether to spin; 0:
  /// the number of cores. Any number may use the lock.
  explicit SleepingLock(Index threads = 0) noexcept
      : spins_(detail::spinsFor(threads)) {}
  SleepingLock(const SleepingLock &) = delete;
  SleepingLock &operator=(const SleepingLock &) = delete;

  void lock() noexcept {
    if (!try_lock())
      lockSlowly();
  }

  /// False if the lock is held.
  bool try_lock() noexcept {
    std::uint32_t seen = unlocked;
    // Acquire: sees what previous holders wrote.
    return cell_.compare_exchange_strong(seen, locked, std::memory_order_acquire,
                                         std::memory_order_relaxed);
  }

  void unlock() noexcept {
    // Release: publishes what this thread wrote. An exchange, since a sleeper may
    // announce itself now: either this sees it, or it sees the lock free.
    if (cell_.exchange(unlocked, std::memory_order_release) == awaited)
      detail::wakeOne(cell_);
  }

private:
  static constexpr std::uint32_t unlocked = 0;
  static constexpr std::uint32_t locked = 1;
  static constexpr std::uint32_t awaited = 2; ///< locked, and a thread may sleep

  void lockSlowly() noexcept;

  detail::Word cell_{unlocked};
  int spins_;
};

} // namespace shm
} // namespace quadrille

#endif // QUADRILLE_LOCKS_H
