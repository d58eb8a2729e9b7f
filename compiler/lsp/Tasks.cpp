//===- Tasks.cpp - Computations in processes of their own -------------------------------------------------------------------------===//

#include "Tasks.h"

#include "limits/Limits.h"

#include "llvm/Support/Errno.h"

#include <csignal>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace quadrille::compiler::lsp {

/// \returns whether all was written.
static bool writeAll(int to, llvm::StringRef bytes) {
  while (!bytes.empty()) {
    const ssize_t written = llvm::sys::RetryAfterSignal(-1, ::write, to, bytes.data(), bytes.size());
    if (written < 0)
      return false;
    bytes = bytes.drop_front(static_cast<std::size_t>(written));
  }
  return true;
}

void Tasks::add(Task task) { waiting.push_back(std::move(task)); }

bool Tasks::cancel(llvm::StringRef name) {
  const std::size_t before = waiting.size();
  waiting.remove_if([&](const Task &task) { return task.name == name; });
  bool any = waiting.size() != before;
  for (auto i = running.begin(); i != running.end();) {
    const auto one = i++;
    if (one->task.name != name || one->isCancelled)
      continue;
    any = true;
    one->isCancelled = true;
    end(one, /*byForce=*/true, End::Failed);
  }
  return any;
}

bool Tasks::start(Task &task) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0)
    return false;
  const pid_t server = ::getpid();
  const pid_t process = ::fork();
  if (process < 0) {
    ::close(ends[0]);
    ::close(ends[1]);
    return false;
  }
  if (process == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != server)
      ::_exit(1);
    // A task must not write to the editor, nor read what the editor sends.
    const int nothing = ::open("/dev/null", O_RDWR | O_CLOEXEC);
    ::dup2(nothing, STDIN_FILENO);
    ::dup2(nothing, STDOUT_FILENO);
    if (task.isBackground)
      ::setpriority(PRIO_PROCESS, 0, 10);
    bool ok = true;
    task.work([&](llvm::json::Object message) { ok = ok && writeAll(ends[1], framed(std::move(message))); });
    ::_exit(ok ? 0 : 1);
  }
  ::close(ends[1]);
  running.push_back({std::move(task), process, ends[0], Clock::now(), {}, false});
  running.back().deadline += running.back().task.limit;
  return true;
}

void Tasks::end(std::list<Running>::iterator one, bool byForce, End how) {
  if (byForce)
    ::kill(one->process, SIGKILL);
  int status = 0;
  llvm::sys::RetryAfterSignal(-1, ::waitpid, one->process, &status, 0);
  ::close(one->pipe);
  if (!byForce && (!WIFEXITED(status) || WEXITSTATUS(status) != 0))
    how = End::Failed;
  // `onEnd` may add tasks and cancel others, so remove this one first.
  const Running ended = std::move(*one);
  running.erase(one);
  if (!ended.isCancelled)
    ended.task.onEnd(how);
}

void Tasks::advance() {
  const Clock::time_point now = Clock::now();
  for (bool again = true; again;) {
    again = false;
    for (auto i = running.begin(); i != running.end(); ++i)
      if (i->deadline <= now) {
        end(i, /*byForce=*/true, End::TooLong);
        again = true;
        break;
      }
  }
  // Background tasks may take at most half of the places.
  auto background = static_cast<std::size_t>(std::count_if(running.begin(), running.end(), [](const Running &one) { return one.task.isBackground; }));
  for (auto i = waiting.begin(); i != waiting.end() && running.size() < limits::editorTasks;) {
    const auto one = i++;
    if (one->notBefore > now || (one->isBackground && background >= limits::editorTasks / 2))
      continue;
    if (!start(*one))
      return; // there are too many processes; later there may be fewer
    background += running.back().task.isBackground;
    waiting.erase(one);
  }
}

void Tasks::read(const pollfd &ready) {
  for (auto i = running.begin(); i != running.end(); ++i) {
    if (i->pipe != ready.fd)
      continue;
    char bytes[1 << 16];
    const ssize_t count = llvm::sys::RetryAfterSignal(-1, ::read, i->pipe, static_cast<char *>(bytes), sizeof(bytes));
    if (count <= 0)
      return end(i, /*byForce=*/false, End::Done);
    i->messages.append(llvm::StringRef(bytes, static_cast<std::size_t>(count)));
    const pid_t process = i->process;
    while (std::optional<MessageReader::Received> received = i->messages.next()) {
      if (!received->error.empty())
        return end(i, /*byForce=*/true, End::Failed);
      i->task.onMessage(std::move(received->message));
      // The callback may have cancelled this task.
      i = std::find_if(running.begin(), running.end(), [&](const Running &one) { return one.process == process; });
      if (i == running.end())
        return;
    }
    return;
  }
}

void Tasks::waitFor(std::vector<pollfd> &into) const {
  for (const Running &one : running)
    into.push_back({one.pipe, POLLIN, 0});
}

int Tasks::millisecondsToWait() const {
  std::optional<Clock::time_point> next;
  auto consider = [&](Clock::time_point when) { next = next ? std::min(*next, when) : when; };
  for (const Running &one : running)
    consider(one.deadline);
  for (const Task &task : waiting)
    if (running.size() < limits::editorTasks)
      consider(std::max(task.notBefore, Clock::now() + std::chrono::milliseconds(running.empty() ? 0 : 20)));
  if (!next)
    return -1;
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(*next - Clock::now()).count();
  return static_cast<int>(std::clamp<std::int64_t>(left, 0, 3600 * 1000));
}

Tasks::~Tasks() {
  while (!running.empty()) {
    running.front().isCancelled = true;
    end(running.begin(), /*byForce=*/true, End::Failed);
  }
}

} // namespace quadrille::compiler::lsp
