//===- Launch.cpp - Starting compiled programs ----------------------------------------------------------------------------------===//

#include "Launch.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace quadrille::compiler::run {

namespace fs = llvm::sys::fs;

Scratch::Scratch() {
  llvm::SmallString<256> model;
  llvm::sys::path::system_temp_directory(/*ErasedOnReboot=*/true, model);
  llvm::sys::path::append(model, "quadrille-run-XXXXXX");
  directory = std::string(model);
  // createUniqueDirectory would leave it to the umask whether the user's group may write here, and what is here will be executed.
  if (!::mkdtemp(directory.data()))
    failure = std::error_code(errno, std::generic_category());
  else
    guard = InterruptionGuard::removing(directory);
}

Scratch::~Scratch() {
  if (!failure && !isKept)
    fs::remove_directories(directory);
}

void Scratch::reportFailure(Diagnostics &diagnostics) const {
  const std::string parent = llvm::sys::path::parent_path(directory).str();
  diagnostics.report({}, diag::FolderUnwritable{.what = diag::FolderTemporary{.folder = parent}, .reason = diag::NoFolderSaid{.said = failure.message()}});
}

std::string Scratch::file(llvm::StringRef name) const {
  llvm::SmallString<256> result(directory);
  llvm::sys::path::append(result, name);
  return std::string(result);
}

/// The environment of this process, with QUADRILLE_NODES.
static std::vector<std::string> environmentWith(const NodeChoice &nodes) {
  constexpr llvm::StringLiteral name = "QUADRILLE_NODES=";
  std::vector<std::string> environment;
  for (char **entry = ::environ; *entry; ++entry)
    if (!nodes.isGiven() || !llvm::StringRef(*entry).starts_with(name))
      environment.push_back(*entry);
  std::string text = nodes.nodes > 0 ? std::to_string(nodes.nodes) : "";
  for (std::int64_t label : nodes.labels)
    text += (text.empty() ? "" : ",") + std::to_string(label);
  if (nodes.isGiven())
    environment.push_back(name.str() + text);
  return environment;
}

/// The environment with defaults of variables that Open MPI's launcher needs.
static std::vector<std::string> environmentOfLauncher(const Launcher &launcher, const Scratch &scratch, std::vector<std::string> environment) {
  // The variables allow runs as root, in containers, and with more ranks than cores. Session files go to `scratch`: in the usual place they
  // are named by process numbers, which are reused, so the files of a killed launcher would be in the way. All but the first two
  // variables are for ranks on this machine; a launcher that the user has chosen may start ranks on others.
  const std::string directory = scratch.file("session");
  std::vector<std::pair<const char *, const char *>> defaults{{"OMPI_ALLOW_RUN_AS_ROOT", "1"}, {"OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"}};
  if (!launcher.isChosen)
    defaults.insert(defaults.end(), {{"OMPI_MCA_mpi_yield_when_idle", "1"},
                                     {"OMPI_MCA_rmaps_base_oversubscribe", "1"},
                                     {"OMPI_MCA_btl_vader_single_copy_mechanism", "none"},
                                     {"OMPI_MCA_btl", "self,vader"},
                                     {"OMPI_MCA_hwloc_base_binding_policy", "none"},
                                     {"OMPI_MCA_orte_tmpdir_base", directory.c_str()},
                                     {"PRTE_MCA_prte_tmpdir_base", directory.c_str()}});
  for (auto [name, value] : defaults)
    if (!::getenv(name))
      environment.push_back(std::string(name) + "=" + value);
  return environment;
}

namespace {

/// How a process ended.
struct ProcessEnd {
  bool wasInTime = true;
  int signal = 0; // the signal that ended it, or 0
  bool dumpedCore = false;
  int status = 0; // the exit status, if no signal ended it
};

} // namespace

