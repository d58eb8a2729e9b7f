//===- Toolchain.cpp - Finding the compiler and the runtime ------------------------------------------------------------------===//

#include "Toolchain.h"

#include "Installation.h"

#include "diagnostics/Diagnostics.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/StringSaver.h"
#include "llvm/Support/CommandLine.h"

#include <optional>

// The build says what it was configured with; these are for a build that does not.
#ifndef QUADRILLE_CXX
#define QUADRILLE_CXX "c++"
#endif
#ifndef QUADRILLE_SANITIZE_FLAGS
#define QUADRILLE_SANITIZE_FLAGS ""
#endif
#ifndef QUADRILLE_MPIRUN_FLAGS
#define QUADRILLE_MPIRUN_FLAGS ""
#endif
#ifndef QUADRILLE_MPI_COMPILE_FLAGS
#define QUADRILLE_MPI_COMPILE_FLAGS ""
#endif
#ifndef QUADRILLE_MPI_LINK_FLAGS
#define QUADRILLE_MPI_LINK_FLAGS "-lmpi"
#endif

namespace quadrille::compiler::run {

namespace path = llvm::sys::path;

#ifdef QUADRILLE_MPIRUN
static constexpr bool hasMpi = true;
#else
#define QUADRILLE_MPIRUN "mpirun"
static constexpr bool hasMpi = false;
#endif

/// Words as a shell would see them.
static std::vector<std::string> split(llvm::StringRef flags) {
  llvm::BumpPtrAllocator memory;
  llvm::StringSaver saver(memory);
  llvm::SmallVector<const char *, 16> words;
  llvm::cl::TokenizeGNUCommandLine(flags, saver, words);
  return {words.begin(), words.end()};
}

/// Flags as CMake's lists give them.
static std::vector<std::string> splitList(llvm::StringRef flags) {
  std::string spaced = flags.str();
  std::replace(spaced.begin(), spaced.end(), ';', ' ');
  return split(spaced);
}

static std::string inDirectory(llvm::StringRef directory, llvm::StringRef a, llvm::StringRef b = "") {
  llvm::SmallString<256> result(directory);
  path::append(result, a);
  if (!b.empty())
    path::append(result, b);
  return std::string(result);
}

static bool hasRuntime(const Toolchain &toolchain, llvm::StringRef backend) {
  return llvm::sys::fs::exists(inDirectory(toolchain.includeDir, "quadrille", (backend + ".h").str())) &&
         llvm::sys::fs::exists(inDirectory(toolchain.libraryDir, ("libquadrille_" + backend + ".a").str())) &&
         llvm::sys::fs::exists(inDirectory(toolchain.libraryDir, ("libquadrille_harness_" + backend + ".a").str()));
}

static bool findRuntime(Toolchain &toolchain, llvm::StringRef backend, llvm::StringRef executable, std::string &searched) {
  auto tryDirs = [&](std::string include, std::string library) {
    toolchain.includeDir = std::move(include);
    toolchain.libraryDir = std::move(library);
    if (hasRuntime(toolchain, backend))
      return true;
    searched += (searched.empty() ? "" : ", ") + toolchain.libraryDir;
    return false;
  };
  if (std::optional<std::string> given = llvm::sys::Process::GetEnv("QUADRILLE_RUNTIME"))
    return tryDirs(inDirectory(*given, "include"), inDirectory(*given, "lib"));
  for (const RuntimeFolders &folders : runtimeFolders(executable))
    if (tryDirs(folders.include, folders.library))
      return true;
  return false;
}

std::optional<Toolchain> findToolchain(emit::Backend backend, llvm::StringRef executable, Diagnostics &diagnostics) {
  if (backend == emit::Backend::Mpi && !hasMpi) {
    diagnostics.report({}, diag::BackendNotBuilt{});
    return std::nullopt;
  }
  Toolchain toolchain;
  toolchain.compiler = QUADRILLE_CXX;
  // An installation may have come to a machine whose compiler is elsewhere.
  if (!llvm::sys::fs::can_execute(toolchain.compiler))
    toolchain.compiler = "c++";
  if (std::optional<std::string> chosen = llvm::sys::Process::GetEnv("CXX"); chosen && !chosen->empty()) {
    // CXX may hold a wrapper and flags: `ccache g++ -m64`.
    std::vector<std::string> words = split(*chosen);
    toolchain.compiler = words.front();
    toolchain.compileFlags.assign(words.begin() + 1, words.end());
  }
  const std::string name = emit::backendName(backend).str();
  std::string searched;
  if (!findRuntime(toolchain, name, executable, searched)) {
    diagnostics.report({}, diag::RuntimeMissing{.backend = name, .where = searched});
    return std::nullopt;
  }
  for (const char *flag : {"-std=c++17", "-O2"})
    toolchain.compileFlags.push_back(flag);
  for (std::string &flag : split(QUADRILLE_SANITIZE_FLAGS))
    toolchain.compileFlags.push_back(std::move(flag));
  toolchain.linkFlags = {"-lquadrille_harness_" + name, "-lquadrille_" + name, "-lquadrille_runtime_common"};
  if (backend == emit::Backend::Mpi) {
    toolchain.compileFlags.push_back("-DOMPI_SKIP_MPICXX");
    toolchain.compileFlags.push_back("-DMPICH_SKIP_MPICXX");
    for (std::string &flag : splitList(QUADRILLE_MPI_COMPILE_FLAGS))
      toolchain.compileFlags.push_back(std::move(flag));
    for (std::string &flag : splitList(QUADRILLE_MPI_LINK_FLAGS))
      toolchain.linkFlags.push_back(std::move(flag));
    llvm::ErrorOr<std::string> launcher = llvm::sys::findProgramByName(QUADRILLE_MPIRUN);
    if (!launcher) {
      diagnostics.report({}, diag::LauncherMissing{.launcher = QUADRILLE_MPIRUN, .reason = launcher.getError().message()});
      return std::nullopt;
    }
    toolchain.launcher = *launcher;
    toolchain.launchFlags = split(QUADRILLE_MPIRUN_FLAGS);
  }
  toolchain.linkFlags.push_back("-pthread");
  llvm::ErrorOr<std::string> compiler = llvm::sys::findProgramByName(toolchain.compiler);
  if (!compiler) {
    diagnostics.report({}, diag::CompilerMissing{.compiler = toolchain.compiler, .reason = compiler.getError().message()});
    return std::nullopt;
  }
  toolchain.compiler = *compiler;
  return toolchain;
}

} // namespace quadrille::compiler::run
