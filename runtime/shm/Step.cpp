//===- Step.cpp - Sends and receives that run at the same time ------------===//

#include "World.h"

#include <algorithm>
#include <new>
#include <thread>

using namespace quadrille;
using namespace quadrille::shm;
using namespace quadrille::shm::detail;
using quadrille::detail::SegmentCursor;

/// For printf's %lld: Index need not be long long.
static long long number(Index i) { return i; }

static std::int64_t nowNs() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

Step::Step(Call &call, const Group &group, int line)
    : call_(call), group_(group), line_(line) {
  auto &spare = call.comm_.state_->spareLists;
  if (!spare.empty()) {
    operations_ = std::move(spare.back());
    spare.pop_back();
  }
}

Step::~Step() {
  // After `finish` there is nothing left to withdraw.
  withdraw();
  operations_.clear();
  try {
    call_.comm_.state_->spareLists.push_back(std::move(operations_));
  } catch (const std::bad_alloc &) {
    // The list's memory is freed instead of kept.
  }
}

quadrille::detail::StepPlace Step::place() const {
  return {call_.name(), line_, call_.rank()};
}

void Step::fail(Status status) {
  if (!failure_)
    failure_ = std::move(status);
}

//===----------------------------------------------------------------------===//
// What the step consists of
//===----------------------------------------------------------------------===//

/// Finds the communicator's rank of the group's rank `partner`. False if there
/// is nothing to do.
bool Step::locate(Index partner, Index &rank) {
  if (partner == none)
    return false;
  rank = group_.contains(partner) ? group_.at(partner) : none;
  if (0 <= rank && rank < call_.size())
    return true;
  fail(place().badPartner(partner, group_.size()));
  return false;
}

/// Takes `what` into the step, with the group's rank `partner`.
void Step::add(const Operation &what, Index partner) {
  Index rank = none;
  if (failure_ || !locate(partner, rank))
    return;
  Peer::Direction *direction = nullptr;
  if (call_.peers_) {
    WorldState &world = call_.comm_.state_->world;
    Peer &peer = call_.peers_[rank];
    direction = what.isSend() ? &peer.out : &peer.in;
    if (!direction->channel)
      direction->channel =
          what.isSend() ? world.channel(call_.lane_, call_.rank(), rank)
                        : world.channel(call_.lane_, rank, call_.rank());
  }
  bool added = direction && direction->channel && !what.region.isBroken();
  if (added) {
    try {
      operations_.push_back(what);
    } catch (const std::bad_alloc &) {
      added = false;
    }
  }
  if (!added) {
    fail(place().noMemoryFor(what.isSend() ? "a send" : "a receive"));
    return;
  }
  if (direction->call != call_.sequence_) {
    direction->call = call_.sequence_;
    direction->begun = 0;
    direction->done = 0;
  }
  Operation &operation = operations_.back();
  operation.rank = rank;
  operation.elements = what.region.elements();
  operation.direction = direction;
  operation.message = direction->begun++;
  operation.tag = makeTag(call_.sequence_, operation.message);
  ++unfinished_;
}

void Step::send(const Region &region, Index to) {
  if (region.count() > 0 || region.isBroken())
    add(Operation(Operation::Kind::Send, region), to);
}

void Step::send(Index to) { add(Operation(Operation::Kind::Send), to); }

void Step::recv(const Region &region, Index from) {
  if (region.count() > 0 || region.isBroken())
    add(Operation(Operation::Kind::Receive, region), from);
}

void Step::recv(Index from) { add(Operation(Operation::Kind::Receive), from); }

void Step::recvUpTo(const Region &region, Index from, Index *received) {
  if (received)
    *received = 0;
  if (region.count() == 0 && !region.isBroken())
    return;
  Operation what(Operation::Kind::ReceiveUpTo, region);
  what.received = received;
  add(what, from);
}

void Step::recvCombine(const Region &dst, Index from, Side side) {
  if (!call_.hasOperator_)
    fail(place().noOperator());
  if (dst.count() == 0 && !dst.isBroken())
    return;
  Operation what(Operation::Kind::Combine, dst);
  what.side = side;
  add(what, from);
}

//===----------------------------------------------------------------------===//
// Communication
//===----------------------------------------------------------------------===//

Status Step::finish() {
  fail(call_.failure_);
  if (quadrille::detail::Task *task = call_.task_) {
    while (!failure_ && unfinished_ > 0 && progress())
      ;
    if (!failure_ && unfinished_ > 0)
      task->await(
          [](void *step, bool thorough) {
            return static_cast<Step *>(step)->look(thorough);
          },
          this);
    fail(task->cancelled());
  } else {
    wait();
  }
  withdraw();
  return call_.fail(failure_);
}

