//===- Communicator.cpp - MPI communicators and calls ---------------------===//

#include "Execution.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <limits>
#include <thread>

using namespace quadrille;
using namespace quadrille::mpi;
using namespace quadrille::mpi::detail;

//===----------------------------------------------------------------------===//
// Communicator
//===----------------------------------------------------------------------===//

/// Finds the ranks of this node, and the node of every rank. Collective. Returns
/// an error code of MPI.
static int findNode(CommunicatorState &state, int rank, int size, const NodeWishes &wishes) {
  NodeFacts mine;
  state.node = Node::find(state.comm, rank, size, wishes, mine);
#ifndef OPEN_MPI
  // Open MPI yields the core itself while it waits, which is twice as fast as if
  // this backend did. MPICH spins, and takes a hundred times as long.
  state.isCrowded = mine.isCrowded();
#endif
  std::vector<NodeFacts> all(static_cast<std::size_t>(size));
  const int failed = MPI_Allgather(&mine, static_cast<int>(sizeof mine), MPI_BYTE, all.data(), static_cast<int>(sizeof mine), MPI_BYTE,
                                   state.comm);
  state.plans.nodeOf.clear();
  for (const NodeFacts &node : all) {
    state.plans.nodeOf.push_back(node.first);
    if (node.isCrowded() && node.ranks * state.sharedCores >= state.sharingRanks * node.cores) {
      state.sharingRanks = node.ranks;
      state.sharedCores = node.cores;
    }
  }
  return failed;
}

Communicator::Communicator(MPI_Comm parent)
    : timeoutMs_(quadrille::detail::numberFromEnvironment("QUADRILLE_TIMEOUT_MS")),
      state_(std::make_unique<CommunicatorState>()) {
  quadrille::detail::watchForks();
  int initialized = 0, finalized = 0;
  MPI_Initialized(&initialized);
  MPI_Finalized(&finalized);
  if (!initialized || finalized || parent == MPI_COMM_NULL) {
    status_ = Status(ErrorCode::Transport,
                     parent == MPI_COMM_NULL && initialized && !finalized
                         ? "the communicator to be duplicated is null"
                         : "MPI is not initialized, or already finalized");
    return;
  }
  // MPI_Comm_dup would copy the program's attributes, by calling functions of the program.
  MPI_Group group = MPI_GROUP_NULL;
  int error = MPI_Comm_group(parent, &group);
  if (error == MPI_SUCCESS) {
    error = MPI_Comm_create(parent, group, &state_->comm);
    MPI_Group_free(&group);
  }
  if (error != MPI_SUCCESS) {
    state_->comm = MPI_COMM_NULL;
    status_ = Status::format(ErrorCode::Transport,
                             "MPI_Comm_create failed with error %d", error);
    return;
  }
  MPI_Comm_set_errhandler(state_->comm, MPI_ERRORS_RETURN);
  int rank = 0, size = 1;
  MPI_Comm_rank(state_->comm, &rank);
  MPI_Comm_size(state_->comm, &size);
  rank_ = rank;
  size_ = size;
  // All ranks do what rank 0's environment says, since it may differ on hosts to
  // which the launcher does not pass it.
  machine_ = rank == 0 ? machineFromEnvironment(usualMpiMachine) : usualMpiMachine;
  NodeWishes wishes = rank == 0 ? NodeWishes::ofEnvironment(size_) : NodeWishes();
  double parameters[] = {machine_.alpha, machine_.beta, wishes.isOn ? 1.0 : 0.0,
                         wishes.pretended.empty() ? 0.0 : 1.0};
  int failed = MPI_Bcast(parameters, 4, MPI_DOUBLE, 0, state_->comm);
  machine_ = {parameters[0], parameters[1]};
  wishes.isOn = parameters[2] != 0;
  wishes.pretended.resize(parameters[3] != 0 ? static_cast<std::size_t>(size) : 0);
  if (!failed && !wishes.pretended.empty())
    failed = MPI_Bcast(wishes.pretended.data(), static_cast<int>(wishes.pretended.size() * sizeof(Index)), MPI_BYTE, 0, state_->comm);
  if (failed) {
    status_ = Status::format(ErrorCode::Transport, "MPI_Bcast failed with error %d", failed);
    return;
  }
  if (const int unknown = findNode(*state_, rank, size, wishes)) {
    status_ = Status::format(ErrorCode::Transport, "MPI_Allgather failed with error %d", unknown);
    return;
  }
  machine_ = machine_.sharedBy(state_->sharingRanks, state_->sharedCores);
  void *attribute = nullptr;
  int found = 0;
  MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &attribute, &found);
  constexpr int everyLibraryHas = 32767;
  state_->shareTags(static_cast<std::uint64_t>(found ? *static_cast<int *>(attribute) : everyLibraryHas));
}

