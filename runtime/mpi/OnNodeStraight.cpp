//===- OnNodeStraight.cpp - Short calls that ranks of a node make again ----===//
//
// What an Execution does with its StraightProgram.
//
//===----------------------------------------------------------------------===//

#include "OnNode.h"

#include <new>
#include <optional>

using namespace quadrille;
using namespace quadrille::mpi;
using namespace quadrille::mpi::detail;
using quadrille::detail::Announcing;
using quadrille::detail::Patience;

/// The channel of an operation's message in a lane, and its partner; none if it goes
/// through MPI, or there is no memory.
auto Execution::wayOf() const {
  return [this](const Operation &operation, unsigned lane) -> decltype(straight_)::Way {
    NodePeer *const peers = node_->peersOf(lane);
    if (!peers || peers[operation.partner].place == NodePeer::byMpi)
      return {};
    NodePeer &peer = peers[operation.partner];
    return {peer.peer.of(operation).channel, &node_->at(peer.place)};
  };
}

void Execution::straighten() noexcept {
  if (!node_ || !ops_.type().isPlain())
    return;
  try {
    straight_.make(window_.program(), bases_, elementBytes_, /*emptyBytes=*/0, ops_.kernel(), Announcing::Unfenced, node_->slots(0), wayOf());
  } catch (const std::bad_alloc &) {
    straight_.clear();
  }
}

/// Goes through the straight program as far as it gets without sleeping; the window
/// does the rest. Throws std::bad_alloc, but only before the first message.
Status Execution::repeatStraight(std::uint64_t sequence, quadrille::detail::Arena &arena) {
  placeAgain(arena);
  std::optional<Patience> patience;
  const std::size_t done = straight_.run(sequence, 0, 0, bases_.data(), node_->spins(), [&] { return state_->any(); }, patience);
  if (done == straight_.count())
    return {};
  goOnBehind(done, sequence, 0, arena);
  return waitLongerOnNode(patience);
}

/// Leaves to the window what is behind the first `done` operations of the straight program.
/// Throws std::bad_alloc, unless the lane is open.
void Execution::goOnBehind(std::size_t done, std::uint64_t sequence, unsigned lane, quadrille::detail::Arena &arena) {
  arena_ = &arena;
  ops_.reset(arena);
  beginAs(sequence, lane);
  startAgain();
  ended_.assign(window_.program().count, false);
  for (std::size_t i = 0; i < done; ++i)
    if (const Operation &operation = window_.program().operations[i]; operation.isMessage()) {
      NodePeer &peer = *peerOf(operation);
      (void)isTurnOf(operation, peer); // begins to count them
      ++peer.peer.of(operation).begun;
    }
  window_.passFirst(done);
}

/// Makes the straight program ready for a started call, whose only messages so far are
/// its. False: the call has to go through the window, as all do without a node. Throws std::bad_alloc.
bool Execution::startStraight(quadrille::detail::Task &task, unsigned lane) {
  if (!node_ || !node_->peersOf(lane) || !started_.begin(straight_, window_.program(), task, lane, wayOf()))
    return false;
  forgetFailure();
  return true;
}

/// The window goes on with the started call.
void Execution::leaveStraight() noexcept {
  goOnBehind(started_.done(), started_.task().sequence, started_.lane(), started_.task().arena);
  started_.end();
}
