//===- EvaluationThread.h - A thread with a large stack ----------------------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_EVALUATE_EVALUATIONTHREAD_H
#define QUADRILLE_EVALUATE_EVALUATIONTHREAD_H

#include <functional>
#include <memory>
#include <pthread.h>
#include <system_error>

namespace quadrille::compiler {

/// A thread whose stack, of limits::evaluationStack bytes, is large enough for functions and trees that recurse to their limits.
class EvaluationThread {
public:
  /// Starts `work`. If the system has no memory for the stack, or no thread, `failure()` says so, and nothing is started.
  explicit EvaluationThread(std::function<void()> work);
  EvaluationThread(EvaluationThread &&other) noexcept;
  ~EvaluationThread() { join(); }

  std::error_code failure() const { return reason; }
  void join();

private:
  std::unique_ptr<std::function<void()>> work; // null: there is nothing to join
  ::pthread_t thread = {};
  std::error_code reason;
};

} // namespace quadrille::compiler

#endif // QUADRILLE_EVALUATE_EVALUATIONTHREAD_H
