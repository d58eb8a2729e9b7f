//===- Run.h - Programs compiled and run -------------------------------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_TEST_FUZZ_RUN_H
#define QUADRILLE_TEST_FUZZ_RUN_H

#include "Oracle.h"

#include "emit/Emit.h"

namespace quadrille::compiler::fuzz {

/// A program about which the checks have said something.
struct Runnable {
  std::string text;
  std::string code; // of the refusal; empty: it is accepted
};

struct RunOptions {
  emit::Backend backend = emit::Backend::Shm;
  std::string executable; // beside which the runtime is
  std::string scratch;    // a folder of its own for texts and programs
};

/// Compiles the last schedules of all texts into one program, without a warning, and runs it: with several numbers of ranks, all
/// roots, some parameters, and lengths of 0, 1 and not divisible; also in place and, if all are accepted, several calls at once.
/// Tells, for each text in its order,
///   ran      "ok", or what disagrees with the verdict, a line feed, and how
void compileAndRun(Compiler &compiler, const std::vector<Runnable> &programs, const RunOptions &options, const Teller &teller);

/// Whether what is refused with this code is seen to go wrong when it runs all the same.
bool showsWhenRun(llvm::StringRef code);

} // namespace quadrille::compiler::fuzz

#endif // QUADRILLE_TEST_FUZZ_RUN_H
