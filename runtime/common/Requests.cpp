//===- Requests.cpp - Handles of started and persistent collectives -------===//

#include "Tasks.h"

#include <exception>

using namespace quadrille;
using namespace quadrille::detail;

//===----------------------------------------------------------------------===//
// What both handles ask of a list
//===----------------------------------------------------------------------===//

void TaskList::help() noexcept {
  if (thread_ || current() || isLooking_)
    return;
  enter();
  (void)progress(Look::Quick);
  leave();
}

Status TaskList::waitFor(const Task &task) noexcept {
  if (current() || (!thread_ && isLooking_))
    return Status(ErrorCode::BadParameter, "a started collective cannot wait for another");
  wait(task);
  return {};
}

bool TaskList::cancelStarted(Task &task) noexcept {
  if (current())
    return false;
  enter();
  if (!task.finished_)
    cancel(task, Status(ErrorCode::Aborted, "the started collective was cancelled"));
  leave();
  return true;
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

/// Takes the status of the task if it has ended. False if it has not.
bool Request::collect() noexcept {
  if (!task_->done_.load(std::memory_order_acquire))
    return false;
  if (task_->status_)
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
  task_->list_->help();
  return collect();
}

Status Request::wait() noexcept {
  if (!task_ || collect())
    return status_;
  if (Status refused = task_->list_->waitFor(*task_))
    return refused;
  (void)collect();
  return status_;
}

void Request::cancel() noexcept {
  if (!task_ || collect() || !task_->list_->cancelStarted(*task_))
    return;
  (void)collect();
}

//===----------------------------------------------------------------------===//
// Persistent
//===----------------------------------------------------------------------===//

Persistent::Persistent(Task &task) noexcept : task_(&task), status_(task.mistake_) {}

Persistent &Persistent::operator=(Persistent &&other) noexcept {
  if (this != &other) {
    Persistent old(std::move(*this));
    swap(other);
  } // waits for the old one
  return *this;
}

Persistent::~Persistent() {
  if (!task_)
    return;
  if (isStarted_ && std::uncaught_exceptions() > exceptions_)
    cancel();
  (void)wait();
  if (TaskList *list = task_->list_) {
    list->enter();
    list->free(*task_);
    list->leave();
  } else {
    delete task_;
  }
}

Status Persistent::start() noexcept {
  if (!task_)
    return status_ ? status_
                   : Status(ErrorCode::BadParameter, "no collective has been prepared");
  if (!task_->list_)
    return status_ = Status(ErrorCode::Transport, "the communicator was destroyed");
  if (isStarted_ || task_->list_->current())
    return Status(ErrorCode::BadParameter,
                  isStarted_ ? "the persistent collective has been started, and not waited for"
                             : "a started collective cannot start another");
  status_ = {};
  isStarted_ = true;
  exceptions_ = std::uncaught_exceptions();
  task_->list_->startAgain(*task_);
  return {};
}

/// Takes the status of the task if it has ended. False if it has not.
bool Persistent::collect() noexcept {
  if (!task_->done_.load(std::memory_order_acquire))
    return false;
  status_ = task_->status_;
  isStarted_ = false;
  return true;
}

bool Persistent::test() noexcept {
  if (!isStarted_ || collect())
    return true;
  task_->list_->help();
  return collect();
}

Status Persistent::wait() noexcept {
  if (!isStarted_ || collect())
    return status_;
  if (Status refused = task_->list_->waitFor(*task_))
    return refused;
  (void)collect();
  return status_;
}

void Persistent::cancel() noexcept {
  if (!isStarted_ || collect() || !task_->list_->cancelStarted(*task_))
    return;
  (void)collect();
}
