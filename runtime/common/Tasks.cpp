//===- Tasks.cpp - The collectives in flight on a communicator ------------===//

#include "Tasks.h"

#include "quadrille/call.h"

#include <algorithm>
#include <exception>
#include <new>
#include <system_error>

using namespace quadrille;
using namespace quadrille::detail;

/// Of this thread. Read and written by functions that are on the thread's
/// stack or return before the fiber pauses, so that nobody holds the address
/// of one thread's while on another.
static thread_local Task *currentTask = nullptr;

//===----------------------------------------------------------------------===//
// Task
//===----------------------------------------------------------------------===//

/// What a fiber does all its life.
void Task::work(void *self) {
  Task &task = *static_cast<Task *>(self);
  for (;;) {
    try {
      task.status_ = task.body_.run(task.body_.body, task);
    } catch (...) {
      task.status_ =
          Status(ErrorCode::Aborted, "an exception left a started collective");
    }
    task.finished_ = true;
    task.fiber_.pause();
  }
}

void Task::await(Look *look, void *object) noexcept {
  if (cancelled_)
    return;
  look_ = look;
  object_ = object;
  fiber_.pause();
}

Status detail::begin(Task &task) {
  const auto look = [](void *object, bool) {
    const Task &task = *static_cast<Task *>(object);
    TaskList &list = *task.list_;
    return &list.oldest() == &task || list.mayBeginBeside(task, list.oldest())
               ? Looked::Over
               : Looked::Idle;
  };
  if (look(&task, false) != Looked::Over)
    task.await(look, &task);
  return task.cancelled();
}

//===----------------------------------------------------------------------===//
// TaskList
//===----------------------------------------------------------------------===//

TaskList::TaskList()
    : stackBytes_(static_cast<std::size_t>(
          positiveFromEnvironment("QUADRILLE_STACK_BYTES"))),
      wantsThread_(positiveFromEnvironment("QUADRILLE_PROGRESS_THREAD") > 0) {
  // Enough for a user's operator and for what MPI libraries do in a send.
  if (stackBytes_ == 0)
    stackBytes_ = 256 * 1024;
}

TaskList::~TaskList() {
  // Their requests free them. One that could not be ended, as the transport
  // had ended before, is left where it stands.
  for (Task *task : held_) {
    task->list_ = nullptr;
    if (!task->finished_)
      task->status_ = Status(ErrorCode::Transport, "the communicator was destroyed");
    task->done_.store(true, std::memory_order_release);
  }
}

Task *TaskList::current() const noexcept {
  return currentTask && currentTask->list_ == this ? currentTask : nullptr;
}

/// A task with a fiber; null if there is no memory for one.
Task *TaskList::take() noexcept {
  try {
    active_.reserve(held_.size() + 1);
    held_.reserve(held_.size() + 1);
    spare_.reserve(held_.size() + 1 + spare_.size());
    std::unique_ptr<Task> task;
    while (!task && !spare_.empty()) {
      task = std::move(spare_.back());
      spare_.pop_back();
      if (task->stackBytes_ != stackBytes_)
        task.reset();
    }
    if (!task) {
      task = std::make_unique<Task>();
      task->list_ = this;
      task->stackBytes_ = stackBytes_;
      if (!task->fiber_.create(stackBytes_, Task::work, task.get()))
        return nullptr;
    }
    held_.push_back(task.get());
    return task.release();
  } catch (const std::bad_alloc &) {
    return nullptr;
  }
}

void TaskList::giveBack(Task &task) noexcept {
  held_.erase(std::find(held_.begin(), held_.end(), &task));
  task.status_ = {};
  task.cancelled_ = {};
  task.finished_ = false;
  task.done_.store(false, std::memory_order_relaxed);
  spare_.emplace_back(&task); // there is room: see take
}

Request TaskList::start(const TaskBody &body) noexcept {
  if (current())
    return Request(Status(ErrorCode::BadParameter,
                          "a started collective cannot start another"));
  Status bad;
  if (wantsThread_)
    bad = startThread();
  enter();
  const Numbers numbers = next();
  Task *task = bad ? nullptr : take();
  if (!task) {
    if (!bad)
      bad = Status::format(ErrorCode::OutOfMemory,
                           "no memory for a started collective with a stack of "
                           "%zu bytes",
                           stackBytes_);
    // Also this is a call, which the other ranks make.
    failed(numbers.sequence, bad);
    ended();
    leave();
    return Request(std::move(bad));
  }
  task->sequence = numbers.sequence;
  task->number = numbers.number;
  task->body_ = body;
  active_.push_back(task);
  Request request(*task);
  run(*task);
  leave();
  return request;
}

/// Runs a task until it waits, or ends.
void TaskList::run(Task &task) noexcept {
  Task *const outer = currentTask;
  currentTask = &task;
  task.fiber_.resume();
  currentTask = outer;
  if (!task.finished_)
    return;
  active_.erase(std::find(active_.begin(), active_.end(), &task));
  if (task.status_)
    failed(task.sequence, task.status_);
  ended();
  task.done_.store(true, std::memory_order_release);
}

