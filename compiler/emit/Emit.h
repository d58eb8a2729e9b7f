//===- Emit.h - C++ from a schedule ------------------------------------------------------------------------------------*- C++ -*-===//
//
// Readable C++17 that calls only the runtime's interface. Three steps: names are settled (Names), a small C++ tree is
// built (IrToCpp*), and the tree is printed (CppPrinter).
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_EMIT_EMIT_H
#define QUADRILLE_EMIT_EMIT_H

#include "ir/Schedule.h"

#include <string>
#include <vector>

namespace quadrille::compiler {

class Sources;

namespace emit {

enum class Backend { Shm, Mpi };

/// "shm", "mpi": as in the options and in the names of the runtime's namespaces.
llvm::StringRef backendName(Backend backend);

struct EmitOptions {
  Backend backend = Backend::Shm;
  std::string nameSpace;           // around everything; empty: none
  std::vector<std::string> claims; // lines for the header comment: verdicts and cost
};

struct EmittedCode {
  std::string baseName; // of the files and of the function: "scan_hypercube"
  std::string startName; // of its nonblocking form
  std::string initName;  // of its persistent form
  std::string packetsName; // of the function that says which k a call with k = 0 takes; empty: there is no such k
  std::string header;   // declares both; to be written to baseName.h
  std::string source;   // baseName.cpp
  /// Names of the schedule that C++ or emitted code itself uses otherwise, and what the header calls them.
  std::vector<std::pair<std::string, std::string>> renamed;
};

/// `EmittedCode::baseName`, without emitting anything.
std::string emittedName(const ir::Schedule &schedule, const ir::Program &program, const Sources &sources);

/// Whether the emitted function takes the length n of a block: not if all blocks have lengths of their own.
bool takesLength(const ir::Schedule &schedule);

/// The schedule must have passed the checks: partners, lengths and indices are not looked at again.
EmittedCode emitSchedule(const ir::Schedule &schedule, const ir::Program &program, const Sources &sources,
                         const EmitOptions &options);

} // namespace emit
} // namespace quadrille::compiler

#endif // QUADRILLE_EMIT_EMIT_H
