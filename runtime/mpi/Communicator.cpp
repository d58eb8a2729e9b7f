//===- Communicator.cpp - MPI communicators and calls ---------------------===//

#include "Execution.h"

#include "../common/Cores.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <thread>

using namespace quadrille;
using namespace quadrille::mpi;
using namespace quadrille::mpi::detail;

//===----------------------------------------------------------------------===//
// Communicator
//===----------------------------------------------------------------------===//

/// Whether this node has more ranks than cores, and MPI does not yield cores
/// itself. Collective. False if MPI does not tell.
static bool isNodeCrowded(MPI_Comm comm, int rank) {
#ifdef OPEN_MPI
  // Open MPI yields the core itself while it looks at its messages, which is
  // twice as fast as if we did. MPICH spins, and takes a hundred times as long.
  return (void)comm, (void)rank, false;
#else
  using quadrille::detail::CoreSet;
  MPI_Comm node = MPI_COMM_NULL;
  if (MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &node) != MPI_SUCCESS)
    return false;
  int ranks = 1;
  MPI_Comm_size(node, &ranks);
  // The union of the ranks' cores, since each rank may be bound to one core.
  CoreSet cores = CoreSet::ofThisThread();
  const int error = MPI_Allreduce(MPI_IN_PLACE, cores.bits.data(), static_cast<int>(CoreSet::words),
                                  MPI_UNSIGNED_LONG, MPI_BOR, node);
  MPI_Comm_free(&node);
  const Index count = cores.count();
  return error == MPI_SUCCESS && count > 0 && ranks > count;
#endif
}

Communicator::Communicator(MPI_Comm parent)
    : timeoutMs_(quadrille::detail::positiveFromEnvironment("QUADRILLE_TIMEOUT_MS")),
      state_(std::make_unique<CommunicatorState>()) {
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
  const int error = MPI_Comm_dup(parent, &state_->comm);
  if (error != MPI_SUCCESS) {
    state_->comm = MPI_COMM_NULL;
    status_ = Status::format(ErrorCode::Transport,
                             "MPI_Comm_dup failed with error %d", error);
    return;
  }
  MPI_Comm_set_errhandler(state_->comm, MPI_ERRORS_RETURN);
  int rank = 0, size = 1;
  MPI_Comm_rank(state_->comm, &rank);
  MPI_Comm_size(state_->comm, &size);
  rank_ = rank;
  size_ = size;
  // All ranks use rank 0's machine, since the environment may differ on hosts
  // to which the launcher does not pass it.
  machine_ = machineFromEnvironment(usualMpiMachine);
  double parameters[] = {machine_.alpha, machine_.beta};
  if (const int failed = MPI_Bcast(parameters, 2, MPI_DOUBLE, 0, state_->comm)) {
    status_ = Status::format(ErrorCode::Transport, "MPI_Bcast failed with error %d", failed);
    return;
  }
  machine_ = {parameters[0], parameters[1]};
  state_->isCrowded = isNodeCrowded(state_->comm, rank);
  void *attribute = nullptr;
  int found = 0;
  MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &attribute, &found);
  if (found)
    state_->tags = static_cast<std::uint64_t>(*static_cast<int *>(attribute));
}

Communicator::~Communicator() {
  int finalized = 0;
  MPI_Finalized(&finalized);
  if (!finalized)
    state_->finishAll();
  state_->stopThread();
  if (state_->comm != MPI_COMM_NULL && !finalized)
    MPI_Comm_free(&state_->comm);
}

MPI_Comm Communicator::handle() const { return state_->comm; }

Persistent Communicator::prepareTask(const quadrille::detail::TaskBody &body) noexcept {
  return state_->prepare(body);
}

Request Communicator::startTask(const quadrille::detail::TaskBody &body) noexcept {
  return state_->start(body);
}

void Communicator::progress() noexcept { state_->progressOnce(); }

Status Communicator::startProgressThread() noexcept {
  return status_ ? status_ : state_->startThread();
}

void Communicator::stopProgressThread() noexcept { state_->stopThread(); }

//===----------------------------------------------------------------------===//
// The state that calls share
//===----------------------------------------------------------------------===//

void quadrille::mpi::detail::passTime(std::uint64_t round, bool isCrowded) noexcept {
  if (round > looksBeforeSleep)
    std::this_thread::sleep_for(std::chrono::microseconds(50));
  else if (isCrowded || round > looksBeforeYield)
    std::this_thread::yield();
}

CommunicatorState::~CommunicatorState() = default;

void CommunicatorState::awaitTag(std::uint64_t sequence) noexcept {
  for (std::uint64_t round = 0; any() && sequence - oldest().sequence >= tags;) {
    if (progress(/*thorough=*/false))
      round = 0;
    else
      pause(round);
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
      comm_(comm), type_(type), op_(op ? op->handle() : MPI_OP_NULL),
      task_(task) {
  // Every call has a tag of its own, so that messages of calls in flight are
  // not confused, nor a message that a failed call left behind with one of a
  // later call.
  CommunicatorState &state = *comm.state_;
  if (task_) {
    tag_ = state.tagOf(task_->sequence);
  } else {
    state.enter();
    const std::uint64_t sequence = state.calls++;
    state.awaitTag(sequence);
    tag_ = state.tagOf(sequence);
  }
  (void)fail(comm.status_);
  if (type.isNull() || (op && !op->accepts(type)))
    (void)fail(Status::format(
        ErrorCode::BadParameter, "%s: %s", name,
        type.isNull() ? "the datatype is null"
                      : "the operator is null, or predefined and the datatype not"));
}

Call::~Call() {
  if (!task_)
    comm_.state_->leave();
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
      return {};
    } catch (const std::bad_alloc &) {
      result = outOfMemory();
    }
  }
  if (!result)
    result = execution->wait();
  execution->giveBack();
  return result;
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
  ElementOperations operations(type_, op_, commutative_, rank_, *comm_.state_, arena_);
  operations.copy(dst, src, elements);
  (void)fail(outcome(operations, name_));
}

void Call::combineElements(std::byte *dst, const std::byte *a, const std::byte *b,
                           Index elements) {
  ElementOperations operations(type_, op_, commutative_, rank_, *comm_.state_, arena_);
  operations.combine(dst, a, b, elements);
  (void)fail(outcome(operations, name_));
}
