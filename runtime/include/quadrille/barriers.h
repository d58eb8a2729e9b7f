//===- quadrille/barriers.h - Barriers for threads --------------*- C++ -*-===//
//
// No thread leaves a barrier before all threads have entered it, and what a
// thread did before it entered is seen by all that have left. After Sanders et
// al., 2019, Sect. 13.4:
//
//   CounterBarrier   Listing 13.1: all threads count in one place, O(p)
//   BinomialBarrier  Listing 13.2: children before parents, O(log p)
//
// A thread spins for some tens of microseconds if there is a core for every
// thread, then yields a few times, then sleeps until it is woken, so that more
// threads than cores work. Any number of epochs may follow each other. Only the
// constructors throw.
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

/// Every thread counts itself; the last one begins the next epoch.
class CounterBarrier {
public:
  /// For `threads` >= 1 threads, else throws std::invalid_argument. The first
  /// epoch may have any number: epochs wrap round.
  explicit CounterBarrier(Index threads, std::uint32_t firstEpoch = 0);
  CounterBarrier(const CounterBarrier &) = delete;
  CounterBarrier &operator=(const CounterBarrier &) = delete;

  Index threads() const noexcept { return threads_; }

  /// Returns when `threads` threads have called it. It does not matter which.
  void arriveAndWait() noexcept {
    // Relaxed: the epoch cannot end before we have counted ourselves, and we
    // have seen it begin, or the constructor. No thread falls behind by more
    // than one epoch, so that it does no harm that they wrap round.
    const std::uint32_t epoch = epoch_.peek();
    // Release: what we did before is done. Acquire, for the last one: what the
    // others did is done, as their read-modify-writes are one release sequence.
    if (arrived_.fetch_add(1, std::memory_order_acq_rel) + 1 == threads_) {
      // Relaxed: who counts itself next has seen the new epoch, which is set
      // (release) after this.
      arrived_.store(0, std::memory_order_relaxed);
      epoch_.set(epoch + 1);
    } else {
      epoch_.await(epoch + 1, spins_);
    }
  }

  /// The same, so that this barrier can take the other one's place.
  void arriveAndWait(Index) noexcept { arriveAndWait(); }

private:
  Index threads_;
  int spins_;
  /// On cache lines of their own: those who wait do not disturb those who come.
  alignas(detail::cacheLineBytes) std::atomic<Index> arrived_{0};
  alignas(detail::cacheLineBytes) detail::Epoch epoch_;
};

/// The threads are a binomial tree. Every thread waits until its children are
/// ready for the epoch, and is ready then; thread 0 being ready begins the
/// epoch.
///
/// No counter is ever set back, and none is written by two threads.
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
