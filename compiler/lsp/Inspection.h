//===- Inspection.h - The diagnostics of a document ------------------------------------------------------------------------------*- C++ -*-===//
//
// Sends the diagnostics of the whole pipeline as soon as they are known: of the analysis, of the checks of each schedule, of proofs.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_LSP_INSPECTION_H
#define QUADRILLE_LSP_INSPECTION_H

#include "Analysis.h"
#include "Tasks.h"

namespace quadrille::compiler::lsp {

// Messages from an inspection to the server: the files that it has read, the diagnostics so far, and what it does next.
inline constexpr llvm::StringLiteral inspectionRead = "inspection/read", inspectionFound = "inspection/found", inspectionProgress = "inspection/progress";

/// Analyzes, checks and proves a document, and sends what it finds.
void inspect(const World &world, const Document &document, const Send &send);

/// A diagnostic as the protocol has it; `data` has its mends.
llvm::json::Object diagnosticOf(const Diagnostic &diagnostic, const Analysis &analysis);

} // namespace quadrille::compiler::lsp

#endif // QUADRILLE_LSP_INSPECTION_H
