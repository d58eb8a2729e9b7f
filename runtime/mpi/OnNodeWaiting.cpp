//===- OnNodeWaiting.cpp - Waiting for ranks of the node -----------------===//

#include "OnNode.h"

#include <chrono>

using namespace quadrille;
using namespace quadrille::mpi;
using namespace quadrille::mpi::detail;
using quadrille::detail::Channel;
using quadrille::detail::Direction;
using quadrille::detail::Patience;
using quadrille::detail::spinsOfNextWait;

static double nowSeconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// Carries out the program of a blocking call: as between threads, this spins,
/// then yields to others, then sleeps until this rank's bell rings. Sleeps are
/// short, as messages through MPI ring no bell.
Status Execution::waitOnNode() {
  window_.beginInOrder(*this);
  if (window_.isOver() && !failure_)
    return {};
  std::optional<Patience> patience;
  return waitLongerOnNode(patience);
}

/// The same for what could not be done at once. If `waited` has a patience, it has
/// spun already.
Status Execution::waitLongerOnNode(std::optional<Patience> &waited) {
  CommunicatorState &state = *state_;
  if (!waited)
    waited.emplace(spinsOfNextWait(node_->spins()));
  Patience &patience = *waited;
  quadrille::detail::Naps naps;
  const auto look = [&] {
    bool moved = progress(/*mayWait=*/false);
    if (state.any())
      moved |= state.progress(quadrille::detail::Look::Quick);
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
      moved |= state.progress(quadrille::detail::Look::Thorough);
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
  // To see whether a process has ended, a file of /proc is opened.
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
    (void)out.channel->withdraw(Channel::slotOf(turn_, out.base + operation.message, slots_), slots_, out.tagOf(operation));
  });
}
