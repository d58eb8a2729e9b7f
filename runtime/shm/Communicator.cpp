//===- Communicator.cpp - Elements, operators, ranks and calls ------------===//

#include "Execution.h"

#include "../common/Transfer.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <stdexcept>

using namespace quadrille;
using namespace quadrille::shm;
using namespace quadrille::shm::detail;
using quadrille::detail::ElementShape;

//===----------------------------------------------------------------------===//
// Elements and operators
//===----------------------------------------------------------------------===//

Datatype Datatype::integer(std::size_t sizeBytes, bool isSigned) {
  switch (sizeBytes) {
  case 1:
    return isSigned ? Kind::Int8 : Kind::UInt8;
  case 2:
    return isSigned ? Kind::Int16 : Kind::UInt16;
  case 4:
    return isSigned ? Kind::Int32 : Kind::UInt32;
  case 8:
    return isSigned ? Kind::Int64 : Kind::UInt64;
  default:
    return opaque(sizeBytes);
  }
}

Operator Operator::user(Function *function, void *context, bool commutative) {
  Operator result(Builtin::Sum);
  result.function_ = function;
  result.context_ = context;
  result.commutative_ = commutative;
  return result;
}

//===----------------------------------------------------------------------===//
// Communicator
//===----------------------------------------------------------------------===//

Communicator::Communicator(World &world, Index rank)
    : rank_(rank), size_(world.size()),
      timeoutMs_(quadrille::detail::numberFromEnvironment("QUADRILLE_TIMEOUT_MS")),
      machine_(world.state_->machine()) {
  if (rank < 0 || rank >= size_)
    throw std::invalid_argument("quadrille::shm::Communicator: no such rank");
  state_ = std::make_unique<CommunicatorState>(*world.state_, *this);
  state_->plans.nodeOf = world.state_->nodeOf();
}

Nodes Communicator::nodes() const { return Nodes(state_->plans.nodeOf, everyone(), 0); }

Communicator::~Communicator() {
  state_->finishAll();
  state_->stopThread();
}

Persistent Communicator::prepareTask(const quadrille::detail::TaskBody &body) noexcept {
  return state_->prepare(body);
}

Request Communicator::startTask(const quadrille::detail::TaskBody &body) noexcept {
  return state_->start(body);
}

bool Communicator::isRecording() const noexcept { return state_->current() != nullptr; }

Status Communicator::putOff(quadrille::detail::KeptBody body) noexcept {
  return state_->putOff(std::move(body));
}

void Communicator::progress() noexcept { state_->progressOnce(); }

Status Communicator::startProgressThread() noexcept { return state_->startThread(); }

void Communicator::stopProgressThread() noexcept { state_->stopThread(); }

bool Communicator::repeat(const CallKey &key, Status &ended) {
  return state_->repeat(key, Datatype::opaque(0), nullptr, ended);
}

bool Communicator::repeat(const CallKey &key, const Datatype &type, Status &ended) {
  return state_->repeat(key, type, nullptr, ended);
}

bool Communicator::repeat(const CallKey &key, const Datatype &type, const Operator &op, Status &ended) {
  return state_->repeat(key, type, &op, ended);
}

//===----------------------------------------------------------------------===//
// The state of one rank
//===----------------------------------------------------------------------===//

CommunicatorState::CommunicatorState(WorldState &shared,
                                     const Communicator &communicator)
    : world(shared), comm(communicator), self(shared.rank(communicator.rank())) {
  peers[0].resize(static_cast<std::size_t>(shared.size()));
}

CommunicatorState::~CommunicatorState() = default;

Peer *CommunicatorState::newPeers(std::vector<Peer> &list) noexcept {
  try {
    list.resize(static_cast<std::size_t>(world.size()));
  } catch (const std::bad_alloc &) {
    return nullptr;
  }
  return list.data();
}

void CommunicatorState::depart() noexcept {
  std::uint64_t open = self.calls.firstOpen();
  if (any())
    open = std::min(open, oldest().sequence);
  self.attendance.leave(open - 1);
}

void CommunicatorState::failed(std::uint64_t sequence, const Status &why) noexcept {
  world.abort(sequence, comm.rank(), why);
}

bool CommunicatorState::repeat(const CallKey &key, const Datatype &type, const Operator *op,
                               Status &ended) {
  return quadrille::detail::repeatCall(*this, key, type, op, ended, [this](Execution &execution) {
    quadrille::detail::OpenCall open;
    self.calls.enter(open);
    const quadrille::detail::Arena::Mark mark = arena.mark();
    Status result = execution.repeat(open.sequence, arena);
    arena.rewind(mark);
    if (result)
      world.abort(open.sequence, comm.rank(), result);
    if (self.calls.leave(open))
      depart();
    return result;
  });
}

