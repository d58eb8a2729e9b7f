//===- OutputFile.h - Writing what a command has made -----------------------------------------------------*- C++ -*-===//
//
// One way to write a file, so that every failure (no such folder, no right to write, a full disk) is noticed and told.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_DIAGNOSTICS_OUTPUTFILE_H
#define QUADRILLE_DIAGNOSTICS_OUTPUTFILE_H

#include "Diagnostics.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <system_error>

namespace quadrille::compiler {

using OutputWriter = llvm::function_ref<void(llvm::raw_ostream &)>;

/// Writes the file, and makes the folder that it lies in. What fails at any point is the result.
std::error_code writeFile(llvm::StringRef path, OutputWriter writeTo);

/// The same; a failure is reported as Q0009. \returns whether the file was written.
bool writeFile(llvm::StringRef path, OutputWriter writeTo, Diagnostics &diagnostics);

/// What `-o PATH` asks for: the file, or standard output if the path is empty or `-`.
bool writeOutput(llvm::StringRef path, OutputWriter writeTo, Diagnostics &diagnostics);

} // namespace quadrille::compiler

#endif // QUADRILLE_DIAGNOSTICS_OUTPUTFILE_H
