//===- OnNode.cpp - Messages through the memory of the node ---------------===//
//
// How an execution gives messages to ranks of its node, and takes theirs. The
// protocol is in channel/Channel.h; here is how bytes move:
//
//   at most 48 bytes   in the slot that announces the message
//   up to a cell       through a cell: two copies, or a copy and a combination
//   more               one copy, by the system from the sender's memory, if the
//                      receiver can read that; else through the cells in turn
//
// The sender chooses, since it knows all it needs for that; the receiver takes it
// either way. What is not plain bytes in the order of the message is packed by
// its owner, so that the other side need not know.
//
//===----------------------------------------------------------------------===//

#include "Execution.h"

#include "../common/Transfer.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <new>
#include <thread>

using namespace quadrille;
using namespace quadrille::mpi;
using namespace quadrille::mpi::detail;
using quadrille::detail::Bytes;
using quadrille::detail::CellRing;
using quadrille::detail::Channel;
using quadrille::detail::Direction;
using quadrille::detail::ElementCursor;
using quadrille::detail::OtherProcess;
using quadrille::detail::Patience;
using quadrille::detail::Phase;
using quadrille::detail::Sharing;
using quadrille::detail::Slot;
using quadrille::detail::spinsOfNextWait;
using quadrille::detail::Tag;
using quadrille::detail::withPhase;

/// Converts an Index for printf's %lld, since Index need not be long long.
static long long number(Index i) { return i; }

static double nowSeconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

static constexpr Index cellBytes = CellRing::cellBytes;

/// Bytes that the system copies at once if they have to be combined: they stay in
/// the second-level cache.
static constexpr Index pieceBytes = 256 * 1024;

/// Where pieces are shorter than this, on the average, copying them to cells is
/// faster than having the system look for each.
static constexpr Index shortestPiece = 2048;

/// The bytes in a cell: whole elements if they fit.
static Index stepOf(Index elementBytes) {
  return elementBytes > 0 && elementBytes <= cellBytes ? cellBytes / elementBytes * elementBytes : cellBytes;
}

/// Calls use(data, bytes) for consecutive bytes of plain elements, from byte
/// `first` on, `bytes` in all.
template <class Use>
static void forBytes(const quadrille::detail::Elements &elements, Index first, Index bytes, Use use) {
  for (std::size_t i = 0; i < elements.pieceCount() && bytes > 0; ++i) {
    const Index length = elements.length(i) * elements.elementBytes();
    if (first >= length) {
      first -= length;
      continue;
    }
    const Index now = std::min(length - first, bytes);
    use(elements.data(i) + first, now);
    first = 0;
    bytes -= now;
  }
}

/// Whether it is the turn of a message: all earlier ones in its direction have
/// been given to the channel, or taken from it.
inline bool Execution::isTurnOf(const Operation &operation, NodePeer &peer) {
  Direction &messages = peer.peer.of(operation);
  if (messages.execution != number_)
    messages.enter(sequence_, number_);
  return messages.isTurnOf(operation);
}

//===----------------------------------------------------------------------===//
// Sending
//===----------------------------------------------------------------------===//

