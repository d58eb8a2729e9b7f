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
  std::string includeDir, libraryDir;              // of the runtime
  std::vector<std::string> compileFlags, linkFlags; // of the backend
  std::string launcher;                            // mpirun; empty for threads
  std::vector<std::string> launchFlags;            // of mpirun: what lets more ranks start than there are cores
};

/// What a program with emitted code is compiled and linked with.
struct ProgramFlags {
  std::vector<std::string> compile, link;
};

/// For a backend, with the runtime that `findToolchain` takes. Empty after an error, which has been reported.
std::optional<ProgramFlags> findProgramFlags(emit::Backend backend, llvm::StringRef executable, Diagnostics &diagnostics);

/// The toolchain for a backend: $CXX, the compiler that Quadrille was configured with, or c++; the runtime that was installed or
/// built with the executable, or that under $QUADRILLE_RUNTIME. Empty after an error, which has been reported.
std::optional<Toolchain> findToolchain(emit::Backend backend, llvm::StringRef executable, Diagnostics &diagnostics);

} // namespace run
} // namespace quadrille::compiler

#endif // QUADRILLE_RUN_TOOLCHAIN_H
