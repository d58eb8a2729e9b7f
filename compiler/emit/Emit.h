//===- Emit.h - C++ from a schedule ------------------------------------------------------------------------------------*- C++ -*-===//
//
// Emits readable C++17 that calls only the runtime's interface. Three steps: choose free names (Names), build a small C++ tree
// (IrToCpp*), and print it (CppPrinter).
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

/// "shm" or "mpi", as in the options and in the names of the runtime's namespaces.
llvm::StringRef backendName(Backend backend);

struct EmitOptions {
  Backend backend = Backend::Shm;
  std::string nameSpace;           // around everything; empty: none
  std::vector<std::string> claims; // lines for the header comment: verdicts and cost
  /// For a library that chooses among schedules: only the blocking form, and a function that tells which calls the schedule admits.
  bool asCandidate = false;
  /// For programs that have whole tables of lengths although ranks need to know some entries only: also emits a function that takes the
  /// whole tables and passes on what the rank knows.
  bool takesWholeTables = false;
};

struct EmittedCode {
  std::string baseName; // of the files and of the function: "scan_hypercube"
  std::string startName; // of the function's nonblocking form; empty for a candidate
  std::string initName;  // of the function's persistent form; empty for a candidate
  std::string admitsName; // of the function that tells whether p and the numbers are admitted; empty unless it is a candidate
  /// Of the function for callers that know all lengths, where ranks tell each other lengths otherwise; else empty.
  std::string toldName;
  std::string wholeTablesName; // of the function for whole tables (see EmitOptions); empty if there is none
  std::string packetsName; // of the function that returns the k that a call with k = 0 takes; empty if k cannot be 0
  std::string header;   // declares all these functions; to be written to baseName.h
  std::string source;   // to be written to baseName.cpp
  /// Names of the schedule that are taken in C++ or in emitted code, each with the name that the header has instead.
  std::vector<std::pair<std::string, std::string>> renamed;
};

/// The name that `emitSchedule` gives its files (EmittedCode::baseName), without emitting anything.
std::string emittedName(const ir::Schedule &schedule, const ir::Program &program, const Sources &sources);

/// Whether the emitted function has the parameter n, the length of a block. It has not if all blocks have lengths of their own.
bool takesLength(const ir::Schedule &schedule);

/// Emits one schedule. The schedule must have passed the checks: partners, lengths and indices are not checked again.
EmittedCode emitSchedule(const ir::Schedule &schedule, const ir::Program &program, const Sources &sources,
                         const EmitOptions &options);

} // namespace emit
} // namespace quadrille::compiler

#endif // QUADRILLE_EMIT_EMIT_H
