//===- Factors.cpp - Factors of products --------------------------------------------------------------------------------------===//

#include "Factors.h"

#include "llvm/ADT/STLExtras.h"

namespace quadrille::compiler::prove {

llvm::SmallVector<Term, 4> factorsOf(Term atom) {
  if (atom->kind == TermKind::Product)
    return llvm::SmallVector<Term, 4>(atom->operands.begin(), atom->operands.end());
  return {atom};
}

bool takeOut(Term divisor, llvm::SmallVectorImpl<Term> &factors) {
  llvm::SmallVector<Term, 4> others(factors.begin(), factors.end());
  for (Term factor : factorsOf(divisor)) {
    auto *found = llvm::find(others, factor);
    if (found == others.end())
      return false;
    others.erase(found);
  }
  factors.assign(others.begin(), others.end());
  return true;
}

Term exactQuotient(TermPool &pool, Term a, Term divisor) {
  if (TermPool::constantOf(a) != 0)
    return {};
  Term result = pool.integer(0);
  for (const Monomial &part : TermPool::monomialsOf(a)) {
    llvm::SmallVector<Term, 4> factors = factorsOf(part.atom);
    if (!takeOut(divisor, factors))
      return {};
    Term rest = pool.integer(part.coefficient);
    for (Term factor : factors)
      rest = pool.multiply(rest, factor);
    result = pool.add(result, rest);
  }
  return result;
}

} // namespace quadrille::compiler::prove
