//===- Superfluous.h - Copies that only change a name ---------------------===//
//
// Private to the runtime.
//
//===----------------------------------------------------------------------===//

#ifndef QUADRILLE_PLAN_SUPERFLUOUS_H
#define QUADRILLE_PLAN_SUPERFLUOUS_H

#include "Plan.h"

#include <cstdint>
#include <vector>

namespace quadrille {
namespace detail {

/// What becomes of an operation that has been recorded.
enum class Fate : std::uint8_t {
  Kept,
  Narrowed,     ///< of a copy, the part that somebody needs is left
  Forwarded,    ///< a copy: its readers read what it copied
  WrittenThrough, ///< a copy: whoever wrote its source writes its target
  Renamed,      ///< a copy: its source is its target all the time
  OnArrival     ///< a combination: the message is combined as it arrives
};

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
/// long to find out stays as it is. Tells the fate of every operation that there was.
void removeSuperfluous(Plan &plan, bool combinesOnArrival, std::vector<Fate> &fates);

} // namespace detail
} // namespace quadrille

#endif // QUADRILLE_PLAN_SUPERFLUOUS_H