quadrille::detail::Progress Execution::send(const Operation &operation, NodePeer &peer) {
  if (!isTurnOf(operation, peer))
    return Progress::Blocked;
  Direction &out = peer.peer.out;
  Channel &channel = *out.channel;
  const auto departed = [&] { return node_->at(peer.place).attendance.left(); };
  const std::size_t at = Channel::slotOf(sequence_, out.begun);
  if (!channel.isFree(at, departed))
    return Progress::Blocked;
  const Datatype &type = ops_.type();
  const Elements what = operation.operandCount > 0 ? elements(operation, 0) : Elements();
  const Index bytes = what.elements() * type.sizeBytes();
  const Tag tag = out.tagOf(operation);
  Slot &slot = channel.slot[at];
  const bool isShort = bytes <= static_cast<Index>(Slot::inlineBytes) &&
                       what.elements() <= std::numeric_limits<std::uint32_t>::max();
  if (isShort) {
    slot.brief.elements = static_cast<std::uint32_t>(what.elements());
    slot.brief.elementBytes = static_cast<std::uint32_t>(bytes > 0 ? type.sizeBytes() : 0);
    if (bytes > 0 && type.isPlain() && what.isOnePiece()) {
      quadrille::detail::copyBytes(slot.brief.bytes, what.data(), static_cast<std::size_t>(bytes));
    } else {
      std::byte *to = slot.brief.bytes;
      for (std::size_t i = 0; bytes > 0 && i < what.pieceCount(); ++i) {
        ops_.pack(to, what.data(i), what.length(i));
        to += what.length(i) * type.sizeBytes();
      }
      failMoving();
    }
    channel.post(at, tag, Phase::Inline, sequence_, Sharing::Processes);
    ring(peer);
    ++out.begun;
    return Progress::Done;
  }
  if (bytes > cellBytes && type.isPlain() && node_->isReadBy(peer.place) &&
      bytes / static_cast<Index>(what.pieceCount()) >= shortestPiece) {
    slot.full = {what.elements(), type.sizeBytes(), what.base(), what.pieces(), what.pieceCount()};
    channel.post(at, tag, Phase::Posted, sequence_, Sharing::Processes);
    ring(peer);
    ++out.begun;
    return Progress::UnderWay;
  }
  // All of it goes to cells, as they become free. Until then it remains this
  // message's turn.
  CellRing &ring = *peer.toIt;
  if (!ring.isFree(channel, departed))
    return Progress::Blocked;
  Transfer &transfer = peer.sending;
  transfer.bytes = bytes;
  transfer.done = 0;
  transfer.step = stepOf(type.sizeBytes());
  transfer.isPacked = !type.isPlain();
  if (transfer.isPacked) {
    transfer.packed.resize(static_cast<std::size_t>(bytes));
    std::byte *to = transfer.packed.data();
    for (std::size_t i = 0; i < what.pieceCount(); ++i) {
      ops_.pack(to, what.data(i), what.length(i));
      to += what.length(i) * type.sizeBytes();
    }
    failMoving();
    if (failure_)
      return Progress::Blocked;
  }
  const std::uint64_t first = ring.take(tag, sequence_);
  fill(operation, transfer, ring.bytesOf(first));
  slot.stream = {what.elements(), type.sizeBytes(), first};
  channel.post(at, tag, Phase::Streamed, sequence_, Sharing::Processes);
  this->ring(peer);
  transfer.isOpen = true;
  return continueSending(operation, peer);
}

/// Copies the next bytes of a message to a cell.
void Execution::fill(const Operation &operation, Transfer &transfer, std::byte *cell) {
  const Index now = std::min(transfer.step, transfer.bytes - transfer.done);
  if (transfer.isPacked) {
    std::memcpy(cell, transfer.packed.data() + transfer.done, static_cast<std::size_t>(now));
  } else {
    forBytes(elements(operation, 0), transfer.done, now, [&](const std::byte *data, Index bytes) {
      std::memcpy(cell, data, static_cast<std::size_t>(bytes));
      cell += bytes;
    });
  }
  transfer.done += now;
}

/// Goes on with a message that takes several cells, or whose receiver reads it.
quadrille::detail::Progress Execution::continueSending(const Operation &operation, NodePeer &peer) {
  Direction &out = peer.peer.out;
  const Tag tag = out.tagOf(operation);
  Transfer &transfer = peer.sending;
  if (!transfer.isOpen || !out.isTurnOf(operation))
    return out.channel->isConsumed(tag) ? Progress::Done : Progress::UnderWay;
  CellRing &ring = *peer.toIt;
  while (transfer.done < transfer.bytes) {
    if (!ring.isFree(*out.channel, [&] { return node_->at(peer.place).attendance.left(); }))
      return Progress::UnderWay;
    const std::uint64_t cell = ring.take(tag, sequence_);
    fill(operation, transfer, ring.bytesOf(cell));
    ring.announce(cell);
    this->ring(peer);
  }
  transfer.isOpen = false;
  ++out.begun;
  return Progress::Done;
}

//===----------------------------------------------------------------------===//
// Receiving
//===----------------------------------------------------------------------===//

