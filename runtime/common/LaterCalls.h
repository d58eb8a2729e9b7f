//===- LaterCalls.h - Calls that depend on earlier ones of their task -----===//
//
// Private to the runtime: what Communicator::then puts off.
//
//===----------------------------------------------------------------------===//

#ifndef QUADRILLE_COMMON_LATERCALLS_H
#define QUADRILLE_COMMON_LATERCALLS_H

#include "Tasks.h"

#include <memory>
#include <utility>
#include <vector>

namespace quadrille {
namespace detail {

/// Calls of a task that depend on data which its earlier calls move. They are made
/// when those have ended; their jobs are jobs of this one.
class LaterCalls final : public Job {
public:
  LaterCalls(TaskList &list, Task &task, KeptBody body)
      : list_(list), task_(task), body_(std::move(body)),
        abandonments_(task.arena.abandonments()) {}
  ~LaterCalls() override {
    // There are some only if the transport has ended before the calls.
    for (Job *job : jobs_)
      delete job;
    // The body has the memory that the earlier calls write. A message that could not
    // be cancelled may still come.
    if (wasAbandoned())
      body_.abandon();
  }

  Looked look(Look how) noexcept override {
    Looked result = Looked::Idle;
    if (!isMade_) {
      make();
      result = Looked::Moved;
    }
    for (; !status_ && next_ < jobs_.size(); ++next_) {
      Job &job = *jobs_[next_];
      const Looked looked = job.look(how);
      if (looked != Looked::Over)
        return looked == Looked::Moved ? looked : result;
      status_ = job.status();
      result = Looked::Moved;
    }
    if (!status_) {
      drop();
      task_.arena.rewind(mark_);
    }
    return Looked::Over;
  }

  void end(const Status &why) noexcept override {
    for (; next_ < jobs_.size(); ++next_)
      jobs_[next_]->end(why);
    drop();
    if (isMade_ && !wasAbandoned())
      task_.arena.rewind(mark_);
  }

  const Status &status() const noexcept override { return status_; }

  Status restart(Task &) noexcept override {
    drop();
    isMade_ = false;
    status_ = {};
    return {};
  }

  void giveBack() noexcept override { delete this; }

private:
  void make() noexcept {
    isMade_ = true;
    mark_ = task_.arena.mark();
    task_.putOff_ = &jobs_;
    status_ = list_.runBody(task_, body_.get());
    task_.putOff_ = nullptr;
  }

  bool wasAbandoned() const noexcept { return task_.arena.abandonments() != abandonments_; }

  void drop() noexcept {
    for (Job *job : jobs_)
      job->giveBack();
    jobs_.clear();
    next_ = 0;
  }

  TaskList &list_;
  Task &task_;
  KeptBody body_;
  const std::size_t abandonments_; ///< of the task's arena before its calls
  std::vector<Job *> jobs_;
  std::size_t next_ = 0; ///< index of the next job
  bool isMade_ = false;
  Arena::Mark mark_{0, 0};
  Status status_;
};

} // namespace detail
} // namespace quadrille

#endif // QUADRILLE_COMMON_LATERCALLS_H
