//===- Sarif.h - Diagnostics as a SARIF log ---------------------------------------------------------------------*- C++ -*-===//
//
// The Static Analysis Results Interchange Format, version 2.1.0 (OASIS), as code scanning services read it.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_DIAGNOSTICS_SARIF_H
#define QUADRILLE_DIAGNOSTICS_SARIF_H

#include "Diagnostics.h"

namespace quadrille::compiler {

/// Prints all reported diagnostics. `documentation`: the folder with the pages of diagnostics, the help texts of the rules.
void printSarif(const Diagnostics &diagnostics, const Sources &sources, const std::string &documentation, llvm::raw_ostream &out);

} // namespace quadrille::compiler

#endif // QUADRILLE_DIAGNOSTICS_SARIF_H