quadrille::detail::Progress Execution::receive(const Operation &operation, NodePeer &peer) {
  if (!isTurnOf(operation, peer))
    return Progress::Blocked;
  Direction &in = peer.peer.in;
  Channel &channel = *in.channel;
  const Tag tag = in.tagOf(operation);
  const std::size_t at = Channel::slotOf(sequence_, in.begun);
  const Tag posted = channel.postedAt(at);
  if (posted == withPhase(tag, Phase::Inline))
    return receiveInline(operation, peer, at);
  if (posted == withPhase(tag, Phase::Posted))
    return receiveFromMemory(operation, peer, at);
  if (posted != withPhase(tag, Phase::Streamed))
    return Progress::Blocked;
  const Slot::Stream stream = channel.slot[at].stream;
  if (!expects(operation, stream.elements, stream.elementBytes))
    return consumed(operation, peer);
  Transfer &transfer = peer.receiving;
  transfer.bytes = stream.elements * stream.elementBytes;
  transfer.done = 0;
  transfer.step = stepOf(stream.elementBytes);
  transfer.cell = stream.firstCell;
  transfer.isPacked = mustPack(operation, stream.elementBytes, transfer.bytes);
  transfer.packed.clear();
  if (transfer.isPacked)
    transfer.packed.reserve(static_cast<std::size_t>(transfer.bytes));
  transfer.isOpen = true;
  return continueReceiving(operation, peer);
}

/// A message has been taken, or was refused: its sender has done its part.
quadrille::detail::Progress Execution::consumed(const Operation &operation, NodePeer &peer) {
  Direction &in = peer.peer.in;
  in.channel->consume(in.tagOf(operation), Sharing::Processes);
  ring(peer);
  ++in.begun;
  return Progress::Done;
}

quadrille::detail::Progress Execution::receiveInline(const Operation &operation, NodePeer &peer,
                                                     std::size_t at) {
  Slot::Short &brief = peer.peer.in.channel->slot[at].brief;
  const Index count = brief.elements;
  const Datatype &type = ops_.type();
  // The usual case: plain elements in one piece, as many as expected.
  if (count > 0 && operation.operandCount > 0 && type.isPlain() && static_cast<Index>(brief.elementBytes) == type.sizeBytes())
    if (std::byte *const into = piece(operation, 0, count)) {
      if (operation.kind == Operation::Kind::Receive) {
        quadrille::detail::copyBytes(into, brief.bytes, static_cast<std::size_t>(count * type.sizeBytes()));
        return consumed(operation, peer);
      }
      const std::byte *const own =
          operation.kind == Operation::Kind::ReceiveCombine ? piece(operation, 1, count) : nullptr;
      if (own) {
        if (operation.side == Side::Left)
          ops_.combine(into, brief.bytes, own, count);
        else
          ops_.combine(into, own, brief.bytes, count);
        failMoving();
        return consumed(operation, peer);
      }
    }
  if (expects(operation, brief.elements, brief.elementBytes)) {
    const Index bytes = static_cast<Index>(brief.elements) * brief.elementBytes;
    Transfer &transfer = peer.receiving;
    transfer.bytes = bytes;
    transfer.done = 0;
    transfer.isPacked = false;
    if (bytes > 0 && mustPack(operation, brief.elementBytes, bytes)) {
      transfer.isPacked = true;
      transfer.packed.clear();
    }
    if (bytes > 0) {
      deliver(operation, transfer, brief.bytes, bytes);
      if (transfer.isPacked)
        deliverPacked(operation, transfer);
    }
  }
  return consumed(operation, peer);
}

/// Takes the cells that have been written.
quadrille::detail::Progress Execution::continueReceiving(const Operation &operation, NodePeer &peer) {
  Transfer &transfer = peer.receiving;
  CellRing &ring = *peer.fromIt;
  for (bool isFirst = transfer.done == 0;; isFirst = false) {
    if (!isFirst && !ring.isWritten(transfer.cell))
      return Progress::UnderWay;
    const Index now = std::min(transfer.step, transfer.bytes - transfer.done);
    deliver(operation, transfer, ring.bytesOf(transfer.cell), now);
    if (failure_ || transfer.done == transfer.bytes)
      break;
    ring.drain(transfer.cell++);
    this->ring(peer);
  }
  transfer.isOpen = false;
  if (transfer.isPacked && transfer.bytes > 0 && !failure_)
    deliverPacked(operation, transfer);
  return consumed(operation, peer);
}

