//===- PlanText.h - A plan for people to read -----------------------------===//
//
// Private to the runtime.
//
//===----------------------------------------------------------------------===//

#ifndef QUADRILLE_PLAN_PLANTEXT_H
#define QUADRILLE_PLAN_PLANTEXT_H

#include "Plan.h"

#include <string>
#include <vector>

namespace quadrille {
namespace detail {

/// The operations of a plan, a line each, with their blocks and the operations
/// for which they wait. `arguments`: the names of arguments, or null. Throws
/// std::bad_alloc.
std::string textOf(const Plan &plan, const std::vector<const char *> &arguments);

/// The text of blocks: `y[2]`, `sum`.
std::string textOf(const Plan &plan, const Blocks &blocks, const std::vector<const char *> &arguments);

/// Whether the environment asks for the plans of this rank: QUADRILLE_EXPLAIN is
/// `all`, or the rank's number.
bool explainsRank(Index rank) noexcept;

} // namespace detail
} // namespace quadrille

#endif // QUADRILLE_PLAN_PLANTEXT_H
