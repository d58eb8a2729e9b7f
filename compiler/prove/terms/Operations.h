//===- Operations.h - What solvers are told about operations that are not linear ----------------------------------*- C++ -*-===//
//
// Used only by the translations of terms to the solver and to SMT-LIB.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_PROVE_TERMS_OPERATIONS_H
#define QUADRILLE_PROVE_TERMS_OPERATIONS_H

#include "Term.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

#include <iterator>
#include <optional>

namespace quadrille::compiler::prove {

struct TermOperation {
  TermKind kind;
  const char *name;
  unsigned arity;
  bool isTruth() const { return kind == TermKind::Bit || kind == TermKind::IsPower2; }
};

/// Operations that the solver and SMT-LIB see as uninterpreted functions of integers, described by lemmas (solver/Lemmas.h).
inline constexpr TermOperation operations[] = {
    {TermKind::Product, "times", 2},       {TermKind::Modulo, "modulo", 2},        {TermKind::Quotient, "quotient", 2},
    {TermKind::Power2, "pow2", 1},         {TermKind::Power, "power", 2},
    {TermKind::CeilLog2, "ceil_log2", 1},   {TermKind::FloorLog2, "floor_log2", 1},
    {TermKind::BitXor, "bitwise_xor", 2},  {TermKind::BitAnd, "bitwise_and", 2},   {TermKind::BitOr, "bitwise_or", 2},
    {TermKind::Bit, "bit", 2},             {TermKind::IsPower2, "is_pow2", 1},
};

inline const TermOperation *operationOf(TermKind kind) {
  const auto *found = llvm::find_if(operations, [&](const TermOperation &f) { return f.kind == kind; });
  return found == std::end(operations) ? nullptr : found;
}

/// The second operand of a remainder, quotient or bit if it is a positive constant: the operation is linear then.
inline std::optional<std::int64_t> literalDivisor(Term a) {
  if (a->kind != TermKind::Modulo && a->kind != TermKind::Quotient && a->kind != TermKind::Bit)
    return std::nullopt;
  auto divisor = TermPool::asInteger(a->operands[1]);
  return divisor && *divisor > 0 ? divisor : std::nullopt;
}

/// How the oddness of a number is expressed: by its parts where possible. The solver finds truth values much sooner than halves,
/// which its arithmetic would have to search for in each sum anew.
struct Oddness {
  enum class By {
    Number,  ///< its remainder by 2 is 1; no parts
    Part,    ///< the only part is odd
    Choice,  ///< parts: a condition, the number if it holds, the number if it does not
    Count,   ///< the number of odd parts is odd; even if `constant`, which is whether the constant of the sum is odd
  };
  By by = By::Number;
  llvm::SmallVector<Term, 4> parts;
  bool constant = false;
};

inline Oddness oddness(Term a) {
  if (a->kind == TermKind::Select)
    return {Oddness::By::Choice, {a->operands[0], a->operands[1], a->operands[2]}};
  if (a->kind == TermKind::Modulo && literalDivisor(a) == 2)
    return {Oddness::By::Part, {a->operands[0]}};
  if (a->kind != TermKind::Sum)
    return {};
  Oddness result{Oddness::By::Count, {}, a->constant % 2 != 0};
  for (const Monomial &m : a->monomials)
    if (m.coefficient % 2 != 0)
      result.parts.push_back(m.atom);
  return result;
}

/// Whether the term is a remainder modulo 2 that is expressed by the parts of its dividend.
inline bool isOddByParts(Term a) {
  return a->kind == TermKind::Modulo && literalDivisor(a) == 2 && oddness(a->operands[0]).by != Oddness::By::Number;
}

} // namespace quadrille::compiler::prove

#endif // QUADRILLE_PROVE_TERMS_OPERATIONS_H
