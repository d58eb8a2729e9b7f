//===- ProcessGroup.h - A program and all that it starts -----------------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_RUN_PROCESSGROUP_H
#define QUADRILLE_RUN_PROCESSGROUP_H

#include "diagnostics/Facts.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>

namespace quadrille::compiler::run {

/// Runs a program in a process group of its own, and waits for it. The terminal's interruption reaches this process only, which passes it on
/// to the whole group. The standard input is empty; the output goes to the file `log`, or where this process writes if `log` is empty.
/// \returns the exit status, or 128 + the number of the signal that ended the program; nothing, and sets `problem`, if it was not started.
std::optional<int> runInGroup(llvm::ArrayRef<std::string> words, llvm::StringRef log, std::optional<diag::Failure> &problem);

} // namespace quadrille::compiler::run

#endif // QUADRILLE_RUN_PROCESSGROUP_H
