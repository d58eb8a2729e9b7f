//===- World.h - What the ranks of a shared-memory communicator share -----===//
//
// Private to runtime/shm. All state that two threads touch is in this file, with
// the argument why its memory orders suffice; for the Bell it is in waiting.h.
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

/// Blocking calls of a rank follow each other and share a lane of channels; a
/// started one has a lane of its own, so that no message of one call stands in
/// the way of another's. Started calls that are `startedLanes` apart have the
/// same lane, and the later one begins on a rank when the earlier one has ended
/// there: a channel is then disturbed at most by messages that the earlier one
/// does not expect any more.
inline constexpr unsigned startedLanes = 16;
inline constexpr unsigned lanes = 1 + startedLanes;
constexpr unsigned laneOf(std::uint64_t started) {
  return 1 + static_cast<unsigned>(started % startedLanes);
}

/// Names a message of a channel: the call it belongs to, its number among the
/// channel's messages in that call, and what it is. The messages of a channel
/// are taken in the order of their names. There are never so many in flight that
/// it does harm that both numbers wrap.
///
/// That the call is part of the name is what makes failures harmless to later
/// calls: a message nobody wanted any more is simply never the expected one.
using Tag = std::uint64_t;
enum class Phase : Tag {
  Posted = 0,    ///< the elements are in the sender's memory
  Inline = 1,    ///< they are in the slot
  Withdrawn = 2, ///< nobody may look for them any more
};

constexpr Tag makeTag(std::uint64_t call, std::uint32_t message) {
  return call << 32 | static_cast<Tag>(message & 0x3fffffffu) << 2;
}
constexpr Tag withPhase(Tag tag, Phase phase) {
  return tag | static_cast<Tag>(phase);
}
/// Whether the message `b` comes after `a`, or is it.
constexpr bool isReached(Tag a, Tag b) { return static_cast<std::int64_t>(b - a) >= 0; }

/// Room for one message: the line by which it is announced, and, if it is short,
/// travels.
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

/// The messages from one rank to another, first in first out.
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
/// A short message is done for its sender when it is posted; only who wants the
/// slot again has to know that it was read, and there are `slots` of them. A long
/// one is done when it is consumed.
///
/// A sender that has to give up a long message withdraws it: posted := Withdrawn,
/// then looks at `reading`. Stores and loads of both are sequentially consistent,
/// so either the receiver sees that it was withdrawn and leaves the buffer
/// alone, or the sender sees who reads, and waits until it is consumed, which is
/// only a copy away. The receiver pays a fence, no read-modify-write.
///
/// Memory orders. Slot and elements are ordinary memory. They are written before
/// `posted` is stored (release) and read after that value was seen (acquire);
/// they are read before `consumed` is stored (release) and written again after
/// the sender has seen that value or a later one (acquire). If the receiver has
/// left the call without taking the message, its `departed` plays that role. That
/// would do for the data. `posted` and `consumed` are sequentially consistent
/// besides because of sleepers: see Bell.
struct Channel {
  static constexpr std::size_t slots = 8;

  /// Written by the sender.
  Slot slot[slots];

  /// Written by the receiver. On a line of its own, so that the sender polls
  /// it in its cache without disturbing the receiver.
  alignas(cacheLineBytes) std::atomic<Tag> consumed{withPhase(0, Phase::Withdrawn)};
  std::atomic<Tag> reading{withPhase(0, Phase::Withdrawn)};

  /// The sender's own: what it last put into each slot, of which call, and how
  /// much of all it knows to be consumed.
  alignas(cacheLineBytes) Tag filled[slots] = {};
  std::uint64_t filledIn[slots] = {};
  Tag known = 0;

  /// Messages of one call follow each other; calls begin at different slots, so
  /// that a call of few messages finds its slot free.
  static constexpr std::size_t slotOf(std::uint64_t call, std::uint32_t message) {
    return static_cast<std::size_t>(call * 3 + message) % slots;
  }
};

