//===- LemmasOfGrains.cpp - Numbers at granularities: remainders, quotients and bits ---------------------------===//

#include "LemmaGenerator.h"

#include "llvm/ADT/STLExtras.h"

namespace quadrille::compiler::prove {

bool LemmaGenerator::isGrain(Term m) {
  return powerGuard(m) || llvm::any_of(divisibilities, [&](Term fact) { return fact->operands[1] == m; }) ||
         llvm::any_of(productTerms, [&](Term product) { return llvm::is_contained(product->operands, m); }) ||
         llvm::any_of(quotients, [&](Term quotient) { return quotient->operands[1] == m; }) ||
         llvm::any_of(modulos, [&](Term modulo) { return modulo->operands[1] == m && modulo->operands[0]->kind == TermKind::Variable; });
}

void LemmaGenerator::buildFamilies() {
  auto look = [&](Term x, Term m) {
    if (TermPool::asInteger(m) || !isGrain(m))
      return;
    Family &family = familyOf(m);
    family.grains.insert(m);
    if (!TermPool::asInteger(x))
      family.numbers.insert(x);
  };
  for (const auto &terms : {modulos, quotients, bits, extraModulos})
    for (Term a : terms)
      look(a->operands[0], a->operands[1]);
  for (Term product : productTerms) // multiples of a granularity: s*b, and t mod p if b divides t and p
    for (Term factor : product->operands)
      look(product, factor);
  for (Term fact : divisibilities)
    for (const auto &terms : {modulos, extraModulos})
      for (Term a : terms)
        if (a->operands[1] == fact->operands[0] && residue(a->operands[0], fact->operands[1]) == number(0)) {
          look(a, fact->operands[1]);
          add({positive(fact->operands[1]), positive(a->operands[1]), pool.equal(fact, number(0))},
              pool.equal(pool.modulo(a, fact->operands[1]), number(0)));
        }
  Terms halves; // granularities whose double is needed
  for (Term a : bits)
    halves.insert(a->operands[1]);
  for (Term flip : flips) {
    auto [x, w] = flipOperands(flip);
    look(x, w);
    look(flip, w);
    halves.insert(w);
  }
  for (Term half : halves)
    if (isGrain(half) && !TermPool::asInteger(half))
      familyOf(half).grains.insert(twice(half));
  if (!powerFamily.grains.empty())
    for (Term select : selects)
      if (isFolded(select))
        for (Term number : {select, select->operands[1], select->operands[2]})
          powerFamily.numbers.insert(number);
  // Powers of two are numbers of the family too: each is a multiple of the smaller ones, and they bound ranges.
  if (!powerFamily.grains.empty())
    for (Term power : powerTerms)
      if (!TermPool::asInteger(power) && powerGuard(power))
        powerFamily.numbers.insert(power);
}

Term LemmaGenerator::twice(Term w) {
  if (w->kind == TermKind::Power2)
    if (Term next = pool.power2(plus(w->operands[0], 1)); powerTerms.contains(next))
      return next;
  return pool.scale(2, w);
}

void LemmaGenerator::ranges(const Family &family) {
  for (Term grain : family.grains)
    for (Term x : family.numbers) {
      Term r = pool.modulo(x, grain), some = positive(grain);
      add({some}, pool.inRange(number(0), r, grain));
      add({some, atLeast(x, 0)}, pool.lessEqual(r, x));
      add({some, pool.inRange(number(0), x, grain)}, pool.equal(r, x));
      if (Term simple = residue(x, grain); simple != x && (TermPool::asInteger(simple) || family.numbers.contains(simple)))
        add({some}, pool.equal(r, pool.modulo(simple, grain)));
    }
}

bool LemmaGenerator::isFolded(Term select) {
  auto isNumber = [&](Term number) {
    for (const Monomial &part : TermPool::monomialsOf(number))
      if (powerFamily.numbers.contains(part.atom)) {
        const Term rest = pool.subtract(number, part.atom);
        return TermPool::constantOf(rest) == 0 &&
               llvm::all_of(TermPool::monomialsOf(rest), [&](const Monomial &m) { return Term(powerGuard(m.atom)) != Term(); });
      }
    return false;
  };
  return isNumber(select->operands[1]) && isNumber(select->operands[2]);
}

void LemmaGenerator::foldedRemainders() {
  for (Term select : selects)
    if (powerFamily.numbers.contains(select))
      for (Term grain : powerFamily.grains) {
        const Term condition = select->operands[0], yes = select->operands[1], no = select->operands[2];
        add({positive(grain)}, pool.equal(pool.modulo(select, grain),
                                          pool.select(condition, pool.modulo(yes, grain), pool.modulo(no, grain))));
      }
}

void LemmaGenerator::doublings() {
  for (Term small : powerFamily.grains)
    for (Term large : powerFamily.grains) {
      Term isDouble = pool.equal(large, pool.scale(2, small));
      if (small == large || pool.isFalse(isDouble))
        continue;
      for (Term x : powerFamily.numbers) {
        if (isFull())
          return;
        Term bit = pool.bit(x, small);
        add({positive(small), isDouble},
            pool.equal(pool.modulo(x, large), pool.add(pool.modulo(x, small), pool.select(bit, small, number(0)))));
        if (Term q = pool.quotient(x, small), half = pool.quotient(x, large); quotients.contains(q) || quotients.contains(half))
          add({positive(small), isDouble},
              pool.equal(q, pool.add(pool.scale(2, half), pool.select(bit, number(1), number(0)))));
      }
    }
}

/// The coefficient of a granularity, and what it is the coefficient of, with 2**(e + c) counted as 2**c * 2**e; 0 if it is a sum.
static std::pair<std::int64_t, Term> coefficientOf(TermPool &pool, Term grain) {
  const auto parts = TermPool::monomialsOf(grain);
  if (parts.size() != 1 || TermPool::constantOf(grain) != 0)
    return {0, grain};
  std::int64_t coefficient = parts[0].coefficient;
  Term rest = pool.integer(1);
  const auto factors = parts[0].atom->kind == TermKind::Product ? llvm::ArrayRef<Term>(parts[0].atom->operands) : parts[0].atom;
  for (Term factor : factors) {
    constexpr std::int64_t furthest = 3;
    if (factor->kind == TermKind::Power2)
      if (const std::int64_t more = TermPool::constantOf(factor->operands[0]); 0 < more && more <= furthest) {
        coefficient *= std::int64_t(1) << more;
        factor = pool.power2(pool.subtract(factor->operands[0], pool.integer(more)));
      }
    rest = pool.multiply(rest, factor);
  }
  return {coefficient, rest};
}

void LemmaGenerator::multiples() {
  for (const auto &[small, ofSmall] : otherFamilies)
    for (const auto &[large, ofLarge] : otherFamilies) {
      const auto [less, rest] = coefficientOf(pool, small);
      const auto [more, same] = coefficientOf(pool, large);
      constexpr std::int64_t most = 4;
      if (less <= 0 || rest != same || more % less != 0 || more / less < 2 || more / less > most)
        continue;
      for (Term x : ofLarge.numbers) {
        if (isFull())
          return;
        llvm::SmallVector<Term, 4> places;
        for (std::int64_t i = 0; i < more / less; ++i)
          places.push_back(pool.equal(pool.modulo(x, large), pool.add(pool.modulo(x, small), pool.scale(i, small))));
        add({positive(small), pool.equal(large, pool.scale(more / less, small))}, pool.disjunction(places));
      }
    }
}

/// Whether the difference of two numbers contains no variables but those of the granularity, as w and 2*w do.
static bool areNear(TermPool &pool, Term x, Term y, Term grain) {
  const auto known = variablesOf({grain});
  return !known.empty() && llvm::all_of(variablesOf({pool.subtract(x, y)}), [&](Term variable) { return llvm::is_contained(known, variable); });
}

void LemmaGenerator::separations(const Family &family, bool exactly) {
  for (Term grain : family.grains)
    for (auto [i, x] : llvm::enumerate(family.numbers))
      for (Term y : llvm::ArrayRef(family.numbers.getArrayRef()).take_front(i)) {
        if (isFull())
          return;
        Term a = align(x, grain), b = align(y, grain);
        Term below = pool.lessEqual(pool.add(a, grain), b), above = pool.lessEqual(pool.add(b, grain), a);
        add({positive(grain)}, pool.disjunction({pool.equal(a, b), below, above}));
        if (exactly || areNear(pool, x, y, grain))
          for (auto [low, high] : {std::pair(a, b), std::pair(b, a)})
            add({positive(grain), pool.less(low, high)},
                pool.either(pool.equal(pool.add(low, grain), high), pool.lessEqual(pool.add(low, pool.scale(2, grain)), high)));
        Term p = pool.quotient(x, grain), q = pool.quotient(y, grain);
        if (quotients.contains(p) && quotients.contains(q)) {
          add({positive(grain)}, iff(pool.less(p, q), below));
          add({positive(grain)}, iff(pool.less(q, p), above));
          add({positive(grain)}, iff(pool.equal(plus(p, 1), q), pool.equal(pool.add(a, grain), b)));
          add({positive(grain)}, iff(pool.equal(plus(q, 1), p), pool.equal(pool.add(b, grain), a)));
        }
      }
}

void LemmaGenerator::divisors() {
  auto withMultiple = [&](Term y, Term m, Family &family) {
    Term divides = pool.equal(pool.modulo(y, m), number(0));
    llvm::DenseMap<Term, llvm::SmallVector<Term, 2>> byResidue;
    for (Term x : family.numbers)
      byResidue[residue(x, m)].push_back(x);
    for (Term x : family.numbers)
      for (std::int64_t k : {1, 2}) {
        auto same = byResidue.find(residue(pool.subtract(x, pool.scale(k, y)), m));
        if (same != byResidue.end() && !isFull())
          for (Term other : same->second)
            if (other != x)
              add({positive(m), divides}, pool.equal(pool.modulo(x, m), pool.modulo(other, m)));
      }
  };
  for (Term fact : divisibilities)
    if (isGrain(fact->operands[1]))
      withMultiple(fact->operands[0], fact->operands[1], familyOf(fact->operands[1]));
  for (Term grain : powerFamily.grains)
    for (Term power : powerTerms)
      if (power != grain && powerGuard(power)) {
        add({powerGuard(grain), powerGuard(power), pool.lessEqual(grain, power)},
            pool.equal(pool.modulo(power, grain), number(0)));
        withMultiple(power, grain, powerFamily);
      }
}

std::pair<Term, Term> LemmaGenerator::flipOperands(Term flip) {
  Term x = flip->operands[0], w = flip->operands[1];
  return powerGuard(w) ? std::pair(x, w) : std::pair(w, x);
}

void LemmaGenerator::flipped(Term y) {
  auto [x, w] = flipOperands(y);
  Term guard = powerGuard(w), bit = pool.bit(x, w);
  add({guard}, pool.equal(y, pool.add(x, pool.select(bit, pool.scale(-1, w), w))));
  add({guard}, iff(pool.bit(y, w), pool.negate(bit)));
  for (Term grain : powerFamily.grains) {
    Term both = pool.both(guard, powerGuard(grain));
    add({both, pool.lessEqual(grain, w)}, pool.equal(pool.modulo(y, grain), pool.modulo(x, grain)));
    add({both, pool.less(w, grain)}, pool.equal(align(y, grain), align(x, grain)));
    if (Term before = pool.bit(x, grain), after = pool.bit(y, grain); bits.contains(before) || bits.contains(after))
      add({both, pool.notEqual(grain, w)}, iff(after, before));
  }
}

} // namespace quadrille::compiler::prove
