//===- Kernels.cpp - The built-in operators -------------------------------===//

#include "Kernels.h"
#include "KernelLoops.h"

using namespace quadrille;
using quadrille::detail::Kernel;

Kernel *quadrille::detail::kernelOfAny(BuiltinOperator op, NumberKind kind) noexcept { return loopFor(op, kind); }

Kernel *quadrille::detail::kernel(BuiltinOperator op, NumberKind kind) noexcept {
#ifdef QUADRILLE_KERNELS_AVX2
  if (__builtin_cpu_supports("avx2"))
    return kernelAvx2(op, kind);
#endif
  return kernelOfAny(op, kind);
}
