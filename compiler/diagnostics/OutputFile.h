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

/// Creates the folder of the file, if necessary, and writes the file. The output goes to a file beside it, which takes its place
/// when it is complete: what ends in between, a full disk or an interrupt, leaves the old file as it was. Returns the first error.
std::error_code writeFile(llvm::StringRef path, OutputWriter writeTo);

/// The same; a failure is reported as Q0009. \returns whether the file was written.
bool writeFile(llvm::StringRef path, OutputWriter writeTo, Diagnostics &diagnostics);

/// The same, but a file that holds this text already is left alone, so that what is made of it need not be made again.
bool writeIfChanged(llvm::StringRef path, llvm::StringRef text, Diagnostics &diagnostics);

/// Creates the folder and those above it, if necessary; a failure is reported as Q0009. For what is found out at length before it
/// is written. \returns whether the folder is there.
bool makeFolder(llvm::StringRef path, Diagnostics &diagnostics);

/// Writes the output for `-o PATH`: to the file, or to standard output if the path is empty or `-`. Otherwise as `writeFile`.
bool writeOutput(llvm::StringRef path, OutputWriter writeTo, Diagnostics &diagnostics);

} // namespace quadrille::compiler

#endif // QUADRILLE_DIAGNOSTICS_OUTPUTFILE_H
