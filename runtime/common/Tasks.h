//===- Tasks.h - The collectives in flight on a communicator --------------===//
//
// Private to the runtime. A started collective is a task: the plans of its
// calls, one after the other. Whoever makes progress carries them on as far as
// they get without waiting, on his own stack.
//
//===----------------------------------------------------------------------===//

#ifndef QUADRILLE_COMMON_TASKS_H
#define QUADRILLE_COMMON_TASKS_H

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

/// What a look at something awaited has found.
enum class Looked {
  Idle,  ///< nothing to do
  Moved, ///< something was done, more is missing
  Over   ///< it has ended
};

class Task;

/// A plan that is being carried out.
class Job {
public:
  virtual ~Job() = default;

  /// Does what can be done now and never waits. `thorough`: looks also for what
  /// happens seldom, as a partner that failed; everybody does before sleeping.
  virtual Looked look(bool thorough) noexcept = 0;
  /// Ends it at once: afterwards nobody touches its buffers.
  virtual void end(const Status &why) noexcept = 0;
  /// How it ended.
  virtual const Status &status() const noexcept = 0;
  /// Begins anew as a part of `task`, whose numbers have changed. An error if there
  /// is no memory.
  virtual Status restart(const Task &task) noexcept = 0;
  /// It is needed no more.
  virtual void giveBack() noexcept = 0;
};

/// One started collective, or one that is prepared to be started again and again:
/// its jobs and its temporaries. The memory is kept for the next one.
class Task {
public:
  Arena arena;
  /// Its number among all calls on the communicator, and among the started
  /// ones: the same on all ranks.
  std::uint64_t sequence = 0, number = 0;

  /// `job` begins when those before it have ended well. Throws std::bad_alloc,
  /// and then has not taken it.
  void add(Job &job) { jobs_.push_back(&job); }

private:
  friend class TaskList;
  friend class quadrille::Request;
  friend class quadrille::Persistent;

  TaskList *list_ = nullptr; ///< null once the communicator is gone
  std::vector<Job *> jobs_;
  std::size_t next_ = 0; ///< of the jobs
  Status status_;
  bool finished_ = false;
  bool isPersistent_ = false; ///< keeps its jobs when it ends
  Status mistake_;            ///< why it was not prepared
  /// The same for those without the lock: whoever sees it sees the outcome.
  std::atomic<bool> done_{false};
};

/// The tasks of one communicator at one rank. What depends on the backend is
/// virtual.
///
/// At most one thread at a time is inside. Without a progress thread that is
/// the rank's own, and nothing is locked. With one, whoever is inside holds a
/// lock: for a whole blocking call, which makes progress for the tasks while
/// it waits. The progress thread gives way to whoever wants to enter.
class TaskList {
public:
  TaskList();
  TaskList(const TaskList &) = delete;
  TaskList &operator=(const TaskList &) = delete;
  virtual ~TaskList();

  /// The task that is being started on this thread, null if that is none of
  /// this list: what is called now belongs to it.
  Task *current() const noexcept;

  bool any() const { return !active_.empty(); }
  /// The task that was started first, if there is any.
  const Task &oldest() const { return *active_.front(); }

  Request start(const TaskBody &body) noexcept;
  /// Records what `body` does, and does not begin with it.
  Persistent prepare(const TaskBody &body) noexcept;

  /// Looks at every task once. True if anything moved.
  bool progress(bool thorough) noexcept;

  /// `progress` for users: enters and leaves.
  void progressOnce() noexcept;

  /// Ends all tasks: well, or as cancelled.
  void finishAll() noexcept;
  void cancelAll(const Status &why) noexcept;

  /// Around everything that the rank's own thread does, outside of tasks.
  void enter() noexcept {
    if (depth_++ == 0 && thread_)
      lock();
  }
  void leave() noexcept {
    if (--depth_ == 0 && thread_)
      unlock();
  }
  bool isInside() const { return depth_ > 0; }

  Status startThread() noexcept;
  void stopThread() noexcept;

protected:
  struct Numbers {
    std::uint64_t sequence, number;
  };
  /// The numbers of the next task.
  virtual Numbers next() noexcept = 0;
  /// Whether `task` may begin while `oldest`, an earlier one, has not ended.
  virtual bool mayBeginBeside(const Task &task, const Task &oldest) noexcept = 0;
  /// Tells the other ranks, if the backend can.
  virtual void failed(std::uint64_t sequence, const Status &why) noexcept = 0;
  /// A task has ended; it is no longer in the list.
  virtual void ended() noexcept = 0;
  /// Lets some time pass, the more the higher `round`, which it increments: the
  /// pauses since something last happened. Returns early if `isWanted`.
  virtual void pause(std::uint64_t &round) noexcept = 0;
  /// Ends a `pause` of the progress thread.
  virtual void interrupt() noexcept = 0;
  /// An error if no second thread may communicate.
  virtual Status mayHaveThread() noexcept = 0;

  /// Whether somebody waits for the lock.
  bool isWanted() const noexcept {
    return thread_ && thread_->waiting.load(std::memory_order_seq_cst) > 0;
  }
  bool onProgressThread() const noexcept {
    return thread_ && std::this_thread::get_id() == thread_->thread.get_id();
  }

private:
  friend class quadrille::Request;
  friend class quadrille::Persistent;

  struct ProgressThread {
    std::mutex mutex;
    std::condition_variable wanted; ///< by tasks, or to stop
    std::atomic<int> waiting{0};    ///< for the mutex
    bool stopping = false;          ///< under the mutex
    std::thread thread;
  };

  Task *take() noexcept;
  void giveBack(Task &task) noexcept;
  Status runBody(Task &task, const TaskBody &body) noexcept;
  void startAgain(Task &task) noexcept;
  void free(Task &task) noexcept;
  Looked look(Task &task, bool thorough) noexcept;
  void end(Task &task, const Status &status) noexcept;
  void cancel(Task &task, const Status &why) noexcept;
  void wait(const Task &task) noexcept;
  void lock() noexcept;
  void unlock() noexcept;
  void work(ProgressThread &thread) noexcept;

  std::vector<Task *> active_; ///< in the order in which they were started
  std::vector<std::unique_ptr<Task>> spare_;
  std::vector<Task *> held_; ///< by requests: all that are not spare
  int depth_ = 0;
  bool isLooking_ = false;
  bool wantsThread_;
  std::unique_ptr<ProgressThread> thread_;
};

} // namespace detail
} // namespace quadrille

#endif // QUADRILLE_COMMON_TASKS_H
