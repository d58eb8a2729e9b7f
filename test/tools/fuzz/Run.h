//===- Run.h - Compiles and runs programs -------------------------------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_TEST_FUZZ_RUN_H
#define QUADRILLE_TEST_FUZZ_RUN_H

#include "Oracle.h"

#include "emit/Emit.h"

namespace quadrille::compiler::fuzz {

/// A program, and the verdict of the checks.
struct Runnable {
  std::string text;
  std::string code; // code of the error; empty: it is accepted
};

struct RunOptions {
  emit::Backend backend = emit::Backend::Shm;
  std::string executable; // beside it are the files of the runtime
  std::string scratch;    // a folder for texts and programs
};

/// Compiles the last schedule of each text into one program, which must not give warnings, and runs it: with several p, all roots,
/// some parameters, lengths 0, 1 and not divisible; also in place and, if all are accepted, with several calls in flight. Sends
/// one message for each text, in order:
///   ran      "ok", or what disagrees with the verdict, a line feed, and details
void compileAndRun(Compiler &compiler, const std::vector<Runnable> &programs, const RunOptions &options, const Teller &teller);

/// Whether a schedule refused with this code must fail when it is run.
bool showsWhenRun(llvm::StringRef code);

} // namespace quadrille::compiler::fuzz

#endif // QUADRILLE_TEST_FUZZ_RUN_H
