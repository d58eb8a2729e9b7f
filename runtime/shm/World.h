//===- World.h - What the ranks of a shared-memory communicator share -----===//
//
// Private to runtime/shm. All state that several threads access is in this
// file, with the argument why its memory orders suffice; that of Bell is in
// waiting.h.
//
//===----------------------------------------------------------------------===//

#ifndef QUADRILLE_SHM_WORLD_H
#define QUADRILLE_SHM_WORLD_H

#include "../common/Tasks.h"
#include "../plan/Plans.h"

#include "quadrille/shm.h"
#include "quadrille/waiting.h"

#include <array>
#include <atomic>
#include <limits>
#include <mutex>

namespace quadrille {
namespace shm {
namespace detail {

/// A lane is a set of channels between all ranks. Blocking calls of a rank
/// follow each other and share lane 0. Calls that are started (nonblocking) use
/// other lanes, so that their messages do not get in each other's way. Started
/// calls whose numbers differ by `startedLanes` share a lane: the later one
/// begins on a rank when the earlier one has ended there, so a channel contains
/// at most messages of the earlier call that are not expected any more.
inline constexpr unsigned startedLanes = 16;
inline constexpr unsigned lanes = 1 + startedLanes;
constexpr unsigned laneOf(std::uint64_t started) {
  return 1 + static_cast<unsigned>(started % startedLanes);
}

/// The name of a message in a channel: its call, its number among the channel's
/// messages in that call, and its phase. Messages of a channel are taken in the
/// order of their names. Both numbers may wrap, since there are never so many
/// messages in flight.
///
/// Because the call is part of the name, failures do not disturb later calls: a
/// message that was left over is never the expected one.
using Tag = std::uint64_t;
enum class Phase : Tag {
  Posted = 0,    ///< the elements are in the sender's memory
  Inline = 1,    ///< the elements are in the slot
  Withdrawn = 2, ///< the elements must not be read any more
};

constexpr Tag makeTag(std::uint64_t call, std::uint32_t message) {
  return call << 32 | static_cast<Tag>(message & 0x3fffffffu) << 2;
}
constexpr Tag withPhase(Tag tag, Phase phase) {
  return tag | static_cast<Tag>(phase);
}
/// Whether `b` is `a` or a later message.
constexpr bool isReached(Tag a, Tag b) { return static_cast<std::int64_t>(b - a) >= 0; }

/// A cache line for one message: it announces the message, and contains its
/// elements if they are few.
struct alignas(cacheLineBytes) Slot {
  static constexpr std::size_t inlineBytes = 48;

  struct Short {
    std::uint32_t elements, elementBytes;
    std::byte bytes[inlineBytes];
  };
  struct Long {
    Index elements, elementBytes;
    std::byte *base;
    const quadrille::detail::Piece *pieces; ///< null: in one piece from `base`
    std::size_t pieceCount;
  };

  std::atomic<Tag> posted{withPhase(0, Phase::Withdrawn)};
  union {
    Short brief;
    Long full;
  };
  Slot() : full{} {}
};
static_assert(sizeof(Slot) == cacheLineBytes, "a slot is a line");

/// The messages from one rank to another, in order (FIFO).
///
///   sender                               receiver
///   writes slot and, if short, elements
///   posted := tag            ------->    reads posted = tag
///                                        reads the elements: from the slot, or
///                                        announces reading := tag, makes sure that
///                                        posted = tag still, and reads the sender's
///   reads consumed >= tag    <-------    consumed := tag
///   (slot and buffer are free again)
///
/// For its sender, a short message is done when it is posted. Only to reuse the
/// slot, of which there are `slots`, it has to know that the message was read.
/// A long message is done when it is consumed.
///
/// A sender that gives up a long message withdraws it: it stores posted :=
/// Withdrawn, then loads `reading`. Stores and loads of both are sequentially
/// consistent, so either the receiver sees that the message was withdrawn and
/// leaves the buffer alone, or the sender sees that the receiver reads, and
/// waits until the message is consumed, which takes no longer than a copy. The
/// receiver pays a fence, but no read-modify-write.
///
/// Memory orders. Slot and elements are ordinary memory. They are written
/// before `posted` is stored (release) and read after that value was seen
/// (acquire); they are read before `consumed` is stored (release) and written
/// again after the sender has seen that value or a later one (acquire). If the
/// receiver has left the call without taking the message, its `departed` has
/// the role of `consumed`. This suffices for the data. `posted` and `consumed`
/// are sequentially consistent because of sleeping ranks: see Bell.
struct Channel {
  static constexpr std::size_t slots = 8;

  /// Written by the sender.
  Slot slot[slots];

