//===- Solutions.cpp - Solving for a variable -------------------------------------------------------------------------------===//

#include "Solutions.h"

#include "limits/Limits.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"

#include <numeric>

namespace quadrille::compiler::prove {

std::vector<Term> solutionsOf(TermPool &pool, Term formula, Term variable, Term value) {
  std::vector<Term> result;
  auto add = [&](Term candidate) {
    if (!llvm::is_contained(result, candidate))
      result.push_back(candidate);
  };
  auto mentions = [&](Term term) { return llvm::is_contained(variablesOf({term}), variable); };
  // factor * variable + rest == value, perhaps modulo m
  auto solve = [&](Term sum, Term value, Term modulus) {
    Term factor, rest = pool.integer(TermPool::constantOf(sum));
    for (const Monomial &part : TermPool::monomialsOf(sum)) {
      if (!mentions(part.atom)) {
        rest = pool.add(rest, pool.scale(part.coefficient, part.atom));
        continue;
      }
      Term multiplier = pool.integer(part.coefficient);
      unsigned times = part.atom == variable;
      if (part.atom->kind == TermKind::Product)
        for (Term operand : part.atom->operands)
          operand == variable ? void(++times) : void(multiplier = pool.multiply(multiplier, operand));
      if (times != 1 || mentions(multiplier))
        return;
      factor = factor ? pool.add(factor, multiplier) : multiplier;
    }
    if (!factor)
      return;
    Term difference = pool.subtract(value, rest);
    // With -w * variable: divide by w.
    if (const auto parts = TermPool::monomialsOf(factor); !TermPool::asInteger(factor) && parts.size() == 1 && parts[0].coefficient < 0) {
      factor = pool.scale(-1, factor);
      difference = pool.scale(-1, difference);
    }
    if (modulus)
      difference = pool.modulo(difference, modulus);
    if (auto number = TermPool::asInteger(factor); number && (*number == 1 || *number == -1))
      return add(*number == 1 || !modulus ? pool.scale(*number, difference)
                                          : pool.modulo(pool.subtract(rest, value), modulus));
    add(pool.quotient(value, factor));
    add(pool.quotient(difference, factor));
  };
  solve(formula, value, {});
  for (const Monomial &part : TermPool::monomialsOf(formula))
    if (part.coefficient == 1 && part.atom->kind == TermKind::Modulo && mentions(part.atom)) {
      const Term rest = pool.subtract(formula, part.atom);
      if (!mentions(rest))
        solve(part.atom->operands[0], pool.subtract(value, rest), part.atom->operands[1]);
    }
  for (const Monomial &part : TermPool::monomialsOf(formula)) {
    const Term whole = pool.scale(part.coefficient, part.atom), rest = pool.subtract(formula, whole);
    if (!mentions(part.atom) || (mentions(rest) && part.atom->kind == TermKind::BitXor))
      continue;
    switch (part.atom->kind) {
    case TermKind::Product: { // w * (digit mod e) + rest: the digit is that of the value, too
      const auto *digit = llvm::find_if(part.atom->operands, [&](Term a) { return a->kind == TermKind::Modulo && mentions(a); });
      if (digit == part.atom->operands.end())
        break;
      Term weight = pool.integer(part.coefficient);
      for (Term other : part.atom->operands)
        if (other != *digit)
          weight = pool.multiply(weight, other);
      const Term number = (*digit)->operands[0], radix = (*digit)->operands[1];
      if (mentions(weight) || mentions(radix))
        break;
      solve(number, pool.modulo(pool.quotient(value, weight), radix), radix);
      break;
    }
    case TermKind::BitXor:
      for (auto [mask, number] : {std::pair(0, 1), std::pair(1, 0)})
        if (!mentions(part.atom->operands[mask]) && part.coefficient == 1)
          for (Term solution : solutionsOf(pool, part.atom->operands[number], variable,
                                         pool.bitXor(pool.subtract(value, rest), part.atom->operands[mask])))
            add(solution);
      break;
    case TermKind::Select: { // piece by piece
      const std::size_t few = limits::solutionsOfPiece;
      std::vector<Term> pieces[2];
      for (unsigned i : {0, 1}) {
        pieces[i] = solutionsOf(pool, pool.add(rest, pool.scale(part.coefficient, part.atom->operands[i + 1])), variable, value);
        pieces[i].resize(std::min(few, pieces[i].size()));
      }
      for (Term yes : pieces[0])
        for (Term no : pieces[1])
          for (Term from : {yes, no}) {
            TermPool::Substitution by;
            by[variable.get()] = from;
            add(pool.select(pool.substitute(part.atom->operands[0], by), yes, no));
          }
      break;
    }
    default:
      break;
    }
  }
  return result;
}

std::vector<Term> numbersWithDigits(TermPool &pool, Term condition, Term variable) {
  auto mentions = [&](Term term) { return llvm::is_contained(variablesOf({term}), variable); };
  // For each dividend, the values that the equations suggest, one for each.
  llvm::MapVector<Term, std::vector<Term>> values;
  forEachNode({condition}, [&](Term node) {
    if (node->kind != TermKind::IsZero)
      return;
    for (const Monomial &part : TermPool::monomialsOf(node->operands[0])) {
      const Term rest = pool.subtract(node->operands[0], pool.scale(part.coefficient, part.atom));
      if (!mentions(part.atom) || mentions(rest) || (part.coefficient != 1 && part.coefficient != -1))
        continue;
      // The other digits may be zero, on the left and on the right.
      Term dividend = part.atom, value = pool.scale(-part.coefficient, rest);
      while (dividend->kind == TermKind::Modulo || dividend->kind == TermKind::Quotient) {
        if (dividend->kind == TermKind::Quotient)
          value = pool.multiply(value, dividend->operands[1]);
        dividend = dividend->operands[0];
        if (std::vector<Term> &known = values[dividend]; !llvm::is_contained(known, value))
          known.push_back(value);
      }
    }
  });
  std::vector<Term> result;
  auto add = [&](Term dividend, Term value) {
    const std::vector<Term> solutions = dividend == variable ? std::vector<Term>{value} : solutionsOf(pool, dividend, variable, value);
    for (Term solution : solutions)
      if (!mentions(solution) && !llvm::is_contained(result, solution))
        result.push_back(solution);
  };
  for (const auto &[dividend, suggested] : values) {
    if (suggested.size() > 1)
      add(dividend, std::accumulate(suggested.begin(), suggested.end(), pool.integer(0), [&](Term a, Term b) { return pool.add(a, b); }));
    for (Term value : suggested)
      add(dividend, value);
  }
  return result;
}

} // namespace quadrille::compiler::prove
