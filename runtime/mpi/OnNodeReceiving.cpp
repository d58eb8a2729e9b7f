//===- OnNodeReceiving.cpp - Taking messages of ranks of the node --------===//

#include "OnNode.h"

#include <cstring>

using namespace quadrille;
using namespace quadrille::mpi;
using namespace quadrille::mpi::detail;
using quadrille::detail::CellRing;
using quadrille::detail::Channel;
using quadrille::detail::Direction;
using quadrille::detail::ElementCursor;
using quadrille::detail::Phase;
using quadrille::detail::Announcing;
using quadrille::detail::Slot;
using quadrille::detail::Tag;
using quadrille::detail::withPhase;

quadrille::detail::Progress Execution::receive(const Operation &operation, NodePeer &peer) {
  if (!isTurnOf(operation, peer))
    return Progress::Blocked;
  Direction &in = peer.peer.in;
  Channel &channel = *in.channel;
  const Tag tag = in.tagOf(operation);
  const std::size_t at = Channel::slotOf(turn_, in.begun, slots_);
  const Tag posted = channel.postedAt(at);
  if (posted == withPhase(tag, Phase::Inline))
    return receiveInline(operation, peer, at);
  if (posted == withPhase(tag, Phase::Posted))
    return receiveFromMemory(operation, peer, at);
  if (posted != withPhase(tag, Phase::Streamed))
    return Progress::Blocked;
  const Slot::Stream stream = channel.slot(at).stream;
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

/// Tells the sender that its message has been taken, or refused.
quadrille::detail::Progress Execution::consumed(const Operation &operation, NodePeer &peer) {
  Direction &in = peer.peer.in;
  in.channel->consume(in.tagOf(operation), Announcing::Unfenced);
  ring(peer);
  ++in.begun;
  return Progress::Done;
}

quadrille::detail::Progress Execution::receiveInline(const Operation &operation, NodePeer &peer,
                                                     std::size_t at) {
  Slot::Short &brief = peer.peer.in.channel->slot(at).brief;
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

/// Takes the cells that have been written. A cell after the last one of a message that
/// the sender gave up belongs to a later message.
quadrille::detail::Progress Execution::continueReceiving(const Operation &operation, NodePeer &peer) {
  Transfer &transfer = peer.receiving;
  CellRing &ring = *peer.fromIt;
  const Direction &in = peer.peer.in;
  const Tag streamed = withPhase(in.tagOf(operation), Phase::Streamed);
  const std::size_t at = Channel::slotOf(turn_, in.begun, slots_);
  for (bool isFirst = transfer.done == 0;; isFirst = false) {
    if (!isFirst && (!ring.isWritten(transfer.cell) || in.channel->postedAt(at) != streamed))
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

/// Whether all bytes of a message have to be collected before they can be taken as
/// elements of this rank. They come in parts of whole elements of the sender, whose
/// size may differ; elements longer than a cell come in parts themselves.
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
