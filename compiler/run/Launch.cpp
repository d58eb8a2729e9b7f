//===- Launch.cpp - Starting compiled programs ----------------------------------------------------------------------------------===//

#include "Launch.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"

#include <algorithm>
#include <cstdlib>
#include <unistd.h>

namespace quadrille::run {

namespace fs = llvm::sys::fs;

Scratch::Scratch() { failure = fs::createUniqueDirectory("quadrille-run", directory); }

Scratch::~Scratch() {
  if (!failure)
    fs::remove_directories(directory);
}

std::string Scratch::file(llvm::StringRef name) const {
  llvm::SmallString<256> result(directory);
  llvm::sys::path::append(result, name);
  return std::string(result);
}

/// The environment of this process and, unless it is set there, what a launcher of Open MPI needs.
static std::vector<std::string> environmentOfLauncher(const Scratch &scratch) {
  std::vector<std::string> environment;
  for (char **entry = ::environ; *entry; ++entry)
    environment.push_back(*entry);
  // As root, in containers and with more ranks than cores. What launchers keep in files is here and not where all of them
  // have it by number of process: numbers come again, and what is left of a launcher that was killed is in the way then.
  const std::string directory = scratch.file("session");
  for (auto [name, value] : {std::pair("OMPI_ALLOW_RUN_AS_ROOT", "1"), std::pair("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"),
                             std::pair("OMPI_MCA_mpi_yield_when_idle", "1"), std::pair("OMPI_MCA_rmaps_base_oversubscribe", "1"),
                             std::pair("OMPI_MCA_btl_vader_single_copy_mechanism", "none"),
                             std::pair("OMPI_MCA_btl", "self,vader"), std::pair("OMPI_MCA_hwloc_base_binding_policy", "none"),
                             std::pair("OMPI_MCA_orte_tmpdir_base", directory.c_str()),
                             std::pair("PRTE_MCA_prte_tmpdir_base", directory.c_str())})
    if (!::getenv(name))
      environment.push_back(std::string(name) + "=" + value);
  return environment;
}

Launched launch(const Toolchain &toolchain, const std::string &program, std::int64_t p, llvm::ArrayRef<std::string> arguments,
                std::uint64_t timeoutSeconds, const Scratch &scratch) {
  const bool isMpi = !toolchain.launcher.empty();
  const std::string ranks = std::to_string(p);
  std::vector<llvm::StringRef> words;
  std::vector<std::string> environment;
  if (isMpi) {
    words = {toolchain.launcher, "--oversubscribe", "-np", ranks};
    environment = environmentOfLauncher(scratch);
  }
  words.push_back(program);
  words.insert(words.end(), arguments.begin(), arguments.end());
  const std::string log = scratch.file("log");
  const std::optional<llvm::StringRef> redirects[] = {llvm::StringRef(""), llvm::StringRef(log), llvm::StringRef(log)};
  Launched result;
  bool failedToStart = false;
  const std::vector<llvm::StringRef> entries(environment.begin(), environment.end());
  std::optional<llvm::ArrayRef<llvm::StringRef>> ownEnvironment;
  if (isMpi)
    ownEnvironment = entries;
  const int status = llvm::sys::ExecuteAndWait(words[0], words, ownEnvironment, redirects,
                                               static_cast<unsigned>(std::min<std::uint64_t>(timeoutSeconds, 1u << 30)), 0,
                                               &result.problem, &failedToStart);
  if (failedToStart) {
    result.ended = Ended::NotAtAll;
    return result;
  }
  if (status == 0)
    return result;
  bool timedOut = status == -2 && (llvm::StringRef(result.problem).contains("timed out") ||
                                   llvm::StringRef(result.problem).contains("Alarm clock"));
  if (auto said = llvm::MemoryBuffer::getFile(log)) {
    llvm::StringRef text = (*said)->getBuffer().trim();
    timedOut |= isMpi && text.contains("Alarm clock");
    llvm::SmallVector<llvm::StringRef, 8> lines;
    text.split(lines, '\n', -1, false);
    std::string first;
    for (llvm::StringRef line : lines)
      if (first.empty() && line.find_first_not_of("-= \t\r") != llvm::StringRef::npos)
        first = line.trim().str();
    if (!first.empty())
      result.problem += (result.problem.empty() ? "" : ": ") + first;
  }
  if (result.problem.empty())
    result.problem = "exit status " + std::to_string(status);
  result.ended = timedOut ? Ended::TooLate : Ended::Badly;
  return result;
}

} // namespace quadrille::run
