//===- Locks.cpp - Waiting for a lock -------------------------------------===//

#include "quadrille/locks.h"

#include "../common/Cores.h"

#include <algorithm>
#include <thread>

using namespace quadrille;
using namespace quadrille::shm;
using namespace quadrille::shm::detail;

//===----------------------------------------------------------------------===//
// Backoff
//===----------------------------------------------------------------------===//

Backoff::Backoff(Index threads) noexcept : spins_(spinsFor(threads)) {
  // A pause takes about as long as handing over a short critical section, so a
  // longer backoff would wait longer than necessary.
  constexpr Index most = 256;
  if (threads <= 0)
    threads = quadrille::detail::availableCores();
  longest_ = static_cast<int>(std::clamp<Index>(4 * threads, 1, most));
}

void Backoff::Turn::wait() noexcept {
  constexpr int firstNapUs = 50, longestNapUs = 1000;
  if (patience_.spin(period_)) {
    period_ = std::min(2 * period_, backoff_.longest_);
    return;
  }
  if (patience_.yield())
    return;
  napUs_ = napUs_ == 0 ? firstNapUs : std::min(2 * napUs_, longestNapUs);
  std::this_thread::sleep_for(std::chrono::microseconds(napUs_));
}

//===----------------------------------------------------------------------===//
// Locks
//===----------------------------------------------------------------------===//

void SpinLock::lockSlowly() noexcept {
  Backoff::Turn turn(backoff_);
  do
    turn.wait();
  while (!try_lock());
  turn.succeed();
}

void ReaderWriterLock::lockSlowly() noexcept {
  Backoff::Turn turn(backoff_);
  // Announce this writer. Relaxed, since the loop below acquires.
  std::uint32_t seen = cell_.load(std::memory_order_relaxed);
  while (seen >= writer ||
         !cell_.compare_exchange_weak(seen, seen + writer, std::memory_order_relaxed)) {
    if (seen >= writer) {
      turn.wait();
      seen = cell_.load(std::memory_order_relaxed);
    }
  }
  // Acquire synchronizes with the last writer's store and with the decrement of
  // each reader that has left. Since then the cell was changed only by
  // read-modify-writes, ours included. So the value that is read here belongs to
  // the release sequences of all of them.
  while (cell_.load(std::memory_order_acquire) != writer)
    turn.wait();
  turn.succeed();
}

void ReaderWriterLock::lockSharedSlowly() noexcept {
  Backoff::Turn turn(backoff_);
  do
    turn.wait();
  while (!try_lock_shared());
  turn.succeed();
}

void SleepingLock::lockSlowly() noexcept {
  Patience patience(spinsOfNextWait(spins_));
  // Relaxed, since try_lock acquires. Loading first leaves the cache line to
  // the holder.
  while (patience.pass())
    if (cell_.load(std::memory_order_relaxed) == unlocked && try_lock())
      return;
  // From here on the cell is set to `awaited` even if this takes the lock,
  // since others may sleep too. At worst this costs one needless waking.
  // Acquire as in try_lock.
  while (cell_.exchange(awaited, std::memory_order_acquire) != unlocked)
    sleepWhile(cell_, awaited);
}