/// What others may ask about a rank.
struct alignas(cacheLineBytes) Rank {
  static constexpr std::uint64_t everyCall = std::numeric_limits<std::uint64_t>::max();

  Bell bell;

  /// All calls up to this one have been left. Stored with release after the
  /// rank's last operation of the call and read with acquire: who reads a call
  /// here and *then* finds a message of that call not there, or not consumed,
  /// knows that it never will be.
  alignas(cacheLineBytes) std::atomic<std::uint64_t> departed{0};

  /// The last call this rank has entered, and how many of them were started
  /// instead of called; its own.
  alignas(cacheLineBytes) std::uint64_t entered = 0;
  std::uint64_t started = 0;
};

/// Why a call was aborted.
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

  /// The channel from one rank to another; null if there is no memory for it.
  Channel *channel(unsigned lane, Index from, Index to) noexcept;

  /// Makes every wait in `call` (or Rank::everyCall) end. The first abort of a
  /// call is the one that is reported.
  void abort(std::uint64_t call, Index rank, const Status &why) noexcept;

  /// Changes with every abort. Sequentially consistent: see Bell.
  std::uint64_t abortCount() const {
    return abortCount_.load(std::memory_order_seq_cst);
  }
  /// Looks for an abort of `call`.
  bool findAbort(std::uint64_t call, Abort &found);

  void reset();

  /// What the environment said when this was made: one answer for all ranks.
  const MachineTimes &machine() const { return machine_; }

  /// How often a waiting rank looks before it lets others run.
  int spins() const { return spins_; }

private:
  using Row = std::atomic<Channel *>;
  using Table = std::atomic<Row *>;

  Index size_;
  MachineTimes machine_;
  int spins_;
  std::unique_ptr<Rank[]> ranks_;

  /// tables_[lane][from][to], all levels made when first needed: schedules
  /// speak to a few partners of many. Whoever comes first publishes with
  /// release what it made; the other end reads it with acquire.
  std::array<std::atomic<Table *>, lanes> tables_{};

  std::atomic<std::uint64_t> abortCount_{0};
  std::mutex abortMutex_;
  std::vector<Abort> aborts_; ///< under abortMutex_, one per call
};

/// One rank's view of another. No rank writes to a line of another's.
struct alignas(cacheLineBytes) Peer {
  /// The messages in one direction: how many there were in the call `call`. A
  /// call that consists of several programs counts on from one to the next.
  struct Direction {
    Channel *channel = nullptr;
    std::uint64_t call = 0;
    std::uint64_t execution = 0; ///< the last one that used it
    std::uint32_t base = 0;      ///< messages before that one
    std::uint32_t begun = 0;     ///< messages of the call
  };
  Direction out, in;
};

class Execution;

/// What is one rank's alone: it is touched by the thread that is inside the
/// list of tasks.
struct alignas(cacheLineBytes) CommunicatorState final : quadrille::detail::TaskList {
  CommunicatorState(WorldState &shared, const Communicator &communicator);
  ~CommunicatorState() override;

  static CommunicatorState &of(Communicator &communicator) { return *communicator.state_; }

  /// How this rank sees the others in a lane; null if there is no memory.
  Peer *peersOf(unsigned lane) noexcept {
    std::vector<Peer> &list = peers[lane];
    return list.empty() ? newPeers(list) : list.data();
  }

  /// Publishes which calls have been left: all before the first that is open.
  void depart() noexcept;

  WorldState &world;
  const Communicator &comm;
  Rank &self;
  std::array<std::vector<Peer>, lanes> peers;
  quadrille::detail::Arena arena; ///< of blocking calls
  quadrille::detail::Plans plans;
  quadrille::detail::Pool<Execution> executions;
  std::uint64_t executionCount = 0;
  int depth = 0;               ///< blocking calls that are open
  std::uint64_t outermost = 0; ///< the first of them
  Call *innermost = nullptr;   ///< the last of them

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

/// Bounds how long a lost partner or a slow clock can go unnoticed.
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
