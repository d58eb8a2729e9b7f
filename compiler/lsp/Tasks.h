//===- Tasks.h - What is computed in processes of its own -----------------------------------------------------------------*- C++ -*-===//
//
// A server has to answer at once, whatever it computes, and what it computes may take minutes, or end by a fault. So each task is a fork of
// the server: it begins with all that the server knows, nothing that it does can harm the server, and it can be ended at any moment,
// since nothing in it has to agree. It hands over messages through a pipe. The server itself has one thread, so that it may fork.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_LSP_TASKS_H
#define QUADRILLE_LSP_TASKS_H

#include "Transport.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <chrono>
#include <functional>
#include <list>

#include <poll.h>
#include <sys/types.h>

namespace quadrille::compiler::lsp {

using Clock = std::chrono::steady_clock;

/// How a task hands over a message.
using Send = std::function<void(llvm::json::Object)>;

class Tasks {
public:
  enum class End { Done, Failed, TooLong };

  struct Task {
    std::string name;                  // whatever it is found by
    bool isBackground = false;         // gives way to others
    Clock::time_point notBefore = {};
    std::chrono::seconds limit{};
    std::function<void(const Send &)> work; // in the process of the task
    // In the server. Neither is called any more once the task is cancelled.
    std::function<void(llvm::json::Object)> onMessage;
    std::function<void(End)> onEnd;
  };

  void add(Task task);
  /// Ends all tasks of that name, begun or not. \returns whether there was one.
  bool cancel(llvm::StringRef name);

  /// Starts what may start, and ends what takes too long.
  void advance();
  /// Takes what a task has written, if that is its descriptor.
  void read(const pollfd &ready);
  /// Adds the descriptors to wait for.
  void waitFor(std::vector<pollfd> &into) const;
  /// Until something has to be done by `advance`; -1: nothing has.
  int millisecondsToWait() const;

  ~Tasks();

private:
  struct Running {
    Task task;
    pid_t process = 0;
    int pipe = -1;
    Clock::time_point deadline;
    MessageReader messages;
    bool isCancelled = false;
  };

  bool start(Task &task);
  void end(std::list<Running>::iterator running, bool byForce, End how);

  std::list<Task> waiting;
  std::list<Running> running;
};

} // namespace quadrille::compiler::lsp

#endif // QUADRILLE_LSP_TASKS_H