bool TaskList::progress(bool thorough) noexcept {
  // A user's operator may ask for progress, which is being made just then.
  if (isLooking_)
    return false;
  isLooking_ = true;
  bool moved = false;
  for (std::size_t i = 0; i < active_.size();) {
    Task &task = *active_[i];
    const Looked looked = task.look_(task.object_, thorough);
    moved |= looked != Looked::Idle;
    if (looked == Looked::Over)
      run(task);
    i += !task.finished_;
  }
  isLooking_ = false;
  return moved;
}

void TaskList::progressOnce() noexcept {
  if (current() || isLooking_)
    return;
  enter();
  (void)progress(false);
  leave();
}

void TaskList::wait(const Task &task) noexcept {
  enter();
  for (std::uint64_t round = 0; !task.finished_;) {
    if (progress(false))
      round = 0;
    else
      pause(round);
  }
  leave();
}

void TaskList::finishAll() noexcept {
  enter();
  while (any())
    wait(*active_.front());
  leave();
}

void TaskList::cancel(Task &task, const Status &why) noexcept {
  task.cancelled_ = why;
  while (!task.finished_)
    run(task);
}

void TaskList::cancelAll(const Status &why) noexcept {
  enter();
  while (any())
    cancel(*active_.front(), why);
  leave();
}

//===----------------------------------------------------------------------===//
// The progress thread
//===----------------------------------------------------------------------===//

Status TaskList::startThread() noexcept {
  if (thread_)
    return {};
  if (isInside() || current())
    return Status(ErrorCode::BadParameter,
                  "a progress thread cannot be started within a collective");
  if (Status bad = mayHaveThread())
    return bad;
  try {
    auto made = std::make_unique<ProgressThread>();
    ProgressThread &thread = *made;
    // Its own handle is read by the thread: see onProgressThread.
    const std::lock_guard<std::mutex> lock(thread.mutex);
    thread_ = std::move(made);
    thread.thread = std::thread([this, &thread] { work(thread); });
    return {};
  } catch (const std::bad_alloc &) {
    thread_.reset();
    return Status(ErrorCode::OutOfMemory, "no memory for a progress thread");
  } catch (const std::system_error &) {
    thread_.reset();
    return Status(ErrorCode::Transport, "a progress thread could not be started");
  }
}

void TaskList::stopThread() noexcept {
  if (!thread_ || isInside() || current())
    return;
  lock();
  thread_->stopping = true;
  unlock();
  thread_->wanted.notify_one();
  thread_->thread.join();
  thread_.reset();
}

void TaskList::lock() noexcept {
  // First say so, then wake: see Bell in shm/World.h.
  thread_->waiting.fetch_add(1, std::memory_order_seq_cst);
  interrupt();
  thread_->mutex.lock();
  thread_->waiting.fetch_sub(1, std::memory_order_relaxed);
}

void TaskList::unlock() noexcept {
  const bool work = any();
  thread_->mutex.unlock();
  if (work)
    thread_->wanted.notify_one();
}

void TaskList::work(ProgressThread &thread) noexcept {
  std::unique_lock<std::mutex> lock(thread.mutex);
  for (std::uint64_t round = 0; !thread.stopping;) {
    if (!any() || isWanted()) {
      // Waiting releases the mutex.
      thread.wanted.wait(lock, [&] { return thread.stopping || (any() && !isWanted()); });
      round = 0;
    } else if (progress(false)) {
      round = 0;
    } else {
      pause(round);
    }
  }
}

//===----------------------------------------------------------------------===//
// Request
//===----------------------------------------------------------------------===//

Request::Request(Task &task) noexcept
    : task_(&task), exceptions_(std::uncaught_exceptions()) {}

Request &Request::operator=(Request &&other) noexcept {
  if (this != &other) {
    Request old(std::move(*this));
    swap(other);
  } // waits for the old one
  return *this;
}

Request::~Request() {
  if (!task_)
    return;
  if (std::uncaught_exceptions() > exceptions_)
    cancel();
  else
    (void)wait();
}

/// Takes the outcome of a task that has ended. False if it has not.
bool Request::collect() noexcept {
  if (!task_->done_.load(std::memory_order_acquire))
    return false;
  status_ = task_->status_;
  if (TaskList *list = task_->list_) {
    list->enter();
    list->giveBack(*task_);
    list->leave();
  } else {
    delete task_;
  }
  task_ = nullptr;
  return true;
}

bool Request::test() noexcept {
  if (!task_ || collect())
    return true;
  TaskList &list = *task_->list_;
  // With a progress thread progress is not the caller's business. In a task,
  // or in an operator that runs just now, it is being made already.
  if (list.thread_ || list.current() || list.isLooking_)
    return false;
  list.enter();
  (void)list.progress(false);
  list.leave();
  return collect();
}

Status Request::wait() noexcept {
  if (!task_ || collect())
    return status_;
  TaskList &list = *task_->list_;
  if (list.current() || (!list.thread_ && list.isLooking_))
    return Status(ErrorCode::BadParameter,
                  "a started collective cannot wait for another");
  list.wait(*task_);
  (void)collect();
  return status_;
}

void Request::cancel() noexcept {
  if (!task_ || collect())
    return;
  TaskList &list = *task_->list_;
  if (list.current())
    return;
  list.enter();
  if (!task_->finished_)
    list.cancel(*task_, Status(ErrorCode::Aborted, "the started collective was cancelled"));
  list.leave();
  (void)collect();
}
