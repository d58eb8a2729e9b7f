//===- Matcher.h - Matching a call in a lemma with a call in a formula ----------------------------------------------*- C++ -*-===//
//
// Used only in this folder.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_PROVE_DEFINITIONS_MATCHER_H
#define QUADRILLE_PROVE_DEFINITIONS_MATCHER_H

#include "prove/terms/Term.h"

#include "llvm/ADT/STLExtras.h"

namespace quadrille::compiler::prove {

/// Finds values of the arguments, in `by`, for which a pattern equals a given term.
class Matcher {
public:
  Matcher(TermPool &pool, llvm::ArrayRef<Term> arguments) : pool(pool), arguments(arguments) {}

  bool match(Term pattern, Term ground) {
    // First the operands that are an argument alone, then equations.
    llvm::SmallVector<std::pair<Term, Term>, 8> later;
    return collect(pattern, ground, later) && llvm::all_of(later, [&](auto pair) { return solve(pair.first, pair.second); });
  }

  TermPool::Substitution by;

private:
  bool isOpen(Term a) const { return llvm::is_contained(arguments, a) && !by.count(a.get()); }

  bool collect(Term pattern, Term ground, llvm::SmallVectorImpl<std::pair<Term, Term>> &later) {
    if (isOpen(pattern)) {
      by[pattern.get()] = ground;
      return true;
    }
    if (pattern->kind != TermKind::Apply) {
      later.push_back({pattern, ground});
      return true;
    }
    if (ground->kind != TermKind::Apply || ground->name != pattern->name)
      return false;
    for (size_t i = 0; i < pattern->operands.size(); ++i)
      if (!collect(pattern->operands[i], ground->operands[i], later))
        return false;
    return true;
  }

  /// Solves pattern == ground for the only argument in it that is not known yet: s + 1 == t gives s = t - 1.
  bool solve(Term pattern, Term ground) {
    const Term known = pool.substitute(pattern, by);
    llvm::SmallVector<Term, 4> open;
    for (Term variable : variablesOf({pattern}))
      if (isOpen(variable))
        open.push_back(variable);
    if (open.empty())
      return known == ground;
    if (open.size() > 1)
      return descend(pattern, ground);
    for (const Monomial &part : TermPool::monomialsOf(known))
      if (part.atom == open[0] && (part.coefficient == 1 || part.coefficient == -1)) {
        const Term rest = pool.subtract(known, pool.scale(part.coefficient, part.atom));
        by[open[0].get()] = pool.scale(part.coefficient, pool.subtract(ground, rest));
        return pool.substitute(pattern, by) == ground;
      }
    return descend(pattern, ground);
  }

  /// Matches the operands of an operation, those of an exclusive or in either order.
  bool descend(Term pattern, Term ground) {
    if (pattern->kind != ground->kind || pattern->operands.empty() || pattern->operands.size() != ground->operands.size() || pattern->kind == TermKind::Apply)
      return false;
    const TermPool::Substitution before = by;
    for (const bool swaps : {false, true}) {
      if (swaps && pattern->kind != TermKind::BitXor)
        break;
      by = before;
      llvm::SmallVector<Term, 2> grounds(ground->operands.begin(), ground->operands.end());
      if (swaps)
        std::reverse(grounds.begin(), grounds.end());
      const bool fits = llvm::all_of(llvm::zip(pattern->operands, grounds), [&](auto pair) { return match(std::get<0>(pair), std::get<1>(pair)); });
      if (fits && pool.substitute(pattern, by) == ground)
        return true;
    }
    by = before;
    return false;
  }

  TermPool &pool;
  llvm::ArrayRef<Term> arguments;
};

} // namespace quadrille::compiler::prove

#endif // QUADRILLE_PROVE_DEFINITIONS_MATCHER_H