Communicator::~Communicator() {
  if (state_->isForked()) {
    // Requests, MPI and a progress thread are the parent's.
    (void)state_.release();
    return;
  }
  int finalized = 0;
  MPI_Finalized(&finalized);
  if (!finalized)
    state_->finishAll();
  state_->stopThread();
  state_->giveBackJobs(); // with their requests, which are the communicator's
  if (state_->node)
    state_->node->self().attendance.leave(std::numeric_limits<std::uint64_t>::max());
  if (state_->comm != MPI_COMM_NULL && !finalized)
    MPI_Comm_free(&state_->comm);
}

Nodes Communicator::nodes() const { return Nodes(state_->plans.nodeOf, everyone(), 0); }

MPI_Comm Communicator::handle() const { return state_->comm; }

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

Status Communicator::startProgressThread() noexcept {
  return status_ ? status_ : state_->startThread();
}

void Communicator::stopProgressThread() noexcept { state_->stopThread(); }

bool Communicator::repeat(const CallKey &key, Status &ended) {
  return state_->repeat(key, MPI_BYTE, nullptr, ended);
}

bool Communicator::repeat(const CallKey &key, const Datatype &type, Status &ended) {
  return state_->repeat(key, type, nullptr, ended);
}

bool Communicator::repeat(const CallKey &key, const Datatype &type, const Operator &op, Status &ended) {
  return state_->repeat(key, type, &op, ended);
}

//===----------------------------------------------------------------------===//
// The state that calls share
//===----------------------------------------------------------------------===//

void quadrille::mpi::detail::passTime(std::uint64_t round, bool isCrowded) noexcept {
  if (round > looksBeforeSleep)
    std::this_thread::sleep_for(std::chrono::microseconds(50));
  else if (isCrowded || round > looksBeforeYield)
    std::this_thread::yield();
}

CommunicatorState::CommunicatorState() = default;
CommunicatorState::~CommunicatorState() = default;

Status CommunicatorState::forked(const char *call, Index rank) const {
  if (!isForked())
    return {};
  return Status::format(ErrorCode::Transport,
                        "%s: this process is a fork of rank %lld, and cannot use its communicators",
                        call, static_cast<long long>(rank));
}

void CommunicatorState::depart() noexcept {
  if (!node)
    return;
  std::uint64_t open = calls.firstOpen();
  if (any())
    open = std::min(open, oldest().sequence);
  node->self().attendance.leave(open - 1);
}

void CommunicatorState::letMpiProgress() noexcept {
  int found = 0;
  // No message has this tag, so nothing is found; but MPI looks around.
  MPI_Iprobe(MPI_ANY_SOURCE, localTag(), comm, &found, MPI_STATUS_IGNORE);
}

bool CommunicatorState::repeat(const CallKey &key, const Datatype &type, const Operator *op, Status &ended) {
  if (isForked())
    return false;
  return quadrille::detail::repeatCall(*this, key, type, op, ended, [this](Execution &execution) {
    quadrille::detail::OpenCall open;
    calls.enter(open);
    awaitTag(open.sequence);
    const quadrille::detail::Arena::Mark mark = arena.mark();
    Status result = execution.repeat(open.sequence, arena);
    arena.rewind(mark);
    if (calls.leave(open))
      depart();
    return result;
  });
}

void CommunicatorState::pause(quadrille::detail::TaskWait &wait) noexcept {
  const std::uint64_t round = wait.next();
  if (!node)
    return passTime(round, isCrowded);
  // The progress thread does not spin: the rank's own threads need the cores.
  if (wait.patience(onProgressThread() ? 0 : node->spins()).pass())
    return;
  letMpiProgress();
  auto &bell = node->self().bell;
  bell.announceSleep();
  if (isWanted() || progress(quadrille::detail::Look::Thorough)) {
    bell.cancelSleep();
    wait.renew();
    return;
  }
  bell.sleep(wait.nextNap());
}