/// Looks at every pending operation once and does for it what can be done now.
/// Never waits. True if anything was done.
bool Step::progress() {
  bool moved = false;
  // Sends first: the partner can begin to read while we do.
  for (Operation &operation : operations_)
    if (operation.isSend() && operation.phase != Operation::Phase::Done)
      moved |= progressSend(operation);
  for (Operation &operation : operations_)
    if (!operation.isSend() && operation.phase != Operation::Phase::Done)
      moved |= progressReceive(operation);
  return moved;
}

bool Step::progressSend(Operation &operation) {
  Peer::Direction &direction = *operation.direction;
  Channel &channel = *direction.channel;
  if (operation.phase == Operation::Phase::New) {
    // The channel holds one message: an earlier one of ours goes first.
    if (direction.done != operation.message)
      return false;
    channel.elements = operation.elements;
    channel.elementBytes = operation.region.elementBytes();
    auto segment = operation.region.segments().begin();
    channel.data = operation.elements > 0 ? segment->data : nullptr;
    channel.region = operation.elements > 0 && segment->elements < operation.elements
                         ? &operation.region
                         : nullptr;
    channel.posted.store(withPhase(operation.tag, Phase::Posted),
                         std::memory_order_seq_cst);
    call_.comm_.state_->world.rank(operation.rank).bell.ring();
    operation.phase = Operation::Phase::Posted;
    return true;
  }
  if (channel.consumed.load(std::memory_order_seq_cst) != operation.tag)
    return false;
  ++direction.done;
  operation.phase = Operation::Phase::Done;
  --unfinished_;
  return true;
}

bool Step::progressReceive(Operation &operation) {
  Channel &channel = *operation.direction->channel;
  Tag expected = withPhase(operation.tag, Phase::Posted);
  if (channel.posted.load(std::memory_order_seq_cst) != expected ||
      !channel.posted.compare_exchange_strong(
          expected, withPhase(operation.tag, Phase::Claimed),
          std::memory_order_acquire, std::memory_order_relaxed))
    return false;

  const Index got = channel.elements;
  if (operation.kind == Operation::Kind::ReceiveUpTo ? got > operation.elements
                                                     : got != operation.elements)
    fail(place().otherLength(operation, got));
  else if (got > 0 && channel.elementBytes != operation.region.elementBytes())
    fail(Status::format(ErrorCode::Transport,
                        "%s:%d: rank %lld expects elements of %lld bytes from "
                        "rank %lld, which sent elements of %lld bytes",
                        call_.name(), line_, number(call_.rank()),
                        number(operation.region.elementBytes()),
                        number(operation.rank), number(channel.elementBytes)));
  else
    transfer(operation);
  if (operation.received)
    *operation.received = got;

  // Also after a mismatch: the sender has done its part.
  channel.consumed.store(operation.tag, std::memory_order_seq_cst);
  call_.comm_.state_->world.rank(operation.rank).bell.ring();
  operation.phase = Operation::Phase::Done;
  --unfinished_;
  return true;
}

/// Copies or combines the claimed message, straight from the sender's memory.
void Step::transfer(Operation &operation) {
  const Channel &channel = *operation.direction->channel;
  const auto take = [&](std::byte *dst, const std::byte *incoming, Index elements) {
    if (operation.kind != Operation::Kind::Combine)
      call_.copyElements(dst, incoming, elements);
    else if (operation.side == Side::Left)
      call_.combineElements(dst, incoming, dst, elements);
    else
      call_.combineElements(dst, dst, incoming, elements);
  };
  SegmentCursor to(operation.region);
  if (channel.region) {
    SegmentCursor from(*channel.region);
    while (const Index n = std::min(to.available(), from.available())) {
      take(to.data(), from.data(), n);
      to.skip(n);
      from.skip(n);
    }
    return;
  }
  const std::byte *from = channel.data;
  for (Index left = channel.elements; left > 0;) {
    const Index n = std::min(to.available(), left);
    take(to.data(), from, n);
    to.skip(n);
    from += n * channel.elementBytes;
    left -= n;
  }
}

