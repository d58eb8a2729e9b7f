//===- Execution.cpp - How programs are carried out over shared memory -------------===//

#include "Execution.h"

#include "../common/PastCache.h"
#include "../common/Transfer.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <thread>

using namespace quadrille;
using namespace quadrille::shm;
using namespace quadrille::shm::detail;
using quadrille::detail::Fragment;
using quadrille::detail::Looked;

/// Converts an Index for printf's %lld, since Index need not be long long.
static long long number(Index i) { return i; }

static std::int64_t nowNs() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

void ElementOperations::combineByUser(std::byte *dst, const std::byte *a, const std::byte *b,
                                      Index elements) {
  const quadrille::detail::Arena::Mark mark = arena_->mark();
  const auto apply = [this](const std::byte *in, std::byte *inout, Index count) {
    op_.function_(in, inout, static_cast<std::size_t>(count), type_, op_.context_);
  };
  const auto allocate = [this](Index count) {
    void *const memory =
        arena_->allocate(static_cast<std::size_t>(count) * type_.sizeBytes());
    failed_ |= !memory;
    return static_cast<std::byte *>(memory);
  };
  quadrille::detail::combineInTwoAddresses(
      dst, a, b, elements, elementBytes(), op_.isCommutative(),
      [this](std::byte *to, const std::byte *from, Index count) { copy(to, from, count); },
      apply, allocate);
  arena_->rewind(mark);
}

//===----------------------------------------------------------------------===//
// Loading programs
//===----------------------------------------------------------------------===//

void Execution::begin(Call &call) {
  state_ = call.comm_.state_.get();
  reset(call.name(), call.rank(), static_cast<Index>(call.type_.sizeBytes()));
  ops_.set(call.type_, call.op_, call.arena_);
  straight_.clear();
  beginAs(call.open_.sequence, call.lane_);
}

/// Begins a program as call `sequence`, with the channels of `lane`. Throws
/// std::bad_alloc.
void Execution::beginAs(std::uint64_t sequence, unsigned lane) {
  sequence_ = sequence;
  number_ = ++state_->executionCount;
  lane_ = lane;
  turn_ = quadrille::detail::turnIn(lane, sequence);
  slots_ = state_->world.slots(lane);
  peers_ = state_->peersOf(lane_);
  abortsSeen_ = idleLooks_ = 0;
  deadlineNs_ = 0;
  if (!peers_)
    throw std::bad_alloc();
}

Status Execution::prepare(Call &call) {
  try {
    begin(call);
    load(call.plan(), call.lengthOfCall(), *call.recorder_,
         [&](Index elements) { return call.allocateElements(elements); });
    return failure_;
  } catch (const std::bad_alloc &) {
    return call.failure_ ? call.failure_ : noMemory("its plan");
  }
}

Status Execution::prepare(Call &call, const Fragment &fragment) {
  try {
    begin(call);
    load(fragment);
    return {};
  } catch (const std::bad_alloc &) {
    return noMemory("a step");
  }
}

/// Throws std::bad_alloc.
void Execution::beginAgain(std::uint64_t sequence, unsigned lane, quadrille::detail::Arena &arena) {
  ops_.reset(arena);
  beginAs(sequence, lane);
  loadAgain(arena);
}

/// Leaves to the window what is behind the first `done` operations of the straight program.
/// Throws std::bad_alloc, unless the lane is open.
void Execution::goOnBehind(std::size_t done, std::uint64_t sequence, unsigned lane, quadrille::detail::Arena &arena) {
  ops_.reset(arena);
  beginAs(sequence, lane);
  startAgain();
  for (std::size_t i = 0; i < done; ++i)
    if (const Operation &operation = window_.program().operations[i]; operation.isMessage())
      ++turnOf(operation)->begun;
  window_.passFirst(done);
}

Status Execution::repeat(std::uint64_t sequence, quadrille::detail::Arena &arena) {
  try {
    if (straight_.exists())
      return repeatStraight(sequence, arena);
    beginAgain(sequence, 0, arena);
  } catch (const std::bad_alloc &) {
    return noMemory("its plan");
  }
  return wait();
}

