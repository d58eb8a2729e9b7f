//===- Json.h - Diagnostics as JSON --------------------------------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_DIAGNOSTICS_JSON_H
#define QUADRILLE_DIAGNOSTICS_JSON_H

#include "Diagnostics.h"

#include "llvm/Support/JSON.h"

namespace quadrille::compiler {

/// Adds a member `facts` to the object that is being written.
void writeFacts(llvm::json::OStream &json, const diag::Facts &facts);

/// Adds the members `file`, `line`, `column`, `endLine` and `endColumn`; only `file` for a whole file; none if there is no place.
void writePlace(llvm::json::OStream &json, const Sources &sources, llvm::SMRange range, llvm::StringRef file);

/// Writes a diagnostic as an object.
void writeDiagnostic(llvm::json::OStream &json, const Diagnostic &diagnostic, diag::Severity severity, const Sources &sources);

/// Prints all reported diagnostics as one document.
void printJson(const Diagnostics &diagnostics, const Sources &sources, llvm::raw_ostream &out);

} // namespace quadrille::compiler

#endif // QUADRILLE_DIAGNOSTICS_JSON_H
