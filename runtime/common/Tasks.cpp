//===- Tasks.cpp - The collectives in flight on a communicator ------------===//

#include "LaterCalls.h"

#include "quadrille/call.h"

#include <algorithm>
#include <exception>
#include <new>
#include <system_error>

using namespace quadrille;
using namespace quadrille::detail;

static thread_local Task *currentTask = nullptr;

//===----------------------------------------------------------------------===//
// TaskList
//===----------------------------------------------------------------------===//

TaskList::TaskList()
    : wantsThread_(numberFromEnvironment("QUADRILLE_PROGRESS_THREAD") > 0) {}

TaskList::~TaskList() {
  // Requests free the tasks that they hold. A task that could not be ended
  // because the transport had ended before is leaked.
  for (std::unique_ptr<Task> &each : tasks_) {
    if (each->isSpare_)
      continue;
    Task *const task = each.release();
    task->list_ = nullptr;
    if (task->isPersistent_) {
      for (Job *job : task->jobs_)
        delete job;
      task->jobs_.clear();
    }
    if (!task->finished_)
      task->status_ = Status(ErrorCode::Transport, "the communicator was destroyed");
    task->done_.store(true, std::memory_order_release);
  }
}

void TaskList::giveBackJobs() noexcept {
  for (const std::unique_ptr<Task> &task : tasks_)
    if (task->isPersistent_) {
      for (Job *job : task->jobs_)
        job->giveBack();
      task->jobs_.clear();
    }
}

Task *TaskList::current() const noexcept {
  return currentTask && currentTask->list_ == this ? currentTask : nullptr;
}

/// Null if there is no memory for a task.
Task *TaskList::take() noexcept {
  if (Task *const task = spare_) {
    spare_ = task->nextSpare_;
    task->isSpare_ = false;
    return task;
  }
  try {
    active_.reserve(tasks_.size() + 1);
    tasks_.push_back(std::make_unique<Task>());
    tasks_.back()->list_ = this;
    return tasks_.back().get();
  } catch (const std::bad_alloc &) {
    return nullptr;
  }
}

void TaskList::giveBack(Task &task) noexcept {
  if (task.status_ || task.mistake_)
    task.status_ = task.mistake_ = {};
  task.isPersistent_ = task.wasStarted_ = task.hasFailed_ = false;
  task.finished_ = false;
  task.done_.store(false, std::memory_order_relaxed);
  task.arena.rewind({0, 0});
  task.isSpare_ = true;
  task.nextSpare_ = spare_;
  spare_ = &task;
}

Request TaskList::start(const TaskBody &body) noexcept {
  if (current())
    return Request(Status(ErrorCode::BadParameter,
                          "a started collective cannot start another"));
  Status bad;
  if (wantsThread_)
    bad = startThread();
  enter();
  const std::uint64_t sequence = next();
  Task *task = bad ? nullptr : take();
  if (!task) {
    if (!bad)
      bad = Status(ErrorCode::OutOfMemory, "no memory for a started collective");
    // A failed start counts as a call, since the other ranks make it.
    failed(sequence, bad);
    ended();
    leave();
    return Request(std::move(bad));
  }
  task->sequence = sequence;
  active_.push_back(task);
  Request request(*task);
  bad = runBody(*task, body);
  if (bad)
    end(*task, bad);
  else
    (void)look(*task, Look::Quick);
  leave();
  return request;
}

/// Runs the body. Its calls become jobs of the task.
Status TaskList::runBody(Task &task, const TaskBody &body) noexcept {
  Task *const outer = currentTask;
  currentTask = &task;
  Status bad;
  try {
    bad = body.run(body.body);
  } catch (...) {
    bad = Status(ErrorCode::Aborted, "an exception left a started collective");
  }
  currentTask = outer;
  return bad;
}

Status TaskList::putOff(KeptBody body) noexcept {
  Task &task = *current();
  try {
    auto later = std::make_unique<LaterCalls>(*this, task, std::move(body));
    task.add(*later);
    later.release();
    return {};
  } catch (const std::bad_alloc &) {
    return Status(ErrorCode::OutOfMemory, "no memory for calls that are made later");
  }
}

