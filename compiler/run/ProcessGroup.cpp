//===- ProcessGroup.cpp - A program and all that it starts --------------------------------------------------------------------===//

#include "ProcessGroup.h"

#include "Interruption.h"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

extern char **environ;

namespace quadrille::compiler::run {

std::optional<int> runInGroup(llvm::ArrayRef<std::string> words, llvm::StringRef log, std::optional<diag::Failure> &problem) {
  std::vector<std::string> copies(words.begin(), words.end());
  std::vector<char *> arguments;
  for (std::string &word : copies)
    arguments.push_back(word.data());
  arguments.push_back(nullptr);

  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawnattr_init(&attributes);
  ::posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  if (!log.empty()) {
    ::posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, log.str().c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    ::posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
  }
  ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  ::posix_spawnattr_setpgroup(&attributes, 0);
  pid_t process = 0;
  const int failure = ::posix_spawnp(&process, arguments[0], &actions, &attributes, arguments.data(), environ);
  ::posix_spawnattr_destroy(&attributes);
  ::posix_spawn_file_actions_destroy(&actions);
  if (failure != 0) {
    problem = diag::FailureOfProgram{.program = copies[0], .said = std::strerror(failure)};
    return std::nullopt;
  }

  const InterruptionGuard guard = InterruptionGuard::endingGroup(process);
  int status = 0;
  while (::waitpid(process, &status, 0) < 0)
    if (errno != EINTR) {
      problem = diag::FailureSaid{.said = std::strerror(errno)};
      return std::nullopt;
    }
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

} // namespace quadrille::compiler::run
