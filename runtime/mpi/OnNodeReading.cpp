//===- OnNodeReading.cpp - Long messages, from the memory of their sender ===//

#include "OnNode.h"

using namespace quadrille;
using namespace quadrille::mpi;
using namespace quadrille::mpi::detail;
using quadrille::detail::Bytes;
using quadrille::detail::Channel;
using quadrille::detail::Direction;
using quadrille::detail::OtherProcess;
using quadrille::detail::SharedWork;
using quadrille::detail::Slot;
using quadrille::detail::Tag;

/// How many bytes are read at a time if they have to be combined: so many stay in the
/// second-level cache.
static constexpr Index pieceBytes = 256 * 1024;

static bool areAligned(const std::byte *a, const std::byte *b, Index elementBytes) {
  const std::uintptr_t both = reinterpret_cast<std::uintptr_t>(a) | reinterpret_cast<std::uintptr_t>(b);
  return (both & static_cast<std::uintptr_t>(elementBytes - 1)) == 0;
}

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
  /// Goes on to the next piece that has elements. The list of pieces is in the memory
  /// of the sender, too. False if it cannot be read, or is at its end.
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

/// What a rank and its partner do together with a long message; without `into` if it is
/// not worth while: ranks share cores, or the elements are in several pieces. Finds room
/// for a part of a combination before anything is shared, since no memory must be missing
/// later.
SharedWork::Order Execution::orderOf(const Operation &operation, const NodePeer &peer, const Slot::Long &message,
                                     const Transfer &transfer) {
  const bool combines = operation.kind == Operation::Kind::ReceiveCombine;
  const Index size = ops_.elementBytes();
  if (transfer.isPacked || transfer.bytes < SharedWork::shortestBytes || node_->isCrowded() || message.pieces ||
      message.elementBytes != size || (combines && !ops_.kernel()) || !node_->process(peer.place).isKnown())
    return {};
  const Elements into = elements(operation, 0), own = combines ? elements(operation, 1) : Elements();
  if (!into.isOnePiece() || (combines && (!own.isOnePiece() || !areAligned(into.data(), own.data(), size))))
    return {};
  const SharedWork::Order order{into.data(), combines ? own.data() : nullptr, operation.side, message.elements};
  return combines && !roomFor(SharedWork::partOf(order, size) * size) ? SharedWork::Order{} : order;
}

/// Memory for a part of a message; null if there is none.
std::byte *Execution::roomFor(Index bytes) noexcept {
  try {
    state_->piece.resize(std::max(state_->piece.size(), static_cast<std::size_t>(bytes)));
    return state_->piece.data();
  } catch (const std::bad_alloc &) {
    return nullptr;
  }
}

/// Copies or combines a long message together with its sender. False if memory of the
/// sender cannot be read, or it has died.
bool Execution::takeTogether(NodePeer &peer, Channel &channel, Tag tag, const std::byte *from,
                             const SharedWork::Order &order) {
  const OtherProcess &sender = node_->process(peer.place);
  const Index size = ops_.elementBytes();
  std::byte *const room = order.own ? state_->piece.data() : nullptr; // see orderOf
  const auto carryOut = [&](Index first, Index count) {
    const auto bytes = static_cast<std::size_t>(count * size);
    std::byte *const into = order.into + first * size;
    const Bytes remote{const_cast<std::byte *>(from) + first * size, bytes};
    const Bytes target{room ? room : into, bytes};
    if (!sender.read(&target, 1, &remote, 1, bytes))
      return false;
    if (room)
      combineInOrder(into, room, order.own + first * size, order.side, count);
    return true;
  };
  channel.work.begin(tag, order, size);
  ring(peer);
  quadrille::detail::ShortWait wait;
  return channel.work.finish(carryOut, [&] { return !wait.pass() || !sender.hasEnded(); });
}

/// Does parts of the receiver's work on a message of this rank, which waits for it.
void Execution::helpReceiver(const Operation &operation, NodePeer &peer, Channel &channel, Tag tag) {
  const OtherProcess &receiver = node_->process(peer.place);
  const Index size = ops_.elementBytes();
  const std::byte *data = nullptr;
  channel.work.help(tag, [&](const SharedWork::Order &order, Index first, Index count) {
    if (!data)
      data = elements(operation, 0).data();
    const auto bytes = static_cast<std::size_t>(count * size);
    const std::byte *const mine = data + first * size;
    if (!order.own)
      return receiver.write(order.into + first * size, mine, bytes);
    if (!ops_.kernel() || !areAligned(mine, mine, size))
      return false;
    std::byte *const room = roomFor(count * size);
    if (!room)
      return false;
    const Bytes target{room, bytes}, remote{const_cast<std::byte *>(order.own) + first * size, bytes};
    if (!receiver.read(&target, 1, &remote, 1, bytes))
      return false;
    combineInOrder(room, mine, room, order.side, count);
    return receiver.write(order.into + first * size, room, bytes);
  });
}

quadrille::detail::Progress Execution::receiveFromMemory(const Operation &operation, NodePeer &peer,
                                                         std::size_t at) {
  Direction &in = peer.peer.in;
  Channel &channel = *in.channel;
  const Tag tag = in.tagOf(operation);
  const Slot::Long message = channel.slot(at).full;
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
  if (const SharedWork::Order order = orderOf(operation, peer, message, transfer); order.into) {
    isRead = takeTogether(peer, channel, tag, message.base, order);
  } else if (transfer.isPacked) {
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
