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

namespace {
/// A term in the index of a sum, which occurs in it only within `node`, (index + c) mod p or (c - index) mod p: `ofMark` has `mark` in its place.
struct Turned {
  Term node, ofMark, mark;
};

std::optional<Turned> turnedTerm(TermPool &pool, Term each, Term index, Term p) {
  llvm::SmallVector<Term, 2> turned;
  forEachNode({each}, [&](Term node) {
    if (node->kind == TermKind::Modulo && node->operands[1] == p)
      for (const Monomial &part : TermPool::monomialsOf(node->operands[0]))
        if (part.atom == index && std::abs(part.coefficient) == 1 && !hasOtherIndex(node, index) &&
            !llvm::is_contained(variablesOf({pool.subtract(node->operands[0], pool.scale(part.coefficient, index))}), index))
          turned.push_back(node);
  });
  if (turned.size() != 1)
    return std::nullopt;
  const Term mark = pool.fresh("turned");
  const Term ofMark = pool.rebuild(each, [&](Term node) { return node == turned[0] ? mark : Term(); });
  return llvm::is_contained(variablesOf({ofMark}), index) ? std::nullopt : std::optional(Turned{turned[0], ofMark, mark});
}

/// The index for which `choice`, 1 or 0 as an index is taken or not, is 0, if it is 1 for all others: a formula without the index. Else null.
Term leftOut(TermPool &pool, Term choice, Term index) {
  if (choice->kind != TermKind::Select)
    return {};
  const bool isNegated = choice->operands[0]->kind == TermKind::Not;
  const Term equation = isNegated ? choice->operands[0]->operands[0] : choice->operands[0];
  const Term taken = choice->operands[isNegated ? 1 : 2], left = choice->operands[isNegated ? 2 : 1];
  if (equation->kind != TermKind::IsZero || TermPool::asInteger(taken) != 1 || TermPool::asInteger(left) != 0)
    return {};
  for (const Monomial &part : TermPool::monomialsOf(equation->operands[0]))
    if (part.atom == index && std::abs(part.coefficient) == 1) {
      const Term rest = pool.subtract(equation->operands[0], pool.scale(part.coefficient, index));
      return llvm::is_contained(variablesOf({rest}), index) ? Term() : pool.scale(-part.coefficient, rest);
    }
  return {};
}
} // namespace

/// The sum or maximum (`name`) of `each` over the values of `variable` in lo ..< hi for which `condition` holds, as an
/// uninterpreted function: two are equal if their operands are equal for every value of the variable.
Term Execution::aggregate(llvm::StringRef name, Term each, Term variable, Term lo, Term hi, Term condition) {
  const Term zero = pool.integer(0), one = pool.integer(1);
  if (name == "sum" && pool.subtract(hi, lo) == one && pool.isTrue(condition)) {
    TermPool::Substitution only;
    only[variable.get()] = lo;
    return pool.substitute(each, only);
  }
  // What does not depend on the index tells whether there is anything.
  llvm::SmallVector<Term, 4> ofAll, ofEach;
  for (const Term &part : conjunctsOf(condition))
    (llvm::is_contained(variablesOf({part}), variable) ? ofEach : ofAll).push_back(part);
  if (const Term isAny = pool.conjunction(ofAll); !pool.isTrue(isAny))
    return pool.select(isAny, aggregate(name, each, variable, lo, hi, pool.conjunction(ofEach)), zero);
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
  const Term count = pool.subtract(hi, lo);
  const auto at = [&](Term term, Term value) {
    TermPool::Substitution by;
    by[index.get()] = value;
    return pool.substitute(term, by);
  };
  // A sum over all indices but one is that over all of them, less the term of that one.
  if (name == "sum")
    if (const Term left = leftOut(pool, choice, index)) {
      const Term missing = pool.select(pool.inRange(zero, left, count), at(each, left), zero);
      return pool.subtract(pool.apply(name, {each, one, count}), missing);
    }
  // A sum or maximum over all ranks x of a term in (x + c) mod p, or (c - x) mod p, is that of the term in x. A sum over all but one of
  // them is that over all, less the term that would come next.
  const bool isOfAll = count == names.p, isOfOthers = name == "sum" && count == pool.subtract(names.p, one);
  if (choice == one && (isOfAll || isOfOthers))
    if (const auto turned = turnedTerm(pool, each, index, names.p)) {
      const auto &[node, ofMark, mark] = *turned;
      const auto marked = [&, ofMark = ofMark, mark = mark](Term value) {
        TermPool::Substitution by;
        by[mark.get()] = value;
        return pool.substitute(ofMark, by);
      };
      const Term all = pool.apply(name, {marked(index), one, names.p});
      return isOfAll ? all : pool.subtract(all, marked(at(node, pool.integer(-1))));
    }
  return pool.apply(name, {each, choice, count});
}

} // namespace quadrille::compiler::prove
