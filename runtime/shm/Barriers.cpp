//===- Barriers.cpp - Barriers for threads --------------------------------===//

#include "quadrille/barriers.h"

#include <stdexcept>

using namespace quadrille;
using namespace quadrille::shm;
using namespace quadrille::shm::detail;

static Index checked(Index threads, const char *text) {
  if (threads < 1)
    throw std::invalid_argument(text);
  return threads;
}

CounterBarrier::CounterBarrier(Index threads, std::uint32_t firstEpoch)
    : threads_(checked(threads, "quadrille::shm::CounterBarrier: less than one "
                                "thread")),
      spins_(spinsFor(threads)), epoch_(firstEpoch) {}

/// The state of one thread in the tree. It has a cache line of its own, which
/// other threads poll; it is written only once per epoch.
struct alignas(cacheLineBytes) BinomialBarrier::Thread {
  /// The last epoch that this thread's subtree has entered. Other threads
  /// compare it for equality with their own epoch. Epochs may wrap, since that
  /// of a thread differs from its parent's, and thread 0's from any other, by
  /// at most one.
  Epoch ready;
  int children = 0;
};

BinomialBarrier::BinomialBarrier(Index threads, std::uint32_t firstEpoch)
    : threads_(checked(threads, "quadrille::shm::BinomialBarrier: less than one "
                                "thread")),
      spins_(spinsFor(threads)),
      states_(new Thread[static_cast<std::size_t>(threads)]) {
  for (Index i = 0; i < threads; ++i) {
    Thread &self = states_[static_cast<std::size_t>(i)];
    self.ready.set(firstEpoch);
    // Children are at distances 1, 2, 4, ... below the lowest bit of the
    // thread's number.
    for (Index d = 1; d < threads - i && (i & d) == 0; d *= 2)
      ++self.children;
  }
}

BinomialBarrier::~BinomialBarrier() = default;

void BinomialBarrier::arriveAndWait(Index thread) noexcept {
  Thread *const self = &states_[static_cast<std::size_t>(thread)];
  // Relaxed, since this thread has set it.
  const std::uint32_t epoch = self->ready.peek() + 1;
  // Waiting for the children (acquire) before becoming ready (release) makes
  // the tree transitive: a thread that sees that thread 0 is ready sees what
  // all threads have done.
  for (int i = 0; i < self->children; ++i)
    self[Index{1} << i].ready.await(epoch, spins_);
  self->ready.set(epoch);
  if (thread != 0)
    states_[0].ready.await(epoch, spins_);
}