/// Fails if a message has another length than its receiver expects.
bool Execution::expects(const Operation &operation, Index elements, Index elementBytes) {
  const Index expected = elementsOf(operation), mine = ops_.type().sizeBytes();
  const Index bytes = elements * elementBytes;
  const Index got = mine > 0 ? bytes / mine : expected;
  const bool whole = mine > 0 ? bytes % mine == 0 : bytes == 0;
  const bool upTo = operation.kind == Operation::Kind::ReceiveUpTo;
  if (!whole || (upTo ? got > expected : got != expected)) {
    fail(place(operation).otherLength(operation, expected, got, whole ? "" : " and a part of one"));
    return false;
  }
  if (upTo)
    arrived_[operation.slot] = got;
  return true;
}

/// Whether a message, which comes in steps of its sender's elements, has to be
/// put together before it can be taken as elements of this rank.
bool Execution::mustPack(const Operation &operation, Index elementBytes, Index bytes) const {
  const Datatype &type = ops_.type();
  if (!type.isPlain())
    return true;
  return operation.kind == Operation::Kind::ReceiveCombine && bytes > 0 &&
         (elementBytes != type.sizeBytes() || elementBytes > cellBytes);
}

/// Takes the next bytes of a message: copies them to their place or combines
/// them, or keeps them until the message is complete.
void Execution::deliver(const Operation &operation, Transfer &transfer, std::byte *data, Index bytes) {
  if (transfer.isPacked) {
    transfer.packed.insert(transfer.packed.end(), data, data + bytes);
  } else if (operation.kind != Operation::Kind::ReceiveCombine) {
    forBytes(elements(operation, 0), transfer.done, bytes, [&](std::byte *to, Index now) {
      std::memcpy(to, data, static_cast<std::size_t>(now));
      data += now;
    });
  } else {
    const Elements into = elements(operation, 0), own = elements(operation, 1);
    const Index size = ops_.elementBytes();
    ElementCursor to(into), mine(own);
    for (Index skipped = transfer.done / size; skipped > 0;) {
      const Index now = std::min(skipped, std::min(to.available(), mine.available()));
      to.skip(now);
      mine.skip(now);
      skipped -= now;
    }
    for (Index left = bytes / size; left > 0 && !ops_.failure();) {
      const Index now = std::min(left, std::min(to.available(), mine.available()));
      if (operation.side == Side::Left)
        ops_.combine(to.data(), data, mine.data(), now);
      else
        ops_.combine(to.data(), mine.data(), data, now);
      data += now * size;
      to.skip(now);
      mine.skip(now);
      left -= now;
    }
    failMoving();
  }
  transfer.done += bytes;
}

/// Takes a message that was put together.
void Execution::deliverPacked(const Operation &operation, Transfer &transfer) {
  const Index size = ops_.type().sizeBytes();
  const std::byte *from = transfer.packed.data();
  if (operation.kind != Operation::Kind::ReceiveCombine) {
    const Elements into = elements(operation, 0);
    ElementCursor to(into);
    for (Index left = transfer.bytes / size; left > 0;) {
      const Index now = std::min(left, to.available());
      ops_.unpack(to.data(), from, now);
      from += now * size;
      to.skip(now);
      left -= now;
    }
    return failMoving();
  }
  const Index count = transfer.bytes / size;
  const quadrille::detail::Arena::Mark mark = arena_->mark();
  if (std::byte *const unpacked = ops_.allocate(count)) {
    ops_.unpack(unpacked, from, count);
    const Elements incoming(unpacked, count, ops_.elementBytes());
    const Elements into = elements(operation, 0), own = elements(operation, 1);
    if (operation.side == Side::Left)
      combine(ops_, into, incoming, own);
    else
      combine(ops_, into, own, incoming);
  }
  arena_->rewind(mark);
  failMoving();
}

//===----------------------------------------------------------------------===//
// Reading another process
//===----------------------------------------------------------------------===//

/// The bytes of a long message in the memory of its sender, in order.
class Execution::RemoteBytes {
public:
  RemoteBytes(const OtherProcess &process, const Slot::Long &message)
      : process_(process), message_(message) {
    if (!message.pieces)
      range_ = {message.base, static_cast<std::size_t>(message.elements * message.elementBytes)};
  }

