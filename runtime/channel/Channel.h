//===- Channel.h - How a message gets from one rank to another ------------===//
//
// Private to the runtime. The protocol by which ranks that share memory give
// each other messages: threads of one process, and processes of one node. All
// accesses of two ranks to the same message are in this file, with the argument
// why their memory orders suffice; that of Bell is in waiting.h.
//
//===----------------------------------------------------------------------===//

#ifndef QUADRILLE_CHANNEL_CHANNEL_H
#define QUADRILLE_CHANNEL_CHANNEL_H

#include "SharedWork.h"

#include "../plan/Program.h"

#include "quadrille/waiting.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <new>

namespace quadrille {
namespace detail {

/// The name of a message in a channel: its call, its number among the channel's
/// messages in that call, and its phase. Messages of a channel are taken in the
/// order of their names. Both numbers may wrap, since there are never so many
/// messages in flight. Calls count from 1, so no message has the name 0: memory
/// that is all zero is a channel without messages.
///
/// Because the call is part of the name, failures do not disturb later calls: a
/// message that was left over is never the expected one.
using Tag = std::uint64_t;
enum class Phase : Tag {
  Posted = 0,    ///< the elements are in the sender's memory
  Inline = 1,    ///< the elements are in the slot
  Withdrawn = 2, ///< the elements must not be read any more
  Streamed = 3,  ///< the elements are in cells, or get there: see CellRing
};
constexpr Tag phases = 3; ///< the bits of a phase

constexpr Tag makeTag(std::uint64_t call, std::uint32_t message) {
  return call << 32 | static_cast<Tag>(message & 0x3fffffffu) << 2;
}
constexpr Tag withPhase(Tag tag, Phase phase) {
  return tag | static_cast<Tag>(phase);
}
/// Whether `b` is `a` or a later message.
constexpr bool isReached(Tag a, Tag b) { return static_cast<std::int64_t>(b - a) >= 0; }

/// Which calls a rank has left: all up to `departed`. Stored with release after
/// the rank's last operation of the call, and read with acquire: a rank that
/// reads a call here and *then* finds a message of that call not posted, or not
/// consumed, knows that it never will be.
struct alignas(cacheLineBytes) Attendance {
  static constexpr std::uint64_t everyCall = std::numeric_limits<std::uint64_t>::max();

  std::atomic<std::uint64_t> departed{0};

  std::uint64_t left() const { return departed.load(std::memory_order_acquire); }
  void leave(std::uint64_t call) { departed.store(call, std::memory_order_release); }
};

/// How a rank stores what a sleeping rank may wait for. After the store it looks
/// whether that rank sleeps, and wakes it: see Bell.
///
/// Fenced: the store is sequentially consistent, so that no sleeper is missed.
///
/// Unfenced: the store only releases. So the look need not wait until the store is
/// visible, which takes as long as getting the cache line. Instead a thread that is
/// about to sleep makes all other threads pass a fence (`fenceOthers`). That is
/// slow, but only threads that have nothing to do pay for it.
///
/// Processes use Unfenced, and do not fence each other. If each of two ranks looks
/// before it can see the other's store, the sleeper is missed. So processes sleep
/// for short times only, after which they look again.
enum class Announcing : std::uint8_t { Fenced, Unfenced };

template <class Value> void announce(std::atomic<Value> &word, Value value, Announcing how) {
  if (how == Announcing::Fenced) {
    word.store(value, std::memory_order_seq_cst);
    return;
  }
  word.store(value, std::memory_order_release);
  // The compiler must not move the look at the sleeper before the store.
  std::atomic_signal_fence(std::memory_order_seq_cst);
}

/// A fence that only processes need: see `isStillPosted`. The thread sanitizer, which
/// sees threads only, does not support fences.
inline void fenceBetweenProcesses(std::memory_order order) {
#ifdef __SANITIZE_THREAD__
  (void)order;
#else
  std::atomic_thread_fence(order);
#endif
}

/// A cache line for one message: it announces the message, and contains its
/// elements if they are few.
struct alignas(cacheLineBytes) Slot {
  static constexpr std::size_t inlineBytes = 48;

