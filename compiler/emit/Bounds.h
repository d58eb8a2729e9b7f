//===- Bounds.h - How small and how large numbers can be ------------------------------------------------------------*- C++ -*-===//
//
// Emitted code uses these bounds for simpler expressions: `me + 1` is not negative, so C++'s `%` computes the language's `mod`.
// Bounds must be right, but need not be tight.
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

/// The range of an expression, if the expression has a value.
struct Bounds {
  arithmetic::Interval numbers = arithmetic::anything; // for all p < 2^31
  std::optional<Linear> lower, upper;                  // inclusive, for all p >= 1; absent: only `numbers` is known
};

using BoundsFrame = std::vector<Bounds>;

Bounds boundsOf(const ir::Expr &expr, const BoundsFrame &frame);

/// The bounds of all variables of a schedule.
BoundsFrame boundVariables(const ir::Schedule &schedule);

bool isAtLeast(const Bounds &bounds, std::int64_t least);

/// The largest value; nothing if it is not known, or does not fit in 64 bits.
std::optional<std::int64_t> largestOf(const Bounds &bounds);

} // namespace quadrille::compiler::emit

#endif // QUADRILLE_EMIT_BOUNDS_H
