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
};

/// Finds the toolchain for a backend: the compiler is $CXX or the one that Quadrille was configured with; the runtime is under
/// $QUADRILLE_RUNTIME if that is set, else where Quadrille was built, else beside the executable (an installation). Nothing after
/// an error, which has been reported.
std::optional<Toolchain> findToolchain(emit::Backend backend, llvm::StringRef executable, Diagnostics &diagnostics);

} // namespace run
} // namespace quadrille::compiler

#endif // QUADRILLE_RUN_TOOLCHAIN_H
