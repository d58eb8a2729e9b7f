//===- TermCheck.h - Whether a term is put together as it has to be -------------------------------------------*- C++ -*-===//
//
// Used in this folder only, for assertions. Proofs do not depend on it.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_PROVE_TERMS_TERMCHECK_H
#define QUADRILLE_PROVE_TERMS_TERMCHECK_H

#include "Term.h"

#include "llvm/ADT/STLExtras.h"

namespace quadrille::compiler::prove {

/// Whether a node has the operands and monomials that its kind requires, as all users of terms assume.
inline bool isWellFormed(const TermNode &node) {
  auto isInteger = [](Term operand) { return operand && !operand->isBoolean(); };
  auto isTruth = [](Term operand) { return operand && operand->isBoolean(); };
  auto has = [&](size_t count, llvm::function_ref<bool(Term)> isOne) {
    return node.operands.size() == count && llvm::all_of(node.operands, isOne);
  };
  auto comesBefore = [](Term a, Term b) { return a->number < b->number; };
  if (node.kind != TermKind::Sum && !node.monomials.empty())
    return false;
  switch (node.kind) {
  case TermKind::Sum:
    return node.operands.empty() && llvm::all_of(node.monomials, [&](const Monomial &part) {
             return part.coefficient != 0 && isInteger(part.atom) && part.atom->kind != TermKind::Sum;
           }) && std::adjacent_find(node.monomials.begin(), node.monomials.end(), [&](const Monomial &a, const Monomial &b) {
             return !comesBefore(a.atom, b.atom);
           }) == node.monomials.end();
  case TermKind::Product:
    return node.operands.size() >= 2 && llvm::all_of(node.operands, isInteger);
  case TermKind::Select:
    return node.operands.size() == 3 && isTruth(node.operands[0]) && isInteger(node.operands[1]) && isInteger(node.operands[2]);
  case TermKind::Apply: // of any number of integers and truth values
    return !node.name.empty() && llvm::all_of(node.operands, [](Term operand) { return static_cast<bool>(operand); });
  case TermKind::And:
  case TermKind::Or:
    return node.operands.size() >= 2 && llvm::all_of(node.operands, isTruth) &&
           llvm::is_sorted(node.operands, comesBefore);
  case TermKind::Not:
    return has(1, isTruth);
  case TermKind::Variable:
    return node.operands.empty() && !node.name.empty();
  case TermKind::True:
  case TermKind::False:
    return node.operands.empty();
  case TermKind::Power2:
  case TermKind::CeilLog2:
  case TermKind::FloorLog2:
  case TermKind::AtLeastZero:
  case TermKind::IsZero:
  case TermKind::IsPower2:
    return has(1, isInteger);
  default: // div, mod and operations on bits
    return has(2, isInteger);
  }
}

} // namespace quadrille::compiler::prove

#endif // QUADRILLE_PROVE_TERMS_TERMCHECK_H
