//===- quadrille/locks.h - Locks for threads --------------------*- C++ -*-===//
//
// Mutual exclusion in shared memory, after Sanders et al., 2019, Sect. 13.4:
//
//   SpinLock          waits for a few instructions' time; release is one store
//   ReaderWriterLock  the same, but any number of readers at a time
//   SleepingLock      waits for anything; who waits long costs no processor time
//
// They meet the standard's requirements for std::lock_guard, std::unique_lock,
// std::scoped_lock and, the second one, std::shared_lock. What a thread did
// before it released a lock is seen by whoever acquires it next.
//
// None of them is fair among equals: who comes while the lock is free gets it,
// however long others have been waiting. No lock may be acquired by a thread
// that holds it, and none is released by a thread that does not. They never
// throw.
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

/// How long the threads that contend for one lock leave it alone between two
/// looks. The period is multiplied up to Theta(p) while a thread waits and
/// divided when it succeeds; the lock keeps it for the next.
class Backoff {
public:
  /// For `threads` threads; 0: as many as there are cores.
  explicit Backoff(Index threads) noexcept;

  /// One thread's wait for the lock.
  class Turn {
  public:
    explicit Turn(Backoff &backoff) noexcept
        : backoff_(backoff), patience_(backoff.spins_),
          // Relaxed, here and below: a hint.
          period_(backoff.period_.load(std::memory_order_relaxed)) {}

    /// Leaves the lock alone for the period, and lengthens it. In the long run
    /// it yields and then naps: there is nobody who would wake it.
    void wait() noexcept;

    /// The lock has been acquired.
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

/// A cell that is 1 while the lock is held, with exponential backoff.
///
/// For critical sections of a few instructions. A thread that waits spins, then
/// yields, then naps for up to a millisecond at a time, so that the holder gets
/// a core to run on also if there are more threads than cores; but nobody is
/// woken, and SleepingLock is the better choice then.
class SpinLock {
public:
  /// For about `threads` threads, which bounds the backoff; 0: as many as there
  /// are cores. Any number may use it.
  explicit SpinLock(Index threads = 0) noexcept : backoff_(threads) {}
  SpinLock(const SpinLock &) = delete;
  SpinLock &operator=(const SpinLock &) = delete;

  void lock() noexcept {
    if (!try_lock())
      lockSlowly();
  }

  /// False if the lock is held.
  bool try_lock() noexcept {
    // Looking first (relaxed: the exchange orders) leaves the cell's cache line
    // to its holder. Acquire: what the holders before us did is done.
    return cell_.load(std::memory_order_relaxed) == 0 &&
           cell_.exchange(1, std::memory_order_acquire) == 0;
  }

  void unlock() noexcept {
    // Release: what we did is done. A plain store on x86.
    cell_.store(0, std::memory_order_release);
  }

private:
  void lockSlowly() noexcept;

  std::atomic<std::uint32_t> cell_{0};
  detail::Backoff backoff_;
};

/// A cell that counts the readers that hold the lock, plus `writer`, a number
/// larger than any number of readers, from when a writer has announced itself.
/// A reader waits until there is no writer; a writer waits until it can announce
/// itself, and then until the readers have left.
///
/// Readers that keep coming thus cannot keep a writer out; writers that keep
/// coming can keep readers out. A thread waits as for a SpinLock. A reader must
/// not acquire the lock once more: a writer may have come between.
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
    // Acquire: what writers, and readers, before us did is done. Every reader
    // leaves by a read-modify-write, which continues the release sequences of
    // those that left before it.
    return cell_.compare_exchange_strong(seen, writer, std::memory_order_acquire,
                                         std::memory_order_relaxed);
  }

  void unlock() noexcept {
    // Nobody else changes the cell while a writer holds the lock. Release: what
    // we wrote is written.
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
      // Acquire: what the last writer wrote is written.
      if (cell_.compare_exchange_weak(seen, seen + 1, std::memory_order_acquire,
                                      std::memory_order_relaxed))
        return true;
    return false;
  }

  void unlock_shared() noexcept {
    // Release: what we read is read, before the next writer writes it.
    cell_.fetch_sub(1, std::memory_order_release);
  }

private:
  /// p + 1 for the largest p.
  static constexpr std::uint32_t writer = 0x80000000u;

  void lockSlowly() noexcept;
  void lockSharedSlowly() noexcept;

  std::atomic<std::uint32_t> cell_{0};
  detail::Backoff backoff_;
};

/// A lock whose waiters spin for some tens of microseconds if there is a core
/// for every thread, then yield a few times, then sleep until they are woken.
/// For critical sections of any length, and more threads than cores.
class SleepingLock {
public:
  /// For about `threads` threads, which decides whether it spins; 0: as many as
  /// there are cores. Any number may use it.
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
    // Acquire: what the holders before us did is done.
    return cell_.compare_exchange_strong(seen, locked, std::memory_order_acquire,
                                         std::memory_order_relaxed);
  }

  void unlock() noexcept {
    // Release: what we did is done. An exchange, since a sleeper may announce
    // itself just now: either we see that, or it sees that the lock is free.
    if (cell_.exchange(unlocked, std::memory_order_release) == awaited)
      detail::wakeOne(cell_);
  }

private:
  static constexpr std::uint32_t unlocked = 0;
  static constexpr std::uint32_t locked = 1;
  static constexpr std::uint32_t awaited = 2; ///< locked, and somebody may sleep

  void lockSlowly() noexcept;

  detail::Word cell_{unlocked};
  int spins_;
};

} // namespace shm
} // namespace quadrille

#endif // QUADRILLE_LOCKS_H