void CommunicatorState::pause(quadrille::detail::TaskWait &wait) noexcept {
  (void)wait.next();
  // The progress thread does not spin: the rank's own threads need the cores.
  if (wait.patience(onProgressThread() ? 0 : world.spins()).pass())
    return;
  world.announceSleep(self.bell);
  if (isWanted() || progress(quadrille::detail::Look::Thorough)) {
    self.bell.cancelSleep();
    wait.renew();
    return;
  }
  const Index timeoutMs = comm.timeoutMs();
  std::int64_t sleepNs = longestSleepNs;
  if (timeoutMs > 0)
    sleepNs = std::min(sleepNs, timeoutMs * 1'000'000 / 4);
  self.bell.sleep(std::chrono::nanoseconds(sleepNs));
}

//===----------------------------------------------------------------------===//
// Call
//===----------------------------------------------------------------------===//

/// The memory for a call's temporaries. A started call has its own, since
/// started calls end in any order.
static quadrille::detail::Arena &arenaOf(CommunicatorState &state,
                                         quadrille::detail::Task *task) {
  return task ? task->arena : state.arena;
}

Call::Call(Communicator &comm, const char *name)
    : Call(comm, name, Datatype::opaque(0), nullptr, comm.state_->current()) {}

Call::Call(Communicator &comm, const char *name, const Datatype &type)
    : Call(comm, name, type, nullptr, comm.state_->current()) {}

Call::Call(Communicator &comm, const char *name, const Datatype &type,
           const Operator &op)
    : Call(comm, name, type, &op, comm.state_->current()) {}

Call::Call(Communicator &comm, const char *name, const Datatype &type,
           const Operator *op, quadrille::detail::Task *task)
    : CallBase(comm.state_->plans, arenaOf(*comm.state_, task), name, comm.rank_, comm.size_,
               ElementShape::ofBytes(static_cast<Index>(type.sizeBytes())), op != nullptr,
               op && op->isCommutative(), task != nullptr),
      comm_(comm), type_(type), op_(op ? *op : Operator::sum()),
      task_(task) {
  CommunicatorState &state = *comm.state_;
  if (task_) {
    open_.sequence = task_->sequence;
    lane_ = laneOf(task_->sequence);
  } else {
    state.enter();
    state.self.calls.enter(open_);
  }
  if (op && !op->accepts(type))
    (void)fail(Status::format(
        ErrorCode::BadParameter,
        "%s: the operator is not defined for elements of this type", name));
}

Call::~Call() {
  CommunicatorState &state = *comm_.state_;
  if (task_)
    return;
  if (failure_)
    state.world.abort(open_.sequence, rank_, failure_);
  if (state.self.calls.leave(open_))
    state.depart();
  state.leave();
}

Status Call::carryOut() {
  Execution *const execution = quadrille::detail::takeExecution(
      known_, task_ && task_->isPersistent(), comm_.state_->executions);
  if (!execution)
    return outOfMemory();
  Status result = execution->prepare(*this);
  if (!result && task_) {
    try {
      task_->add(*execution);
      if (task_->isPersistent()) // it keeps its execution
        execution->straighten();
      else
        noteRepeat();
      return {};
    } catch (const std::bad_alloc &) {
      result = outOfMemory();
    }
  }
  if (!result)
    result = plans_.observer ? execution->waitObserved(*plans_.observer) : execution->wait();
  execution->giveBack();
  if (!result)
    noteRepeat();
  return result;
}

/// Notes this call. When an equal one is noted, an execution is loaded for it,
/// which further ones repeat.
void Call::noteRepeat() {
  if (!mayBeRepeated())
    return;
  auto *const repeat = comm_.state_->repeats.note(*key_);
  if (!repeat)
    return;
  repeat->execution->setHome(&repeat->isInUse);
  repeat->isLoaded = !repeat->execution->prepare(*this);
  if (!repeat->isLoaded)
    failure_ = {}; // there is no memory for that, but the call has ended well
  else
    repeat->execution->straighten();
}

Status Call::carryOut(quadrille::detail::Fragment &fragment) {
  Execution *const execution = comm_.state_->executions.take();
  if (!execution)
    return outOfMemory();
  Status result = execution->prepare(*this, fragment);
  if (!result)
    result = execution->wait();
  if (!result)
    fragment.deliver(execution->arrived());
  execution->giveBack();
  return result;
}

void Call::copyElements(std::byte *dst, const std::byte *src, Index elements) {
  ElementOperations(type_, op_, arena_).copy(dst, src, elements);
}

void Call::combineElements(std::byte *dst, const std::byte *a, const std::byte *b,
                           Index elements) {
  ElementOperations operations(type_, op_, arena_);
  operations.combine(dst, a, b, elements);
  if (operations.failed())
    (void)fail(outOfMemory());
}
