//===- World.cpp - What the ranks of a communicator share -----------------===//

#include "World.h"

#include <algorithm>
#include <new>
#include <stdexcept>

using namespace quadrille;
using namespace quadrille::shm;
using namespace quadrille::shm::detail;

WorldState::WorldState(Index size)
    : size_(size), spins_(spinsFor(size)),
      ranks_(new Rank[static_cast<std::size_t>(size)]),
      rows_(new std::atomic<Row *>[static_cast<std::size_t>(size)]()) {}

WorldState::~WorldState() {
  for (Index from = 0; from < size_; ++from) {
    Row *row = rows_[static_cast<std::size_t>(from)].load(std::memory_order_relaxed);
    for (Index to = 0; row && to < size_; ++to)
      delete row[to].load(std::memory_order_relaxed);
    delete[] row;
  }
}

Channel *WorldState::channel(Index from, Index to) noexcept {
  std::atomic<Row *> &slot = rows_[static_cast<std::size_t>(from)];
  Row *row = slot.load(std::memory_order_acquire);
  if (!row) {
    Row *made = new (std::nothrow) Row[static_cast<std::size_t>(size_)]();
    if (!made)
      return nullptr;
    if (slot.compare_exchange_strong(row, made, std::memory_order_acq_rel,
                                     std::memory_order_acquire))
      row = made;
    else
      delete[] made;
  }
  Channel *channel = row[to].load(std::memory_order_acquire);
  if (!channel) {
    Channel *made = new (std::nothrow) Channel;
    if (!made)
      return nullptr;
    if (row[to].compare_exchange_strong(channel, made, std::memory_order_acq_rel,
                                        std::memory_order_acquire))
      channel = made;
    else
      delete made;
  }
  return channel;
}

void WorldState::abort(std::uint64_t call, Index rank, const Status &why) noexcept {
  {
    const std::lock_guard<std::mutex> lock(abortMutex_);
    // Calls that every rank has left need no explanation any more.
    std::uint64_t left = Rank::everyCall;
    for (Index i = 0; i < size_; ++i)
      left = std::min(left, this->rank(i).departed.load(std::memory_order_acquire));
    aborts_.erase(std::remove_if(aborts_.begin(), aborts_.end(),
                                 [left](const Abort &a) { return a.call <= left; }),
                  aborts_.end());
    for (const Abort &known : aborts_)
      if (known.call == call)
        return;
    try {
      aborts_.push_back({call, rank, why});
    } catch (const std::bad_alloc &) {
      return; // the others have the watchdog
    }
    abortCount_.fetch_add(1, std::memory_order_seq_cst);
  }
  for (Index i = 0; i < size_; ++i)
    this->rank(i).bell.ring();
}

bool WorldState::findAbort(std::uint64_t call, Abort &found) {
  const std::lock_guard<std::mutex> lock(abortMutex_);
  for (const Abort &abort : aborts_)
    if (abort.call == call || abort.call == Rank::everyCall) {
      found = abort;
      return true;
    }
  return false;
}

void WorldState::reset() {
  std::uint64_t last = 0;
  for (Index i = 0; i < size_; ++i)
    last = std::max(last, rank(i).entered);
  for (Index i = 0; i < size_; ++i) {
    rank(i).entered = last;
    rank(i).departed.store(last, std::memory_order_release);
  }
  const std::lock_guard<std::mutex> lock(abortMutex_);
  aborts_.clear();
}

World::World(Index size) {
  if (size < 1)
    throw std::invalid_argument("quadrille::shm::World: less than one rank");
  state_ = std::make_unique<WorldState>(size);
}

World::~World() = default;

Index World::size() const { return state_->size(); }

void World::reset() { state_->reset(); }