/// Waits for a child process, and kills it when the time is over.
static ProcessEnd waitFor(pid_t process, std::uint64_t timeoutSeconds) {
  using namespace std::chrono;
  const InterruptionGuard guard = InterruptionGuard::ending(process);
  const auto deadline = steady_clock::now() + seconds(std::min<std::uint64_t>(timeoutSeconds, 1u << 30));
  ProcessEnd end;
  int status = 0;
  pid_t ended;
  for (auto pause = microseconds(100);; pause = std::min(pause * 2, microseconds(5000))) {
    ended = ::waitpid(process, &status, end.wasInTime ? WNOHANG : 0);
    if (ended == process || (ended < 0 && errno != EINTR))
      break;
    if (ended == 0 && steady_clock::now() >= deadline) {
      end.wasInTime = false;
      ::kill(process, SIGKILL);
    } else if (ended == 0) {
      std::this_thread::sleep_for(pause);
    }
  }
  if (ended == process && WIFSIGNALED(status)) {
    end.signal = WTERMSIG(status);
    end.dumpedCore = WCOREDUMP(status);
  } else {
    end.status = ended == process ? WEXITSTATUS(status) : EXIT_FAILURE;
  }
  return end;
}

Launched launch(const Toolchain &toolchain, const std::string &program, std::int64_t p, llvm::ArrayRef<std::string> arguments,
                std::uint64_t timeoutSeconds, const Scratch &scratch, const NodeChoice &nodes) {
  const bool isMpi = !toolchain.launcher.words.empty();
  std::vector<std::string> launcher, environment = environmentWith(nodes);
  if (isMpi) {
    launcher = toolchain.launcher.wordsFor(p);
    environment = environmentOfLauncher(toolchain.launcher, scratch, std::move(environment));
  }
  llvm::SmallVector<llvm::StringRef, 16> words(launcher.begin(), launcher.end());
  words.push_back(program);
  words.insert(words.end(), arguments.begin(), arguments.end());
  const std::string log = scratch.file("log");
  const std::optional<llvm::StringRef> redirects[] = {llvm::StringRef(""), llvm::StringRef(log), llvm::StringRef(log)};
  Launched result;
  bool failedToStart = false;
  std::string said;
  const std::vector<llvm::StringRef> entries(environment.begin(), environment.end());
  std::optional<llvm::ArrayRef<llvm::StringRef>> ownEnvironment;
  if (isMpi || nodes.isGiven())
    ownEnvironment = entries;
  const llvm::sys::ProcessInfo process =
      llvm::sys::ExecuteNoWait(words[0], words, ownEnvironment, redirects, 0, &said, &failedToStart);
  if (failedToStart) {
    result.ended = Ended::NotAtAll;
    result.problem = diag::FailureSaid{.said = said};
    return result;
  }
  const ProcessEnd end = waitFor(process.Pid, timeoutSeconds);
  if (end.signal == 0 && end.status == 0)
    return result;
  // The harness has an alarm of its own (RunCase.h). If a signal ends a rank, the launcher's exit status is 128 + its number.
  const bool timedOut = !end.wasInTime || end.signal == SIGALRM || (isMpi && end.status == 128 + SIGALRM);
  std::string first; // the first line that says something
  if (auto output = llvm::MemoryBuffer::getFile(log)) {
    llvm::StringRef text = (*output)->getBuffer().trim();
    llvm::SmallVector<llvm::StringRef, 8> lines;
    text.split(lines, '\n', -1, false);
    for (llvm::StringRef line : lines)
      if (first.empty() && line.find_first_not_of("-= \t\r") != llvm::StringRef::npos)
        first = line.trim().str();
  }
  if (end.signal)
    result.problem = diag::FailureSignal{.signal = strsignal(end.signal), .dumped = end.dumpedCore, .said = first};
  else if (!first.empty())
    result.problem = diag::FailureSaid{.said = first};
  else
    result.problem = diag::FailureStatus{.status = end.status};
  result.ended = timedOut ? Ended::TooLate : Ended::Badly;
  return result;
}

} // namespace quadrille::compiler::run
