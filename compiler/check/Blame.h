//===- Blame.h - Where and when a failure happened ----------------------------------------------------------*- C++ -*-===//
//
// The engines report what is wrong and at which line. These functions add what the line alone does not tell.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_CHECK_BLAME_H
#define QUADRILLE_CHECK_BLAME_H

#include "diagnostics/Diagnostics.h"
#include "ir/Schedule.h"

namespace quadrille::compiler {

/// Whether the diagnostic or one of its notes names a round.
bool namesRound(const Diagnostic &diagnostic);

/// If the blamed place is in a schedule that `schedule` uses, adds a note for each `use` on the way.
void noteUses(const ir::Schedule &schedule, Diagnostic &diagnostic);

} // namespace quadrille::compiler

#endif // QUADRILLE_CHECK_BLAME_H
