//===- InputFile.h - Files that cannot be read -------------------------------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_DIAGNOSTICS_INPUTFILE_H
#define QUADRILLE_DIAGNOSTICS_INPUTFILE_H

#include "Diagnostics.h"

#include "source/Sources.h"

namespace quadrille::compiler {

/// Says why a file could not be loaded, if it could not.
void reportUnreadable(const Sources::Loaded &loaded, llvm::StringRef file, Diagnostics &diagnostics);

/// Reads a file that is no schedule, but measurements or what was made of them. Nothing after an error, which has been reported.
std::optional<std::string> readMeasured(llvm::StringRef file, Diagnostics &diagnostics);

} // namespace quadrille::compiler

#endif // QUADRILLE_DIAGNOSTICS_INPUTFILE_H
