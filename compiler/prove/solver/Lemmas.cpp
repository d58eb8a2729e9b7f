//===- Lemmas.cpp - Instances of the laws of mod, div and products ---------------------------------------------------===//

#include "DigitLemmas.h"
#include "LemmaGenerator.h"
#include "PowerLemmas.h"

#include "limits/Limits.h"
#include "prove/terms/Factors.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <cassert>

namespace quadrille::compiler::prove {

std::vector<Term> LemmaGenerator::run() {
  factors();
  severalBits();
  for (Term modulo : modulos)
    windows(modulo->operands[0], modulo->operands[1]);
  logarithms();
  powers();
  products();
  parities();
  bitwise();
  for (Term modulo : modulos)
    residues(modulo->operands[0], modulo->operands[1]);
  buildFamilies();
  ranges(powerFamily);
  for (auto &entry : otherFamilies)
    ranges(entry.second);
  foldedRemainders();
  doublings();
  multiples();
  for (Term flip : flips)
    flipped(flip);
  for (Term quotient : quotients)
    quotientRange(quotient->operands[0], quotient->operands[1]);
  dividedDivisors();
  exactDifferences();
  divisors();
  separations(powerFamily, false);
  for (auto &entry : otherFamilies)
    separations(entry.second, true);
  return std::move(result);
}

void LemmaGenerator::collect(llvm::ArrayRef<Term> formulas) {
  forEachNode(formulas, [&](Term a) {
    switch (a->kind) {
    case TermKind::Variable:
      if (a->isPower)
        powerTerms.insert(a);
      break;
    case TermKind::Power2:
      powerTerms.insert(a);
      break;
    case TermKind::IsPower2:
      isPowers.insert(a);
      powerTerms.insert(a->operands[0]);
      break;
    case TermKind::Modulo:
      (TermPool::asInteger(a->operands[1]) ? literalDivisions : modulos).insert(a);
      break;
    case TermKind::Quotient:
      (TermPool::asInteger(a->operands[1]) ? literalDivisions : quotients).insert(a);
      break;
    case TermKind::Bit:
      if (!TermPool::asInteger(a->operands[1]))
        bits.insert(a);
      break;
    case TermKind::BitXor:
    case TermKind::BitAnd:
    case TermKind::BitOr:
      bitwiseTerms.insert(a);
      break;
    case TermKind::CeilLog2:
      ceilLogs.insert(a);
      break;
    case TermKind::FloorLog2:
      floorLogs.insert(a);
      break;
    case TermKind::Product:
      productTerms.insert(a);
      break;
    case TermKind::Select:
      if (!a->isBoolean())
        selects.insert(a);
      break;
    case TermKind::IsZero: // a fact such as p mod b == 0
      if (a->operands[0]->kind == TermKind::Modulo && !TermPool::asInteger(a->operands[0]->operands[1]))
        divisibilities.insert(a->operands[0]);
      if (a->operands[0]->kind == TermKind::Sum)
        equations.insert(a->operands[0]);
      break;
    case TermKind::Apply:
      for (Term operand : a->operands)
        if (operand->kind == TermKind::Quotient && !TermPool::asInteger(operand->operands[1]))
          callsOf.insert(operand);
      break;
    default:
      break;
    }
  });
  for (Term digit : literalDivisions) // (x div w) mod 2 is a bit of x, or what is known of that
    if (const Term quotient = digit->operands[0];
        digit->kind == TermKind::Modulo && TermPool::asInteger(digit->operands[1]) == 2 && quotient->kind == TermKind::Quotient &&
        !TermPool::asInteger(quotient->operands[1]) && powerGuard(quotient->operands[1]))
      if (const Term bit = pool.bit(quotient->operands[0], quotient->operands[1]); bit->kind == TermKind::Bit)
        bits.insert(bit);
  for (Term flip : bitwiseTerms)
    if (flip->kind == TermKind::BitXor && (powerGuard(flip->operands[0]) || powerGuard(flip->operands[1])))
      flips.insert(flip);
}

void LemmaGenerator::add(llvm::ArrayRef<Term> conditions, Term conclusion) {
  assert(conclusion->isBoolean() && "a lemma is a truth value");
  if (isFull())
    return;
  Term lemma = pool.implies(pool.conjunction(conditions), conclusion);
  if (!pool.isTrue(lemma) && emitted.insert(lemma).second)
    result.push_back(lemma);
}

Term LemmaGenerator::powerGuard(Term a) {
  if (auto value = TermPool::asInteger(a))
    return *value > 0 && (*value & (*value - 1)) == 0 ? pool.truth(true) : Term();
  Term known = pool.isPower2(a);
  if (pool.isTrue(known))
    return known;
  switch (a->kind) {
  case TermKind::Power2:
    return atLeast(a->operands[0], 0);
  case TermKind::Power:
    if (!powerTerms.empty() && pool.isTrue(pool.isPower2(a->operands[0]))) // needed only beside other powers of two
      return atLeast(a->operands[1], 0);
    break;
  case TermKind::Sum:
    if (a->constant == 0 && a->monomials.size() == 1 && !pool.isFalse(pool.isPower2(number(a->monomials[0].coefficient))))
      if (Term inner = powerGuard(a->monomials[0].atom))
        return inner;
    break;
  case TermKind::Product: {
    Term all = pool.truth(true);
    for (Term factor : a->operands) {
      Term guard = powerGuard(factor);
      if (!guard)
        return isPowers.contains(known) ? known : Term();
      all = pool.both(all, guard);
    }
    return all;
  }
  case TermKind::Quotient: // u div 2
    if (auto divisor = TermPool::asInteger(a->operands[1]); divisor && pool.isTrue(pool.isPower2(a->operands[1])))
      if (Term inner = powerGuard(a->operands[0]))
        return pool.both(inner, atLeast(a->operands[0], *divisor));
    break;
  default:
    break;
  }
  return isPowers.contains(known) ? known : Term();
}

/// The d with a == m*d that division of polynomials yields; null if there is a rest.
static Term dividedBy(TermPool &pool, Term a, Term m) {
  const Monomial first = TermPool::monomialsOf(m)[0];
  Term result = pool.integer(0);
  for (unsigned steps = 0; steps < 8; ++steps) {
    if (a == pool.integer(0))
      return result;
    Term part;
    for (const Monomial &monomial : TermPool::monomialsOf(a)) {
      llvm::SmallVector<Term, 4> others = factorsOf(monomial.atom);
      auto *factor = llvm::find(others, first.atom);
      if (factor == others.end() || monomial.coefficient % first.coefficient != 0)
        continue;
      others.erase(factor);
      Term next = pool.integer(monomial.coefficient / first.coefficient);
      for (Term other : others)
        next = pool.multiply(next, other);
      if (!part || sizeOf({next}) > sizeOf({part})) // of the highest degree
        part = next;
    }
    if (!part)
      return {};
    result = pool.add(result, part);
    a = pool.subtract(a, pool.multiply(part, m));
  }
  return {};
}

void LemmaGenerator::factors() {
  Terms divisors;
  for (const Terms *terms : {&modulos, &quotients})
    for (Term a : *terms)
      divisors.insert(a->operands[1]);
  for (Term equation : equations)
    for (const Monomial &part : TermPool::monomialsOf(equation)) {
      if (part.atom->kind != TermKind::Variable || std::abs(part.coefficient) != 1)
        continue;
      const Term rest = pool.subtract(part.atom, pool.scale(part.coefficient, equation));
      for (Term m : divisors)
        if (Term d = m == part.atom || TermPool::asInteger(rest) ? Term() : dividedBy(pool, rest, m); d && pool.multiply(d, m) == rest) {
          const Term remainder = pool.modulo(part.atom, m);
          add({positive(m), pool.equal(equation, number(0))}, pool.equal(remainder, number(0)));
          modulos.insert(remainder);
          divisibilities.insert(remainder);
        }
    }
}

void LemmaGenerator::windows(Term x, Term m) {
  Term r = pool.modulo(x, m), some = positive(m);
  add({some}, pool.inRange(number(0), r, m));
  for (std::int64_t k : {0, -1, 1, -2, 2}) // k*m <= x < (k+1)*m
    add({some, pool.inRange(pool.scale(k, m), x, pool.scale(k + 1, m))}, pool.equal(r, pool.subtract(x, pool.scale(k, m))));
}

Term LemmaGenerator::residue(Term x, Term m) {
  Monomial grain{1, m};
  if (auto parts = TermPool::monomialsOf(m); parts.size() == 1 && TermPool::constantOf(m) == 0)
    grain = parts[0];
  for (unsigned rounds = 0; rounds < 8; ++rounds) { // remainders of remainders
    Term next = number(TermPool::constantOf(x));
    for (const Monomial &part : TermPool::monomialsOf(x)) {
      llvm::SmallVector<Term, 4> factors = factorsOf(part.atom);
      if (takeOut(grain.atom, factors) && part.coefficient % grain.coefficient == 0)
        continue;
      bool isRemainder = part.atom->kind == TermKind::Modulo && part.atom->operands[1] == m;
      next = pool.add(next, pool.scale(part.coefficient, isRemainder ? part.atom->operands[0] : part.atom));
    }
    if (next == x)
      break;
    x = next;
  }
  return x;
}

LemmaGenerator::Coordinates LemmaGenerator::coordinates(Term x, Term m) {
  Coordinates result{number(0), x, pool.truth(true)};
  for (const Monomial &part : TermPool::monomialsOf(x)) {
    llvm::SmallVector<Term, 4> others = factorsOf(part.atom);
    Term column = number(part.coefficient);
    if (part.atom == m || !takeOut(m, others)) {
      if (m->kind != TermKind::Quotient || !llvm::is_contained(others, m->operands[0]))
        continue;
      // m is p div b: p*a is m*b*a + (p mod b)*a. What the pool makes of m*b holds only for b >= 1.
      others.erase(llvm::find(others, m->operands[0]));
      column = pool.multiply(column, m->operands[1]);
      result.condition = positive(m->operands[1]);
    }
    for (Term other : others)
      column = pool.multiply(column, other);
    result.column = pool.add(result.column, column);
    result.row = pool.subtract(result.row, pool.multiply(column, m));
  }
  return result;
}

void LemmaGenerator::residues(Term x, Term m) {
  auto isThatOf = [&](Term simple, llvm::ArrayRef<Term> conditions) {
    Term r = pool.modulo(simple, m);
    add(conditions, pool.equal(pool.modulo(x, m), r));
    if (r->kind == TermKind::Modulo && !modulos.contains(r) && extraModulos.insert(r))
      windows(r->operands[0], r->operands[1]);
  };
  Term simple = residue(x, m);
  if (simple != x)
    isThatOf(simple, {positive(m)});
  if (const Coordinates is = coordinates(x, m); m->kind == TermKind::Quotient && is.row != x)
    isThatOf(is.row, {positive(m), is.condition});
  // Half of m + 1 is what doubles to 1: twice a*h mod m is a or a + m.
  if (const auto parts = TermPool::monomialsOf(x); parts.size() == 1 && parts[0].coefficient == 1 && TermPool::constantOf(x) == 0)
    if (const llvm::SmallVector<Term, 4> factors = factorsOf(parts[0].atom); factors.size() == 2)
      for (const auto &[a, half] : {std::pair(factors[0], factors[1]), std::pair(factors[1], factors[0])}) {
        const Term twice = pool.scale(2, pool.modulo(x, m));
        add({pool.equal(pool.scale(2, half), plus(m, 1)), pool.inRange(number(0), a, m)},
            pool.either(pool.equal(twice, a), pool.equal(twice, pool.add(a, m))));
      }
  // (s*b + r) div b - c, where 0 <= r < b, is s - c, of which s may be a remainder, too: rows of a torus that are moved further around.
  for (const Monomial &part : TermPool::monomialsOf(simple))
    if (part.atom->kind == TermKind::Quotient && !TermPool::asInteger(part.atom->operands[1])) {
      const Term whole = part.atom->operands[0], b = part.atom->operands[1];
      if (const Coordinates is = coordinates(whole, b); is.row != whole) {
        const Term moved = pool.add(simple, pool.scale(part.coefficient, pool.subtract(is.column, part.atom)));
        isThatOf(residue(moved, m), {positive(m), positive(b), is.condition, pool.inRange(number(0), is.row, b)});
      }
    }
  for (Term fact : divisibilities) // (t mod p) mod b, where p mod b == 0
    if (Term p = fact->operands[0]; fact->operands[1] == m)
      for (const Monomial &part : TermPool::monomialsOf(simple))
        if (part.atom->kind == TermKind::Modulo && part.atom->operands[1] == p) {
          Term without = pool.add(simple, pool.scale(part.coefficient, pool.subtract(part.atom->operands[0], part.atom)));
          isThatOf(residue(without, m), {positive(m), positive(p), pool.equal(fact, number(0))});
        }
}

void LemmaGenerator::quotientRange(Term x, Term m) {
  Term q = pool.quotient(x, m), some = positive(m);
  add({some, atLeast(x, 0)}, pool.inRange(number(0), q, plus(x, 1)));
  add({some, atLeast(x, 0)}, iff(pool.equal(q, number(0)), pool.less(x, m)));
  add({some, pool.lessEqual(m, x)}, atLeast(q, 1));
  add({some, pool.inRange(pool.scale(-1, m), x, number(0))}, pool.equal(q, number(-1)));
  add({some, pool.inRange(m, x, pool.scale(2, m))}, pool.equal(q, number(1)));
  add({some, pool.lessEqual(pool.scale(2, m), x)}, atLeast(q, 2));
  add({pool.equal(m, number(1))}, pool.equal(q, x));
  add({atLeast(m, 2), atLeast(x, 0)}, pool.lessEqual(pool.scale(2, q), x));
  // x is m*q + r. Functions that go from digit to digit add up the digits.
  if (const Term r = pool.modulo(x, m); callsOf.contains(q) && modulos.contains(r))
    add({some, atLeast(x, 0)}, pool.lessEqual(pool.add(q, r), x));
  // Rounding up: (s + m - 1) div m is at most (s + 1) div 2, if m is at least 2.
  if (Term rounded = plus(pool.subtract(x, m), 1); TermPool::monomialsOf(rounded).size() < TermPool::monomialsOf(x).size())
    add({atLeast(m, 2), atLeast(rounded, 0)}, pool.lessEqual(pool.scale(2, q), plus(rounded, 1)));
  if (const Coordinates is = coordinates(x, m); is.row != x)
    add({is.condition, pool.inRange(number(0), is.row, m)}, pool.equal(q, is.column));
  if (Term guard = powerGuard(m))
    add({guard}, iff(pool.bit(x, m), pool.equal(pool.modulo(q, number(2)), number(1))));
  // (t mod p) div m, where m divides p, is t div m mod (p div m): the row of a rank that is moved by whole rows.
  for (Term fact : divisibilities)
    if (const Term p = fact->operands[0]; fact->operands[1] == m && x->kind == TermKind::Modulo && x->operands[1] == p) {
      const Coordinates is = coordinates(x->operands[0], m);
      const Term row = pool.modulo(pool.add(pool.quotient(is.row, m), is.column), pool.quotient(p, m));
      add({some, positive(p), is.condition, pool.equal(fact, number(0))}, pool.equal(q, row));
      if (row->kind == TermKind::Modulo && !modulos.contains(row) && extraModulos.insert(row))
        windows(row->operands[0], row->operands[1]);
    }
}

void LemmaGenerator::dividedDivisors() {
  for (Term a : quotients)
    for (Term b : quotients) {
      const Term x = a->operands[0], m = a->operands[1];
      const auto by = m->kind == TermKind::Quotient ? TermPool::asInteger(m->operands[1]) : std::nullopt;
      if (by && *by > 0 && b->operands[0] == x && b->operands[1] == m->operands[0])
        add({atLeast(x, 0), positive(m)}, pool.lessEqual(pool.scale(*by, b), a));
    }
}

void LemmaGenerator::exactDifferences() {
  llvm::SmallVector<Term, 4> conditions;
  const auto factored = [&](Term a) { // r**(e + 1) as r * r**e
    return pool.rebuild(a, [&](Term node) {
      const std::int64_t more = node->kind == TermKind::Power ? TermPool::constantOf(node->operands[1]) : 0;
      if (more < 1)
        return Term();
      const Term fewer = plus(node->operands[1], -more);
      conditions.push_back(atLeast(fewer, 0));
      return pool.multiply(pool.power(node->operands[0], number(more)), pool.power(node->operands[0], fewer));
    });
  };
  for (Term a : quotients)
    for (Term b : quotients) {
      const Term m = a->operands[1];
      if (a == b || b->operands[1] != m || TermPool::monomialsOf(m).empty())
        continue;
      conditions = {positive(m)};
      const Term difference = pool.subtract(factored(a->operands[0]), factored(b->operands[0]));
      const Term d = dividedBy(pool, difference, m);
      if (d && !TermPool::asInteger(d) && pool.multiply(d, m) == difference)
        add(conditions, pool.equal(a, pool.add(b, d)));
    }
}

/// How many values, from 0 on, are tried for a factor: b for a digit to a base b of at most 8, also with some bits changed; else 0.
std::int64_t LemmaGenerator::smallNumbers(Term a) {
  if (a->kind == TermKind::BitXor)
    return std::max(smallNumbers(a->operands[0]), smallNumbers(a->operands[1]));
  const auto base = a->kind == TermKind::Modulo ? TermPool::asInteger(a->operands[1]) : std::nullopt;
  return base && 0 < *base && *base <= limits::lemmaDigits ? *base : 0;
}

/// A power of a number is odd exactly if the number is, so (x*x + x) mod 2 == 0.
void LemmaGenerator::parities() {
  const Term two = number(2);
  for (Term division : literalDivisions) {
    const Term dividend = division->operands[0];
    if (division->operands[1] != two)
      continue;
    Term reduced = number(TermPool::constantOf(dividend));
    for (const Monomial &part : TermPool::monomialsOf(dividend)) {
      Term roots = part.atom;
      if (roots->kind == TermKind::Product) {
        const Terms factors(roots->operands.begin(), roots->operands.end());
        roots = number(1);
        for (Term factor : factors)
          roots = pool.multiply(roots, factor);
      }
      reduced = pool.add(reduced, pool.scale(part.coefficient, roots));
    }
    if (reduced != dividend)
      add({}, pool.equal(pool.modulo(dividend, two), pool.modulo(reduced, two)));
  }
}

/// g * 2**(e + c) is 2**c * (g * 2**e).
void LemmaGenerator::doubled(Term y, const Terms &factors) {
  constexpr std::int64_t furthest = 3;
  for (Term less : factors)
    for (Term more : factors) {
      if (less->kind != TermKind::Power2 || more->kind != TermKind::Power2)
        continue;
      const auto distance = TermPool::asInteger(pool.subtract(more->operands[0], less->operands[0]));
      if (distance && 0 < *distance && *distance <= furthest)
        add({atLeast(less->operands[0], 0)}, pool.equal(pool.multiply(y, more), pool.scale(std::int64_t(1) << *distance, pool.multiply(y, less))));
    }
}

void LemmaGenerator::products() {
  llvm::MapVector<Term, Terms> multipliers; // by factor: all x whose product with it occurs
  const auto twoFactors = [&](Term product, Term x, Term y) {
    multipliers[y].insert(x);
    multipliers[x].insert(y);
    for (auto [u, v] : {std::pair(x, y), std::pair(y, x)}) {
      for (std::int64_t value = 0; value < std::max<std::int64_t>(smallNumbers(u), 3); ++value)
        add({pool.equal(u, number(value))}, pool.equal(product, pool.scale(value, v)));
      add({atLeast(u, 0), atLeast(v, 0)}, atLeast(product, 0));
      for (std::int64_t value : {1, 2})
        add({atLeast(u, value), atLeast(v, 0)}, pool.lessEqual(pool.scale(value, v), product));
    }
  };
  Terms planes; // products that are divisors, as the number of ranks in a plane of a grid
  for (const Terms *divisions : {&quotients, &modulos})
    for (Term division : *divisions)
      if (division->operands[1]->kind == TermKind::Product)
        planes.insert(division->operands[1]);
  for (Term product : productTerms) {
    if (product->operands.size() == 2)
      twoFactors(product, product->operands[0], product->operands[1]);
    for (Term plane : planes)
      if (llvm::SmallVector<Term, 4> others = factorsOf(product); product != plane && takeOut(plane, others)) {
        Term rest = number(1);
        for (Term other : others)
          rest = pool.multiply(rest, other);
        twoFactors(product, plane, rest);
      }
  }
  for (const auto &[y, factors] : multipliers)
    if (factors.size() > 1) {
      doubled(y, factors);
      distributed(y, factors);
    }
  const auto isExtent = [](Term y) { // p div columns: as many rows
    return y->kind == TermKind::Quotient && !TermPool::asInteger(y->operands[1]);
  };
  for (Term quotient : quotients)
    if (isExtent(quotient->operands[1]))
      multipliers[quotient->operands[1]];
  for (Term quotient : quotients) // p div (last + 1), beside products with last
    if (Term whole = quotient->operands[0], divisor = quotient->operands[1]; divisor->kind == TermKind::Sum) {
      Term distributed = pool.scale(TermPool::constantOf(divisor), quotient);
      bool isBeside = false;
      for (const Monomial &part : TermPool::monomialsOf(divisor)) {
        distributed = pool.add(distributed, pool.scale(part.coefficient, pool.multiply(quotient, part.atom)));
        if (auto known = multipliers.find(part.atom); known != multipliers.end()) {
          known->second.insert(quotient);
          isBeside = true;
        }
      }
      if (isBeside) {
        add({positive(divisor)}, pool.equal(distributed, align(whole, divisor)));
        windows(whole, divisor);
      }
    }
  for (Term quotient : quotients)
    if (auto known = multipliers.find(quotient->operands[1]); known != multipliers.end()) {
      known->second.insert(quotient);
      windows(quotient->operands[0], quotient->operands[1]); // the remainder
    }
  for (auto &[y, xs] : multipliers)
    if (isExtent(y) && xs.insert(y->operands[1]))
      windows(y->operands[0], y->operands[1]);
  for (auto &[y, xs] : multipliers)
    for (Term a : xs)
      for (Term b : xs) {
        if (a == b)
          continue;
        Term left = pool.multiply(a, y), right = pool.multiply(b, y);
        for (std::int64_t step : {-1, 0, 1, 2})
          add({mayMultiply(a, y), mayMultiply(b, y), pool.lessEqual(plus(a, step), b)},
              pool.lessEqual(pool.add(left, pool.scale(step, y)), right));
      }
}

void LemmaGenerator::distributed(Term y, const Terms &factors) {
  for (Term v : productTerms) {
    if (llvm::is_contained(v->operands, y))
      continue;
    // The pool makes t - t mod m of (t div m)*m, which holds only for m >= 1. m may be y, or have it as a factor.
    llvm::SmallVector<Term, 4> arePositive{positive(y)};
    if (llvm::any_of(v->operands, [](Term factor) { return factor->kind == TermKind::Quotient && factor->operands[1]->kind == TermKind::Product; }))
      for (Term factor : v->operands)
        arePositive.push_back(positive(factor));
    const Term product = pool.multiply(v, y);
    const bool isKnown = llvm::all_of(TermPool::monomialsOf(product), [&](const Monomial &part) { return productTerms.contains(part.atom); });
    if (isKnown)
      for (Term x : factors)
        for (Term u : factors)
          if (x != u)
            add({pool.conjunction(arePositive), pool.equal(x, pool.subtract(u, v))},
                pool.equal(pool.multiply(x, y), pool.subtract(pool.multiply(u, y), product)));
  }
}

Term LemmaGenerator::mayMultiply(Term a, Term y) {
  // The pool makes t - t mod b of (t div b)*b, which holds only for b >= 1. b may be a product of some of the factors.
  const auto isPartBy = [](Term part, Term product) {
    llvm::SmallVector<Term, 4> factors = factorsOf(product);
    return part->kind == TermKind::Quotient && takeOut(part->operands[1], factors);
  };
  if (isPartBy(a, y))
    return pool.both(positive(a->operands[1]), atLeast(y, 0));
  if (isPartBy(y, a))
    return pool.both(positive(y->operands[1]), atLeast(y, 0));
  return atLeast(y, 0);
}

/// The formulas, with r**e in the place of a variable w if one of them is w == r**e. The solver applies what lemmas say of r**e to w,
/// too, since it is told that both are equal.
static std::vector<Term> withPowers(TermPool &pool, llvm::ArrayRef<Term> formulas) {
  TermPool::Substitution by;
  for (Term formula : formulas) {
    const auto parts = TermPool::monomialsOf(formula->kind == TermKind::IsZero ? formula->operands[0] : pool.integer(0));
    if (parts.size() != 2 || TermPool::constantOf(formula->operands[0]) != 0)
      continue;
    for (const auto &[variable, power] : {std::pair(parts[0], parts[1]), std::pair(parts[1], parts[0])})
      if (variable.atom->kind == TermKind::Variable && power.atom->kind == TermKind::Power && std::abs(variable.coefficient) == 1 &&
          power.coefficient == -variable.coefficient && !llvm::is_contained(variablesOf({power.atom}), variable.atom))
        by.try_emplace(variable.atom.get(), power.atom);
  }
  std::vector<Term> result;
  for (Term formula : formulas)
    result.push_back(by.empty() ? formula : pool.substitute(formula, by));
  return result;
}

std::vector<Term> lemmasFor(TermPool &pool, llvm::ArrayRef<Term> given) {
  const std::vector<Term> formulas = withPowers(pool, given);
  // Lemmas of powers contain new products, and those of digits new remainders, which need lemmas too.
  std::vector<Term> result = powerLemmasFor(pool, formulas);
  std::vector<Term> all(formulas.begin(), formulas.end());
  llvm::append_range(all, result);
  const std::vector<Term> digits = digitLemmasFor(pool, all);
  llvm::append_range(all, digits);
  llvm::append_range(result, digits);
  llvm::append_range(result, LemmaGenerator(pool, all).run());
  return result;
}

} // namespace quadrille::compiler::prove
