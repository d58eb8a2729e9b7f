//===- Operations.h - What solvers are told about operations that are not linear ----------------------------------*- C++ -*-===//
//
// Private to the translations of terms.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_PROVE_OPERATIONS_H
#define QUADRILLE_PROVE_OPERATIONS_H

#include "Term.h"

#include "llvm/ADT/STLExtras.h"

#include <iterator>

namespace quadrille::prove {

struct Operation {
  TermKind kind;
  const char *name;
  unsigned arity;
  bool isTruth() const { return kind == TermKind::Bit || kind == TermKind::IsPower2; }
};

/// As the solver and SMT-LIB see them: functions of integers of which only the lemmas tell something.
inline constexpr Operation operations[] = {
    {TermKind::Product, "times", 2},       {TermKind::Modulo, "modulo", 2},        {TermKind::Quotient, "quotient", 2},
    {TermKind::Power2, "pow2", 1},         {TermKind::CeilLog2, "ceil_log2", 1},   {TermKind::FloorLog2, "floor_log2", 1},
    {TermKind::BitXor, "bitwise_xor", 2},  {TermKind::BitAnd, "bitwise_and", 2},   {TermKind::BitOr, "bitwise_or", 2},
    {TermKind::Bit, "bit", 2},             {TermKind::IsPower2, "is_pow2", 1},
};

inline const Operation *operationOf(TermKind kind) {
  const auto *found = llvm::find_if(operations, [&](const Operation &f) { return f.kind == kind; });
  return found == std::end(operations) ? nullptr : found;
}

/// A positive number as second operand: remainders, quotients and bits are linear then.
inline std::optional<std::int64_t> literalDivisor(Term a) {
  if (a->kind != TermKind::Modulo && a->kind != TermKind::Quotient && a->kind != TermKind::Bit)
    return std::nullopt;
  auto divisor = TermPool::asInteger(a->operands[1]);
  return divisor && *divisor > 0 ? divisor : std::nullopt;
}

} // namespace quadrille::prove

#endif // QUADRILLE_PROVE_OPERATIONS_H
