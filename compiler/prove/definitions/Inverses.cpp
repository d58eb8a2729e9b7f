//===- Inverses.cpp - Solving for an argument of a call, by lemmas -----------------------------------------------------------===//
//
// A lemma such as `place(rank(c, p), p) == c` tells which c has a given rank. Nothing rests on it here: solutions are guesses.
//
//===----------------------------------------------------------------------------------------------------------------===//

#include "DefinedTerms.h"
#include "Matcher.h"

#include "prove/terms/Solutions.h"

namespace quadrille::compiler::prove {

static bool mentions(Term term, Term variable) { return llvm::is_contained(variablesOf({term}), variable); }

/// The term with `by` in the place of a call.
static Term with(TermPool &pool, Term term, Term call, Term by) {
  return pool.rebuild(term, [&](Term node) { return node == call ? by : Term(); });
}

std::vector<Term> DefinedTerms::solutions(Term formula, Term variable, Term value) {
  std::vector<Term> result;
  auto add = [&](Term candidate) {
    if (!mentions(candidate, variable) && !llvm::is_contained(result, candidate))
      result.push_back(candidate);
  };
  std::vector<Term> calls;
  forEachNode({formula}, [&](Term node) {
    if (node->kind == TermKind::Apply && mentions(node, variable))
      calls.push_back(node);
  });
  const Term yielded = pool.variable("'yielded'");
  for (Term call : calls) {
    const Term around = with(pool, formula, call, yielded);
    if (mentions(around, variable))
      continue;
    for (Term yields : around == yielded ? std::vector<Term>{value} : solutionsOf(pool, around, yielded, value))
      forEachInverse(call, yields, [&](Term argument, Term is) {
        if (argument == variable)
          return add(is);
        for (Term solution : solutionsOf(pool, argument, variable, is))
          add(solution);
      });
  }
  return result;
}

/// Calls `visit` with a formula that the call is made with, and what it may be if the call yields `value`: where a lemma says that
/// its argument a equals a term in which a occurs in such a call only, or where it yields a rank of a node.
void DefinedTerms::forEachInverse(Term call, Term value, llvm::function_ref<void(Term, Term)> visit) {
  if (nodeOperation(call) == ir::Op::RankOn) {
    visit(call->operands[0], nodeTerm(pool, ir::Op::NodeOf, {value}));
    visit(call->operands[1], nodeTerm(pool, ir::Op::LocalRank, {value}));
  }
  auto byConjunct = [&](const Law &law, Term conjunct) {
    if (conjunct->kind != TermKind::IsZero)
      return;
    const Term sum = conjunct->operands[0];
    for (const Monomial &part : TermPool::monomialsOf(sum)) {
      if (!llvm::is_contained(law.arguments, part.atom) || (part.coefficient != 1 && part.coefficient != -1))
        continue;
      const Term other = pool.subtract(part.atom, pool.scale(part.coefficient, sum)); // the conjunct says that part.atom is this
      forEachNode({other}, [&](Term pattern) {
        Matcher matcher(pool, law.arguments);
        if (pattern->kind != TermKind::Apply || !mentions(pattern, part.atom) || !matcher.match(pattern, call))
          return;
        auto argument = matcher.by.find(part.atom.get());
        const Term is = pool.substitute(with(pool, other, pattern, value), matcher.by);
        if (argument != matcher.by.end() && llvm::none_of(law.arguments, [&](Term a) { return mentions(is, a); }))
          visit(argument->second, is);
      });
    }
  };
  for (const auto &law : laws) {
    if (law->claim->kind != TermKind::And)
      byConjunct(*law, law->claim);
    else
      for (Term conjunct : law->claim->operands)
        byConjunct(*law, conjunct);
  }
}

} // namespace quadrille::compiler::prove
