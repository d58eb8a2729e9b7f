//===- Bounds.h - How small and how large numbers can be ------------------------------------------------------------*- C++ -*-===//
//
// Intervals whose ends are linear in p, for all p >= 1: enough to see that `me + 1` is not negative, so that C++'s own
// `%` does what the language's `mod` means. Nothing depends on this being precise, only on it being right.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_EMIT_BOUNDS_H
#define QUADRILLE_EMIT_BOUNDS_H

#include "ir/Schedule.h"

#include <optional>
#include <vector>

namespace quadrille::compiler::emit {

/// perRank * p + constant
struct Linear {
  std::int64_t perRank = 0, constant = 0;
};

struct Interval {
  std::optional<Linear> lower, upper; // inclusive; absent: unknown
};

using IntervalFrame = std::vector<Interval>;

Interval boundsOf(const ir::Expr &expr, const IntervalFrame &frame);

/// The bounds of all variables of a schedule.
IntervalFrame boundVariables(const ir::Schedule &schedule);

bool isAtLeast(const Interval &interval, std::int64_t least);

/// The largest value for p < 2^31; none if that is not known, or beyond 64 bits.
std::optional<std::int64_t> largestOf(const Interval &interval);

} // namespace quadrille::compiler::emit

#endif // QUADRILLE_EMIT_BOUNDS_H
