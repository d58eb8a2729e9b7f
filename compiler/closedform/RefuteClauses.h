//===- RefuteClauses.h - Cost clauses that contradict what is proved ----------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_CLOSEDFORM_REFUTECLAUSES_H
#define QUADRILLE_CLOSEDFORM_REFUTECLAUSES_H

#include "ClosedForms.h"

namespace quadrille::compiler {

/// If the exact cost is proved, but a `cost` or `rounds` clause is not: compares both formulas for p up to 1024, beyond the small
/// cases. Runs the first case in which they differ, and throws the Finding of the checks about the clause. Does nothing if no
/// case differs, or the case exceeds the limits.
void refuteClauses(const ir::Schedule &schedule, const ClosedForms &forms, const Limits &limits);

} // namespace quadrille::compiler

#endif // QUADRILLE_CLOSEDFORM_REFUTECLAUSES_H
