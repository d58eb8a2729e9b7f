//===- Toolchain.cpp - Finding the compiler and the runtime ------------------------------------------------------------------===//

#include "Toolchain.h"

#include "Installation.h"

#include "diagnostics/Diagnostics.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/StringSaver.h"
#include "llvm/Support/CommandLine.h"

#include <algorithm>
#include <optional>

// Defaults for a build that does not define these.
#ifndef QUADRILLE_CXX
#define QUADRILLE_CXX "c++"
#endif
#ifndef QUADRILLE_SANITIZE_FLAGS
#define QUADRILLE_SANITIZE_FLAGS ""
#endif
#ifndef QUADRILLE_MPIRUN_FLAGS
#define QUADRILLE_MPIRUN_FLAGS ""
#endif
#ifndef QUADRILLE_MPI_FLAVOUR
#define QUADRILLE_MPI_FLAVOUR ""
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

/// Splits flags into words as a shell does.
static std::vector<std::string> split(llvm::StringRef flags) {
  llvm::BumpPtrAllocator memory;
  llvm::StringSaver saver(memory);
  llvm::SmallVector<const char *, 16> words;
  llvm::cl::TokenizeGNUCommandLine(flags, saver, words);
  return {words.begin(), words.end()};
}

char unclosedQuotation(llvm::StringRef command) {
  char open = 0;
  for (size_t i = 0; i < command.size(); ++i) {
    const char c = command[i];
    if (c == '\\')
      ++i; // what follows means itself, as in `split`
    else if (open ? c == open : c == '\'' || c == '"')
      open = open ? 0 : c;
  }
  return open;
}

static diag::Failure unclosed(llvm::StringRef command) { return diag::FailureOpenQuotation{.mark = std::string(1, unclosedQuotation(command))}; }

/// Splits flags in a CMake list, which are separated by semicolons.
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

static bool hasRuntime(const RuntimeFolders &folders, llvm::StringRef backend) {
  return llvm::sys::fs::exists(inDirectory(folders.include, "quadrille", (backend + ".h").str())) &&
         llvm::sys::fs::exists(inDirectory(folders.library, ("libquadrille_" + backend + ".a").str())) &&
         llvm::sys::fs::exists(inDirectory(folders.library, ("libquadrille_harness_" + backend + ".a").str()));
}

/// Whether the runtime was built with MPICH; else with Open MPI, or with one that is unknown.
static bool isMpich() { return llvm::StringRef(QUADRILLE_MPI_FLAVOUR) == "MPICH"; }

/// Whether MPI's header is where it was when the runtime was built; reports if it is not. The compiler is a package that does without MPI.
static bool hasMpiHeader(Diagnostics &diagnostics) {
  std::vector<std::string> folders;
  for (llvm::StringRef flag : splitList(QUADRILLE_MPI_COMPILE_FLAGS))
    if (flag.consume_front("-I"))
      folders.push_back(flag.str());
  // A compiler that the user has chosen may know a folder of its own, as mpicxx does.
  if (!llvm::sys::Process::GetEnv("CXX").value_or("").empty())
    return true;
  if (folders.empty() || llvm::any_of(folders, [](const std::string &folder) { return llvm::sys::fs::exists(inDirectory(folder, "mpi.h")); }))
    return true;
  diagnostics.report({}, diag::ToolMissing{.tool = "mpi.h", .where = diag::SearchedFolders{.folders = folders}, .package = isMpich() ? "libmpich-dev" : "libopenmpi-dev"});
  return false;
}

