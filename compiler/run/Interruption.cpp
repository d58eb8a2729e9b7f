//===- Interruption.cpp - What an interrupted command takes away ---------------------------------------------------------------===//

#include "Interruption.h"

#include <array>
#include <atomic>
#include <climits>
#include <csignal>
#include <cstring>
#include <ctime>
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

namespace quadrille::compiler::run {

// The handler may call async-signal-safe functions only (signal-safety(7)): no memory is allocated, and folders are read by the
// system call, as readdir allocates.

namespace {

/// A folder to be removed. Its owner takes the entry (`taken`), writes the path, and shows it (`shown`).
struct FolderEntry {
  std::atomic<bool> taken{false};
  std::atomic<bool> shown{false}; // released after `path` is written, acquired by the handler before it reads `path`
  char path[PATH_MAX];
};

// More than what a command has at a time: one folder per compiler that runs, and a few of its own.
std::array<FolderEntry, 64> folders;
// 0: free; negative: a group, as for kill(2). The number is all that is read, so no order is needed
std::array<std::atomic<pid_t>, 64> processes;

/// Set before a child is ended. Whoever has seen that end in the system's call sees this, too: the system orders them.
std::atomic<bool> isInterrupted{false};

} // namespace

static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<pid_t>::is_always_lock_free, "the signal handler reads them");

static constexpr std::array<int, 3> signals = {SIGINT, SIGTERM, SIGHUP};

using Actions = std::array<struct sigaction, signals.size()>;

static Actions currentActions() {
  Actions actions{};
  for (size_t i = 0; i < signals.size(); ++i)
    ::sigaction(signals[i], nullptr, &actions[i]);
  return actions;
}

/// What this process was started with. Read before main, as LLVM soon registers handlers whatever was there.
static const Actions inheritedActions = currentActions();
/// What was done at these signals before: what LLVM has registered to remove files that are half written, or the default.
static Actions earlierActions;

/// Removes the folder `name` of the open folder `parent`. Folders deeper than `depth` stay.
static void removeFolder(int parent, const char *name, int depth) {
  const int folder = ::openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (folder >= 0) {
    alignas(dirent64) char entries[2048];
    // Entries that are removed may hide others from the same reading, so read until nothing could be removed.
    for (bool removed = true; removed;) {
      removed = false;
      ::lseek(folder, 0, SEEK_SET);
      for (ssize_t size; (size = ::getdents64(folder, entries, sizeof entries)) > 0;)
        for (ssize_t at = 0; at < size;) {
          const auto *entry = reinterpret_cast<const dirent64 *>(entries + at);
          at += entry->d_reclen;
          if (std::strcmp(entry->d_name, ".") == 0 || std::strcmp(entry->d_name, "..") == 0)
            continue;
          if (::unlinkat(folder, entry->d_name, 0) == 0) {
            removed = true;
          } else if (depth > 0) {
            removeFolder(folder, entry->d_name, depth - 1);
          }
        }
    }
    ::close(folder);
  }
  ::unlinkat(parent, name, AT_REMOVEDIR);
}

/// Ends a child, or its group, and waits for the child, so that it writes nothing into a folder that is removed.
static void endProcess(pid_t process, int signal) {
  constexpr timespec pause{0, 10'000'000};
  const pid_t child = process < 0 ? -process : process;
  ::kill(process, signal);
  bool hasEnded = false;
  for (int i = 0; i < 200 && !hasEnded; ++i) {
    hasEnded = ::waitpid(child, nullptr, WNOHANG) != 0;
    if (!hasEnded)
      ::nanosleep(&pause, nullptr);
  }
  if (!hasEnded || process < 0)
    ::kill(process, SIGKILL);
  if (!hasEnded)
    (void)::waitpid(child, nullptr, 0);
}

void endWhatWasStarted(int signal) {
  isInterrupted.store(true, std::memory_order_seq_cst);
  for (std::atomic<pid_t> &process : processes)
    if (const pid_t child = process.load(std::memory_order_relaxed))
      endProcess(child, signal);
  constexpr int depthOfFolders = 8; // of a launcher's session files: three
  for (FolderEntry &folder : folders)
    if (folder.shown.load(std::memory_order_acquire))
      removeFolder(AT_FDCWD, folder.path, depthOfFolders);
}

static void handleInterruption(int signal) {
  endWhatWasStarted(signal);
  for (size_t i = 0; i < signals.size(); ++i)
    if (signals[i] == signal)
      ::sigaction(signal, &earlierActions[i], nullptr);
  ::raise(signal); // it is blocked here, and comes on return
}

/// A signal that is ignored, as under nohup, stays so.
static void watchSignals() {
  static const bool isDone = [] {
    struct sigaction own {};
    own.sa_handler = handleInterruption;
    own.sa_flags = SA_RESTART;
    ::sigemptyset(&own.sa_mask);
    for (int number : signals)
      ::sigaddset(&own.sa_mask, number);
    earlierActions = currentActions();
    for (size_t i = 0; i < signals.size(); ++i)
      if (inheritedActions[i].sa_handler != SIG_IGN)
        ::sigaction(signals[i], &own, nullptr);
    return true;
  }();
  (void)isDone;
}

InterruptionGuard InterruptionGuard::removing(llvm::StringRef path) {
  watchSignals();
  InterruptionGuard guard;
  if (path.size() >= sizeof FolderEntry::path)
    return guard;
  for (size_t i = 0; i < folders.size(); ++i) {
    FolderEntry &entry = folders[i];
    // Whoever changes `taken` from false owns the entry; its last owner wrote nothing after the release of `taken`.
    if (entry.taken.exchange(true, std::memory_order_acquire))
      continue;
    std::memcpy(entry.path, path.data(), path.size());
    entry.path[path.size()] = '\0';
    entry.shown.store(true, std::memory_order_release);
    guard.folder_ = static_cast<int>(i);
    break;
  }
  return guard;
}

InterruptionGuard InterruptionGuard::ending(pid_t process) {
  watchSignals();
  InterruptionGuard guard;
  for (size_t i = 0; i < processes.size() && guard.process_ < 0; ++i)
    if (pid_t none = 0; processes[i].compare_exchange_strong(none, process, std::memory_order_relaxed))
      guard.process_ = static_cast<int>(i);
  return guard;
}

InterruptionGuard::InterruptionGuard(InterruptionGuard &&other) noexcept
    : folder_(std::exchange(other.folder_, -1)), process_(std::exchange(other.process_, -1)) {}

InterruptionGuard &InterruptionGuard::operator=(InterruptionGuard &&other) noexcept {
  std::swap(folder_, other.folder_);
  std::swap(process_, other.process_);
  return *this;
}

InterruptionGuard::~InterruptionGuard() {
  // Another thread ends this process. What the child that was ended has left is no result.
  while ((folder_ >= 0 || process_ >= 0) && isInterrupted.load(std::memory_order_seq_cst))
    ::pause();
  if (folder_ >= 0) {
    FolderEntry &entry = folders[static_cast<size_t>(folder_)];
    entry.shown.store(false, std::memory_order_relaxed);
    entry.taken.store(false, std::memory_order_release);
  }
  if (process_ >= 0)
    processes[static_cast<size_t>(process_)].store(0, std::memory_order_relaxed);
}

} // namespace quadrille::compiler::run
