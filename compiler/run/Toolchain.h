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

struct Toolchain {
  std::string compiler;                            // a path, or a name to be found in PATH
  std::string includeDir, libraryDir;              // directories of the runtime
  std::vector<std::string> compileFlags, linkFlags; // for the backend
  std::string launcher;                            // mpirun; empty if ranks are threads
  std::vector<std::string> launchFlags;            // of mpirun: they let more ranks start than there are cores
};

/// The flags with which a program with emitted code is compiled and linked.
struct ProgramFlags {
  std::vector<std::string> compile, link;
};

/// The flags for a backend, with the runtime that `findToolchain` takes. Nothing after an error, which has been reported.
std::optional<ProgramFlags> findProgramFlags(emit::Backend backend, llvm::StringRef executable, Diagnostics &diagnostics);

/// Finds the toolchain for a backend: the compiler is $CXX, the one that Quadrille was configured with, or c++; the runtime is under
/// $QUADRILLE_RUNTIME if that is set, else where it was installed or built with the executable. Nothing after an error, which has been
/// reported.
std::optional<Toolchain> findToolchain(emit::Backend backend, llvm::StringRef executable, Diagnostics &diagnostics);

} // namespace run
} // namespace quadrille::compiler

#endif // QUADRILLE_RUN_TOOLCHAIN_H
