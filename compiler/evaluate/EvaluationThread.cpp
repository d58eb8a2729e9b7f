//===- EvaluationThread.cpp - A thread with a large stack -------------------------------------------------------------------------===//

#include "EvaluationThread.h"

#include "limits/Limits.h"

#include <utility>

namespace quadrille::compiler {

EvaluationThread::EvaluationThread(std::function<void()> run) : work(std::make_unique<std::function<void()>>(std::move(run))) {
  ::pthread_attr_t attributes;
  int error = ::pthread_attr_init(&attributes);
  if (!error)
    error = ::pthread_attr_setstacksize(&attributes, limits::evaluationStack);
  if (!error)
    error = ::pthread_create(&thread, &attributes, [](void *argument) -> void * {
      (*static_cast<std::function<void()> *>(argument))();
      return nullptr;
    }, work.get());
  ::pthread_attr_destroy(&attributes);
  if (error) {
    reason = std::error_code(error, std::generic_category());
    work.reset();
  }
}

EvaluationThread::EvaluationThread(EvaluationThread &&other) noexcept
    : work(std::move(other.work)), thread(other.thread), reason(other.reason) {}

void EvaluationThread::join() {
  if (work)
    ::pthread_join(thread, nullptr);
  work.reset();
}

} // namespace quadrille::compiler
