//===- Plans.h - quadrille emit --explain and draw --plan -----------------------------------------------------------*- C++ -*-===//
//
// A plan is what the runtime makes of the emitted code for a rank. Only the emitted code itself tells; so it is compiled, by the cached
// toolchain of `quadrille run`, and lets a rank record what it would do. Nothing is run.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_DRIVER_PLANS_H
#define QUADRILLE_DRIVER_PLANS_H

#include "Commands.h"

namespace quadrille::compiler {

// Both return the exit status.

/// Prints the plans of the ranks that the options name, with what was overlapped, joined and removed.
int explainPlans(Session &session);

/// Draws them.
int drawPlans(Session &session);

} // namespace quadrille::compiler

#endif // QUADRILLE_DRIVER_PLANS_H
