//===- OnNode.h - What moves messages through the memory of the node ------===//
//
// How an execution gives messages to ranks of its node, and takes theirs. The
// protocol is in channel/Channel.h; here is how bytes move:
//
//   at most 48 bytes   in the slot that announces the message
//   up to a cell       through a cell: two copies, or a copy and a combination
//   more               one copy, by the system from the sender's memory, if the
//                      receiver can read that; else through the cells in turn
//
// The sender chooses the way, and the receiver takes messages by any. Elements that
// do not lie in memory as in a message are packed and unpacked by the side whose
// elements they are, so the other side need not know their type.
//
//   OnNodeSending      what the sender does
//   OnNodeReceiving    what the receiver does, but for
//   OnNodeReading      reading the sender's memory
//   OnNodeWaiting      waiting for ranks of the node, and finding out that they
//                      will not come
//
//===----------------------------------------------------------------------===//

#ifndef QUADRILLE_MPI_ONNODE_H
#define QUADRILLE_MPI_ONNODE_H

#include "Execution.h"

#include "../common/CallParts.h"
#include "../common/Transfer.h"

#include <algorithm>

namespace quadrille {
namespace mpi {
namespace detail {

using quadrille::detail::number;

constexpr Index cellBytes = quadrille::detail::CellRing::cellBytes;

/// If pieces are shorter than this on the average, it is faster to copy them through
/// cells than to have the system find each of them.
constexpr Index shortestPiece = 2048;

/// The bytes in a cell: whole elements if they fit.
inline Index stepOf(Index elementBytes) {
  return elementBytes > 0 && elementBytes <= cellBytes ? cellBytes / elementBytes * elementBytes : cellBytes;
}

/// Calls use(data, bytes) for consecutive bytes of plain elements, from byte
/// `first` on, `bytes` in all.
template <class Use>
void forBytes(const quadrille::detail::Elements &elements, Index first, Index bytes, Use use) {
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
  quadrille::detail::Direction &messages = peer.peer.of(operation);
  if (messages.execution != number_)
    messages.enter(sequence_, number_);
  return messages.isTurnOf(operation);
}

} // namespace detail
} // namespace mpi
} // namespace quadrille

#endif // QUADRILLE_MPI_ONNODE_H
