//===- Server.h - A language server -------------------------------------------------------------------------------------------*- C++ -*-===//
//
// Speaks the Language Server Protocol 3.17 on standard input and output. The server itself keeps texts and diagnostics and passes on
// messages; all that takes time is done by Tasks.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_LSP_SERVER_H
#define QUADRILLE_LSP_SERVER_H

#include "Analysis.h"

namespace quadrille::compiler::lsp {

/// Serves one editor until it sends `exit` or closes its pipe. \returns the exit status: 0 if it has sent `shutdown` before, else 1.
int serve(const Settings &settings);

} // namespace quadrille::compiler::lsp

#endif // QUADRILLE_LSP_SERVER_H