/// Takes back what has been offered and not been read. Afterwards nobody reads
/// this step's buffers.
void Step::withdraw() {
  for (Operation &operation : operations_) {
    if (!operation.isSend() || operation.phase != Operation::Phase::Posted)
      continue;
    Channel &channel = *operation.direction->channel;
    Tag expected = withPhase(operation.tag, Phase::Posted);
    // Relaxed suffices for success: the buffer was never read. Failure means
    // that a reader is at work or through; its `consumed` orders the reading
    // before our return.
    if (!channel.posted.compare_exchange_strong(
            expected, withPhase(operation.tag, Phase::Withdrawn),
            std::memory_order_relaxed, std::memory_order_relaxed))
      while (channel.consumed.load(std::memory_order_acquire) != operation.tag)
        std::this_thread::yield();
    operation.phase = Operation::Phase::Done;
  }
}

//===----------------------------------------------------------------------===//
// Waiting
//===----------------------------------------------------------------------===//

/// What a blocking call does until the step is over; the one place, beside
/// `CommunicatorState::pause`, where the backend waits. First it spins, then it
/// lets other threads run, then it sleeps until its bell rings.
void Step::wait() {
  CommunicatorState &state = *call_.comm_.state_;
  Patience patience(spinsNow(state.world.spins()));
  while (!failure_ && unfinished_ > 0) {
    bool moved = progress();
    if (state.any())
      moved |= state.progress(/*thorough=*/false);
    if (moved) {
      patience.renew();
      continue;
    }
    if (patience.spin())
      continue;
    const std::int64_t sleepNs = checkDeadline();
    if (failure_)
      return;
    if (patience.yield())
      continue;
    Bell &bell = state.self.bell;
    bell.announceSleep();
    moved = examine();
    if (state.any())
      moved |= state.progress(/*thorough=*/true);
    if (moved || failure_) {
      bell.cancelSleep();
      patience.renew();
    } else {
      bell.sleep(std::chrono::nanoseconds(sleepNs));
    }
  }
}

/// The same for a task: one look by whoever makes progress.
quadrille::detail::Looked Step::look(bool thorough) {
  using quadrille::detail::Looked;
  constexpr std::uint64_t looksPerExamination = 64;
  bool moved = progress();
  if (!moved && (thorough || ++idleLooks_ % looksPerExamination == 0)) {
    moved = examine();
    if (!moved && !failure_)
      (void)checkDeadline();
  }
  // Between two looks the rank may have computed for long: what counts is the
  // time in which there was nothing to do.
  if (moved)
    deadlineNs_ = 0;
  if (failure_ || unfinished_ == 0)
    return Looked::Over;
  return moved ? Looked::Moved : Looked::Idle;
}

/// Finds out whether waiting on makes sense; fails if not. True if anything
/// was done. In this order: who is gone, then whether all it did has been seen,
/// then whether it said why.
bool Step::examine() {
  WorldState &world = call_.comm_.state_->world;
  const Operation *gone = nullptr;
  for (const Operation &operation : operations_)
    if (operation.phase != Operation::Phase::Done &&
        world.rank(operation.rank).departed.load(std::memory_order_acquire) >=
            call_.sequence_)
      gone = &operation;
  if (progress())
    return true;
  if (abortsSeen_ != world.abortCount()) {
    abortsSeen_ = world.abortCount();
    Abort abort;
    if (world.findAbort(call_.sequence_, abort))
      fail(Status::format(ErrorCode::Aborted,
                          "%s:%d: rank %lld gives up because rank %lld failed: %s",
                          call_.name(), line_, number(call_.rank()),
                          number(abort.rank), abort.why.text()));
  }
  if (gone)
    fail(Status::format(ErrorCode::Transport,
                        "%s:%d: rank %lld waits for rank %lld (%s of %lld "
                        "elements), which has already left this call",
                        call_.name(), line_, number(call_.rank()),
                        number(gone->rank), gone->verb(), number(gone->elements)));
  return false;
}

/// Fails once the watchdog's time is over. Returns how long one may sleep.
std::int64_t Step::checkDeadline() {
  const std::int64_t timeoutNs = call_.comm_.timeoutMs() * 1'000'000;
  if (timeoutNs == 0)
    return longestSleepNs;
  const std::int64_t now = nowNs();
  if (deadlineNs_ == 0)
    deadlineNs_ = now + timeoutNs;
  if (now >= deadlineNs_)
    fail(timedOut());
  return std::min(longestSleepNs, deadlineNs_ - now);
}

Status Step::timedOut() const {
  quadrille::detail::WaitReport report;
  for (const Operation &operation : operations_)
    if (operation.phase != Operation::Phase::Done)
      report.add(operation);
  return report.status(place(), call_.comm_.timeoutMs());
}