  /// Written by the receiver. It has a cache line of its own, so that the
  /// sender polls it in its cache without disturbing the receiver.
  alignas(cacheLineBytes) std::atomic<Tag> consumed{withPhase(0, Phase::Withdrawn)};
  std::atomic<Tag> reading{withPhase(0, Phase::Withdrawn)};

  /// Used by the sender only: the last message in each slot, its call, and the
  /// latest message that is known to be consumed.
  alignas(cacheLineBytes) Tag filled[slots] = {};
  std::uint64_t filledIn[slots] = {};
  Tag known = 0;

  /// The slot of a message. Messages of one call use consecutive slots. Calls
  /// begin at different slots, so that a call of few messages finds free ones.
  static constexpr std::size_t slotOf(std::uint64_t call, std::uint32_t message) {
    return static_cast<std::size_t>(call * 3 + message) % slots;
  }
};

/// The state of a rank that other ranks may read.
struct alignas(cacheLineBytes) Rank {
  static constexpr std::uint64_t everyCall = std::numeric_limits<std::uint64_t>::max();

  Bell bell;

  /// The rank has left all calls up to this one. Stored with release after the
  /// rank's last operation of the call, and read with acquire: a rank that
  /// reads a call here and *then* finds a message of that call not posted, or
  /// not consumed, knows that it never will be.
  alignas(cacheLineBytes) std::atomic<std::uint64_t> departed{0};

  /// Used by this rank only: the last call that it has entered, and the number
  /// of calls that were started (nonblocking).
  alignas(cacheLineBytes) std::uint64_t entered = 0;
  std::uint64_t started = 0;
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

  /// How often a waiting rank looks before it yields.
  int spins() const { return spins_; }

private:
  using Row = std::atomic<Channel *>;
  using Table = std::atomic<Row *>;

  Index size_;
  MachineTimes machine_;
  int spins_;
  std::unique_ptr<Rank[]> ranks_;

  /// tables_[lane][from][to]. All levels are created when they are first
  /// needed, since schedules use only few pairs of ranks. The rank that creates
  /// one publishes it with release; others read it with acquire.
  std::array<std::atomic<Table *>, lanes> tables_{};

  std::atomic<std::uint64_t> abortCount_{0};
  std::mutex abortMutex_;
  std::vector<Abort> aborts_; ///< guarded by abortMutex_; one per call
};

/// One rank's state about another rank. Aligned, so that ranks do not write to
/// each other's cache lines.
struct alignas(cacheLineBytes) Peer {
  /// Counts the messages in one direction in the call `call`. If a call
  /// consists of several programs, counting goes on from one to the next.
  struct Direction {
    Channel *channel = nullptr;
    std::uint64_t call = 0;
    std::uint64_t execution = 0; ///< the last execution that used this direction
    std::uint32_t base = 0;      ///< messages of the call before this execution
    std::uint32_t begun = 0;     ///< messages of the call that have begun
  };
  Direction out, in;
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

  WorldState &world;
  const Communicator &comm;
  Rank &self;
  std::array<std::vector<Peer>, lanes> peers;
  quadrille::detail::Arena arena; ///< temporaries of blocking calls
  quadrille::detail::Plans plans;
  quadrille::detail::Pool<Execution> executions;
  std::uint64_t executionCount = 0;
  int depth = 0;               ///< how many blocking calls are open
  std::uint64_t outermost = 0; ///< the first open blocking call
  Call *innermost = nullptr;   ///< the last open blocking call

private:
  Peer *newPeers(std::vector<Peer> &list) noexcept;

  using Task = quadrille::detail::Task;
  Numbers next() noexcept override;
  bool mayBeginBeside(const Task &task, const Task &oldest) noexcept override;
  void failed(std::uint64_t sequence, const Status &why) noexcept override;
  void ended() noexcept override { depart(); }
  void pause(std::uint64_t &round) noexcept override;
  void interrupt() noexcept override { self.bell.ring(); }
  Status mayHaveThread() noexcept override { return {}; }
};

/// A sleeping rank looks around at least this often, which bounds the time in
/// which a lost partner goes unnoticed.
inline constexpr std::int64_t longestSleepNs = 50'000'000;

/// Combines with a built-in operator: dst[i] := a[i] <> b[i]. `dst` may be `a`
/// or `b`, else they do not overlap.
using Kernel = void(void *dst, const void *a, const void *b, std::size_t count);

/// The loop for a built-in operator; null if it is not defined for the kind.
Kernel *kernel(Operator::Builtin builtin, Datatype::Kind kind);

} // namespace detail
} // namespace shm
} // namespace quadrille

#endif // QUADRILLE_SHM_WORLD_H
