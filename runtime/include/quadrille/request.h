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

#include <memory>
#include <utility>

namespace quadrille {

namespace detail {
class Task;
class TaskList;

/// The type-erased body of a started collective. Its calls are recorded.
struct TaskBody {
  Status (*run)(void *body);
  void *body;
};

/// Owns what a TaskBody calls. (std::function would do, but <functional> is a third of
/// the lines that a file with emitted code includes.)
class KeptBody {
public:
  /// Throws std::bad_alloc, and what copying the body throws.
  template <class Body>
  explicit KeptBody(Body body)
      : run_([](void *kept) { return (*static_cast<Body *>(kept))(); }),
        body_(new Body(std::move(body)), [](void *kept) { delete static_cast<Body *>(kept); }) {}

  TaskBody get() const noexcept { return {run_, body_.get()}; }
  /// Never ends the life of the body.
  void abandon() noexcept { (void)body_.release(); }

private:
  Status (*run_)(void *body);
  std::unique_ptr<void, void (*)(void *)> body_;
};
} // namespace detail

/// A started collective. To be used by the thread of its communicator. A
/// default-constructed request has ended successfully.
class [[nodiscard]] Request {
public:
  Request() noexcept = default;
  /// A request that has ended with this status.
  explicit Request(Status status) noexcept : status_(std::move(status)) {}
  Request(Request &&other) noexcept { swap(other); }
  /// Waits for the collective that this request held.
  Request &operator=(Request &&other) noexcept;
  /// Waits for the collective, which uses its buffers, and discards its status.
  /// During stack unwinding it cancels the collective instead, since the other
  /// ranks may never complete it.
  ~Request();

  /// Makes progress with all collectives in flight on the communicator, as far
  /// as possible without waiting. Returns whether this one has ended; then its
  /// buffers are free, and `status` has its outcome.
  bool test() noexcept;

  /// Waits until the collective has ended and returns its status. Makes progress
  /// with all others meanwhile. May be called again.
  Status wait() noexcept;

  /// The outcome of the collective; success if it has not ended.
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

  detail::Task *task_ = nullptr; ///< null once the status has been taken
  Status status_;
  int exceptions_ = 0; ///< std::uncaught_exceptions() at the start
};

/// A persistent collective: it is prepared once, with fixed arguments, and started
/// many times. To be used by the thread of its communicator. All ranks must start
/// it, equally often and in the same order among their calls. Preparing it is not a
/// call.
class [[nodiscard]] Persistent {
public:
  /// A collective that cannot be started.
  Persistent() noexcept = default;
  explicit Persistent(Status status) noexcept : status_(std::move(status)) {}
  Persistent(Persistent &&other) noexcept { swap(other); }
  /// Waits for the collective that this object held, if it was started.
  Persistent &operator=(Persistent &&other) noexcept;
  /// Waits for the collective or cancels it, as a Request does.
  ~Persistent();

  /// Starts the collective, which uses its buffers until it has ended. An error
  /// if it was started before and not waited for, or cannot be started. Errors in
  /// its arguments are reported by `wait`, so that the other ranks get to know.
  Status start() noexcept;

  /// As for a Request. Also true if it was not started.
  bool test() noexcept;
  Status wait() noexcept;
  void cancel() noexcept;

  /// The outcome of the last `wait`. Before the first start: the error in the
  /// arguments, if there is one.
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
  bool isStarted_ = false; ///< and its status has not been taken
  int exceptions_ = 0;     ///< std::uncaught_exceptions() at the start
};

/// Waits for all requests of a range. Returns their first error, preferring errors
/// that are not a consequence of another rank's (Aborted).
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