  struct Short {
    std::uint32_t elements, elementBytes;
    std::byte bytes[inlineBytes];
  };
  /// Addresses in the sender's memory.
  struct Long {
    Index elements, elementBytes;
    std::byte *base;
    const quadrille::detail::Piece *pieces; ///< null: in one piece from `base`
    std::size_t pieceCount;
  };
  struct Stream {
    Index elements, elementBytes;
    std::uint64_t firstCell; ///< the number of the first of its cells
  };

  std::atomic<Tag> posted{0};
  union {
    Short brief;
    Long full;
    Stream stream;
  };
  Slot() : full{} {}
};
static_assert(sizeof(Slot) == cacheLineBytes, "a slot is a line");

/// The messages from one rank to another, in order (FIFO). Its slots follow it in
/// memory. Both ranks know their number, which is a power of two. Behind the slots the
/// sender notes which message each of them was last used for.
///
///   sender                               receiver
///   writes slot and, if short, elements
///   posted := tag            ------->    reads posted = tag
///                                        reads the elements: from the slot, from
///                                        cells, or
///                                        announces reading := tag, makes sure that
///                                        posted = tag still, and reads the sender's
///   reads consumed >= tag    <-------    consumed := tag
///   (slot and buffer are free again)
///
/// For its sender, a short message is done when it is posted. The sender waits until
/// the message is consumed only before it reuses the slot. So it can be as many
/// messages ahead of the receiver as there are slots. Where ranks share cores, every
/// wait costs a context switch, so there are more slots (see slotsOfBlocking). A long
/// message is done when it is consumed.
///
/// A sender that gives up a long message withdraws it: it stores posted :=
/// Withdrawn, then loads `reading`. The receiver stores `reading`, then loads
/// `posted`. All four are sequentially consistent, so at least one of them sees the
/// other's store: the receiver sees that the message was withdrawn and leaves the
/// buffer alone, or the sender sees that the receiver reads, and waits until the
/// message is consumed, which takes no longer than a copy. If both do, the receiver
/// takes its announcement back (reading := 0), and the sender stops waiting. The
/// receiver pays a fence, but no read-modify-write.
///
/// A receiver in another process does not announce `reading`: the sender could wait
/// forever, as that process may have died. It reads by a system call, which fails if
/// the memory is gone. Then it makes sure that posted = tag still (`isStillPosted`);
/// if not, what it has read is worthless, and the message has not arrived.
///
/// Memory orders. Slot and elements are ordinary memory. They are written
/// before `posted` is stored (release) and read after that value was seen
/// (acquire); they are read before `consumed` is stored (release) and written
/// again after the sender has seen that value or a later one (acquire). If the
/// receiver has left the call without taking the message, its `departed` (see
/// Attendance) has the role of `consumed`. This suffices for the data. What
/// sleeping ranks need besides: see Bell and Announcing.
struct Channel {
  /// Written by the receiver. It has a cache line of its own, so that the
  /// sender polls it in its cache without disturbing the receiver.
  alignas(cacheLineBytes) std::atomic<Tag> consumed{0};
  std::atomic<Tag> reading{0};

  /// Used by the sender only: the latest message that is known to be consumed.
  alignas(cacheLineBytes) Tag known = 0;

  /// What both ranks do of a long message.
  SharedWork work;

  /// The size of a channel with so many slots.
  static constexpr std::size_t bytesWith(std::size_t slots) { return sizeof(Channel) + slots * (sizeof(Slot) + sizeof(Tag)); }
  /// Makes a channel; null if there is no memory.
  static Channel *create(std::size_t slots) noexcept {
    void *const memory = ::operator new(bytesWith(slots), std::align_val_t(alignof(Channel)), std::nothrow);
    if (!memory)
      return nullptr;
    Channel *const made = new (memory) Channel;
    for (std::size_t i = 0; i < slots; ++i)
      new (&made->slot(i)) Slot;
    for (std::size_t i = 0; i < slots; ++i)
      new (&made->lastIn(i, slots)) Tag(0);
    return made;
  }
  static void destroy(Channel *channel) noexcept { ::operator delete(channel, std::align_val_t(alignof(Channel))); }

  /// The slots, which the sender writes.
  Slot &slot(std::size_t at) { return reinterpret_cast<Slot *>(this + 1)[at]; }
  const Slot &slot(std::size_t at) const { return reinterpret_cast<const Slot *>(this + 1)[at]; }

