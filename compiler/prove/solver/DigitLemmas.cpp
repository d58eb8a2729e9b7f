//===- DigitLemmas.cpp - Instances of the laws of digits in mixed radix ------------------------------------------------------===//

#include "DigitLemmas.h"

#include "limits/Limits.h"
#include "prove/terms/Factors.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"

namespace quadrille::compiler::prove {

std::vector<Term> digitLemmasFor(TermPool &pool, llvm::ArrayRef<Term> formulas) {
  const Term zero = pool.integer(0), one = pool.integer(1);
  // The numbers whose digits occur in the formulas, by the place of the digit: its weight w and its radix e.
  llvm::MapVector<std::pair<Term, Term>, llvm::SmallSetVector<Term, 8>> places;
  llvm::SmallSetVector<Term, 8> powers, quotients;
  forEachNode(formulas, [&](Term a) {
    if (a->kind == TermKind::Quotient)
      quotients.insert(a);
    if (a->kind == TermKind::Power)
      powers.insert(a);
    if (a->kind != TermKind::Modulo || a->operands[0]->kind != TermKind::Quotient)
      return;
    const Term x = a->operands[0]->operands[0], w = a->operands[0]->operands[1], e = a->operands[1];
    if (!TermPool::asInteger(w) && (!TermPool::asInteger(e) || w->kind == TermKind::Power))
      places[{w, e}].insert(x);
  });
  // A remainder by r times a power of r has a digit of weight that power, though the formulas do not contain the digit.
  forEachNode(formulas, [&](Term a) {
    if (a->kind == TermKind::Modulo && !powers.contains(a->operands[1]))
      for (Term power : powers)
        if (const Term e = exactQuotient(pool, a->operands[1], power); e && e == power->operands[0])
          places[{power, e}].insert(a->operands[0]);
  });
  std::vector<Term> result;
  // (x div w + c) div r is (x + c*w) div (w*r), also where c rounds up.
  for (Term outer : quotients)
    for (const Monomial &part : TermPool::monomialsOf(outer->operands[0])) {
      const Term inner = part.atom, r = outer->operands[1];
      if (inner->kind != TermKind::Quotient || part.coefficient != 1 || TermPool::asInteger(inner->operands[1]))
        continue;
      const Term x = inner->operands[0], w = inner->operands[1], c = pool.subtract(outer->operands[0], inner);
      const Term direct = pool.quotient(pool.add(x, pool.multiply(c, w)), pool.multiply(w, r));
      if (direct != outer && quotients.contains(direct))
        result.push_back(pool.implies(pool.both(pool.lessEqual(one, w), pool.lessEqual(one, r)), pool.equal(outer, direct)));
    }
  unsigned pairs = 0;
  for (auto &[place, numbers] : places) {
    const auto [w, e] = place;
    const Term whole = pool.multiply(w, e), some = pool.both(pool.lessEqual(one, w), pool.lessEqual(one, e));
    auto digit = [w = w, e = e, &pool](Term x) { return pool.modulo(pool.quotient(x, w), e); };
    for (Term x : numbers) // x mod (w*e) consists of this digit and of those below it
      result.push_back(pool.implies(some, pool.equal(pool.modulo(x, whole),
                                                     pool.add(pool.multiply(w, digit(x)), pool.modulo(x, w)))));
    for (Term x : numbers) // (x mod (w*e)) div w is this digit, too
      if (const Term rest = pool.modulo(x, whole); quotients.contains(pool.quotient(rest, w))) {
        result.push_back(pool.implies(some, pool.equal(pool.quotient(rest, w), digit(x))));
        result.push_back(pool.implies(some, pool.equal(pool.modulo(rest, w), pool.modulo(x, w))));
      }
    for (Term x : numbers)
      for (Term y : numbers) {
        if (x == y || ++pairs > limits::digitPairs)
          continue;
        const Term difference = pool.subtract(y, x);
        const Term steps = exactQuotient(pool, difference, w);
        if (!steps)
          continue;
        // If y - x is w * steps, and the steps do not leave the row, this digit changes by `steps`, and no other digit changes.
        const Term moved = pool.add(digit(x), steps);
        result.push_back(pool.implies(some, pool.equal(pool.modulo(y, w), pool.modulo(x, w))));
        result.push_back(pool.implies(pool.both(some, pool.inRange(zero, moved, e)),
                                      pool.both(pool.equal(digit(y), moved),
                                                pool.equal(pool.modulo(y, whole),
                                                           pool.add(pool.modulo(x, whole), difference)))));
      }
  }
  return result;
}

} // namespace quadrille::compiler::prove
