//===- RefuteClauses.h - Cost clauses that contradict what is proved ----------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_CLOSEDFORM_REFUTECLAUSES_H
#define QUADRILLE_CLOSEDFORM_REFUTECLAUSES_H

#include "ClosedForms.h"

namespace quadrille::compiler {

/// Looks beyond the small cases, up to p = 1024 and by the formulas alone, for the first case in which the formulas of the
/// `cost` or `rounds` clause contradict the exact cost that is proved, and runs it: throws the Finding that the checks have
/// about the clause there. Does nothing where the cost is not proved, the clause is, or the case is beyond the limits.
void refuteClauses(const ir::Schedule &schedule, const ClosedForms &forms, const Limits &limits);

} // namespace quadrille::compiler

#endif // QUADRILLE_CLOSEDFORM_REFUTECLAUSES_H