Persistent TaskList::prepare(const TaskBody &body) noexcept {
  if (current())
    return Persistent(Status(ErrorCode::BadParameter,
                             "a started collective cannot prepare another"));
  enter();
  Task *const task = take();
  if (task) {
    task->isPersistent_ = task->finished_ = true;
    task->mistake_ = runBody(*task, body);
  }
  leave();
  return task ? Persistent(*task)
              : Persistent(Status(ErrorCode::OutOfMemory,
                                  "no memory for a persistent collective"));
}

/// Starts a prepared task again.
void TaskList::startAgain(Task &task) noexcept {
  Status bad = task.mistake_;
  if (wantsThread_ && !bad)
    bad = startThread();
  enter();
  task.sequence = next();
  if (!task.wasStarted_)
    task.firstStart_ = firstStarts_++;
  task.wasStarted_ = true;
  task.finished_ = false;
  task.done_.store(false, std::memory_order_relaxed);
  task.status_ = {};
  active_.push_back(&task); // there is room: see take
  for (Job *job : task.jobs_)
    if (!bad)
      bad = job->restart(task);
  if (bad)
    end(task, bad);
  else
    (void)look(task, Look::Quick);
  leave();
}

/// Frees a persistent task that is not active.
void TaskList::free(Task &task) noexcept {
  for (Job *job : task.jobs_)
    job->giveBack();
  task.jobs_.clear();
  giveBack(task);
}

/// Makes progress with a task.
Looked TaskList::look(Task &task, Look how) noexcept {
  for (const Task *earlier : active_) {
    if (earlier == &task)
      break;
    if (!mayBeginBeside(task, *earlier))
      return Looked::Idle;
  }
  Looked result = Looked::Idle;
  while (task.next_ < task.jobs_.size()) {
    Job &job = *task.jobs_[task.next_];
    const Looked looked = job.look(how);
    if (looked != Looked::Over)
      return looked == Looked::Moved ? looked : result;
    if (const Status bad = job.status()) {
      end(task, bad);
      return Looked::Over;
    }
    result = Looked::Moved;
    ++task.next_;
  }
  end(task, {});
  return Looked::Over;
}

/// Ends a task, with all its jobs that have not ended.
void TaskList::end(Task &task, const Status &status) noexcept {
  if (status) {
    task.hasFailed_ = true;
    task.status_ = status;
  }
  for (std::size_t i = 0; i < task.jobs_.size(); ++i) {
    if (i >= task.next_)
      task.jobs_[i]->end(task.status_);
    if (!task.isPersistent_)
      task.jobs_[i]->giveBack();
  }
  if (!task.isPersistent_)
    task.jobs_.clear();
  task.next_ = 0;
  task.finished_ = true;
  active_.erase(std::find(active_.begin(), active_.end(), &task));
  if (task.status_)
    failed(task.sequence, task.status_);
  ended();
  task.done_.store(true, std::memory_order_release);
}

bool TaskList::progress(Look how) noexcept {
  // A user's operator may call this while progress is being made.
  if (isLooking_)
    return false;
  isLooking_ = true;
  bool moved = false;
  for (std::size_t i = 0; i < active_.size();) {
    const Looked looked = look(*active_[i], how);
    moved |= looked != Looked::Idle;
    i += looked != Looked::Over;
  }
  isLooking_ = false;
  return moved;
}

void TaskList::progressOnce() noexcept {
  if (current() || isLooking_)
    return;
  enter();
  (void)progress(Look::Quick);
  leave();
}

void TaskList::wait(const Task &task) noexcept {
  enter();
  // A job may spin for its message only if meanwhile no other task can go on, and no
  // other thread wants to enter.
  for (TaskWait waited; !task.finished_;) {
    if (progress(!thread_ && active_.size() == 1 ? Look::Patient : Look::Quick))
      waited.renew();
    else
      pause(waited);
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
  if (!task.finished_)
    end(task, why);
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
    // The thread reads its own handle: see onProgressThread.
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
  // First announce the wait, then wake the thread: isWanted() looks at `waiting` as
  // the argument at Bell (quadrille/waiting.h) demands. To decrement it is relaxed:
  // that happens with the mutex, which the progress thread holds while it looks.
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
  for (TaskWait waited; !thread.stopping;) {
    if (!any() || isWanted()) {
      // `wait` releases the mutex.
      thread.wanted.wait(lock, [&] { return thread.stopping || (any() && !isWanted()); });
      waited.renew();
    } else if (progress(Look::Quick)) {
      waited.renew();
    } else {
      pause(waited);
    }
  }
}
