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
  Narrowed,     ///< a copy: only the part that is needed is left
  Forwarded,    ///< a copy: readers of its target read its source
  WrittenThrough, ///< a copy: the writer of its source writes its target
  Renamed,      ///< a copy: its target takes the place of its source everywhere
  OnArrival     ///< a combination: done while the message arrives
};

/// Removes operations from a plan, before dependences are found:
///
/// - copies whose readers can read the source instead, if nothing else needs
///   the target; if a part of it is needed, only that part is copied;
/// - copies out of a temporary, if the operation that writes the temporary can
///   write the target, or the target can take the temporary's place everywhere;
/// - if `combinesOnArrival`: combinations of a temporary that was received and
///   is not used otherwise; the message is combined as it arrives.
///
/// The plan then computes the same contents of all arguments, for every n. The
/// work is bounded: operations may stay that could be removed. `fates` is set
/// to the fate of every recorded operation.
void removeSuperfluous(Plan &plan, bool combinesOnArrival, std::vector<Fate> &fates);

} // namespace detail
} // namespace quadrille

#endif // QUADRILLE_PLAN_SUPERFLUOUS_H
