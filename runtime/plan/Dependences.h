//===- Dependences.h - Which operations have to wait for which ------------===//
//
// Private to the runtime.
//
//===----------------------------------------------------------------------===//

#ifndef QUADRILLE_PLAN_DEPENDENCES_H
#define QUADRILLE_PLAN_DEPENDENCES_H

#include "Plan.h"

namespace quadrille {
namespace detail {

/// Whether one writes what the other reads or writes.
bool conflict(const Plan &plan, const Operation &earlier, const Operation &later);

/// Tells every operation of the plan which others have to be done first.
/// `stepByStep`: all of earlier steps.
void findDependences(Plan &plan, bool stepByStep);

} // namespace detail
} // namespace quadrille

#endif // QUADRILLE_PLAN_DEPENDENCES_H
