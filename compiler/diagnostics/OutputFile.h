//===- OutputFile.h - Writing the output of commands -----------------------------------------------------*- C++ -*-===//
//
// All files are written by these functions, which detect every failure: no folder, no permission, a full disk.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_DIAGNOSTICS_OUTPUTFILE_H
#define QUADRILLE_DIAGNOSTICS_OUTPUTFILE_H

#include "Diagnostics.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <system_error>

namespace quadrille::compiler {

using OutputWriter = llvm::function_ref<void(llvm::raw_ostream &)>;

/// Creates the folder of the file, if necessary, and writes the file. The output goes to another file, which replaces this one when it is
/// complete: after a full disk or an interrupt the old file is unchanged. Returns the first error.
std::error_code writeFile(llvm::StringRef path, OutputWriter writeTo);

/// The same; a failure is reported as Q0009. \returns whether the file was written.
bool writeFile(llvm::StringRef path, OutputWriter writeTo, Diagnostics &diagnostics);

/// The same, but does not touch a file that has this text already, so that build tools do not rebuild what depends on it.
bool writeIfChanged(llvm::StringRef path, llvm::StringRef text, Diagnostics &diagnostics);

/// Creates the folder and those above it, if necessary; a failure is reported as Q0009. Call it before long computations whose results are
/// written to the folder. \returns whether the folder is there.
bool makeFolder(llvm::StringRef path, Diagnostics &diagnostics);

/// Whether `writeOutput` could write there, as far as rights tell; if not, that is reported as Q0009. Changes nothing. Call it before long
/// computations.
bool isWritable(llvm::StringRef path, Diagnostics &diagnostics);

/// Writes the output for `-o PATH`: to the file, or to standard output if the path is empty or `-`. Otherwise as `writeFile`.
bool writeOutput(llvm::StringRef path, OutputWriter writeTo, Diagnostics &diagnostics);

} // namespace quadrille::compiler

#endif // QUADRILLE_DIAGNOSTICS_OUTPUTFILE_H
