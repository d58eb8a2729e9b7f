//===- Tasks.h - The collectives in flight on a communicator --------------===//
//
// Private to the runtime. A started collective is a task. It has a job for the
// plan of each of its calls; jobs run one after the other. A thread that makes
// progress executes them as far as possible without waiting, on its own stack.
//
//===----------------------------------------------------------------------===//

#ifndef QUADRILLE_COMMON_TASKS_H
#define QUADRILLE_COMMON_TASKS_H

#include "TaskWait.h"

#include "quadrille/arena.h"
#include "quadrille/request.h"

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace quadrille {
namespace detail {

/// How to make progress: as far as possible without waiting.
enum class Look {
  Quick,
  Thorough, ///< also checks for rare events, such as a partner that failed; used before sleeping
  Patient   ///< may spin for a message, since the thread has nothing else to do
};

/// The result of an attempt to make progress.
enum class Looked {
  Idle,  ///< nothing to do
  Moved, ///< something was done, more remains
  Over   ///< it has ended
};

class Task;

/// The execution of a plan.
class Job {
public:
  virtual ~Job() = default;

  /// Makes progress.
  virtual Looked look(Look how) noexcept = 0;
  /// Ends the job at once. Afterwards no rank accesses its buffers.
  virtual void end(const Status &why) noexcept = 0;
  /// The outcome of the job.
  virtual const Status &status() const noexcept = 0;
  /// Prepares another execution, as a part of `task`, which has new numbers. An
  /// error if there is no memory.
  virtual Status restart(Task &task) noexcept = 0;
  /// The job is not needed any more.
  virtual void giveBack() noexcept = 0;
};

/// A started or prepared collective: its jobs and temporaries. The object is
/// reused for later tasks.
class Task {
public:
  Arena arena;
  /// The number among all calls on the communicator, the same on all ranks.
  std::uint64_t sequence = 0;

  /// Appends a job, which begins when those before it have succeeded. If it throws
  /// std::bad_alloc, the job still belongs to the caller.
  void add(Job &job) { (putOff_ ? *putOff_ : jobs_).push_back(&job); }
  /// Whether it has exactly one job, and gets no other.
  bool hasOneJob() const { return jobs_.size() == 1; }
  /// Whether the next job will be the first one.
  bool isEmpty() const { return jobs_.empty() && !putOff_; }
  /// Whether the job that is made now is kept when it ends, since the task can be
  /// started again.
  bool isPersistent() const { return isPersistent_ && !putOff_; }

  /// Of a persistent task that has been started: its number among those of the
  /// communicator, in the order of their first starts. The same on all ranks.
  std::uint64_t firstStart() const { return firstStart_; }
  /// Whether a start of it has failed on this rank.
  bool hasFailed() const { return hasFailed_; }

private:
  friend class TaskList;
  friend class LaterCalls;
  friend class quadrille::Request;
  friend class quadrille::Persistent;

  TaskList *list_ = nullptr; ///< null after the communicator was destroyed
  std::vector<Job *> jobs_;
  std::vector<Job *> *putOff_ = nullptr; ///< gets new jobs; null: `jobs_` does
  std::size_t next_ = 0; ///< index of the next job
  Status status_;
  bool finished_ = false;
  bool isPersistent_ = false; ///< keeps its jobs when it ends
  bool wasStarted_ = false, hasFailed_ = false;
  std::uint64_t firstStart_ = 0;
  Status mistake_;            ///< why it was not prepared
  Task *nextSpare_ = nullptr; ///< the next task that no request holds either
  bool isSpare_ = false;
  /// Whether it has ended, readable without the lock. Stored with release after the
  /// status, and read with acquire before it. Reset (relaxed) by the thread that
  /// reads it.
  std::atomic<bool> done_{false};
};

/// The tasks of one rank on a communicator. Virtual functions depend on the
/// backend.
///
/// At most one thread at a time is inside (see `enter`). Without a progress
/// thread this is the rank's own thread, and there is no lock. With one, the
/// thread inside holds a lock. A blocking call holds it from beginning to end,
/// and makes progress with the tasks while it waits. The progress thread gives
/// way to a thread that wants to enter.
class TaskList {
public:
  TaskList();
  TaskList(const TaskList &) = delete;
  TaskList &operator=(const TaskList &) = delete;
  virtual ~TaskList();

  /// The task of this list that this thread is starting, to which calls made now
  /// belong; null if there is none.
  Task *current() const noexcept;

  bool any() const { return !active_.empty(); }
  /// The task that was started first. There must be one.
  const Task &oldest() const { return *active_.front(); }

  Request start(const TaskBody &body) noexcept;
  /// Records the calls of `body` without executing them.
  Persistent prepare(const TaskBody &body) noexcept;

  /// Adds to the current task what `body` does when the jobs before it have ended.
  Status putOff(KeptBody body) noexcept;

  /// Makes progress with every task once. Returns whether anything was done.
  bool progress(Look how) noexcept;

  /// Enters, makes progress once, and leaves.
  void progressOnce() noexcept;

  /// Waits for all tasks; or cancels them.
  void finishAll() noexcept;
  void cancelAll(const Status &why) noexcept;

  /// Gives back the jobs of all persistent tasks, which cannot be started any more.
  /// Only before the list is destroyed.
  void giveBackJobs() noexcept;

  /// Enclose everything that the rank's own thread does, outside of tasks.
  /// The progress thread is inside while it makes progress: what it calls (the body of
  /// calls that are made later) enters nothing.
  void enter() noexcept {
    if (thread_ && onProgressThread())
      return;
    if (depth_++ == 0 && thread_)
      lock();
  }
  void leave() noexcept {
    if (thread_ && onProgressThread())
      return;
    if (--depth_ == 0 && thread_)
      unlock();
  }
  bool isInside() const { return depth_ > 0; }

  Status startThread() noexcept;
  void stopThread() noexcept;

protected:
  /// Returns the number of the next task among all calls.
  virtual std::uint64_t next() noexcept = 0;
  /// Whether `task` may begin while an earlier one has not ended.
  virtual bool mayBeginBeside(const Task &task, const Task &earlier) const noexcept = 0;
  /// Tells the other ranks that a call has failed, if the backend can.
  virtual void failed(std::uint64_t sequence, const Status &why) noexcept = 0;
  /// Called when a task has ended and has left the list.
  virtual void ended() noexcept = 0;
  /// Pauses after a look in vain, for longer the more there were. Returns early if
  /// isWanted().
  virtual void pause(TaskWait &wait) noexcept = 0;
  /// Ends a `pause` of the progress thread.
  virtual void interrupt() noexcept = 0;
  /// An error if a second thread must not communicate.
  virtual Status mayHaveThread() noexcept = 0;

  /// Whether a thread waits for the lock.
  bool isWanted() const noexcept {
    return thread_ && thread_->waiting.load(std::memory_order_seq_cst) > 0;
  }
  bool onProgressThread() const noexcept {
    return thread_ && std::this_thread::get_id() == thread_->thread.get_id();
  }

private:
  friend class quadrille::Request;
  friend class quadrille::Persistent;
  friend class LaterCalls;

  struct ProgressThread {
    std::mutex mutex;
    std::condition_variable wanted; ///< signals that there are tasks, or to stop
    std::atomic<int> waiting{0};    ///< threads that wait for the mutex; see lock
    bool stopping = false;          ///< guarded by the mutex
    std::thread thread;
  };

  Task *take() noexcept;
  void giveBack(Task &task) noexcept;
  Status runBody(Task &task, const TaskBody &body) noexcept;
  void startAgain(Task &task) noexcept;
  void free(Task &task) noexcept;
  Looked look(Task &task, Look how) noexcept;
  void end(Task &task, const Status &status) noexcept;
  void cancel(Task &task, const Status &why) noexcept;
  void wait(const Task &task) noexcept;
  /// Makes progress once. Nothing if a progress thread does that, or progress is
  /// being made already: in the body of a task, or in an operator.
  void help() noexcept;
  /// Waits for the task; an error where nothing could make progress meanwhile.
  Status waitFor(const Task &task) noexcept;
  /// Cancels the task unless its jobs have ended; false in the body of a task.
  bool cancelStarted(Task &task) noexcept;
  void lock() noexcept;
  void unlock() noexcept;
  void work(ProgressThread &thread) noexcept;

  std::vector<Task *> active_; ///< in the order in which they were started; has room for all tasks
  std::vector<std::unique_ptr<Task>> tasks_;
  Task *spare_ = nullptr; ///< the first of the tasks that no request holds; see Task::nextSpare_
  std::uint64_t firstStarts_ = 0; ///< how many persistent tasks have been started
  int depth_ = 0;
  bool isLooking_ = false;
  bool wantsThread_;
  std::unique_ptr<ProgressThread> thread_;
};

} // namespace detail
} // namespace quadrille

#endif // QUADRILLE_COMMON_TASKS_H
