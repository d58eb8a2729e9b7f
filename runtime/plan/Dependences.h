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

/// What has to keep its order, beside operations that need each other's data.
enum class Order : std::uint8_t {
  Data,     ///< a send without data, and what was received before it; or the other way round
  Messages, ///< every send, and what was received before it
  Steps     ///< all of one step, and all of the steps before
};

/// Tells every operation of the plan which others have to be done first. Those of
/// one step never wait for each other: others may rely on all of them being begun.
void findDependences(Plan &plan, Order order);

} // namespace detail
} // namespace quadrille

#endif // QUADRILLE_PLAN_DEPENDENCES_H