/// Finds the runtime; nothing after an error, which has been reported.
static std::optional<RuntimeFolders> findRuntime(emit::Backend backend, llvm::StringRef executable, Diagnostics &diagnostics) {
  if (backend == emit::Backend::Mpi && !hasMpi) {
    diagnostics.report({}, diag::BackendNotBuilt{});
    return std::nullopt;
  }
  std::vector<RuntimeFolders> candidates;
  if (std::optional<std::string> given = llvm::sys::Process::GetEnv("QUADRILLE_RUNTIME"); given && !given->empty())
    candidates.push_back({inDirectory(*given, "include"), inDirectory(*given, "lib")});
  else
    candidates = runtimeFolders(executable);
  const std::string name = emit::backendName(backend).str();
  std::vector<std::string> searched;
  for (const RuntimeFolders &folders : candidates) {
    if (hasRuntime(folders, name))
      return backend == emit::Backend::Mpi && !hasMpiHeader(diagnostics) ? std::nullopt : std::optional(folders);
    searched.push_back(folders.library);
  }
  diagnostics.report({}, diag::RuntimeMissing{.backend = name, .where = searched});
  return std::nullopt;
}

/// The flags of the backend that do not depend on where the runtime is.
static ProgramFlags flagsOf(emit::Backend backend) {
  ProgramFlags flags;
  flags.compile = split(QUADRILLE_SANITIZE_FLAGS);
  flags.link = {"-lquadrille_" + emit::backendName(backend).str(), "-lquadrille_runtime_common"};
  if (backend == emit::Backend::Mpi) {
    for (const char *flag : {"-DOMPI_SKIP_MPICXX", "-DMPICH_SKIP_MPICXX"})
      flags.compile.push_back(flag);
    for (std::string &flag : splitList(QUADRILLE_MPI_COMPILE_FLAGS))
      flags.compile.push_back(std::move(flag));
    for (std::string &flag : splitList(QUADRILLE_MPI_LINK_FLAGS))
      flags.link.push_back(std::move(flag));
  }
  flags.link.push_back("-pthread");
  return flags;
}

std::optional<ProgramFlags> findProgramFlags(emit::Backend backend, llvm::StringRef executable, Diagnostics &diagnostics) {
  const std::optional<RuntimeFolders> folders = findRuntime(backend, executable, diagnostics);
  if (!folders)
    return std::nullopt;
  ProgramFlags flags = flagsOf(backend);
  flags.compile.insert(flags.compile.begin(), "-I" + folders->include);
  std::vector<std::string> linkFlags = split(QUADRILLE_SANITIZE_FLAGS);
  linkFlags.push_back("-L" + folders->library);
  flags.link.insert(flags.link.begin(), linkFlags.begin(), linkFlags.end());
  return flags;
}

llvm::StringRef mpiFlavour() { return QUADRILLE_MPI_FLAVOUR; }

std::vector<std::string> Launcher::wordsFor(std::int64_t p) const {
  const std::string ranks = std::to_string(p);
  constexpr llvm::StringLiteral place = "{p}";
  std::vector<std::string> result;
  bool isPlaced = false;
  for (std::string word : words) {
    for (size_t at = 0; (at = word.find(place, at)) != std::string::npos; at += ranks.size()) {
      word.replace(at, place.size(), ranks);
      isPlaced = true;
    }
    result.push_back(std::move(word));
  }
  if (!isPlaced)
    result.insert(result.end(), {"-n", ranks}); // which mpirun, mpiexec and srun all understand
  return result;
}

