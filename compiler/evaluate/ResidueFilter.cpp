//===- ResidueFilter.cpp - Filters that select a residue class -------------------------------------------------------===//

#include "ResidueFilter.h"

#include "Evaluate.h"

#include "arithmetic/Integers.h"

#include "llvm/ADT/STLExtras.h"

#include <cassert>

namespace quadrille::compiler {

std::optional<ResidueFilter> residueFilterOf(const ir::Index &filter) {
  const ir::Expr &condition = *filter.c;
  if (condition.op != ir::Op::Equal)
    return std::nullopt;
  for (unsigned side : {0, 1}) {
    const ir::Expr &number = *condition.operands[side], &residue = *condition.operands[1 - side];
    if (number.op != ir::Op::Modulo)
      continue;
    const ir::Expr &counted = *number.operands[0], &modulus = *number.operands[1];
    if (counted.op == ir::Op::Variable && counted.variable == filter.binder && !mentions(modulus, filter.binder) &&
        !mentions(residue, filter.binder))
      return ResidueFilter{&modulus, &residue};
  }
  return std::nullopt;
}

void forEachInResidueClass(std::int64_t lo, std::int64_t hi, std::int64_t modulus, std::int64_t residue,
                           llvm::function_ref<void(std::int64_t)> visit) {
  assert(modulus > 0 && "callers refuse other moduli");
  if (lo >= hi || residue < 0 || residue >= modulus)
    return;
  // Unsigned distances from `lo`: hi - lo may exceed the signed range.
  const std::uint64_t width = static_cast<std::uint64_t>(hi) - static_cast<std::uint64_t>(lo);
  const std::uint64_t step = static_cast<std::uint64_t>(modulus);
  std::uint64_t distance = static_cast<std::uint64_t>(arithmetic::floorMod(residue - arithmetic::floorMod(lo, modulus), modulus));
  for (; distance < width; distance += step) {
    visit(static_cast<std::int64_t>(static_cast<std::uint64_t>(lo) + distance));
    if (width - distance <= step)
      return;
  }
}

} // namespace quadrille::compiler
