//===- CollectiveSema.h - Analysis of a collective --------------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_SEMA_COLLECTIVESEMA_H
#define QUADRILLE_SEMA_COLLECTIVESEMA_H

#include "Sema.h"

namespace quadrille::compiler::sema {

/// Analyzes the declaration of a collective. Null after an error, which is reported.
std::unique_ptr<ir::Collective> analyzeCollective(const ast::Collective &text, const FileScope &scope,
                                                  ir::Program &program, Diagnostics &diagnostics);

} // namespace quadrille::compiler::sema

#endif // QUADRILLE_SEMA_COLLECTIVESEMA_H
