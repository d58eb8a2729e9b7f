//===- CallParts.h - What the parts of a call's implementation share ------===//

#ifndef QUADRILLE_COMMON_CALLPARTS_H
#define QUADRILLE_COMMON_CALLPARTS_H

#include "quadrille/call.h"

#include "../plan/Plans.h"

#include "quadrille/math.h"

#include <limits>
#include <new>

namespace quadrille::detail {

/// Converts an Index for printf's %lld, since Index need not be long long.
inline long long number(Index i) { return i; }

/// Computes a * b for non-negative a and b. False if it overflows.
inline bool multiply(Index a, Index b, Index &product) {
#if defined(__GNUC__)
  return !__builtin_mul_overflow(a, b, &product); // avoids a division, which is slow
#else
  if (a != 0 && b > std::numeric_limits<Index>::max() / a)
    return false;
  product = a * b;
  return true;
#endif
}

/// Runs `what`, which uses the recorder. The call fails if there is no memory.
template <class What> void CallBase::record(What what) {
  try {
    what();
  } catch (const std::bad_alloc &) {
    (void)fail(Status::format(ErrorCode::OutOfMemory, "%s: rank %lld has no memory for its plan",
                              name_, number(rank_)));
  }
}

} // namespace quadrille::detail

#endif // QUADRILLE_COMMON_CALLPARTS_H
