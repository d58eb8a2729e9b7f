//===- Toolchain.h - What it takes to compile and start emitted code -------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_RUN_TOOLCHAIN_H
#define QUADRILLE_RUN_TOOLCHAIN_H

#include "emit/Emit.h"

#include <optional>
#include <string>
#include <vector>

namespace quadrille::compiler {

class Diagnostics;

namespace run {

/// The command that starts an MPI program. The number of ranks is its last word, and the program follows.
struct Launcher {
  std::vector<std::string> words; // the first is a path. If one contains "{p}", the number of ranks stands there, and not at the end
  bool isChosen = false;          // the user has chosen it, so it may start ranks on several machines

  std::vector<std::string> wordsFor(std::int64_t p) const;
};

struct Toolchain {
  std::string compiler;                            // a path, or a name to be found in PATH
  std::string includeDir, libraryDir;              // directories of the runtime
  std::vector<std::string> compileFlags, linkFlags; // for the backend
  Launcher launcher;                               // without words if ranks are threads
};

/// The flags with which a program with emitted code is compiled and linked.
struct ProgramFlags {
  std::vector<std::string> compile, link;
};

/// The flags for a backend, with the runtime that `findToolchain` takes. Nothing after an error, which has been reported.
std::optional<ProgramFlags> findProgramFlags(emit::Backend backend, llvm::StringRef executable, Diagnostics &diagnostics);

/// The quotation mark that a command begins and does not end; 0: none.
char unclosedQuotation(llvm::StringRef command);

/// Finds the command that starts MPI programs: the words of `chosen` or, if that is empty, of $MPIEXEC, or else the launcher that Quadrille was
/// configured with. Nothing after an error, which has been reported.
std::optional<Launcher> findLauncher(llvm::StringRef chosen, Diagnostics &diagnostics);

/// The C++ compiler, and the flags that follow its name in $CXX. It need not exist.
std::vector<std::string> compilerWords();

/// The MPI library that Quadrille was built with, such as "Open MPI"; empty: none.
llvm::StringRef mpiFlavour();

/// Finds the toolchain for a backend: the compiler is $CXX, the one that Quadrille was configured with, or c++; the runtime is under
/// $QUADRILLE_RUNTIME if that is set, else where it was installed or built with the executable; `launcher` as of findLauncher. Nothing after
/// an error, which has been reported.
std::optional<Toolchain> findToolchain(emit::Backend backend, llvm::StringRef executable, llvm::StringRef launcher, Diagnostics &diagnostics);

} // namespace run
} // namespace quadrille::compiler

#endif // QUADRILLE_RUN_TOOLCHAIN_H
