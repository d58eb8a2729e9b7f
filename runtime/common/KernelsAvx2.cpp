//===- KernelsAvx2.cpp - The built-in operators, for AVX2 -----------------===//
//
// Compiled for processors that have AVX2. What any x86-64 has cannot compare or
// multiply vectors of 64-bit integers.
//
//===----------------------------------------------------------------------===//

#include "KernelLoops.h"
#include "Kernels.h"

using namespace quadrille;

detail::Kernel *detail::kernelAvx2(BuiltinOperator op, NumberKind kind) noexcept { return loopFor(op, kind); }
