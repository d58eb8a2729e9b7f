//===- World.h - What the ranks of a shared-memory communicator share -----===//
//
// Private to runtime/shm. The state that the ranks of a communicator share is in
// this file and in channel/Channel.h, with the argument why its memory orders
// suffice; that of Bell is in waiting.h.
//
//===----------------------------------------------------------------------===//

#ifndef QUADRILLE_SHM_WORLD_H
#define QUADRILLE_SHM_WORLD_H

#include "../channel/Peer.h"
#include "../common/Tasks.h"
#include "../plan/Plans.h"
#include "../plan/Repeats.h"

#include "quadrille/shm.h"
#include "quadrille/waiting.h"

#include <array>
#include <atomic>
#include <limits>
#include <mutex>

namespace quadrille {
namespace shm {
namespace detail {

using quadrille::detail::CallNumbers;
using quadrille::detail::Channel;
using quadrille::detail::Direction;
using quadrille::detail::isReached;
using quadrille::detail::laneOf;
using quadrille::detail::Peer;
using quadrille::detail::Phase;
using quadrille::detail::Slot;
using quadrille::detail::startedLanes;
using quadrille::detail::Tag;
inline constexpr unsigned lanes = 1 + startedLanes;

/// The state of a rank that other ranks may read.
struct alignas(cacheLineBytes) Rank {
  static constexpr std::uint64_t everyCall = quadrille::detail::Attendance::everyCall;

  Bell bell;

  quadrille::detail::Attendance attendance;

  /// Used by this rank only.
  alignas(cacheLineBytes) CallNumbers calls;
};

/// An aborted call, the rank that failed, and its error.
struct Abort {
  std::uint64_t call;
  Index rank;
  Status why;
};

class WorldState {
public:
  explicit WorldState(Index size);
  ~WorldState();

  Index size() const { return size_; }
  Rank &rank(Index i) { return ranks_[static_cast<std::size_t>(i)]; }

  /// The channel from one rank to another, created if needed; null if there is
  /// no memory.
  Channel *channel(unsigned lane, Index from, Index to) noexcept;

  /// Ends every wait in `call` (or in all calls, Rank::everyCall). Of several
  /// aborts of a call, the first one is reported.
  void abort(std::uint64_t call, Index rank, const Status &why) noexcept;

  /// A number that changes with every abort. Loaded with sequential
  /// consistency: see Bell.
  std::uint64_t abortCount() const {
    return abortCount_.load(std::memory_order_seq_cst);
  }
  /// Searches for an abort of `call`; false if there is none.
  bool findAbort(std::uint64_t call, Abort &found);

  void reset();

  /// The machine of the environment at construction, so that all ranks use the
  /// same.
  const MachineTimes &machine() const { return machine_; }

  /// The nodes that the environment pretends at construction, by rank; empty: none.
  const std::vector<Index> &nodeOf() const { return nodeOf_; }

  /// How often a waiting rank looks before it yields.
  int spins() const { return spins_; }
  /// Whether there are more ranks than cores. They do not spin then.
  bool isCrowded() const { return spins_ == 1; }

  /// How many slots the channels of a lane have.
  std::size_t slots(unsigned lane) const { return lane == 0 ? blockingSlots_ : quadrille::detail::fewSlots; }

  /// How messages are announced to ranks that may sleep. If every rank has a core,
  /// ranks seldom sleep: then a rank fences the others before it sleeps.
  quadrille::detail::Announcing announcing() const { return announcing_; }
  /// A rank announces that it is about to sleep. See Bell.
  void announceSleep(Bell &bell) const {
    bell.announceSleep();
    if (announcing_ == quadrille::detail::Announcing::Unfenced)
      quadrille::detail::fenceOthers();
  }

private:
  using Row = std::atomic<Channel *>;
  using Table = std::atomic<Row *>;

  Index size_;
  MachineTimes machine_;
  std::vector<Index> nodeOf_;
  int spins_;
  std::size_t blockingSlots_;
  quadrille::detail::Announcing announcing_;
  std::unique_ptr<Rank[]> ranks_;

  /// tables_[lane][from][to]. All levels are created when they are first
  /// needed, since schedules use only few pairs of ranks. The rank that creates
  /// one publishes it with release; others read it with acquire. Relaxed in the
  /// destructor: no rank uses them any more.
  std::array<std::atomic<Table *>, lanes> tables_{};

  std::atomic<std::uint64_t> abortCount_{0};
  std::mutex abortMutex_;
  std::vector<Abort> aborts_; ///< guarded by abortMutex_; one per call
};

class Execution;

/// The state that one rank uses alone. Only the thread that is inside the list
/// of tasks accesses it.
struct alignas(cacheLineBytes) CommunicatorState final : quadrille::detail::TaskList {
  CommunicatorState(WorldState &shared, const Communicator &communicator);
  ~CommunicatorState() override;

  static CommunicatorState &of(Communicator &communicator) { return *communicator.state_; }

  /// This rank's state about all ranks in a lane; null if there is no memory.
  Peer *peersOf(unsigned lane) noexcept {
    std::vector<Peer> &list = peers[lane];
    return list.empty() ? newPeers(list) : list.data();
  }

  /// Publishes which calls this rank has left: all before the first one that is
  /// open.
  void depart() noexcept;

  /// See Communicator::repeat; null: the call has no operator.
  bool repeat(const CallKey &key, const Datatype &type, const Operator *op, Status &ended);

  WorldState &world;
  const Communicator &comm;
  Rank &self;
  std::array<std::vector<Peer>, lanes> peers;
  quadrille::detail::Arena arena; ///< temporaries of blocking calls
  quadrille::detail::Plans plans;
  quadrille::detail::Pool<Execution> executions;
  quadrille::detail::Repeats<Execution> repeats;
  std::uint64_t executionCount = 0;

private:
  Peer *newPeers(std::vector<Peer> &list) noexcept;

  using Task = quadrille::detail::Task;
  std::uint64_t next() noexcept override { return ++self.calls.entered; }
  bool mayBeginBeside(const Task &task, const Task &earlier) const noexcept override { return laneOf(task.sequence) != laneOf(earlier.sequence); }
  void failed(std::uint64_t sequence, const Status &why) noexcept override;
  void ended() noexcept override { depart(); }
  void pause(quadrille::detail::TaskWait &wait) noexcept override;
  void interrupt() noexcept override { self.bell.ring(); }
  Status mayHaveThread() noexcept override { return {}; }
};

/// A sleeping rank looks around at least this often, which bounds the time in
/// which a lost partner goes unnoticed.
inline constexpr std::int64_t longestSleepNs = 50'000'000;

} // namespace detail
} // namespace shm
} // namespace quadrille

#endif // QUADRILLE_SHM_WORLD_H
