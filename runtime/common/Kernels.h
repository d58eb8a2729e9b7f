//===- Kernels.h - Loops for the built-in operators -----------------------===//
//
// Private to the runtime.
//
//===----------------------------------------------------------------------===//

#ifndef QUADRILLE_COMMON_KERNELS_H
#define QUADRILLE_COMMON_KERNELS_H

#include "quadrille/numbers.h"

#include <cstddef>

namespace quadrille {
namespace detail {

/// Combines with a built-in operator: dst[i] := a[i] <> b[i]. `dst` may be `a`
/// or `b`, else they do not overlap.
using Kernel = void(void *dst, const void *a, const void *b, std::size_t count);

/// The loop for a built-in operator on this processor; null if it is not defined
/// for the kind.
Kernel *kernel(BuiltinOperator op, NumberKind kind) noexcept;

/// The same for any processor that the runtime is compiled for.
Kernel *kernelOfAny(BuiltinOperator op, NumberKind kind) noexcept;

/// The same for processors with AVX2. Only where the runtime is compiled for x86-64.
Kernel *kernelAvx2(BuiltinOperator op, NumberKind kind) noexcept;

} // namespace detail
} // namespace quadrille

#endif // QUADRILLE_COMMON_KERNELS_H
