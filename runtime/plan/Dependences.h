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

/// Whether one operation may write elements that the other one reads or writes.
bool conflict(const Plan &plan, const Operation &earlier, const Operation &later);

/// Which operations keep their order although they do not conflict: a later one
/// waits for an earlier one.
enum class Order : std::uint8_t {
  Data,     ///< a send, and earlier receives, if one of them has no data
  Messages, ///< every send, and all earlier receives
  Steps     ///< all operations of a step, and all of earlier steps
};

/// Sets for every operation which others have to be done first. Messages of one
/// step never wait for each other: other ranks may rely on all of them being
/// begun.
void findDependences(Plan &plan, Order order);

} // namespace detail
} // namespace quadrille

#endif // QUADRILLE_PLAN_DEPENDENCES_H