std::optional<Launcher> findLauncher(llvm::StringRef chosen, Diagnostics &diagnostics) {
  Launcher result;
  const std::string fromEnvironment = llvm::sys::Process::GetEnv("MPIEXEC").value_or("");
  result.words = split(chosen.trim().empty() ? fromEnvironment : chosen);
  result.isChosen = !result.words.empty();
  if (const llvm::StringRef given = chosen.trim().empty() ? llvm::StringRef(fromEnvironment) : chosen; unclosedQuotation(given)) {
    diagnostics.report({}, diag::LauncherMissing{.launcher = given.str(), .reason = unclosed(given)});
    return std::nullopt;
  }
  if (!result.isChosen) {
    result.words = split(QUADRILLE_MPIRUN_FLAGS);
    result.words.insert(result.words.begin(), QUADRILLE_MPIRUN);
  }
  llvm::ErrorOr<std::string> program = llvm::sys::findProgramByName(result.words.front());
  // findProgramByName returns a name with a slash in it even if there is no such file.
  const std::error_code failure = program ? llvm::sys::fs::access(*program, llvm::sys::fs::AccessMode::Execute) : program.getError();
  if (failure && !result.isChosen) {
    diagnostics.report({}, diag::ToolMissing{.tool = result.words.front(), .where = diag::SearchedMachine{}, .package = isMpich() ? "mpich" : "openmpi-bin"});
    return std::nullopt;
  }
  if (failure) {
    diagnostics.report({}, diag::LauncherMissing{.launcher = result.words.front(), .reason = diag::FailureSaid{.said = failure.message()}});
    return std::nullopt;
  }
  result.words.front() = *program;
  return result;
}

std::vector<std::string> compilerWords() {
  // CXX may hold a wrapper and flags: `ccache g++ -m64`.
  if (std::optional<std::string> chosen = llvm::sys::Process::GetEnv("CXX"))
    if (std::vector<std::string> words = split(*chosen); !words.empty())
      return words;
  // The installation may have been moved to a machine that has its compiler elsewhere.
  return {llvm::sys::fs::can_execute(QUADRILLE_CXX) ? QUADRILLE_CXX : "c++"};
}

std::optional<Toolchain> findToolchain(emit::Backend backend, llvm::StringRef executable, llvm::StringRef launcher, Diagnostics &diagnostics) {
  const std::optional<RuntimeFolders> folders = findRuntime(backend, executable, diagnostics);
  if (!folders)
    return std::nullopt;
  if (const std::string chosen = llvm::sys::Process::GetEnv("CXX").value_or(""); unclosedQuotation(chosen)) {
    diagnostics.report({}, diag::CompilerMissing{.compiler = chosen, .reason = unclosed(chosen)});
    return std::nullopt;
  }
  Toolchain toolchain;
  toolchain.includeDir = folders->include;
  toolchain.libraryDir = folders->library;
  const std::vector<std::string> words = compilerWords();
  toolchain.compiler = words.front();
  // A wrapper's compiler comes before all flags, and flags of the user come last, so that they prevail.
  const auto ownFlags = std::find_if(words.begin() + 1, words.end(), [](llvm::StringRef word) { return word.starts_with("-"); });
  toolchain.compileFlags.assign(words.begin() + 1, ownFlags);
  llvm::append_range(toolchain.compileFlags, llvm::ArrayRef{"-std=c++17", "-O2"});
#ifdef NDEBUG
  // Emitted code is timed as users compile it. Only a build with assertions runs it with assertions, too.
  toolchain.compileFlags.push_back("-DNDEBUG");
#endif
  ProgramFlags flags = flagsOf(backend);
  llvm::append_range(toolchain.compileFlags, flags.compile);
  toolchain.compileFlags.insert(toolchain.compileFlags.end(), ownFlags, words.end());
  toolchain.linkFlags = {"-lquadrille_harness_" + emit::backendName(backend).str()};
  llvm::append_range(toolchain.linkFlags, flags.link);
  if (backend == emit::Backend::Mpi) {
    std::optional<Launcher> found = findLauncher(launcher, diagnostics);
    if (!found)
      return std::nullopt;
    toolchain.launcher = std::move(*found);
  }
  llvm::ErrorOr<std::string> compiler = llvm::sys::findProgramByName(toolchain.compiler);
  if (!compiler) {
    diagnostics.report({}, diag::CompilerMissing{.compiler = toolchain.compiler, .reason = diag::FailureSaid{.said = compiler.getError().message()}});
    return std::nullopt;
  }
  toolchain.compiler = *compiler;
  return toolchain;
}

} // namespace quadrille::compiler::run