  /// Used by the sender only: the last message in a slot, 0: there was none. The slot
  /// says so, too, but whoever looks there fetches its line from the receiver.
  Tag &lastIn(std::size_t at, std::size_t slots) { return reinterpret_cast<Tag *>(&slot(slots))[at]; }

  /// The slot of a message. Messages of one call use consecutive slots. Calls
  /// begin at different slots, so that a call of few messages finds free ones.
  /// `turn`: see turnIn.
  static constexpr std::size_t slotOf(std::uint64_t turn, std::uint32_t message, std::size_t slots) {
    return static_cast<std::size_t>(turn * 3 + message) & (slots - 1);
  }

  //===--- The sender ----------------------------------------------------===//

  bool isConsumed(Tag tag) {
    if (!isReached(tag, known))
      known = consumed.load(std::memory_order_seq_cst);
    return isReached(tag, known);
  }

  /// Whether the slot can be written. `departed()` is the receiver's.
  template <class Departed> bool isFree(std::size_t at, std::size_t slots, Departed departed) {
    const Tag last = lastIn(at, slots);
    if (last == 0 || isConsumed(last))
      return true;
    // If the receiver has left the call of the slot's message, it will not read
    // it any more.
    const std::uint64_t left = departed();
    return left == Attendance::everyCall || isReached(last >> 32 << 32, makeTag(left, 0));
  }

  /// Announces the message that was written to the slot.
  void post(std::size_t at, std::size_t slots, Tag tag, Phase phase, Announcing how) {
    lastIn(at, slots) = tag;
    detail::announce(slot(at).posted, withPhase(tag, phase), how);
  }

  /// Takes a message back. True if the receiver is reading it: the caller has to wait
  /// and to call this again. Never true between processes, which do not announce
  /// that they read. The slot stays in use until the receiver has left the call, as
  /// it may be looking at it.
  bool withdraw(std::size_t at, std::size_t slots, Tag tag) {
    lastIn(at, slots) = tag;
    slot(at).posted.store(withPhase(tag, Phase::Withdrawn), std::memory_order_seq_cst);
    // Orders the store before all that the program writes to the buffer
    // afterwards: see isStillPosted.
    fenceBetweenProcesses(std::memory_order_release);
    return reading.load(std::memory_order_seq_cst) == tag &&
           !isReached(tag, consumed.load(std::memory_order_acquire));
  }

  //===--- The receiver --------------------------------------------------===//

  Tag postedAt(std::size_t at) const { return slot(at).posted.load(std::memory_order_seq_cst); }

  /// Announces that the elements of a long message are about to be read. False:
  /// it was withdrawn.
  bool mayRead(std::size_t at, Tag tag) {
    reading.store(tag, std::memory_order_seq_cst);
    if (postedAt(at) == withPhase(tag, Phase::Posted))
      return true;
    // Both ranks may have seen the other's store. The sender then waits for this one,
    // which will not consume the message. Relaxed: nothing has been read.
    reading.store(0, std::memory_order_relaxed);
    return false;
  }

  /// Whether what has been read is the message, which has not been withdrawn
  /// meanwhile.
  ///
  /// If the receiver has read anything that was written after the withdrawal, it has
  /// seen a store that follows the release fence in `withdraw`. So the load behind
  /// the acquire fence here sees the withdrawal.
  bool isStillPosted(std::size_t at, Tag tag) const {
    fenceBetweenProcesses(std::memory_order_acquire);
    return postedAt(at) == withPhase(tag, Phase::Posted);
  }

  void consume(Tag tag, Announcing how) { detail::announce(consumed, tag, how); }
};

/// The cells of a channel between processes: memory for messages that do not fit
/// into a slot, where the receiver does not read the sender's memory. A message
/// takes cells with consecutive numbers; number i is in cell i modulo `cells`.
///
///   sender                               receiver
///   writes the first cell
///   posts the message        ------->    reads the first cell
///   writes the next cell
///   written := its number    ------->    reads the next cell
///   reads drained >= i       <-------    drained := its number
///   (the cell is free again)
///
/// The first cell is announced by the message, and the last one is drained by
/// consuming it. So a message that fits into one cell touches neither `written` nor
/// `drained`. For its sender a message is done when all of it is in cells.
///
/// Memory orders are those of Channel, with `written` as `posted` and `drained`
/// as `consumed`. Numbers begin with 1 and do not wrap. A message that its sender
/// or receiver has given up leaves cells behind, which are free when the receiver
/// has left the call. The next message says with which cell it begins. The cells of
/// later messages have the numbers that a message that was given up did not use, so
/// the receiver looks after each `written` whether its message is still posted. The
/// withdrawal was stored before `written`, so it is seen.
struct CellRing {
  static constexpr std::size_t cells = 4;
  static constexpr std::size_t cellBytes = 8192;
  struct alignas(cacheLineBytes) Cell {
    std::byte bytes[cellBytes];
  };

