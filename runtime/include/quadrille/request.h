//===- quadrille/request.h - A collective in flight -------------*- C++ -*-===//
//
// What the nonblocking form of an emitted collective returns:
//
//   quadrille::Request request =
//       allreduce_ring_start(comm, x, y, n, type, op);
//   while (!request.test())
//     computeALittle();
//   quadrille::Status bad = request.status();
//
// and the persistent form, which is prepared once and started often:
//
//   quadrille::Persistent sum = allreduce_ring_init(comm, x, y, n, type, op);
//   for (...) {
//     quadrille::Status bad = sum.start();
//     computeALittle();
//     bad = sum.wait();
//   }
//
//===----------------------------------------------------------------------===//

#ifndef QUADRILLE_REQUEST_H
#define QUADRILLE_REQUEST_H

#include "quadrille/status.h"

#include <utility>

namespace quadrille {

namespace detail {
class Task;
class TaskList;

/// What a started collective does: makes its calls, which are recorded.
struct TaskBody {
  Status (*run)(void *body);
  void *body;
};
} // namespace detail

/// A collective that was started and may not have ended. Belongs to the thread
/// of its communicator. A default-constructed one has ended well.
class [[nodiscard]] Request {
public:
  Request() noexcept = default;
  /// One that has ended, with this outcome.
  explicit Request(Status status) noexcept : status_(std::move(status)) {}
  Request(Request &&other) noexcept { swap(other); }
  /// Waits for what was held before.
  Request &operator=(Request &&other) noexcept;
  /// Waits, as the collective still uses its buffers; the outcome is lost.
  /// While an exception unwinds, nobody knows what the other ranks do: then
  /// the collective is given up instead, as by `cancel`.
  ~Request();

  /// Makes what progress is possible now, for this and all other collectives
  /// in flight on the communicator; never waits. True if the collective has
  /// ended: its buffers are free, and `status` tells how.
  bool test() noexcept;

  /// Waits until the collective has ended, making progress for all others
  /// meanwhile, and returns its outcome. May be called again.
  Status wait() noexcept;

  /// How the collective ended; success as long as it has not.
  const Status &status() const noexcept { return status_; }

  /// Ends the collective on this rank with ErrorCode::Aborted, unless it has
  /// ended already. Its buffers are then as free as after any error.
  void cancel() noexcept;

  void swap(Request &other) noexcept {
    std::swap(task_, other.task_);
    std::swap(status_, other.status_);
    std::swap(exceptions_, other.exceptions_);
  }

private:
  friend class detail::TaskList;
  explicit Request(detail::Task &task) noexcept;
  bool collect() noexcept;

  detail::Task *task_ = nullptr; ///< null once the outcome has been collected
  Status status_;
  int exceptions_ = 0; ///< in flight when the collective was started
};

/// A collective whose arguments stay the same from one call to the next. Belongs
/// to the thread of its communicator. All ranks start it alike, in the same order
/// as their other calls; to prepare it is no call.
class [[nodiscard]] Persistent {
public:
  /// One that cannot be started.
  Persistent() noexcept = default;
  explicit Persistent(Status status) noexcept : status_(std::move(status)) {}
  Persistent(Persistent &&other) noexcept { swap(other); }
  /// Waits for what was held before, if that was started.
  Persistent &operator=(Persistent &&other) noexcept;
  /// Waits for it, as a Request does, or gives it up.
  ~Persistent();

  /// Starts it: its buffers belong to it until it has ended. An error if it was
  /// started before and has not been waited for, or if it never can be. What was
  /// wrong with its arguments is found out here again, by `wait`, so that the other
  /// ranks are told.
  Status start() noexcept;

  /// As for a Request. True also if it was not started.
  bool test() noexcept;
  Status wait() noexcept;
  void cancel() noexcept;

  /// How it ended when it was last waited for. Before it was started: what is wrong
  /// with its arguments.
  const Status &status() const noexcept { return status_; }

  void swap(Persistent &other) noexcept {
    std::swap(task_, other.task_);
    std::swap(status_, other.status_);
    std::swap(isStarted_, other.isStarted_);
    std::swap(exceptions_, other.exceptions_);
  }

private:
  friend class detail::TaskList;
  explicit Persistent(detail::Task &task) noexcept;
  bool collect() noexcept;

  detail::Task *task_ = nullptr;
  Status status_;
  bool isStarted_ = false; ///< and its outcome has not been looked at
  int exceptions_ = 0;     ///< in flight when it was started
};

/// Waits for all requests of a range. An error if there was one: the first, in
/// the order of the range, that is not merely the echo of another rank's.
template <class Range> Status waitAll(Range &&requests) {
  Status result;
  for (auto &request : requests) {
    const Status status = request.wait();
    if (status && (!result || (result.code() == ErrorCode::Aborted &&
                               status.code() != ErrorCode::Aborted)))
      result = status;
  }
  return result;
}

} // namespace quadrille

#endif // QUADRILLE_REQUEST_H
