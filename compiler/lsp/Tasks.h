//===- Tasks.h - Computations in processes of their own -------------------------------------------------------------------*- C++ -*-===//
//
// A server must answer at once, but its computations may take minutes or crash. So each task is a fork of the server: it begins with all
// that the server knows, it cannot harm the server, and it can be killed at any moment, since no state is shared. It sends messages
// through a pipe. The server itself has a single thread, so that it may fork.
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

/// Sends a message of a task to the server.
using Send = std::function<void(llvm::json::Object)>;

class Tasks {
public:
  enum class End { Done, Failed, TooLong };

  struct Task {
    std::string name;                  // for `cancel`
    bool isBackground = false;         // background tasks take at most half of the places, and give way to other processes
    Clock::time_point notBefore = {};
    std::chrono::seconds limit{};
    std::function<void(const Send &)> work; // called in the process of the task
    // Called in the server, but not after the task has been cancelled.
    std::function<void(llvm::json::Object)> onMessage;
    std::function<void(End)> onEnd;
  };

  void add(Task task);
  /// Kills or removes all tasks of that name. \returns whether there was one.
  bool cancel(llvm::StringRef name);

  /// Starts waiting tasks that may start, and kills tasks that exceed their limit.
  void advance();
  /// Reads what a task has written, if `ready` is the descriptor of a task.
  void read(const pollfd &ready);
  /// Adds the descriptors through which messages of tasks come, to be polled.
  void waitFor(std::vector<pollfd> &into) const;
  /// The time in ms until `advance` has something to do; -1: it has nothing to do.
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