  /// Written by the sender: the latest cell of a message under way.
  alignas(cacheLineBytes) std::atomic<std::uint64_t> written{0};
  /// Used by the sender only: how many cells it has filled, and the latest one that
  /// is known to be drained. For each place, the message that it holds, and its call.
  std::uint64_t used = 0, known = 0;
  Tag filled[cells] = {};
  std::uint64_t filledIn[cells] = {};

  /// Written by the receiver: the latest cell that it has read, if more of the
  /// message follows.
  alignas(cacheLineBytes) std::atomic<std::uint64_t> drained{0};

  Cell cell[cells];

  std::byte *bytesOf(std::uint64_t number) { return cell[number % cells].bytes; }

  //===--- The sender ----------------------------------------------------===//

  /// Whether the next cell can be written. `departed()` is the receiver's.
  template <class Departed> bool isFree(Channel &channel, Departed departed) {
    if (used < cells)
      return true;
    const std::uint64_t last = used + 1 - cells; // what is in its place now
    const std::size_t at = last % cells;
    if (last <= known || channel.isConsumed(filled[at]))
      return true;
    known = drained.load(std::memory_order_seq_cst);
    return last <= known || departed() >= filledIn[at];
  }

  /// Counts the next cell, which belongs to this message. Returns its number.
  std::uint64_t take(Tag tag, std::uint64_t call) {
    ++used;
    filled[used % cells] = tag;
    filledIn[used % cells] = call;
    return used;
  }

  /// Announces a cell that is not the first of its message.
  void announce(std::uint64_t number) { detail::announce(written, number, Announcing::Unfenced); }

  //===--- The receiver --------------------------------------------------===//

  bool isWritten(std::uint64_t number) const {
    return written.load(std::memory_order_seq_cst) >= number;
  }
  void drain(std::uint64_t number) { detail::announce(drained, number, Announcing::Unfenced); }
};

/// A lane is a set of channels between all ranks. Blocking calls of a rank
/// follow each other and share lane 0. Calls that are started (nonblocking) use
/// other lanes, so that their messages do not get in each other's way. The lane follows from
/// the call's number among all calls, on which ranks agree even after one of them has started what
/// others have called blocking. Of two that share a lane, the later one begins on
/// a rank when the earlier one has ended there. So a rank sends and takes all
/// messages of the earlier one first, as the order of names demands.
inline constexpr unsigned startedLanes = 16;

/// The number of slots in a channel of blocking calls; channels of other lanes have few.
/// Where ranks share cores (`isCrowded`), many slots let a rank make many calls before it
/// has to wait for another rank, so one context switch serves many calls. Where every
/// rank has a core, few slots suffice, and stay in its cache. Very many ranks have fewer
/// slots, so that the channels of all pairs fit into memory.
inline constexpr std::size_t fewSlots = 8, manySlots = 128;
constexpr std::size_t slotsOfBlocking(std::size_t ranks, bool isCrowded) {
  constexpr std::size_t mostBytes = std::size_t{64} << 20;
  std::size_t slots = isCrowded ? manySlots : fewSlots;
  while (slots > fewSlots && slots * sizeof(Slot) > mostBytes / ranks / ranks)
    slots /= 2;
  return slots;
}
constexpr unsigned laneOf(std::uint64_t call, unsigned among = startedLanes) {
  return 1 + static_cast<unsigned>(call % among);
}
/// A number of a call that differs between calls which follow each other in their lane, for
/// `Channel::slotOf`: if they all began at the same slot, each would first have to see
/// that the receiver is through with the one before.
constexpr std::uint64_t turnIn(unsigned lane, std::uint64_t call) { return lane == 0 ? call : call / startedLanes; }

} // namespace detail
} // namespace quadrille

#endif // QUADRILLE_CHANNEL_CHANNEL_H