  /// Copies the next bytes. False if they cannot be read.
  bool read(std::byte *to, std::size_t bytes) {
    while (bytes > 0) {
      Bytes ranges[OtherProcess::mostRanges];
      std::size_t count = 0, total = 0;
      while (total < bytes && count < OtherProcess::mostRanges) {
        if (range_.count == 0 && !nextPiece())
          return false;
        const std::size_t now = std::min(range_.count, bytes - total);
        ranges[count++] = {range_.data, now};
        range_.data += now;
        range_.count -= now;
        total += now;
      }
      const Bytes target{to, total};
      if (!process_.read(&target, 1, ranges, count, total))
        return false;
      to += total;
      bytes -= total;
    }
    return true;
  }

private:
  /// The list of pieces is in that memory, too.
  bool nextPiece() {
    while (range_.count == 0) {
      if (at_ == loaded_) {
        first_ += loaded_;
        loaded_ = std::min(message_.pieceCount - first_, OtherProcess::mostRanges);
        at_ = 0;
        if (loaded_ == 0)
          return false;
        const Bytes to{reinterpret_cast<std::byte *>(pieces_), loaded_ * sizeof pieces_[0]};
        const auto *const list = reinterpret_cast<const std::byte *>(message_.pieces + first_);
        const Bytes from{const_cast<std::byte *>(list), to.count};
        if (!process_.read(&to, 1, &from, 1, to.count))
          return false;
      }
      const quadrille::detail::Piece &piece = pieces_[at_++];
      range_ = {message_.base + piece.offset * message_.elementBytes,
                static_cast<std::size_t>(piece.elements * message_.elementBytes)};
    }
    return true;
  }

  const OtherProcess &process_;
  const Slot::Long message_;
  Bytes range_{nullptr, 0}; ///< what is left of the current piece
  quadrille::detail::Piece pieces_[OtherProcess::mostRanges];
  std::size_t first_ = 0, loaded_ = 0, at_ = 0;
};

quadrille::detail::Progress Execution::receiveFromMemory(const Operation &operation, NodePeer &peer,
                                                         std::size_t at) {
  Direction &in = peer.peer.in;
  Channel &channel = *in.channel;
  const Tag tag = in.tagOf(operation);
  const Slot::Long message = channel.slot[at].full;
  if (!expects(operation, message.elements, message.elementBytes))
    return consumed(operation, peer);
  const Index bytes = message.elements * message.elementBytes;
  RemoteBytes remote(node_->process(peer.place), message);
  Transfer &transfer = peer.receiving;
  transfer.bytes = bytes;
  transfer.done = 0;
  transfer.isPacked = mustPack(operation, message.elementBytes, bytes);
  bool isRead = true;
  const Elements into = elements(operation, 0);
  if (transfer.isPacked) {
    transfer.packed.resize(static_cast<std::size_t>(bytes));
    isRead = remote.read(transfer.packed.data(), transfer.packed.size());
    if (isRead && channel.isStillPosted(at, tag))
      deliverPacked(operation, transfer);
  } else if (operation.kind != Operation::Kind::ReceiveCombine &&
             bytes / static_cast<Index>(std::max<std::size_t>(into.pieceCount(), 1)) >= shortestPiece) {
    forBytes(into, 0, bytes, [&](std::byte *to, Index now) {
      isRead = isRead && remote.read(to, static_cast<std::size_t>(now));
    });
  } else {
    const Index step = std::max(pieceBytes / message.elementBytes, Index{1}) * message.elementBytes;
    state_->piece.resize(static_cast<std::size_t>(std::min(step, bytes)));
    while (isRead && !failure_ && transfer.done < bytes) {
      const Index now = std::min(step, bytes - transfer.done);
      isRead = remote.read(state_->piece.data(), static_cast<std::size_t>(now));
      if (isRead)
        deliver(operation, transfer, state_->piece.data(), now);
    }
  }
  if (!channel.isStillPosted(at, tag))
    return Progress::Blocked; // the sender has withdrawn it
  if (!isRead) {
    node_->stopReading(peer.place);
    fail(node_->process(peer.place).hasEnded() ? hasEnded(operation, peer) : Status::format(ErrorCode::Transport,
                        "%s:%d: rank %lld could read the memory of rank %lld (process %lld) before, and cannot any "
                        "more; later messages between them are copied twice",
                        name_, operation.line, number(rank_), number(operation.partner),
                        static_cast<long long>(node_->process(peer.place).pid())));
  }
  return consumed(operation, peer);
}

//===----------------------------------------------------------------------===//
// Waiting
//===----------------------------------------------------------------------===//

