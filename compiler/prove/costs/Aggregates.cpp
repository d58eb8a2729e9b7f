//===- Aggregates.cpp - Sums and maxima in costs -----------------------------------------------------------------------------===//

#include "Aggregates.h"

#include "prove/execution/Execution.h"

#include "llvm/ADT/STLExtras.h"

namespace quadrille::compiler::prove {

unsigned aggregateLevel(Term aggregate) {
  unsigned level = 0;
  forEachNode({aggregate->operands[0], aggregate->operands[1]}, [&](Term node) {
    if (!isAggregate(node))
      return;
    const unsigned inner = aggregateLevel(node);
    for (Term variable : variablesOf({node->operands[0], node->operands[1]}))
      if (variable->name == aggregateIndex.str() + std::to_string(inner))
        level = std::max(level, inner + 1);
  });
  return level;
}

/// Whether a term mentions the variable of another sum or maximum.
static bool hasOtherIndex(Term term, Term index) {
  return llvm::any_of(variablesOf({term}), [&](Term variable) {
    return variable != index && llvm::StringRef(variable->name).starts_with(aggregateIndex);
  });
}

/// The sum or maximum (`name`) of `each` over the values of `variable` in lo ..< hi for which `condition` holds, as an
/// uninterpreted function: two are equal if their operands are equal for every value of the variable.
Term Execution::aggregate(llvm::StringRef name, Term each, Term variable, Term lo, Term hi, Term condition) {
  const Term zero = pool.integer(0), one = pool.integer(1);
  if (name == "sum" && pool.subtract(hi, lo) == one && pool.isTrue(condition)) {
    TermPool::Substitution only;
    only[variable.get()] = lo;
    return pool.substitute(each, only);
  }
  // The index is named by its level, counted from the innermost, and begins with 0.
  unsigned depth = 0;
  const llvm::StringRef prefix = aggregateIndex;
  Term choice = pool.select(condition, one, zero);
  for (Term inner : variablesOf({each, choice})) {
    unsigned level;
    if (llvm::StringRef(inner->name).starts_with(prefix) &&
        !llvm::StringRef(inner->name).drop_front(prefix.size()).getAsInteger(10, level))
      depth = std::max(depth, level + 1);
  }
  const Term index = pool.variable(prefix.str() + std::to_string(depth));
  TermPool::Substitution by;
  by[variable.get()] = pool.add(lo, index);
  each = pool.substitute(each, by);
  choice = pool.substitute(choice, by);
  // A maximum over all ranks x of a term in (x + c) mod p, or (c - x) mod p, is the maximum of the term in x.
  if (name == "max" && lo == zero && hi == names.p && choice == one) {
    llvm::SmallVector<Term, 2> turned;
    forEachNode({each}, [&](Term node) {
      if (node->kind == TermKind::Modulo && node->operands[1] == names.p)
        for (const Monomial &part : TermPool::monomialsOf(node->operands[0]))
          if (part.atom == index && std::abs(part.coefficient) == 1 && !hasOtherIndex(node, index) &&
              !llvm::is_contained(variablesOf({pool.subtract(node->operands[0], pool.scale(part.coefficient, index))}), index))
            turned.push_back(node);
    });
    if (turned.size() == 1) {
      const Term mark = pool.fresh("turned");
      Term marked = pool.rebuild(each, [&](Term node) { return node == turned[0] ? mark : Term(); });
      bool elsewhere = llvm::is_contained(variablesOf({marked}), index);
      if (!elsewhere) {
        TermPool::Substitution back;
        back[mark.get()] = index;
        each = pool.substitute(marked, back);
      }
    }
  }
  return pool.apply(name, {each, choice, pool.subtract(hi, lo)});
}

} // namespace quadrille::compiler::prove