void CommunicatorState::awaitTag(std::uint64_t sequence) noexcept {
  for (quadrille::detail::TaskWait waited; any() && sequence - oldest().sequence >= tags;) {
    if (progress(quadrille::detail::Look::Quick))
      waited.renew();
    else
      pause(waited);
  }
}

Status CommunicatorState::mayHaveThread() noexcept {
  int level = MPI_THREAD_SINGLE;
  if (comm != MPI_COMM_NULL)
    MPI_Query_thread(&level);
  if (level == MPI_THREAD_MULTIPLE)
    return {};
  return Status(ErrorCode::BadParameter,
                "a progress thread requires MPI_THREAD_MULTIPLE, which MPI was not "
                "initialized with, or does not grant");
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
    : Call(comm, name, MPI_BYTE, nullptr, comm.state_->current()) {}

Call::Call(Communicator &comm, const char *name, const Datatype &type)
    : Call(comm, name, type, nullptr, comm.state_->current()) {}

Call::Call(Communicator &comm, const char *name, const Datatype &type,
           const Operator &op)
    : Call(comm, name, type, &op, comm.state_->current()) {}

Call::Call(Communicator &comm, const char *name, const Datatype &type,
           const Operator *op, quadrille::detail::Task *task)
    : CallBase(comm.state_->plans, arenaOf(*comm.state_, task), name, comm.rank_, comm.size_,
               type.shape(), op != nullptr, op && op->isCommutative(),
               task != nullptr),
      comm_(comm), type_(type), op_(op ? *op : Operator(MPI_OP_NULL)),
      task_(task) {
  // Every call has a tag of its own, so that messages of calls in flight are
  // not confused, nor a message that a failed call left behind with one of a
  // later call.
  CommunicatorState &state = *comm.state_;
  const bool isForked = state.isForked();
  if (isForked)
    (void)fail(state.forked(name, rank_));
  if (task_) {
    open_.sequence = task_->sequence;
    if (state.node)
      lane_ = state.node->laneOf(task_->sequence);
  } else if (!isForked) {
    state.enter();
    state.calls.enter(open_);
    state.awaitTag(open_.sequence);
  }
  tag_ = state.tagOf(open_.sequence);
  if (comm.status_)
    (void)fail(comm.status_);
  if (type.isNull() || (op && !op->accepts(type)))
    (void)fail(Status::format(
        ErrorCode::BadParameter, "%s: %s", name,
        type.isNull() ? "the datatype is null"
                      : "the operator is null, or predefined and the datatype not"));
}

Call::~Call() {
  CommunicatorState &state = *comm_.state_;
  if (task_ || open_.sequence == 0)
    return;
  if (state.calls.leave(open_))
    state.depart();
  state.leave();
}

bool Call::combinesThroughMemory() const {
  const Node *const node = comm_.state_->node.get();
  return !node || !node->reachesAll();
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
/// which further ones repeat. MPI may reuse the handle of a type or an operator that
/// is not its own, so calls with these are not repeated.
void Call::noteRepeat() {
  if (!mayBeRepeated() || !type_.isNamed() || !type_.shape().dense ||
      (hasOperator_ && !op_.isPredefined()))
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

/// The status of copying or combining.
static Status outcome(const ElementOperations &operations, const char *name) {
  if (!operations.failure())
    return {};
  return Status::format(ErrorCode::Transport, "%s: %s failed with MPI error %d", name,
                        operations.failure(), operations.error());
}

void Call::copyElements(std::byte *dst, const std::byte *src, Index elements) {
  ElementOperations operations(type_, op_, rank_, *comm_.state_, arena_);
  operations.copy(dst, src, elements);
  (void)fail(outcome(operations, name_));
}

void Call::combineElements(std::byte *dst, const std::byte *a, const std::byte *b,
                           Index elements) {
  ElementOperations operations(type_, op_, rank_, *comm_.state_, arena_);
  operations.combine(dst, a, b, elements);
  (void)fail(outcome(operations, name_));
}