/// Carries out the program of a blocking call: as between threads, this spins,
/// then yields to others, then sleeps until this rank's bell rings. Sleeps are
/// short, as messages through MPI ring no bell.
Status Execution::waitOnNode() {
  CommunicatorState &state = *state_;
  (void)progress(/*mayWait=*/false);
  if (window_.isOver() && !failure_ && !state.any())
    return {};
  Patience patience(spinsOfNextWait(node_->spins()));
  Naps naps;
  const auto look = [&] {
    bool moved = progress(/*mayWait=*/false);
    if (state.any())
      moved |= state.progress(/*thorough=*/false);
    return moved;
  };
  const auto renew = [&] {
    patience.renew(spinsOfNextWait(node_->spins()));
    naps.renew();
    deadline_ = 0;
  };
  while (!failure_ && !window_.isOver()) {
    if (look()) {
      if (!window_.isOver())
        renew();
      continue;
    }
    if (patience.spin())
      continue;
    checkDeadline();
    if (failure_)
      break;
    if (patience.yield())
      continue;
    state.letMpiProgress();
    auto &bell = node_->self().bell;
    bell.announceSleep();
    bool moved = examine();
    if (state.any())
      moved |= state.progress(/*thorough=*/true);
    if (moved || failure_) {
      bell.cancelSleep();
      renew();
    } else {
      bell.sleep(naps.next());
    }
  }
  if (failure_)
    cancel();
  return failure_;
}

/// Whether a pending operation waits for a rank of the node, and its turn has
/// come.
bool Execution::waitsOnNode(const Operation &operation, bool isUnderWay, NodePeer *&peer) {
  peer = operation.isMessage() ? peerOf(operation) : nullptr;
  return peer && (isUnderWay || isTurnOf(operation, *peer));
}

Status Execution::hasEnded(const Operation &operation, const NodePeer &peer) const {
  return Status::format(ErrorCode::Transport,
                        "%s:%d: rank %lld waits for rank %lld (%s of %lld elements), whose process %lld has ended",
                        name_, operation.line, number(rank_), number(operation.partner), operation.verb(),
                        number(elementsOf(operation)), static_cast<long long>(node_->process(peer.place).pid()));
}

/// Finds out whether waiting still makes sense, and fails if not. True if
/// anything was done. First it looks which partners have left the call, then it
/// takes what they have done before.
bool Execution::examine() {
  // Looking for dead processes takes a file of the system each.
  constexpr double secondsBetweenRollCalls = 0.1;
  const double now = nowSeconds();
  const bool callsRoll = nextRollCall_ > 0 && now >= nextRollCall_;
  if (nextRollCall_ == 0 || callsRoll)
    nextRollCall_ = now + secondsBetweenRollCalls;
  Operation gone{}, dead{};
  bool anyGone = false;
  const NodePeer *deadPeer = nullptr;
  window_.forEachPending([&](const Operation &operation, bool isUnderWay) {
    NodePeer *peer = nullptr;
    if (!waitsOnNode(operation, isUnderWay, peer))
      return;
    if (node_->at(peer->place).attendance.left() >= sequence_) {
      gone = operation;
      anyGone = true;
    } else if (callsRoll && !deadPeer && node_->process(peer->place).hasEnded()) {
      dead = operation;
      deadPeer = peer;
    }
  });
  if (progress(/*mayWait=*/false))
    return true;
  if (anyGone)
    fail(Status::format(ErrorCode::Transport,
                        "%s:%d: rank %lld waits for rank %lld (%s of %lld elements), which has already left this call",
                        name_, gone.line, number(rank_), number(gone.partner), gone.verb(), number(elementsOf(gone))));
  else if (deadPeer)
    fail(hasEnded(dead, *deadPeer));
  return false;
}

/// Gives up the messages that are under way between ranks of the node.
void Execution::withdraw() noexcept {
  window_.forEachPending([&](const Operation &operation, bool isUnderWay) {
    NodePeer *const peer = operation.isMessage() ? peerOf(operation) : nullptr;
    if (!peer || !isUnderWay)
      return;
    if (!operation.isSend()) {
      peer->receiving.isOpen = false;
      return;
    }
    Direction &out = peer->peer.out;
    peer->sending.isOpen = false;
    (void)out.channel->withdraw(Channel::slotOf(sequence_, out.base + operation.message), out.tagOf(operation));
  });
}
