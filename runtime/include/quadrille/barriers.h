//===- quadrille/barriers.h - Barriers for threads --------------*- C++ -*-===//
//
// No thread leaves a barrier before all threads have entered it, and what a
// thread wrote before is visible to all that have left. After Sanders et al.,
// 2019, Sect. 13.4:
//
//   CounterBarrier   Listing 13.1: all threads count in one place, O(p)
//   BinomialBarrier  Listing 13.2: children before parents, O(log p)
//
// A waiting thread spins for some tens of microseconds if there is a core for
// every thread, then yields a few times, then sleeps until it is woken. So there
// may be more threads than cores. A barrier may be used any number of times; one
// use is an epoch. Only the constructors throw.
//
//===----------------------------------------------------------------------===//

#ifndef QUADRILLE_BARRIERS_H
#define QUADRILLE_BARRIERS_H

#include "quadrille/index.h"
#include "quadrille/waiting.h"

#include <atomic>
#include <cstdint>
#include <memory>

namespace quadrille {
namespace shm {

/// Every thread increments a counter; the last one begins the next epoch.
class CounterBarrier {
public:
  /// For `threads` threads; throws std::invalid_argument if that is < 1.
  /// `firstEpoch`: any number, since epochs wrap round.
  explicit CounterBarrier(Index threads, std::uint32_t firstEpoch = 0);
  CounterBarrier(const CounterBarrier &) = delete;
  CounterBarrier &operator=(const CounterBarrier &) = delete;

  Index threads() const noexcept { return threads_; }

  /// Returns when `threads` threads, whichever, have called it.
  void arriveAndWait() noexcept {
    // Relaxed: this thread has seen the epoch begin (or the constructor), and
    // it cannot end before this thread is counted. No thread is behind by more
    // than one epoch, so wrapping round does no harm.
    const std::uint32_t epoch = epoch_.peek();
    // Release: publishes what this thread wrote. Acquire, for the last thread:
    // sees what all others wrote, as their increments form a release sequence.
    if (arrived_.fetch_add(1, std::memory_order_acq_rel) + 1 == threads_) {
      // Relaxed: a thread that increments it next has seen the new epoch, which
      // is set after this, with release.
      arrived_.store(0, std::memory_order_relaxed);
      epoch_.set(epoch + 1);
    } else {
      epoch_.await(epoch + 1, spins_);
    }
  }

  /// The same, with the interface of BinomialBarrier.
  void arriveAndWait(Index) noexcept { arriveAndWait(); }

private:
  Index threads_;
  int spins_;
  /// On separate cache lines, so that waiting threads do not slow arriving ones.
  alignas(detail::cacheLineBytes) std::atomic<Index> arrived_{0};
  alignas(detail::cacheLineBytes) detail::Epoch epoch_;
};

/// The threads form a binomial tree. A thread waits until its children are
/// ready, and then becomes ready itself; when thread 0 is ready, the next epoch
/// begins.
///
/// Counters are never reset, and each is written by one thread only.
class BinomialBarrier {
public:
  /// As for CounterBarrier; also throws std::bad_alloc.
  explicit BinomialBarrier(Index threads, std::uint32_t firstEpoch = 0);
  ~BinomialBarrier();
  BinomialBarrier(const BinomialBarrier &) = delete;
  BinomialBarrier &operator=(const BinomialBarrier &) = delete;

  Index threads() const noexcept { return threads_; }

  /// Returns when every thread 0 .. threads - 1 has called it with its number.
  void arriveAndWait(Index thread) noexcept;

private:
  struct Thread;

  Index threads_;
  int spins_;
  std::unique_ptr<Thread[]> states_;
};

} // namespace shm
} // namespace quadrille

#endif // QUADRILLE_BARRIERS_H
