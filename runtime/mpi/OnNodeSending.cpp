//===- OnNodeSending.cpp - Giving messages to ranks of the node ----------===//

#include "OnNode.h"

#include <cstring>

using namespace quadrille;
using namespace quadrille::mpi;
using namespace quadrille::mpi::detail;
using quadrille::detail::CellRing;
using quadrille::detail::Channel;
using quadrille::detail::Direction;
using quadrille::detail::Phase;
using quadrille::detail::Announcing;
using quadrille::detail::Slot;
using quadrille::detail::Tag;

quadrille::detail::Progress Execution::send(const Operation &operation, NodePeer &peer) {
  if (!isTurnOf(operation, peer))
    return Progress::Blocked;
  Direction &out = peer.peer.out;
  Channel &channel = *out.channel;
  const auto departed = [&] { return node_->at(peer.place).attendance.left(); };
  const std::size_t at = Channel::slotOf(turn_, out.begun, slots_);
  if (!channel.isFree(at, slots_, departed))
    return Progress::Blocked;
  const Datatype &type = ops_.type();
  const Elements what = operation.operandCount > 0 ? elements(operation, 0) : Elements();
  const Index bytes = what.elements() * type.sizeBytes();
  const Tag tag = out.tagOf(operation);
  Slot &slot = channel.slot(at);
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
    channel.post(at, slots_, tag, Phase::Inline, Announcing::Unfenced);
    ring(peer);
    ++out.begun;
    return Progress::Done;
  }
  if (bytes > cellBytes && type.isPlain() && node_->isReadBy(peer.place) &&
      bytes / static_cast<Index>(what.pieceCount()) >= shortestPiece) {
    slot.full = {what.elements(), type.sizeBytes(), what.base(), what.pieces(), what.pieceCount()};
    channel.post(at, slots_, tag, Phase::Posted, Announcing::Unfenced);
    ring(peer);
    ++out.begun;
    return Progress::UnderWay;
  }
  // All of it goes to cells, as they become free. Later messages in this direction
  // wait until it is there.
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
  channel.post(at, slots_, tag, Phase::Streamed, Announcing::Unfenced);
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
  if (!transfer.isOpen || !out.isTurnOf(operation)) {
    if (!out.channel->isConsumed(tag))
      helpReceiver(operation, peer, *out.channel, tag);
    return out.channel->isConsumed(tag) ? Progress::Done : Progress::UnderWay;
  }
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
