//===- Bounds.h - How small and how large numbers can be ------------------------------------------------------------*- C++ -*-===//
//
// So that `me + 1` is seen not to be negative, and C++'s own `%` does what the language's `mod` means. Nothing depends on this being
// precise, only on it being right.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_EMIT_BOUNDS_H
#define QUADRILLE_EMIT_BOUNDS_H

#include "arithmetic/Interval.h"
#include "ir/Schedule.h"

#include <optional>
#include <vector>

namespace quadrille::compiler::emit {

/// perRank * p + constant
struct Linear {
  std::int64_t perRank = 0, constant = 0;
};

/// What a number lies in, if it has a value.
struct Bounds {
  arithmetic::Interval numbers = arithmetic::anything; // for all p < 2^31
  std::optional<Linear> lower, upper;                  // inclusive, for all p >= 1; absent: what `numbers` says is all that is known
};

using BoundsFrame = std::vector<Bounds>;

Bounds boundsOf(const ir::Expr &expr, const BoundsFrame &frame);

/// The bounds of all variables of a schedule.
BoundsFrame boundVariables(const ir::Schedule &schedule);

bool isAtLeast(const Bounds &bounds, std::int64_t least);

/// The largest value; none if that is not known, or beyond 64 bits.
std::optional<std::int64_t> largestOf(const Bounds &bounds);

} // namespace quadrille::compiler::emit

#endif // QUADRILLE_EMIT_BOUNDS_H
