//===- Step.cpp - Sends and receives that run at the same time ------------===//

#include "State.h"

#include <algorithm>
#include <chrono>
#include <new>
#include <thread>

using namespace quadrille;
using namespace quadrille::mpi;
using namespace quadrille::mpi::detail;

/// For printf's %lld: Index need not be long long.
static long long number(Index i) { return i; }

static double nowSeconds() {
  return std::chrono::duration<double>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

Step::Step(Call &call, const Group &group, int line)
    : call_(call), group_(group), line_(line) {}

Step::~Step() { cancel(); }

quadrille::detail::StepPlace Step::place() const {
  return {call_.name(), line_, call_.rank()};
}

void Step::fail(Status status) {
  if (!failure_)
    failure_ = std::move(status);
}

void Step::failMpi(const char *action, int error) {
  char text[MPI_MAX_ERROR_STRING] = "unknown error";
  int length = 0;
  MPI_Error_string(error, text, &length);
  fail(Status::format(ErrorCode::Transport, "%s:%d: rank %lld: %s: %s", call_.name(),
                      line_, number(call_.rank()), action, text));
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
  bool added = !what.region.isBroken();
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
  operations_.back().rank = rank;
  operations_.back().elements = what.region.elements();
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
  const quadrille::detail::Arena::Mark mark = call_.arena_.mark();
  try {
    if (!failure_)
      start();
    if (quadrille::detail::Task *task = call_.task_) {
      while (!failure_ && unfinished_ > 0 && progress(/*mayBlock=*/false))
        ;
      if (!failure_ && unfinished_ > 0)
        task->await([](void *step, bool) { return static_cast<Step *>(step)->look(); },
                    this);
      fail(task->cancelled());
    } else {
      wait();
    }
  } catch (const std::bad_alloc &) {
    fail(place().noMemoryFor("its messages"));
  }
  cancel();
  call_.arena_.rewind(mark);
  return call_.fail(failure_);
}

/// Posts everything, receives first: then no message arrives unexpected that
/// could have been expected, and is copied twice.
void Step::start() {
  requests_.assign(operations_.size(), MPI_REQUEST_NULL);
  statuses_.resize(operations_.size());
  finished_.resize(operations_.size());
  unfinished_ = operations_.size();
  for (Operation &operation : operations_)
    if (!operation.isSend() && !failure_)
      startOne(operation);
  for (Operation &operation : operations_)
    if (operation.isSend() && !failure_)
      startOne(operation);
}

void Step::startOne(Operation &operation) {
  if (operation.kind == Operation::Kind::Combine) {
    operation.incoming = call_.temporary(1, operation.elements);
    fail(call_.failure_);
    if (failure_)
      return;
  }
  Message message;
  int error = message.describe(operation.kind == Operation::Kind::Combine
                                   ? operation.incoming
                                   : operation.region,
                               call_.type_.handle());
  if (error != MPI_SUCCESS) {
    failMpi("describing a message", error);
    return;
  }
  const int partner = static_cast<int>(operation.rank);
  MPI_Comm comm = call_.comm_.state_->comm;
  MPI_Request *request =
      &requests_[static_cast<std::size_t>(&operation - operations_.data())];
  error = operation.isSend()
              ? MPI_Isend(message.buffer, message.count, message.type, partner,
                          call_.tag_, comm, request)
              : MPI_Irecv(message.buffer, message.count, message.type, partner,
                          call_.tag_, comm, request);
  if (error != MPI_SUCCESS)
    failMpi(operation.isSend() ? "MPI_Isend" : "MPI_Irecv", error);
}

/// Takes note of every operation that is complete. Waits for one only if it
/// may. True if there was one.
bool Step::progress(bool mayBlock) {
  const int count = static_cast<int>(requests_.size());
  int completed = 0;
  const int error =
      mayBlock ? MPI_Waitsome(count, requests_.data(), &completed, finished_.data(),
                              statuses_.data())
               : MPI_Testsome(count, requests_.data(), &completed, finished_.data(),
                              statuses_.data());
  if (error != MPI_SUCCESS && error != MPI_ERR_IN_STATUS) {
    failMpi(mayBlock ? "MPI_Waitsome" : "MPI_Testsome", error);
    return true;
  }
  if (completed == MPI_UNDEFINED)
    completed = 0;
  for (int i = 0; i < completed; ++i) {
    const MPI_Status &status = statuses_[static_cast<std::size_t>(i)];
    complete(operations_[static_cast<std::size_t>(
                 finished_[static_cast<std::size_t>(i)])],
             status, error == MPI_ERR_IN_STATUS ? status.MPI_ERROR : MPI_SUCCESS);
  }
  return completed > 0;
}

/// Checks an operation that MPI has completed, and combines what arrived.
void Step::complete(Operation &operation, const MPI_Status &status, int error) {
  operation.done = true;
  --unfinished_;
  int errorClass = MPI_SUCCESS;
  if (error != MPI_SUCCESS)
    MPI_Error_class(error, &errorClass);
  if (error != MPI_SUCCESS && errorClass != MPI_ERR_TRUNCATE) {
    failMpi(operation.verb(), error);
    return;
  }
  if (operation.isSend())
    return;

  // Counted in bytes: of a derived datatype that was filled in part, MPI tells
  // no number of our elements.
  const Index elementBytes = call_.type_.sizeBytes();
  MPI_Count bytes = 0;
  MPI_Get_elements_x(&status, MPI_BYTE, &bytes);
  const Index got = elementBytes > 0 ? bytes / elementBytes : operation.elements;
  const bool whole = elementBytes == 0 || bytes % elementBytes == 0;
  const bool upTo = operation.kind == Operation::Kind::ReceiveUpTo;
  if (errorClass == MPI_ERR_TRUNCATE || !whole ||
      (upTo ? got > operation.elements : got != operation.elements)) {
    // Not every library tells how long a truncated message was.
    const bool isUnknown = errorClass == MPI_ERR_TRUNCATE && got <= operation.elements;
    fail(isUnknown ? place().tooLong(operation)
                   : place().otherLength(operation, got,
                                         whole ? "" : " and a part of one"));
    return;
  }
  if (operation.received)
    *operation.received = got;
  if (operation.kind == Operation::Kind::Combine) {
    if (operation.side == Side::Left)
      call_.combine(operation.region, operation.incoming, operation.region);
    else
      call_.combine(operation.region, operation.region, operation.incoming);
  }
}

/// Ends what is still pending. MPI can always cancel a receive that has not
/// been matched, seldom a send; what does not end soon is left to MPI.
void Step::cancel() {
  if (unfinished_ == 0)
    return;
  constexpr double patienceSeconds = 0.1;
  for (std::size_t i = 0; i < operations_.size(); ++i)
    if (requests_[i] != MPI_REQUEST_NULL && !operations_[i].isSend())
      MPI_Cancel(&requests_[i]);
  const int count = static_cast<int>(requests_.size());
  for (const double end = nowSeconds() + patienceSeconds; nowSeconds() < end;) {
    int completed = 0;
    // An error is not looked at: the step has one that came before it.
    MPI_Testsome(count, requests_.data(), &completed, finished_.data(),
                 statuses_.data());
    if (completed == MPI_UNDEFINED)
      break;
    std::this_thread::yield();
  }
  bool left = false;
  for (MPI_Request &request : requests_)
    if (request != MPI_REQUEST_NULL) {
      MPI_Request_free(&request);
      left = true;
    }
  // A late message must not meet the temporaries of a later call.
  if (left)
    call_.arena_.abandon();
  unfinished_ = 0;
}

//===----------------------------------------------------------------------===//
// Waiting
//===----------------------------------------------------------------------===//

/// What a blocking call does until the step is over.
void Step::wait() {
  CommunicatorState &state = *call_.comm_.state_;
  for (std::uint64_t round = 0; !failure_ && unfinished_ > 0;) {
    // With neither a watchdog nor other calls in flight MPI waits best itself.
    bool moved = progress(call_.comm_.timeoutMs() == 0 && !state.any());
    if (state.any())
      moved |= state.progress(/*thorough=*/false);
    if (moved) {
      round = 0;
      continue;
    }
    if (++round > looksBeforeYield)
      checkDeadline();
    if (!failure_)
      passTime(round);
  }
}

/// The same for a task: one look by whoever makes progress.
quadrille::detail::Looked Step::look() {
  using quadrille::detail::Looked;
  bool moved = false;
  try {
    moved = progress(/*mayBlock=*/false);
    // Between two looks the rank may have computed for long: what counts is
    // the time in which there was nothing to do.
    if (moved)
      deadline_ = 0;
    else
      checkDeadline();
  } catch (const std::bad_alloc &) {
    fail(Status(ErrorCode::OutOfMemory, "out of memory"));
  }
  if (failure_ || unfinished_ == 0)
    return Looked::Over;
  return moved ? Looked::Moved : Looked::Idle;
}

/// Fails once the watchdog's time is over.
void Step::checkDeadline() {
  const Index timeoutMs = call_.comm_.timeoutMs();
  if (timeoutMs == 0)
    return;
  const double now = nowSeconds();
  if (deadline_ == 0)
    deadline_ = now + static_cast<double>(timeoutMs) / 1000;
  if (now >= deadline_)
    fail(timedOut());
}

Status Step::timedOut() const {
  quadrille::detail::WaitReport report;
  for (const Operation &operation : operations_)
    if (!operation.done)
      report.add(operation);
  return report.status(place(), call_.comm_.timeoutMs());
}
