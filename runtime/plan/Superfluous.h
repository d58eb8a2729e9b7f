//===- Superfluous.h - Copies that only change a name ---------------------===//
//
// Private to the runtime.
//
//===----------------------------------------------------------------------===//

#ifndef QUADRILLE_PLAN_SUPERFLUOUS_H
#define QUADRILLE_PLAN_SUPERFLUOUS_H

#include "Plan.h"

namespace quadrille {
namespace detail {

/// Removes from a plan, whose dependences are not known yet:
///
/// - copies whose readers might as well read what is copied, and that nobody
///   else needs; of a copy that is needed in part, only that part is left;
/// - copies out of a temporary, if whoever wrote it might as well write the
///   target, or the temporary might as well be the target all the time;
/// - if a message can be combined as it arrives: receives into a temporary that
///   is only combined with something.
///
/// The plan computes the same in all its arguments, for every n. What takes too
/// long to find out stays as it is.
void removeSuperfluous(Plan &plan, bool combinesOnArrival);

} // namespace detail
} // namespace quadrille

#endif // QUADRILLE_PLAN_SUPERFLUOUS_H
