//===- Look.h - The diagnostics of a document ------------------------------------------------------------------------------*- C++ -*-===//
//
// Sends the diagnostics of the whole pipeline as soon as they are known: of the analysis, of the checks of each schedule, of proofs.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_LSP_LOOK_H
#define QUADRILLE_LSP_LOOK_H

#include "Analysis.h"
#include "Tasks.h"

namespace quadrille::compiler::lsp {

// Messages from a look to the server: the files that it has read, the diagnostics so far, and what it does next.
inline constexpr llvm::StringLiteral lookRead = "look/read", lookFound = "look/found", lookProgress = "look/progress";

/// Analyzes, checks and proves a document, and sends what it finds.
void look(const World &world, const Document &document, const Send &send);

/// A diagnostic as the protocol has it; `data` has its mends.
llvm::json::Object diagnosticOf(const Diagnostic &diagnostic, const Analysis &analysis);

} // namespace quadrille::compiler::lsp

#endif // QUADRILLE_LSP_LOOK_H
