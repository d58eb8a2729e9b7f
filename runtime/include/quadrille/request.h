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

/// Waits for all requests of a range. An error if there was one: the first, in
/// the order of the range, that is not merely the echo of another rank's.
template <class Range> Status waitAll(Range &&requests) {
  Status result;
  for (Request &request : requests) {
    const Status status = request.wait();
    if (status && (!result || (result.code() == ErrorCode::Aborted &&
                               status.code() != ErrorCode::Aborted)))
      result = status;
  }
  return result;
}

} // namespace quadrille

#endif // QUADRILLE_REQUEST_H