Status Execution::repeatIn(quadrille::detail::Task &task) {
  try {
    const unsigned lane = laneOf(task.sequence);
    if (task.isEmpty() && startStraight(task, lane))
      placeAgain(task.arena);
    else
      beginAgain(task.sequence, lane, task.arena);
    task.add(*this);
    return {};
  } catch (const std::bad_alloc &) {
    started_.end();
    return noMemory("its plan");
  }
}

Status Execution::restart(quadrille::detail::Task &task) noexcept {
  try {
    if (task.hasOneJob() && startStraight(task, laneOf(task.sequence)))
      return {};
    ops_.forgetFailure();
    beginAs(task.sequence, laneOf(task.sequence));
    rewind();
    return failure_;
  } catch (const std::bad_alloc &) {
    return noMemory("its plan");
  }
}

Status Execution::noMemory(const char *what) const {
  return Status::format(ErrorCode::OutOfMemory, "%s: rank %lld has no memory for %s", name_,
                        number(rank_), what);
}

void Execution::giveBack() noexcept {
  if (goesHome())
    return;
  release();
  state_->executions.giveBack(this);
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

quadrille::detail::Progress Execution::begin(const Operation &operation) {
  switch (operation.kind) {
  case Operation::Kind::Send:
    return send(operation);
  case Operation::Kind::Receive:
  case Operation::Kind::ReceiveUpTo:
  case Operation::Kind::ReceiveCombine:
    return receive(operation);
  case Operation::Kind::Copy:
  case Operation::Kind::Combine:
    move(ops_, operation);
    if (ops_.failed())
      fail(noMemory("what it combines"));
    return Progress::Done;
  }
  return Progress::Done;
}

/// Finds the channel of a direction. False if there is no memory for it; the
/// program has failed then.
bool Execution::open(const Operation &operation, Direction &messages) {
  const Index other = operation.partner;
  messages.channel = operation.isSend() ? state_->world.channel(lane_, rank_, other)
                                        : state_->world.channel(lane_, other, rank_);
  if (!messages.channel)
    fail(place(operation).noMemoryFor(operation.isSend() ? "a send" : "a receive"));
  return messages.channel != nullptr;
}

/// The direction of an operation's message, if it is its turn: all earlier
/// messages in this direction have begun. Else null.
inline Direction *Execution::turnOf(const Operation &operation) {
  Direction &messages = peers_[operation.partner].of(operation);
  if (messages.execution != number_) {
    if (!messages.channel && !open(operation, messages))
      return nullptr;
    messages.enter(sequence_, number_);
  }
  return messages.isTurnOf(operation) ? &messages : nullptr;
}

quadrille::detail::Progress Execution::send(const Operation &operation) {
  Direction *const out = turnOf(operation);
  if (!out)
    return Progress::Blocked;
  Channel &channel = *out->channel;
  const Tag tag = out->tagOf(operation);
  const std::size_t at = Channel::slotOf(turn_, out->begun, slots_);
  if (!channel.isFree(at, slots_, [&] { return state_->world.rank(operation.partner).attendance.left(); }))
    return Progress::Blocked;
  Slot &slot = channel.slot(at);
  const auto announce = [&](Phase phase) {
    channel.post(at, slots_, tag, phase, state_->world.announcing());
    state_->world.rank(operation.partner).bell.ring();
    ++out->begun;
  };
  // The usual short message: nothing, or a few elements in one piece.
  Index few = 0;
  const std::byte *const data = shortPiece(operation, Slot::inlineBytes, few);
  if (data || operation.operandCount == 0) {
    slot.brief.elements = static_cast<std::uint32_t>(few);
    slot.brief.elementBytes = static_cast<std::uint32_t>(elementBytes_);
    if (data)
      quadrille::detail::copyBytes(slot.brief.bytes, data, static_cast<std::size_t>(few * elementBytes_));
    announce(Phase::Inline);
    return Progress::Done;
  }
  const Elements what = elements(operation, 0);
  const std::size_t bytes =
      static_cast<std::size_t>(what.elements()) * static_cast<std::size_t>(ops_.elementBytes());
  const bool isShort = bytes <= Slot::inlineBytes &&
                       what.elements() <= std::numeric_limits<std::uint32_t>::max();
  if (isShort) {
    slot.brief.elements = static_cast<std::uint32_t>(what.elements());
    slot.brief.elementBytes = static_cast<std::uint32_t>(ops_.elementBytes());
    std::byte *to = slot.brief.bytes;
    if (bytes > 0)
      for (std::size_t i = 0; i < what.pieceCount(); ++i) {
        const std::size_t piece = static_cast<std::size_t>(what.length(i) * ops_.elementBytes());
        quadrille::detail::copyBytes(to, what.data(i), piece);
        to += piece;
      }
  } else {
    slot.full.elements = what.elements();
    slot.full.elementBytes = ops_.elementBytes();
    slot.full.base = what.base();
    slot.full.pieces = what.pieces();
    slot.full.pieceCount = what.pieceCount();
  }
  announce(isShort ? Phase::Inline : Phase::Posted);
  return isShort ? Progress::Done : Progress::UnderWay;
}

/// Whether a long message that was posted has been consumed. If not, this does a part
/// of the receiver's work on it.
quadrille::detail::Progress Execution::poll(const Operation &operation) {
  Direction &out = peers_[operation.partner].out;
  const Tag tag = out.tagOf(operation);
  if (out.channel->isConsumed(tag))
    return Progress::Done;
  const std::byte *data = nullptr;
  out.channel->work.help(tag, [&](const SharedWork::Order &order, Index first, Index count) {
    if (!data)
      data = elements(operation, 0).data();
    carryOutPart(order, data, first, count);
    return true;
  });
  return out.channel->isConsumed(tag) ? Progress::Done : Progress::UnderWay;
}

/// Does a part of the work on a message whose elements are at `data`.
void Execution::carryOutPart(const SharedWork::Order &order, const std::byte *data, Index first, Index count) {
  const Index size = ops_.elementBytes();
  std::byte *const into = order.into + first * size;
  const std::byte *const incoming = data + first * size;
  const quadrille::detail::PartOfOperation part(static_cast<std::size_t>(order.elements * size) * (order.own ? 3 : 2));
  if (!order.own)
    return ops_.copy(into, incoming, count);
  const std::byte *const own = order.own + first * size;
  if (order.side == Side::Left)
    ops_.combine(into, incoming, own, count);
  else
    ops_.combine(into, own, incoming, count);
}

/// Copies or combines a long message together with its sender, if that is worth while.
/// False: nothing has been done.
bool Execution::takeTogether(Channel &channel, Tag tag, Index partner, const std::byte *incoming, const SharedWork::Order &order) {
  const Index size = ops_.elementBytes();
  if (order.elements < SharedWork::shortestBytes / std::max(size, Index{1}) || state_->world.isCrowded() || incoming == order.into)
    return false;
  channel.work.begin(tag, order, size);
  state_->world.rank(partner).bell.ring();
  quadrille::detail::ShortWait wait;
  (void)channel.work.finish(
      [&](Index first, Index count) {
        carryOutPart(order, incoming, first, count);
        return true;
      },
      [&] {
        (void)wait.pass();
        return true;
      });
  return true;
}

quadrille::detail::Progress Execution::receive(const Operation &operation) {
  Direction *const in = turnOf(operation);
  if (!in)
    return Progress::Blocked;
  Channel &channel = *in->channel;
  const Tag tag = in->tagOf(operation);
  const std::size_t at = Channel::slotOf(turn_, in->begun, slots_);
  Slot &slot = channel.slot(at);
  const Tag posted = channel.postedAt(at);
  if (posted == withPhase(tag, Phase::Inline)) {
    if (static_cast<Index>(slot.brief.elementBytes) != ops_.elementBytes())
      fail(place(operation).otherElements(operation, ops_.elementBytes(),
                                          slot.brief.elementBytes));
    else
      take(operation, Elements(slot.brief.bytes, slot.brief.elements, ops_.elementBytes()));
  } else if (posted == withPhase(tag, Phase::Posted)) {
    if (!channel.mayRead(at, tag))
      return Progress::Blocked; // the sender has withdrawn it
    if (slot.full.elementBytes != ops_.elementBytes())
      fail(place(operation).otherElements(operation, ops_.elementBytes(),
                                          slot.full.elementBytes));
    else
      take(operation, Elements(slot.full.base, slot.full.pieces, slot.full.pieceCount,
                               slot.full.elements, ops_.elementBytes()), &channel, tag);
  } else {
    return Progress::Blocked;
  }
  // Consume the message also after a mismatch: the sender has done its part.
  channel.consume(tag, state_->world.announcing());
  state_->world.rank(operation.partner).bell.ring();
  ++in->begun;
  return Progress::Done;
}

/// Copies or combines a message that has arrived. `channel`: that of a message which is
/// in its sender's memory; else null.
void Execution::take(const Operation &operation, const Elements &incoming, Channel *channel, Tag tag) {
  // The usual case: all is in one piece, and has the expected length.
  if (incoming.isOnePiece() && incoming.elements() > 0 && operation.operandCount > 0) {
    const Index count = incoming.elements();
    std::byte *const into = piece(operation, 0, count);
    const auto isTogether = [&](const std::byte *own) {
      return channel && takeTogether(*channel, tag, operation.partner, incoming.data(), {into, own, operation.side, count});
    };
    if (into && operation.kind == Operation::Kind::Receive) {
      if (!isTogether(nullptr))
        ops_.copy(into, incoming.data(), count);
      return;
    }
    if (into && operation.kind == Operation::Kind::ReceiveCombine && ops_.isBuiltin())
      if (const std::byte *const own = piece(operation, 1, count))
        return isTogether(own)                ? void()
               : operation.side == Side::Left ? ops_.combine(into, incoming.data(), own, count)
                                            : ops_.combine(into, own, incoming.data(), count);
  }
  const Elements into = operation.operandCount > 0 ? elements(operation, 0) : Elements();
  const bool upTo = operation.kind == Operation::Kind::ReceiveUpTo;
  if (upTo ? incoming.elements() > into.elements() : incoming.elements() != into.elements()) {
    fail(place(operation).otherLength(operation, into.elements(), incoming.elements()));
    return;
  }
  if (upTo)
    arrived_[operation.slot] = incoming.elements();
  if (operation.kind != Operation::Kind::ReceiveCombine) {
    if (incoming.elements() > 0)
      quadrille::detail::copy(ops_, into, incoming);
    return;
  }
  const Elements own = elements(operation, 1);
  if (operation.side == Side::Left)
    quadrille::detail::combine(ops_, into, incoming, own);
  else
    quadrille::detail::combine(ops_, into, own, incoming);
  if (ops_.failed())
    fail(noMemory("what it combines"));
}

/// Withdraws the messages that were posted and not consumed. Afterwards no
/// other rank reads this rank's buffers.
void Execution::withdraw() noexcept {
  window_.forEachPending([&](const Operation &operation, bool isUnderWay) {
    if (!isUnderWay || !operation.isSend())
      return;
    Direction &out = peers_[operation.partner].out;
    Channel &channel = *out.channel;
    const Tag tag = out.tagOf(operation);
    const std::size_t at = Channel::slotOf(turn_, out.base + operation.message, slots_);
    while (channel.withdraw(at, slots_, tag))
      std::this_thread::yield();
  });
}

//===----------------------------------------------------------------------===//
// Waiting
//===----------------------------------------------------------------------===//

/// Carries out the program of a blocking call.
Status Execution::wait() {
  window_.beginInOrder(*this);
  if (window_.isOver() && !failure_)
    return {};
  std::optional<Patience> patience;
  return waitLonger(patience);
}

Status Execution::waitObserved(quadrille::detail::PlanObserver &observer) {
  observer_ = &observer;
  std::optional<Patience> patience;
  return waitLonger(patience);
}

/// Waits for messages: spins, then yields to other threads, then sleeps until the
/// rank's bell rings. If `waited` has a patience, it has spun already. The backend
/// waits nowhere else, but for `CommunicatorState::pause` and `withdraw`.
Status Execution::waitLonger(std::optional<Patience> &waited) {
  CommunicatorState &state = *state_;
  if (!waited)
    waited.emplace(spinsOfNextWait(state.world.spins()));
  Patience &patience = *waited;
  while (!failure_ && !window_.isOver()) {
    bool moved = progress();
    if (state.any())
      moved |= state.progress(quadrille::detail::Look::Quick);
    if (moved) {
      patience.renew(spinsOfNextWait(state.world.spins()));
      deadlineNs_ = 0;
      continue;
    }
    if (patience.spin())
      continue;
    const std::int64_t sleepNs = checkDeadline();
    if (failure_)
      break;
    if (patience.yield())
      continue;
    Bell &bell = state.self.bell;
    state.world.announceSleep(bell);
    moved = examine();
    if (state.any())
      moved |= state.progress(quadrille::detail::Look::Thorough);
    if (moved || failure_) {
      bell.cancelSleep();
      patience.renew(spinsOfNextWait(state.world.spins()));
    } else {
      bell.sleep(std::chrono::nanoseconds(sleepNs));
    }
  }
  if (failure_)
    withdraw();
  return failure_;
}

/// Makes progress on a started call once; called by the thread that makes
/// progress.
Looked Execution::look(quadrille::detail::Look how) noexcept {
  if (started_.isUnderWay()) {
    if (const std::optional<Looked> looked = started_.look(straight_, bases_.data(), state_->world.spins(), how))
      return *looked;
    leaveStraight();
  }
  constexpr std::uint64_t looksPerExamination = 64;
  bool moved = progress();
  if (!moved && !window_.isOver() && !failure_ &&
      (how == quadrille::detail::Look::Thorough || ++idleLooks_ % looksPerExamination == 0)) {
    moved = examine();
    if (!moved && !failure_)
      (void)checkDeadline();
  }
  // The rank may compute for long between two looks. So the deadline counts
  // from the last progress.
  if (moved)
    deadlineNs_ = 0;
  if (failure_)
    withdraw();
  if (failure_ || window_.isOver())
    return Looked::Over;
  return moved ? Looked::Moved : Looked::Idle;
}

void Execution::end(const Status &why) noexcept {
  if (started_.isUnderWay())
    leaveStraight();
  if (window_.isOver() || failure_)
    return;
  fail(why);
  withdraw();
}

/// Finds out whether waiting still makes sense, and fails if not. True if
/// anything was done. The order matters: first look which partners have left,
/// then take what they have done before, then look whether there was an abort.
bool Execution::examine() {
  WorldState &world = state_->world;
  Operation gone{};
  bool anyGone = false;
  window_.forEachPending([&](const Operation &operation, bool isUnderWay) {
    // Only messages whose turn has come: others may have been posted already.
    if (operation.isMessage() && (isUnderWay || turnOf(operation)) &&
        world.rank(operation.partner).attendance.left() >= sequence_) {
      gone = operation;
      anyGone = true;
    }
  });
  if (progress())
    return true;
  const std::uint64_t aborts = world.abortCount();
  Abort abort;
  if (abortsSeen_ != aborts && world.findAbort(sequence_, abort)) {
    // findAbort has taken the mutex after the failed rank: all that it did before it
    // failed is visible now.
    if (progress())
      return true;
    int line = 0;
    window_.forEachPending([&](const Operation &operation, bool) {
      line = line == 0 ? operation.line : line;
    });
    fail(Status::format(ErrorCode::Aborted,
                        "%s:%d: rank %lld gives up because rank %lld failed: %s", name_, line,
                        number(rank_), number(abort.rank), abort.why.text()));
  }
  abortsSeen_ = aborts;
  if (anyGone)
    fail(Status::format(ErrorCode::Transport,
                        "%s:%d: rank %lld waits for rank %lld (%s of %lld "
                        "elements), which has already left this call",
                        name_, gone.line, number(rank_), number(gone.partner), gone.verb(),
                        number(elementsOf(gone))));
  return false;
}

/// Fails if the watchdog's time is over. Returns how long the caller may sleep,
/// in ns.
std::int64_t Execution::checkDeadline() {
  const std::int64_t timeoutNs = state_->comm.timeoutMs() * 1'000'000;
  if (timeoutNs == 0)
    return longestSleepNs;
  const std::int64_t now = nowNs();
  if (deadlineNs_ == 0)
    deadlineNs_ = now + timeoutNs;
  if (now >= deadlineNs_)
    fail(timedOut(state_->comm.timeoutMs()));
  return std::min(longestSleepNs, deadlineNs_ - now);
}
