//===- Isolation.cpp - Work in separate processes -----------------------------------------------------------------===//

#include "Isolation.h"

#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>

#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace quadrille::compiler::fuzz {

static double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

static void writeAll(int file, llvm::StringRef bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(file, bytes.data(), bytes.size());
    if (written <= 0)
      return;
    bytes = bytes.drop_front(static_cast<size_t>(written));
  }
}

void Teller::tell(llvm::StringRef about, llvm::StringRef text) const {
  writeAll(file, about.str() + " " + std::to_string(text.size()) + "\n" + text.str() + "\n");
}

/// Parses the messages received. Ignores an incomplete last one.
static Told readTold(llvm::StringRef received) {
  Told told;
  while (!received.empty()) {
    auto [head, rest] = received.split('\n');
    auto [about, size] = head.split(' ');
    size_t bytes = 0;
    if (size.getAsInteger(10, bytes) || rest.size() < bytes)
      break;
    told.push_back({about.str(), rest.take_front(bytes).str()});
    received = rest.drop_front(bytes).ltrim('\n');
  }
  return told;
}

llvm::StringRef lastOf(const Told &told, llvm::StringRef about) {
  for (size_t i = told.size(); i > 0; --i)
    if (told[i - 1].first == about)
      return told[i - 1].second;
  return "";
}

static void limit(int resource, rlim_t most) {
  const rlimit bound{most, most};
  ::setrlimit(resource, &bound);
}

void Processes::start(std::uint64_t id, const Bounds &bounds, const std::function<void(const Teller &)> &work) {
  int ends[2];
  const int errors = ::memfd_create("errors", MFD_CLOEXEC);
  if (::pipe2(ends, O_CLOEXEC) != 0 || errors < 0) {
    llvm::errs() << "no more pipes\n";
    std::exit(2);
  }
  llvm::outs().flush();
  const pid_t process = ::fork();
  if (process < 0) {
    llvm::errs() << "no more processes\n";
    std::exit(2);
  }
  if (process == 0) {
    ::setpgid(0, 0); // a process group, so that its own children can be ended with it
    ::dup2(errors, STDERR_FILENO);
    ::close(ends[0]);
    limit(RLIMIT_CPU, bounds.cpuSeconds);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    limit(RLIMIT_AS, rlim_t(bounds.megabytes) << 20);
#endif
    limit(RLIMIT_CORE, 0);
    // Let crashes end the process without a stack trace.
    for (int signal : {SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGXCPU, SIGALRM, SIGINT, SIGTERM})
      std::signal(signal, SIG_DFL);
    work(Teller(ends[1]));
    std::_Exit(0); // without running destructors, which belong to the parent
  }
  ::setpgid(process, process);
  ::close(ends[1]);
  Child &child = children[process];
  child.id = id;
  child.output = ends[0];
  child.errors = errors;
  child.deadline = now() + bounds.wallSeconds;
}

Ended Processes::end(pid_t process, Child &child) {
  int status = 0;
  while (::waitpid(process, &status, 0) < 0 && errno == EINTR)
    ;
  ::kill(-process, SIGKILL); // ends its remaining children
  Ended ended;
  ended.told = readTold(child.received);
  std::string said;
  char buffer[4096];
  ::lseek(child.errors, 0, SEEK_SET);
  for (ssize_t got; said.size() < 4 * sizeof(buffer) && (got = ::read(child.errors, buffer, sizeof(buffer))) > 0;)
    said.append(buffer, static_cast<size_t>(got));
  ::close(child.errors);
  ::close(child.output);
  if (child.isLate || (WIFSIGNALED(status) && (WTERMSIG(status) == SIGXCPU || WTERMSIG(status) == SIGKILL))) {
    ended.how = Ended::TooLong;
    ended.problem = child.isLate ? "it does not end" : "it takes too much of the processor's time";
  } else if (WIFSIGNALED(status)) {
    ended.how = Ended::Crashed;
    ended.problem = std::string("signal ") + std::to_string(WTERMSIG(status)) + " (" + ::strsignal(WTERMSIG(status)) + ")";
  } else if (WEXITSTATUS(status) != 0) {
    ended.how = Ended::Crashed;
    ended.problem = "exit status " + std::to_string(WEXITSTATUS(status));
  }
  llvm::StringRef words = llvm::StringRef(said).trim();
  if (ended.how != Ended::Well && !words.empty())
    ended.problem += ": " + words.str();
  return ended;
}

std::pair<std::uint64_t, Ended> Processes::wait() {
  while (true) {
    std::vector<pollfd> polled;
    std::vector<pid_t> processes;
    double deadline = now() + 3600;
    for (auto &[process, child] : children) {
      polled.push_back({child.output, POLLIN, 0});
      processes.push_back(process);
      deadline = std::min(deadline, child.deadline);
    }
    ::poll(polled.data(), polled.size(), static_cast<int>(std::max(0.0, deadline - now()) * 1000) + 1);
    for (size_t i = 0; i < polled.size(); ++i) {
      Child &child = children[processes[i]];
      if (polled[i].revents == 0) {
        if (now() > child.deadline && !child.isLate) {
          child.isLate = true;
          ::kill(-processes[i], SIGKILL);
        }
        continue;
      }
      char buffer[65536];
      const ssize_t got = ::read(child.output, buffer, sizeof(buffer));
      if (got > 0) {
        child.received.append(buffer, static_cast<size_t>(got));
        continue;
      }
      std::pair<std::uint64_t, Ended> result{child.id, end(processes[i], child)};
      children.erase(processes[i]);
      return result;
    }
  }
}

Ended runAlone(const Bounds &bounds, const std::function<void(const Teller &)> &work) {
  Processes processes;
  processes.start(0, bounds, work);
  return processes.wait().second;
}

} // namespace quadrille::compiler::fuzz
