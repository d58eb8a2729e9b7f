//===- Bitwise.cpp - Terms of xor, and, or ------------------------------------------------------------------------------------===//

#include "Term.h"

#include "llvm/ADT/STLExtras.h"

#include <functional>

namespace quadrille::compiler::prove {

/// Whether a term is known to be a multiple of a power of two, or a number.
static bool isMultipleOfPower(Term a) {
  const auto parts = TermPool::monomialsOf(a);
  return TermPool::asInteger(a) || (parts.size() == 1 && TermPool::constantOf(a) == 0 && (parts[0].atom->isPower || parts[0].atom->kind == TermKind::Power2));
}

Term TermPool::bitXor(Term a, Term b) {
  auto x = asInteger(a), y = asInteger(b);
  if (x && y)
    return integer(*x ^ *y);
  if (a == b)
    return integer(0);
  if (x && *x == 0)
    return b;
  if (y && *y == 0)
    return a;
  // (x xor y) xor y is x, as for the partner of a partner.
  for (auto [flipped, by] : {std::pair(a, b), std::pair(b, a)})
    if (flipped->kind == TermKind::BitXor)
      for (unsigned i : {0u, 1u})
        if (flipped->operands[i] == by)
          return flipped->operands[1 - i];
  // A multiple of a power of two, x - x mod w, with that bit flipped is x with the bit flipped, less the same remainder.
  for (auto [multiple, power] : {std::pair(a, b), std::pair(b, a)})
    if (power->isPower || power->kind == TermKind::Power2)
      for (const Monomial &part : monomialsOf(multiple))
        if (part.coefficient == -1 && part.atom->kind == TermKind::Modulo && part.atom->operands[1] == power && add(multiple, part.atom) == part.atom->operands[0])
          return subtract(bitXor(part.atom->operands[0], power), part.atom);
  // Of several operands powers of two come last, so that much is known of each step: of x xor y xor w, that it is x xor y but for one bit.
  llvm::SmallVector<Term, 4> operands, powers;
  const std::function<void(Term)> collect = [&](Term part) {
    if (part->kind == TermKind::BitXor) {
      collect(part->operands[0]);
      collect(part->operands[1]);
      return;
    }
    auto &list = isMultipleOfPower(part) ? powers : operands;
    if (auto *same = llvm::find(list, part); same != list.end())
      list.erase(same);
    else
      list.push_back(part);
  };
  collect(a);
  collect(b);
  if (operands.size() + powers.size() == 2 && a->kind != TermKind::BitXor && b->kind != TermKind::BitXor)
    return make(TermKind::BitXor, {a, b});
  const auto byNumber = [](Term x, Term y) { return x->number < y->number; };
  llvm::sort(operands, byNumber);
  llvm::sort(powers, byNumber);
  operands.append(powers);
  if (operands.empty())
    return integer(0);
  Term result = operands[0];
  for (Term operand : llvm::drop_begin(operands))
    result = make(TermKind::BitXor, {result, operand});
  return result;
}

Term TermPool::bitAnd(Term a, Term b) {
  auto x = asInteger(a), y = asInteger(b);
  if (x && y)
    return integer(*x & *y);
  if ((x && *x == 0) || (y && *y == 0))
    return integer(0);
  return a == b ? a : make(TermKind::BitAnd, {a, b});
}

Term TermPool::bitOr(Term a, Term b) {
  auto x = asInteger(a), y = asInteger(b);
  if (x && y)
    return integer(*x | *y);
  if (x && *x == 0)
    return b;
  if (y && *y == 0)
    return a;
  return a == b ? a : make(TermKind::BitOr, {a, b});
}

} // namespace quadrille::compiler::prove
