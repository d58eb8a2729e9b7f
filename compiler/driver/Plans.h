//===- Plans.h - quadrille emit --explain and draw --plan -----------------------------------------------------------*- C++ -*-===//
//
// A plan is the list of operations that the runtime records when a rank executes the emitted code. To get it, the emitted code is
// compiled as for `quadrille run`, and ranks record their operations without carrying them out.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_DRIVER_PLANS_H
#define QUADRILLE_DRIVER_PLANS_H

#include "Commands.h"

namespace quadrille::compiler {

// Both functions return the exit status.

/// Prints the plans of the ranks in the options, with the operations that were overlapped, joined and removed.
int explainPlans(Session &session);

/// Draws these plans.
int drawPlans(Session &session);

} // namespace quadrille::compiler

#endif // QUADRILLE_DRIVER_PLANS_H
