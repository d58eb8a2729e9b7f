//===- World.cpp - What the ranks of a communicator share -----------------===//

#include "World.h"

#include "../common/Cores.h"

#include <algorithm>
#include <new>
#include <stdexcept>

using namespace quadrille;
using namespace quadrille::shm;
using namespace quadrille::shm::detail;

WorldState::WorldState(Index size)
    : size_(size), machine_(machineFromEnvironment(usualShmMachine).sharedBy(size, quadrille::detail::availableCores())),
      nodeOf_(quadrille::detail::pretendedNodes(size)),
      spins_(quadrille::detail::longSpinsFor(size)),
      blockingSlots_(quadrille::detail::slotsOfBlocking(static_cast<std::size_t>(size), isCrowded())),
      announcing_(spins_ > 1 && quadrille::detail::canFenceOthers() ? quadrille::detail::Announcing::Unfenced
                                                                    : quadrille::detail::Announcing::Fenced),
      ranks_(new Rank[static_cast<std::size_t>(size)]) {}

WorldState::~WorldState() {
  for (std::atomic<Table *> &slot : tables_) {
    Table *table = slot.load(std::memory_order_relaxed);
    for (Index from = 0; table && from < size_; ++from) {
      Row *row = table[from].load(std::memory_order_relaxed);
      for (Index to = 0; row && to < size_; ++to)
        if (Channel *const channel = row[to].load(std::memory_order_relaxed))
          Channel::destroy(channel);
      delete[] row;
    }
    delete[] table;
  }
}

/// The array behind `slot`, created if it does not exist; null if there is no
/// memory.
template <class Element>
static Element *arrayAt(std::atomic<Element *> &slot, Index size) noexcept {
  Element *array = slot.load(std::memory_order_acquire);
  if (array)
    return array;
  Element *made = new (std::nothrow) Element[static_cast<std::size_t>(size)]();
  if (!made || slot.compare_exchange_strong(array, made, std::memory_order_acq_rel,
                                            std::memory_order_acquire))
    return made;
  delete[] made;
  return array;
}

Channel *WorldState::channel(unsigned lane, Index from, Index to) noexcept {
  Table *table = arrayAt(tables_[lane], size_);
  Row *row = table ? arrayAt(table[from], size_) : nullptr;
  if (!row)
    return nullptr;
  Channel *channel = row[to].load(std::memory_order_acquire);
  if (!channel) {
    Channel *const made = Channel::create(slots(lane));
    if (!made)
      return nullptr;
    if (row[to].compare_exchange_strong(channel, made, std::memory_order_acq_rel,
                                        std::memory_order_acquire))
      channel = made;
    else
      Channel::destroy(made);
  }
  return channel;
}

void WorldState::abort(std::uint64_t call, Index rank, const Status &why) noexcept {
  {
    const std::lock_guard<std::mutex> lock(abortMutex_);
    // Forget the aborts of calls that every rank has left.
    std::uint64_t left = Rank::everyCall;
    for (Index i = 0; i < size_; ++i)
      left = std::min(left, this->rank(i).attendance.left());
    aborts_.erase(std::remove_if(aborts_.begin(), aborts_.end(),
                                 [left](const Abort &a) { return a.call <= left; }),
                  aborts_.end());
    for (const Abort &known : aborts_)
      if (known.call == call)
        return;
    try {
      aborts_.push_back({call, rank, why});
    } catch (const std::bad_alloc &) {
      return; // no memory: the other ranks' watchdogs end their waits
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
    last = std::max(last, rank(i).calls.entered);
  for (Index i = 0; i < size_; ++i) {
    rank(i).calls.entered = last;
    rank(i).attendance.leave(last);
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
