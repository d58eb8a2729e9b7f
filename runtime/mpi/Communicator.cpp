//===- Communicator.cpp - MPI communicators and calls ---------------------===//

#include "State.h"

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
  // The environment may differ between ranks, as on hosts that a launcher does
  // not pass it on to.
  machine_ = machineFromEnvironment(usualMpiMachine);
  double parameters[] = {machine_.alpha, machine_.beta};
  if (const int failed = MPI_Bcast(parameters, 2, MPI_DOUBLE, 0, state_->comm)) {
    status_ = Status::format(ErrorCode::Transport, "MPI_Bcast failed with error %d", failed);
    return;
  }
  machine_ = {parameters[0], parameters[1]};
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

Request Communicator::startTask(const quadrille::detail::TaskBody &body) noexcept {
  return state_->start(body);
}

void Communicator::progress() noexcept { state_->progressOnce(); }

Status Communicator::startProgressThread() noexcept {
  return status_ ? status_ : state_->startThread();
}

void Communicator::stopProgressThread() noexcept { state_->stopThread(); }

void Communicator::setStackBytes(std::size_t bytes) noexcept {
  state_->setStackBytes(bytes);
}

//===----------------------------------------------------------------------===//
// What the calls of a communicator share
//===----------------------------------------------------------------------===//

void quadrille::mpi::detail::passTime(std::uint64_t round) noexcept {
  if (round > looksBeforeSleep)
    std::this_thread::sleep_for(std::chrono::microseconds(50));
  else if (round > looksBeforeYield)
    std::this_thread::yield();
}

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

/// Calls in flight give back their temporaries in any order.
static quadrille::detail::Arena &arenaOf(CommunicatorState &state) {
  quadrille::detail::Task *task = state.current();
  return task ? task->arena : state.arena;
}

Call::Call(Communicator &comm, const char *name)
    : Call(comm, name, MPI_BYTE, nullptr) {}

Call::Call(Communicator &comm, const char *name, const Datatype &type)
    : Call(comm, name, type, nullptr) {}

Call::Call(Communicator &comm, const char *name, const Datatype &type,
           const Operator &op)
    : Call(comm, name, type, &op) {}

Call::Call(Communicator &comm, const char *name, const Datatype &type,
           const Operator *op)
    : CallBase(arenaOf(*comm.state_), name, comm.rank_, comm.size_, type.shape(),
               op != nullptr, op && op->isCommutative()),
      comm_(comm), type_(type), op_(op ? op->handle() : MPI_OP_NULL),
      task_(comm.state_->current()) {
  // Every call has a tag of its own, so that calls in flight keep apart, and a
  // message that a failed call left behind is not mistaken for one of a later
  // call.
  CommunicatorState &state = *comm.state_;
  if (task_) {
    tag_ = state.tagOf(task_->sequence);
    (void)fail(task_->cancelled());
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

void Call::copyElements(std::byte *dst, const std::byte *src, Index elements) {
  if (shape_.dense) {
    std::memmove(dst, src,
                 static_cast<std::size_t>(elements * shape_.extentBytes));
    return;
  }
  // The gaps of a type are not ours to write to. MPI copies such elements with
  // a message to oneself.
  const CommunicatorState &state = *comm_.state_;
  const int tag = static_cast<int>(state.tags); // of no call
  for (Index done = 0; done < elements;) {
    const int now = static_cast<int>(std::min(elements - done, largestCount));
    const Index offset = done * shape_.extentBytes;
    const int error = MPI_Sendrecv(
        src + offset, now, type_.handle(), static_cast<int>(rank_), tag,
        dst + offset, now, type_.handle(), static_cast<int>(rank_), tag,
        state.comm, MPI_STATUS_IGNORE);
    if (error != MPI_SUCCESS) {
      (void)fail(Status::format(ErrorCode::Transport,
                                "%s: a local copy failed with MPI error %d", name_,
                                error));
      return;
    }
    done += now;
  }
}

void Call::combineElements(std::byte *dst, const std::byte *a, const std::byte *b,
                           Index elements) {
  // MPI_Reduce_local(in, inout) is inout := in <> inout.
  const auto apply = [this](const std::byte *in, std::byte *inout, Index count) {
    for (Index done = 0; done < count;) {
      const int now = static_cast<int>(std::min(count - done, largestCount));
      const Index offset = done * shape_.extentBytes;
      const int error =
          MPI_Reduce_local(in + offset, inout + offset, now, type_.handle(), op_);
      if (error != MPI_SUCCESS) {
        (void)fail(Status::format(ErrorCode::Transport,
                                  "%s: MPI_Reduce_local failed with error %d", name_,
                                  error));
        return;
      }
      done += now;
    }
  };
  combineInTwoAddresses(dst, a, b, elements, apply);
}
