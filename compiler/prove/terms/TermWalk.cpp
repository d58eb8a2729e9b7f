//===- TermWalk.cpp - Looking into terms -----------------------------------------------------------------------------===//

#include "Term.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

#include <cassert>

namespace quadrille::compiler::prove {

Term TermPool::rebuild(Term root, const std::function<Term(Term)> &map) {
  llvm::DenseMap<Term, Term> done;
  auto visit = [&](auto &self, Term a) -> Term {
    auto known = done.find(a);
    if (known != done.end())
      return known->second;
    Term result = map(a);
    if (!result) {
      llvm::SmallVector<Term, 3> ops;
      for (Term operand : a->operands)
        ops.push_back(self(self, operand));
      switch (a->kind) {
      case TermKind::Variable:
      case TermKind::True:
      case TermKind::False:
        result = a;
        break;
      case TermKind::Sum:
        result = integer(a->constant);
        for (const Monomial &m : a->monomials)
          result = combine(result, m.coefficient, self(self, m.atom));
        break;
      case TermKind::Product:
        result = ops[0];
        for (Term factor : llvm::drop_begin(ops))
          result = multiply(result, factor);
        break;
      case TermKind::Modulo: result = modulo(ops[0], ops[1]); break;
      case TermKind::Quotient: result = quotient(ops[0], ops[1]); break;
      case TermKind::Power2: result = power2(ops[0]); break;
      case TermKind::Power: result = power(ops[0], ops[1]); break;
      case TermKind::CeilLog2: result = ceilLog2(ops[0]); break;
      case TermKind::FloorLog2: result = floorLog2(ops[0]); break;
      case TermKind::BitXor: result = bitXor(ops[0], ops[1]); break;
      case TermKind::BitAnd: result = bitAnd(ops[0], ops[1]); break;
      case TermKind::BitOr: result = bitOr(ops[0], ops[1]); break;
      case TermKind::Select: result = select(ops[0], ops[1], ops[2]); break;
      case TermKind::Apply: result = apply(a->name, ops); break;
      case TermKind::AtLeastZero: result = atLeastZero(ops[0]); break;
      case TermKind::IsZero: result = isZero(ops[0]); break;
      case TermKind::Bit: result = bit(ops[0], ops[1]); break;
      case TermKind::IsPower2: result = isPower2(ops[0]); break;
      case TermKind::Not: result = negate(ops[0]); break;
      case TermKind::And:
      case TermKind::Or: result = junction(a->kind, ops); break;
      }
    }
    done[a] = result;
    return result;
  };
  return visit(visit, root);
}

Term TermPool::substitute(Term a, const Substitution &by) {
  return rebuild(a, [&](Term node) -> Term {
    if (node->kind != TermKind::Variable)
      return {};
    auto entry = by.find(node.get());
    if (entry == by.end())
      return {};
    assert(entry->second && !entry->second->isBoolean());
    return entry->second;
  });
}

void forEachNode(llvm::ArrayRef<Term> terms, llvm::function_ref<void(Term)> visit) {
  llvm::DenseSet<Term> seen;
  auto walk = [&](auto &self, Term a) -> void {
    if (!seen.insert(a).second)
      return;
    for (const Monomial &m : a->monomials)
      self(self, m.atom);
    for (Term operand : a->operands)
      self(self, operand);
    visit(a);
  };
  for (Term term : terms)
    walk(walk, term);
}

llvm::SmallVector<Term, 8> variablesOf(llvm::ArrayRef<Term> terms) {
  llvm::SmallVector<Term, 8> result;
  forEachNode(terms, [&](Term a) {
    if (a->kind == TermKind::Variable)
      result.push_back(a);
  });
  llvm::sort(result, [](Term a, Term b) { return a->number < b->number; });
  return result;
}

std::size_t sizeOf(llvm::ArrayRef<Term> terms) {
  std::size_t count = 0;
  forEachNode(terms, [&](Term) { ++count; });
  return count;
}

} // namespace quadrille::compiler::prove
