//===- OnNodeWaiting.cpp - Waiting for ranks of the node -----------------===//

#include "OnNode.h"

#include <chrono>

using namespace quadrille;
using namespace quadrille::mpi;
using namespace quadrille::mpi::detail;
using quadrille::detail::Announcing;
using quadrille::detail::Channel;
using quadrille::detail::Direction;
using quadrille::detail::Patience;
using quadrille::detail::spinsOfNextWait;
using quadrille::detail::StraightCall;

static double nowSeconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

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
/// its. False: the call has to go through the window. Throws std::bad_alloc.
bool Execution::startStraight(quadrille::detail::Task &task, unsigned lane) {
  if (!straight_.exists() || !node_->peersOf(lane) || !straight_.open(lane, window_.program(), wayOf()))
    return false;
  started_ = StraightCall(task, lane);
  if (failure_)
    failure_ = {};
  return true;
}

/// The window goes on with the started call.
void Execution::leaveStraight() noexcept {
  goOnBehind(started_.done(), started_.task().sequence, started_.lane(), started_.task().arena);
  started_ = {};
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
