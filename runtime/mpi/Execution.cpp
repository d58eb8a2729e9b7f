//===- Execution.cpp - How programs are carried out over MPI -------------===//

#include "Execution.h"

#include <chrono>
#include <new>
#include <thread>

using namespace quadrille;
using namespace quadrille::mpi;
using namespace quadrille::mpi::detail;
using quadrille::detail::Elements;
using quadrille::detail::Fragment;
using quadrille::detail::Looked;

/// Up to so many bytes a message in several pieces is packed, and all of a call: a copy
/// of so much takes about a microsecond, as a datatype does.
static constexpr std::size_t mostPackedOfMessage = std::size_t{16} << 10,
                             mostPackedOfCall = std::size_t{1} << 20;

/// Converts an Index for printf's %lld, since Index need not be long long.
static long long number(Index i) { return i; }

static double nowSeconds() {
  return std::chrono::duration<double>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

//===----------------------------------------------------------------------===//
// Loading programs
//===----------------------------------------------------------------------===//

void Execution::begin(Call &call) {
  state_ = call.comm_.state_.get();
  comm_ = &call.comm_;
  reset(call.name(), call.rank(), call.type_.shape().extentBytes);
  arena_ = &call.arena_;
  ops_ = ElementOperations(call.type_, call.op_, rank_, *state_, *arena_);
  straight_.clear();
  beginAs(call.open_.sequence, call.lane_);
  tag_ = call.tag_;
}

/// Begins a program as call `sequence`, with the channels of `lane`. Throws
/// std::bad_alloc.
void Execution::beginAs(std::uint64_t sequence, unsigned lane) {
  sequence_ = sequence;
  tag_ = state_->tagOf(sequence);
  node_ = state_->node.get();
  if (node_) {
    number_ = ++state_->executionCount;
    peers_ = node_->peersOf(lane);
    turn_ = quadrille::detail::turnIn(lane, sequence);
    slots_ = node_->slots(lane);
    if (!peers_)
      throw std::bad_alloc();
    idleLooks_ = 0;
    nextRollCall_ = 0;
  }
  ops_.forgetFailure();
  deadline_ = 0;
  requests_.clear();
  pending_.clear();
  packing_.rewind({});
  packedBytes_ = 0;
  turns_.resize(static_cast<std::size_t>(comm_->size()));
  ++epoch_;
}

Status Execution::prepare(Call &call) {
  try {
    begin(call);
    load(call.plan(), call.lengthOfCall(), *call.recorder_,
         [&](Index elements) { return call.allocateElements(elements); });
    ended_.assign(window_.program().count, false);
    return failure_;
  } catch (const std::bad_alloc &) {
    return call.failure_ ? call.failure_ : noMemory("its plan");
  }
}

Status Execution::prepare(Call &call, const Fragment &fragment) {
  try {
    begin(call);
    load(fragment);
    ended_.assign(window_.program().count, false);
    return {};
  } catch (const std::bad_alloc &) {
    return noMemory("a step");
  }
}

/// The channels of a started call.
unsigned Execution::laneOf(const quadrille::detail::Task &task) const {
  return node_ ? node_->laneOf(task.sequence) : 0;
}

/// Throws std::bad_alloc.
void Execution::beginAgain(std::uint64_t sequence, unsigned lane, quadrille::detail::Arena &arena) {
  arena_ = &arena;
  ops_.reset(arena);
  beginAs(sequence, lane);
  loadAgain(arena);
  ended_.assign(window_.program().count, false);
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
    const unsigned lane = laneOf(task);
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
    if (Status bad = state_->forked(name_, rank_))
      return bad;
    if (task.hasOneJob() && startStraight(task, laneOf(task)))
      return {};
    beginAs(task.sequence, laneOf(task));
    if (const int tag = state_->keptTagOf(task); tag >= 0) {
      tag_ = tag;
      kept_.resize(window_.program().count);
    } else {
      forgetRequests();
    }
    rewind();
    ended_.assign(window_.program().count, false);
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
  forgetRequests();
  release();
  state_->executions.giveBack(this);
}

void Execution::failMpi(const Operation &operation, const char *action, int error) {
  char text[MPI_MAX_ERROR_STRING] = "unknown error";
  int length = 0;
  MPI_Error_string(error, text, &length);
  fail(Status::format(ErrorCode::Transport, "%s:%d: rank %lld: %s: %s", name_, operation.line,
                      number(rank_), action, text));
}

/// Fails if the copy or combination before has failed.
void Execution::failMoving() {
  if (ops_.failure())
    fail(Status::format(ErrorCode::Transport, "%s: %s failed with MPI error %d", name_,
                        ops_.failure(), ops_.error()));
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

quadrille::detail::Progress Execution::begin(const Operation &operation) {
  if (operation.isMessage()) {
    NodePeer *const peer = peerOf(operation);
    if (!peer)
      return post(operation);
    return operation.isSend() ? send(operation, *peer) : receive(operation, *peer);
  }
  move(ops_, operation);
  failMoving();
  return Progress::Done;
}

inline Execution::Turns &Execution::turnsOf(const Operation &operation) {
  Turns &turns = turns_[static_cast<std::size_t>(operation.partner)];
  if (turns.epoch != epoch_)
    turns = {epoch_, 0, 0};
  return turns;
}

/// Memory for a short message in several pieces: to make, commit and free a datatype
/// takes longer than to copy it. Null for others, and if a call has packed much already.
/// Throws std::bad_alloc.
std::byte *Execution::packingFor(const Elements &what, quadrille::detail::Arena &memory) {
  if (what.elements() == 0 || what.isOnePiece() || !ops_.type().shape().dense)
    return nullptr;
  const auto bytes = static_cast<std::size_t>(what.elements() * what.elementBytes());
  if (bytes > mostPackedOfMessage || packedBytes_ + bytes > mostPackedOfCall)
    return nullptr;
  packedBytes_ += bytes;
  void *const packed = memory.allocate(bytes);
  if (!packed)
    throw std::bad_alloc();
  return static_cast<std::byte *>(packed);
}

/// Passes a message to MPI if it is its turn: MPI matches messages between two
/// ranks in the order in which they are passed to it. So the requests that are kept
/// are started one by one: MPI_Startall has no order.
quadrille::detail::Progress Execution::post(const Operation &operation) {
  std::uint32_t &turn = turnsOf(operation).of(operation);
  if (turn != operation.message)
    return Progress::Blocked;
  Message message;
  try {
    Kept *const kept = kept_.empty() ? nullptr : keptFor(operation);
    std::byte *packed = nullptr;
    int error = MPI_SUCCESS;
    if (kept && kept->isMade()) {
      packed = kept->packed;
    } else {
      const Elements what = operation.operandCount > 0 ? elements(operation, 0) : Elements();
      packed = packingFor(what, kept ? keptPacking_ : packing_);
      if (packed) {
        message.buffer = packed;
        message.count = static_cast<int>(what.elements());
        message.type = ops_.type().handle();
      } else {
        error = message.describe(what, ops_.type().handle());
      }
      if (kept)
        kept->packed = packed;
    }
    if (error != MPI_SUCCESS) {
      failMpi(operation, "describing a message", error);
      return Progress::Blocked;
    }
    if (packed && operation.isSend()) {
      const Elements what = elements(operation, 0);
      copy(ops_, consecutive(packed, what.elements()), what);
    }
    requests_.push_back(MPI_REQUEST_NULL);
    pending_.push_back({&operation, packed, kept});
    passToMpi(operation, message, kept);
  } catch (const std::bad_alloc &) {
    fail(place(operation).noMemoryFor("its messages"));
  }
  ++turn;
  return Progress::UnderWay;
}

/// The address and count of a message of Steps, which is in one piece.
struct Execution::Piece {
  Piece(const Execution &execution, const Operation *operation) {
    if (!operation || operation->operandCount == 0)
      return;
    const quadrille::detail::Operand &operand =
        execution.window_.program().operand(*operation, 0);
    if (operand.elements > 0)
      data = execution.bases_[operand.buffer] + operand.offset * execution.elementBytes_;
    count = static_cast<int>(operand.elements);
  }
  std::byte *data = nullptr;
  int count = 0;
};

/// Tells the observer of the operations of a step.
void Execution::observeStep(const Step &step, bool isDone) {
  for (const Operation *operation : {step.move, step.send, step.receive})
    if (operation && isDone)
      observer_->isDone(*operation, movedBytes(*operation));
    else if (operation)
      observer_->tries(*operation);
}

/// Carries out the beginning of the program (see Steps) by blocking calls of
/// MPI. Only for calls that may wait inside MPI.
void Execution::carryOutSteps() {
  const quadrille::detail::Program &program = window_.program();
  const Index bytes = ops_.type().sizeBytes();
  try {
    if (!steps_.areOf(programNumber_, bytes))
      steps_.find(program, programNumber_, bytes);
  } catch (const std::bad_alloc &) {
    return fail(noMemory("its plan"));
  }
  const MPI_Datatype type = ops_.type().handle();
  for (const Step &step : steps_) {
    if (observer_)
      observeStep(step, /*isDone=*/false);
    if (step.move) {
      move(ops_, *step.move);
      failMoving();
    } else {
      const Piece out(*this, step.send), in(*this, step.receive);
      MPI_Status status;
      int error = MPI_SUCCESS;
      if (!step.receive)
        error = MPI_Send(out.data, out.count, type, step.send->partner, tag_, state_->comm);
      else if (!step.send)
        error = MPI_Recv(in.data, in.count, type, step.receive->partner, tag_, state_->comm,
                         &status);
      else
        error = MPI_Sendrecv(out.data, out.count, type, step.send->partner, tag_, in.data,
                             in.count, type, step.receive->partner, tag_, state_->comm, &status);
      // An error of MPI_Sendrecv is reported for the receive: only a receive
      // may be truncated, and for other errors MPI does not tell which of the
      // two failed.
      if (step.receive)
        (void)check(*step.receive, status, error);
      else if (error != MPI_SUCCESS)
        failMpi(*step.send, step.send->verb(), error);
    }
    if (failure_)
      return;
    if (observer_)
      observeStep(step, /*isDone=*/true);
  }
  window_.passFirst(steps_.count());
  // Count these messages, so that the numbers of later ones are right.
  for (std::size_t i = 0; i < steps_.count() && !window_.isOver(); ++i)
    if (program.operations[i].isMessage())
      ++turnsOf(program.operations[i]).of(program.operations[i]);
}

quadrille::detail::Progress Execution::poll(const Operation &operation) {
  if (NodePeer *const peer = peerOf(operation))
    return operation.isSend() ? continueSending(operation, *peer) : continueReceiving(operation, *peer);
  return ended_[static_cast<std::size_t>(&operation - window_.program().operations)]
             ? Progress::Done
             : Progress::UnderWay;
}

/// Notes the requests that MPI has completed; `isWait`: waits for at least one.
/// True if there was any.
bool Execution::collect(bool isWait) {
  if (requests_.empty())
    return false;
  const int count = static_cast<int>(requests_.size());
  statuses_.resize(requests_.size());
  finished_.resize(requests_.size());
  int completed = 0;
  const int error = isWait ? MPI_Waitsome(count, requests_.data(), &completed, finished_.data(),
                                          statuses_.data())
                           : MPI_Testsome(count, requests_.data(), &completed, finished_.data(),
                                          statuses_.data());
  if (error != MPI_SUCCESS && error != MPI_ERR_IN_STATUS) {
    failMpi(*pending_.front().operation, isWait ? "MPI_Waitsome" : "MPI_Testsome", error);
    return true;
  }
  if (completed == MPI_UNDEFINED)
    completed = 0;
  for (int i = 0; i < completed; ++i) {
    const MPI_Status &status = statuses_[static_cast<std::size_t>(i)];
    const auto at = static_cast<std::size_t>(finished_[static_cast<std::size_t>(i)]);
    complete(pending_[at], status,
             error == MPI_ERR_IN_STATUS ? status.MPI_ERROR : MPI_SUCCESS);
    if (pending_[at].kept) // MPI keeps it, too
      requests_[at] = MPI_REQUEST_NULL;
  }
  std::size_t kept = 0;
  for (std::size_t i = 0; i < requests_.size(); ++i)
    if (requests_[i] != MPI_REQUEST_NULL) {
      requests_[kept] = requests_[i];
      pending_[kept++] = pending_[i];
    }
  requests_.resize(kept);
  pending_.resize(kept);
  return completed > 0;
}

/// Goes on as far as possible. True if anything was done. `mayWait`: if nothing
/// can be done, waits inside MPI.
bool Execution::progress(bool mayWait) {
  bool moved = !mayWait && !requests_.empty() && collect(/*isWait=*/false);
  moved |= !failure_ && advance(*this);
  if (!moved && mayWait && !failure_)
    moved = collect(/*isWait=*/true);
  return moved;
}

/// The length of a received message in bytes. For a derived datatype that was
/// filled in part, MPI does not tell a number of our elements.
static Index bytesOf(const MPI_Status &status) {
  int count = 0;
  MPI_Get_count(&status, MPI_BYTE, &count);
  if (count != MPI_UNDEFINED)
    return count;
  // The length does not fit in an int. Copy the status, since some libraries
  // declare that this call may change it.
  MPI_Status asked = status;
  MPI_Count bytes = 0;
  MPI_Get_elements_x(&asked, MPI_BYTE, &bytes);
  return bytes;
}

/// Notes that MPI has completed an operation, checks it, and puts what was received in
/// its place.
void Execution::complete(const Pending &pending, const MPI_Status &status, int error) {
  const Operation &operation = *pending.operation;
  ended_[static_cast<std::size_t>(&operation - window_.program().operations)] = true;
  const Index received = check(operation, status, error);
  if (pending.packed && received > 0)
    copy(ops_, elements(operation, 0), consecutive(pending.packed, received));
}

/// Fails if a completed message has an error or the wrong length. Returns how many
/// elements were received, as they should be.
Index Execution::check(const Operation &operation, const MPI_Status &status, int error) {
  int errorClass = MPI_SUCCESS;
  if (error != MPI_SUCCESS)
    MPI_Error_class(error, &errorClass);
  if (error != MPI_SUCCESS && errorClass != MPI_ERR_TRUNCATE) {
    failMpi(operation, operation.verb(), error);
    return 0;
  }
  if (operation.isSend())
    return 0;

  const Index expected = elementsOf(operation);
  const Index elementBytes = ops_.type().sizeBytes();
  const Index bytes = bytesOf(status);
  const Index got = elementBytes > 0 ? bytes / elementBytes : expected;
  const bool whole = elementBytes == 0 || bytes % elementBytes == 0;
  const bool upTo = operation.kind == Operation::Kind::ReceiveUpTo;
  if (errorClass == MPI_ERR_TRUNCATE || !whole || (upTo ? got > expected : got != expected)) {
    // Some libraries do not tell the length of a truncated message.
    const bool isUnknown = errorClass == MPI_ERR_TRUNCATE && got <= expected;
    fail(isUnknown ? place(operation).tooLong(operation, expected)
                   : place(operation).otherLength(operation, expected, got,
                                                  whole ? "" : " and a part of one"));
    return 0;
  }
  if (upTo)
    arrived_[operation.slot] = got;
  return got;
}

/// Ends pending messages. Afterwards no other rank of the node reads this rank's
/// buffers. MPI can always cancel a receive that has not been
/// matched, but rarely a send; requests that do not end soon are left to MPI.
void Execution::cancel() noexcept {
  if (node_)
    withdraw();
  cancelRequests();
  forgetRequests();
}

void Execution::cancelRequests() noexcept {
  if (requests_.empty())
    return;
  constexpr double patienceSeconds = 0.1;
  for (std::size_t i = 0; i < requests_.size(); ++i)
    if (requests_[i] != MPI_REQUEST_NULL && !pending_[i].operation->isSend())
      MPI_Cancel(&requests_[i]);
  const int count = static_cast<int>(requests_.size());
  int all = 0;
  for (const double end = nowSeconds() + patienceSeconds; !all && nowSeconds() < end;) {
    // Errors are ignored: the call has failed already.
    MPI_Testall(count, requests_.data(), &all, MPI_STATUSES_IGNORE);
    if (!all)
      std::this_thread::yield();
  }
  bool left = false;
  for (std::size_t i = 0; i < requests_.size(); ++i) {
    // All that are kept are still there, also if they have ended.
    if (requests_[i] == MPI_REQUEST_NULL || (all && pending_[i].kept))
      continue;
    MPI_Request_free(&requests_[i]);
    left = true;
    if (pending_[i].kept)
      pending_[i].kept->request = MPI_REQUEST_NULL;
  }
  // A late message must not write to temporaries of a later call.
  if (left) {
    arena_->abandon();
    packing_.abandon();
    keptPacking_.abandon();
  }
  requests_.clear();
  pending_.clear();
}

//===----------------------------------------------------------------------===//
// Waiting
//===----------------------------------------------------------------------===//

/// Carries out the program of a blocking call.
Status Execution::wait() { return node_ ? waitOnNode() : waitInSteps(); }

Status Execution::waitObserved(quadrille::detail::PlanObserver &observer) {
  observer_ = &observer;
  if (!node_)
    return waitInSteps();
  std::optional<quadrille::detail::Patience> patience;
  return waitLongerOnNode(patience);
}

/// Carries out the program of a blocking call where all messages go through MPI.
Status Execution::waitInSteps() {
  // Without a watchdog and other calls in flight, waiting inside MPI is best,
  // unless it would keep a core from the ranks it waits for.
  const auto mayWait = [&] {
    return comm_->timeoutMs() == 0 && !state_->any() && !state_->isCrowded;
  };
  if (mayWait())
    carryOutSteps();
  for (std::uint64_t round = 0; !failure_ && !window_.isOver();) {
    bool moved = progress(mayWait());
    if (state_->any())
      moved |= state_->progress(quadrille::detail::Look::Quick);
    if (moved) {
      round = 0;
      deadline_ = 0;
      continue;
    }
    if (++round > looksBeforeYield)
      checkDeadline();
    if (!failure_)
      passTime(round, state_->isCrowded);
  }
  if (failure_)
    cancel();
  return failure_;
}

/// Makes progress on a started call once; called by the thread that makes
/// progress.
Looked Execution::look(quadrille::detail::Look how) noexcept {
  if (const Status forked = state_->forked(name_, rank_)) {
    fail(forked); // messages and requests are the parent's
    return Looked::Over;
  }
  if (started_.isUnderWay()) {
    if (const std::optional<Looked> looked = started_.look(straight_, bases_.data(), node_->spins(), how))
      return *looked;
    leaveStraight();
  }
  constexpr std::uint64_t looksPerExamination = 64;
  bool moved = false;
  try {
    moved = progress(/*mayWait=*/false);
    if (node_ && !moved && !failure_ && !window_.isOver() &&
        (how == quadrille::detail::Look::Thorough || ++idleLooks_ % looksPerExamination == 0))
      moved = examine();
  } catch (const std::bad_alloc &) {
    fail(Status::format(ErrorCode::OutOfMemory, "%s: out of memory", name_));
  }
  // The rank may compute for long between two looks. So the deadline counts
  // from the last progress.
  if (moved)
    deadline_ = 0;
  else
    checkDeadline();
  if (failure_)
    cancel();
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
  cancel();
}

/// Fails if the watchdog's time is over.
void Execution::checkDeadline() {
  const Index timeoutMs = comm_->timeoutMs();
  if (timeoutMs == 0)
    return;
  const double now = nowSeconds();
  if (deadline_ == 0)
    deadline_ = now + static_cast<double>(timeoutMs) / 1000;
  if (now >= deadline_)
    fail(timedOut(timeoutMs));
}
