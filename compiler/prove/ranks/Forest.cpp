//===- Forest.cpp - Who hands on what to whom -------------------------------------------------------------------------------===//

#include "Forest.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

#include <cassert>

namespace quadrille::compiler::prove {

static constexpr llvm::StringLiteral belowName = "below'", beforeName = "before'", lastName = "last'"; // no name of the language

Term Forest::below(Term rank, Term top) { return pool->equal(pool->apply(belowName, {rank, top}), pool->integer(1)); }

bool Forest::isBelow(Term call) { return call->kind == TermKind::Apply && call->name == belowName; }

Term Forest::before(Term top, Term rank) { return pool->apply(beforeName, {top, rank}); }

Term Forest::last(Term rank) { return pool->apply(lastName, {rank}); }

Term Forest::at(Term formula, Term rank) {
  TermPool::Substitution by;
  by[pool->variable("me").get()] = rank;
  return pool->substitute(formula, by);
}

Term Forest::isWellFounded(Term falling) {
  return pool->both(pool->inRange(pool->integer(0), next, pool->variable("p")), pool->less(at(falling, next), falling));
}

std::vector<Term> Forest::laws(llvm::ArrayRef<Term> formulas) {
  assert(measure && "isWellFounded is proved");
  // By the rank from which chains begin: the ranks of which it is asked whether they come there.
  llvm::MapVector<Term, llvm::SetVector<Term>> asked;
  forEachNode(formulas, [&](Term node) {
    if (isBelow(node))
      asked[node->operands[0]].insert(node->operands[1]);
    else if (node->kind == TermKind::Apply && node->name == beforeName)
      asked[node->operands[1]].insert(node->operands[0]);
  });
  std::vector<Term> result;
  const auto add = [&](llvm::ArrayRef<Term> conditions, Term consequence) { result.push_back(pool->implies(pool->conjunction(conditions), consequence)); };
  const auto isRank = [&](Term rank) { return pool->inRange(pool->integer(0), rank, pool->variable("p")); };
  for (auto &[rank, tops] : asked) {
    // Every chain ends, with a rank that does not hand on.
    const Term end = last(rank);
    add({isRank(rank)}, pool->both(pool->negate(at(handsOn, end)), below(rank, end)));
    tops.insert(end);
    std::vector<Term> all(tops.begin(), tops.end());
    for (Term top : tops) {
      // The chain comes to `top` from a rank that hands on to it.
      const Term child = before(top, rank);
      add({below(rank, top), pool->notEqual(rank, top)},
          pool->conjunction({at(handsOn, rank), isRank(child), at(handsOn, child), pool->equal(at(next, child), top), below(rank, child)}));
      if (!tops.contains(child))
        all.push_back(child);
    }
    for (Term top : all) {
      add({isRank(rank), pool->equal(rank, top)}, below(rank, top));
      add({below(rank, top)}, pool->conjunction({isRank(rank), isRank(top),
                                                pool->either(pool->equal(rank, top), pool->less(at(measure, top), at(measure, rank)))}));
      add({below(rank, top), pool->negate(at(handsOn, top))}, pool->equal(top, end));
    }
    for (Term first : all)
      for (Term second : all) {
        if (first == second)
          continue;
        const Term handedOn = pool->both(below(rank, first), at(handsOn, first));
        add({handedOn, pool->equal(at(next, first), second)}, below(rank, second));
        // A chain comes only once to a rank, so only from one other.
        add({handedOn, below(rank, second), at(handsOn, second), pool->equal(at(next, first), at(next, second))}, pool->equal(first, second));
      }
  }
  return result;
}

} // namespace quadrille::compiler::prove
