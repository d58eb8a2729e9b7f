//===- LemmasOfPowers.cpp - Powers of two, logarithms, xor, and, or --------------------------------------------===//

#include "LemmaGenerator.h"

#include "limits/Limits.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"

namespace quadrille::compiler::prove {

void LemmaGenerator::severalBits() {
  const std::int64_t largest = limits::lemmaMasks;
  for (Term a : llvm::SmallVector<Term, 8>(bitwiseTerms.begin(), bitwiseTerms.end())) {
    if (a->kind != TermKind::BitXor)
      continue;
    for (auto [x, y] : {std::pair(a->operands[0], a->operands[1]), std::pair(a->operands[1], a->operands[0])}) {
      const auto parts = TermPool::monomialsOf(y);
      const auto value = TermPool::asInteger(y);
      if (!value && (parts.size() != 1 || TermPool::constantOf(y) != 0))
        continue;
      const std::int64_t factor = value ? *value : parts[0].coefficient;
      const Term power = value ? number(1) : parts[0].atom, guard = powerGuard(power);
      if (factor < 3 || factor > largest || !guard || (factor & (factor - 1)) == 0)
        continue;
      Term flipped = x;
      for (std::int64_t bit = 1; bit <= factor; bit *= 2)
        if (factor & bit) {
          flipped = pool.bitXor(flipped, pool.scale(bit, power));
          if (flipped->kind == TermKind::BitXor) {
            bitwiseTerms.insert(flipped);
            flips.insert(flipped);
          }
        }
      add({guard}, pool.equal(a, flipped));
    }
  }
}

void LemmaGenerator::bitwise() {
  for (Term a : bitwiseTerms) {
    Term x = a->operands[0], y = a->operands[1];
    Term natural = pool.both(atLeast(x, 0), atLeast(y, 0));
    add({natural}, atLeast(a, 0));
    if (a->kind == TermKind::BitXor) {
      add({}, iff(pool.equal(a, number(0)), pool.equal(x, y)));
      add({}, iff(pool.equal(a, x), pool.equal(y, number(0))));
      add({}, iff(pool.equal(a, y), pool.equal(x, number(0))));
      add({natural}, pool.lessEqual(a, pool.add(x, y)));
      for (Term bit : bits) // the bit of x differs from that of x xor y exactly if y has it
        if (const Term of = bit->operands[0], power = bit->operands[1]; (of == x || of == y) && powerGuard(power))
          add({powerGuard(power), natural}, iff(pool.bit(a, power), pool.negate(iff(pool.bit(x, power), pool.bit(y, power)))));
      // (x xor y) xor y is x, and (x xor y) xor x is y.
      add({}, pool.equal(pool.bitXor(a, y), x));
      add({}, pool.equal(pool.bitXor(a, x), y));
      for (Term b : bitwiseTerms)
        if (b->kind == TermKind::BitXor && b->number < a->number) {
          Term u = b->operands[0], v = b->operands[1];
          add({pool.equal(a, b)}, pool.both(iff(pool.equal(x, u), pool.equal(y, v)), iff(pool.equal(x, v), pool.equal(y, u))));
          add({pool.equal(x, v), pool.equal(y, u)}, pool.equal(a, b));
          // If one operand of u xor v is x xor y, and the other one is y, the result is x.
          for (auto [whole, part] : {std::pair(u, v), std::pair(v, u)}) {
            add({pool.equal(whole, a), pool.equal(part, y)}, pool.equal(b, x));
            add({pool.equal(whole, a), pool.equal(part, x)}, pool.equal(b, y));
          }
          for (auto [whole, part] : {std::pair(x, y), std::pair(y, x)}) {
            add({pool.equal(whole, b), pool.equal(part, v)}, pool.equal(a, u));
            add({pool.equal(whole, b), pool.equal(part, u)}, pool.equal(a, v));
          }
        }
    } else if (a->kind == TermKind::BitAnd) {
      add({atLeast(x, 0)}, pool.inRange(number(0), a, plus(x, 1)));
      add({atLeast(y, 0)}, pool.inRange(number(0), a, plus(y, 1)));
      for (auto [u, w] : {std::pair(x, y), std::pair(y, x)}) {
        if (Term guard = powerGuard(w))
          add({guard}, pool.equal(a, pool.select(pool.bit(u, w), w, number(0))));
        if (Term guard = powerGuard(plus(w, 1)))
          add({guard}, pool.equal(a, pool.modulo(u, plus(w, 1))));
      }
    } else {
      add({natural}, pool.both(pool.lessEqual(x, a), pool.both(pool.lessEqual(y, a), pool.lessEqual(a, pool.add(x, y)))));
      for (auto [u, w] : {std::pair(x, y), std::pair(y, x)})
        if (Term guard = powerGuard(w))
          add({guard}, pool.equal(a, pool.add(u, pool.select(pool.bit(u, w), number(0), w))));
    }
    if (a->kind != TermKind::BitAnd) { // numbers below a power of two stay below it
      Terms bounds = powerTerms;
      for (Term part : a->operands)
        if (part->kind == TermKind::Modulo)
          bounds.insert(part->operands[1]);
      for (Term power : bounds)
        if (Term guard = powerGuard(power))
          add({guard, natural, pool.less(x, power), pool.less(y, power)}, pool.less(a, power));
    }
  }
}

Term LemmaGenerator::exponentOf(Term power) {
  if (power->kind == TermKind::Power2)
    return power->operands[0];
  Term floor = pool.floorLog2(power), ceil = pool.ceilLog2(power);
  return floorLogs.contains(floor) ? floor : ceilLogs.contains(ceil) ? ceil : Term();
}

llvm::SmallSetVector<std::int64_t, 4> LemmaGenerator::halvings(Term power) {
  llvm::SmallSetVector<std::int64_t, 4> result;
  for (Term a : literalDivisions) {
    const std::int64_t divisor = *TermPool::asInteger(a->operands[1]);
    const std::int64_t part = divisor > 0 ? divisor & -divisor : 1;
    const bool isNamed = power->kind == TermKind::Variable && !power->isPower; // such as `p` with pow2(p), which may bound the dividend
    if (part > 1 && (isNamed || llvm::any_of(TermPool::monomialsOf(a->operands[0]), [&](const Monomial &m) {
          return m.atom == power || m.atom->kind == TermKind::Apply;
        })))
      result.insert(part);
  }
  return result;
}

void LemmaGenerator::powers() {
  for (Term log : floorLogs)
    if (powerGuard(log->operands[0]))
      powerTerms.insert(log->operands[0]);
  for (Term log : ceilLogs)
    if (powerGuard(log->operands[0]))
      powerTerms.insert(log->operands[0]);
  for (Term a : powerTerms) {
    Term guard = powerGuard(a);
    if (!guard || TermPool::asInteger(a))
      continue;
    add({guard}, pool.disjunction({pool.equal(a, number(1)), pool.equal(a, number(2)), atLeast(a, 4)}));
    for (std::int64_t divisor : halvings(a))
      add({guard}, pool.either(pool.less(a, number(divisor)), pool.equal(pool.modulo(a, number(divisor)), number(0))));
    if (a->kind == TermKind::Power2)
      for (const auto &[log, logs] : {std::pair(pool.floorLog2(a), &floorLogs), std::pair(pool.ceilLog2(a), &ceilLogs)})
        if (logs->contains(log))
          add({guard}, pool.equal(log, a->operands[0]));
    if (Term e = exponentOf(a)) {
      add({guard}, pool.both(atLeast(e, 0), pool.less(e, a)));
      add({guard}, iff(pool.equal(e, number(0)), pool.equal(a, number(1))));
    }
    for (Term b : powerTerms) {
      Term otherGuard = powerGuard(b);
      if (b->number >= a->number || !otherGuard || TermPool::asInteger(b))
        continue;
      powerPair(a, b, pool.both(guard, otherGuard));
    }
  }
  dividedPowers();
  for (Term is : isPowers) {
    Term y = is->operands[0];
    add({is}, atLeast(y, 1));
    if (y->kind == TermKind::Quotient)
      if (Term guard = powerGuard(y); guard && guard != is)
        add({guard}, is);
    if (y->kind == TermKind::Power2)
      add({atLeast(y->operands[0], 0)}, is);
    if (Term floor = pool.floorLog2(y), ceil = pool.ceilLog2(y); floorLogs.contains(floor) && ceilLogs.contains(ceil))
      add({atLeast(y, 1)}, iff(is, pool.equal(floor, ceil)));
    if (Term floor = pool.floorLog2(y); powerTerms.contains(pool.power2(floor)))
      add({atLeast(y, 1)}, iff(is, pool.equal(pool.power2(floor), y)));
    if (Term ceil = pool.ceilLog2(y); powerTerms.contains(pool.power2(ceil)))
      add({atLeast(y, 1)}, iff(is, pool.equal(pool.power2(ceil), y)));
    for (Term other : isPowers)
      if (other != is)
        add({atLeast(y, 1), pool.equal(other->operands[0], pool.scale(2, y))}, iff(is, other));
    // y is a power of two if it equals a known power or twice one.
    for (Term power : powerTerms)
      if (power != y)
        if (Term guard = powerGuard(power))
          for (std::int64_t factor : {1, 2})
            add({guard, pool.equal(y, pool.scale(factor, power))}, is);
  }
}

/// The e and c of 2**c * 2**e, where c is at most 3; a null e if the number is no such multiple.
static std::pair<Term, std::int64_t> multipleOfPower(Term number) {
  const auto parts = TermPool::monomialsOf(number);
  if (parts.size() == 1 && TermPool::constantOf(number) == 0 && parts[0].atom->kind == TermKind::Power2)
    for (std::int64_t shift : {0, 1, 2, 3})
      if (parts[0].coefficient == std::int64_t(1) << shift)
        return {parts[0].atom->operands[0], shift};
  return {Term(), 0};
}

void LemmaGenerator::dividedPowers() {
  for (Term quotient : quotients) { // 2**d div 2**e is 2**(d - e)
    const auto [d, by] = multipleOfPower(quotient->operands[0]);
    const auto [e, twice] = multipleOfPower(quotient->operands[1]);
    if (!d || !e)
      continue;
    const Term difference = pool.add(pool.subtract(d, e), number(by - twice));
    if (const Term result = pool.power2(difference); powerTerms.contains(result))
      add({atLeast(d, 0), atLeast(e, 0), atLeast(difference, 0)}, pool.equal(quotient, result));
  }
  for (Term fact : divisibilities) {
    Term power = fact->operands[0], g = fact->operands[1], q = pool.quotient(power, g), guard = powerGuard(power);
    if (!guard)
      continue;
    const llvm::SmallVector<Term, 3> divides{guard, positive(g), pool.equal(fact, number(0))};
    for (Term part : {g, q})
      if (Term is = pool.isPower2(part); isPowers.contains(is))
        add(divides, is);
    Term ofPower = pool.floorLog2(power), ofG = pool.floorLog2(g), ofQ = pool.floorLog2(q);
    if (floorLogs.contains(ofPower) && floorLogs.contains(ofG) && floorLogs.contains(ofQ))
      add(divides, pool.equal(ofPower, pool.add(ofG, ofQ)));
    ofPower = pool.ceilLog2(power), ofG = pool.ceilLog2(g), ofQ = pool.ceilLog2(q);
    if (ceilLogs.contains(ofPower) && ceilLogs.contains(ofG) && ceilLogs.contains(ofQ))
      add(divides, pool.equal(ofPower, pool.add(ofG, ofQ)));
  }
}

void LemmaGenerator::powerPair(Term a, Term b, Term guard) {
  auto apart = [&](Term small, Term large) {
    return pool.either(pool.equal(large, pool.scale(2, small)), pool.lessEqual(pool.scale(4, small), large));
  };
  add({guard}, pool.disjunction({pool.equal(a, b), apart(a, b), apart(b, a)}));
  Term d = exponentOf(a), e = exponentOf(b);
  if (!d || !e)
    return;
  if (auto difference = TermPool::asInteger(pool.subtract(d, e)); difference && *difference > -31 && *difference < 31) {
    add({guard}, *difference >= 0 ? pool.equal(a, pool.scale(std::int64_t(1) << *difference, b))
                                  : pool.equal(b, pool.scale(std::int64_t(1) << -*difference, a)));
    return;
  }
  add({guard}, iff(pool.less(d, e), pool.less(a, b)));
  add({guard}, iff(pool.less(e, d), pool.less(b, a)));
  add({guard}, iff(pool.equal(plus(d, 1), e), pool.equal(pool.scale(2, a), b)));
  add({guard}, iff(pool.equal(plus(e, 1), d), pool.equal(pool.scale(2, b), a)));
}

void LemmaGenerator::logarithms() {
  const auto divides = [](Term y) {
    return llvm::any_of(TermPool::monomialsOf(y), [](const Monomial &part) { return part.atom->kind == TermKind::Quotient; });
  };
  auto one = [&](Term log, bool up) {
    Term y = log->operands[0], some = atLeast(y, 1);
    add({some}, pool.inRange(number(0), log, y));
    add({some}, iff(pool.equal(log, number(0)), up ? pool.equal(y, number(1)) : pool.less(y, number(2))));
    add({atLeast(y, 2)}, atLeast(log, 1));
    if (Term guard = powerGuard(y))
      if (Term e = exponentOf(y); e && e != log)
        add({guard}, pool.equal(log, e));
    for (Term power : powerTerms)
      if (Term guard = powerGuard(power))
        if (Term e = exponentOf(power); e && e != log) {
          if (!up && power->kind == TermKind::Power2) // w <= y < 2*w tells the logarithm
            add({some, guard}, iff(pool.lessEqual(plus(e, 1), log), pool.lessEqual(pool.scale(2, power), y)));
          add({some, guard}, up ? iff(pool.less(e, log), pool.less(power, y)) : iff(pool.lessEqual(e, log), pool.lessEqual(power, y)));
        }
    if (Term power = pool.power2(log); powerTerms.contains(power))
      add({some}, up ? pool.inRange(y, power, pool.scale(2, y)) : pool.both(pool.lessEqual(power, y), pool.less(y, pool.scale(2, power))));
    for (Term other : up ? ceilLogs : floorLogs) {
      if (other == log)
        continue;
      Term z = other->operands[0];
      // y is z div 2**k
      if (auto divisor = y->kind == TermKind::Quotient && y->operands[0] == z ? TermPool::asInteger(y->operands[1]) : std::nullopt;
          divisor && *divisor > 0 && (*divisor & (*divisor - 1)) == 0)
        if (Term guard = up ? powerGuard(z) : pool.truth(true))
          add({guard, atLeast(z, *divisor)}, pool.equal(other, plus(log, llvm::countr_zero(static_cast<std::uint64_t>(*divisor)))));
      add({some, pool.lessEqual(y, z)}, pool.lessEqual(log, other));
      if (!up)
        add({some, pool.lessEqual(pool.scale(2, y), z)}, pool.less(log, other));
      Term rest = pool.subtract(z, pool.scale(2, y)); // 0: z is 2y; +-1: z is the odd number whose half is rounded to y
      add({some, atLeast(z, 2), pool.either(pool.equal(rest, number(0)), pool.equal(rest, number(up ? -1 : 1)))},
          pool.equal(other, plus(log, 1)));
      // z is 2y + 2 or 2y + 3, for an even y
      if (!up && divides(y) && divides(z))
        add({atLeast(y, 2), pool.equal(pool.modulo(y, number(2)), number(0)), pool.inRange(number(2), rest, number(4))}, pool.equal(other, plus(log, 1)));
    }
  };
  for (Term log : ceilLogs)
    one(log, true);
  for (Term log : floorLogs) {
    one(log, false);
    Term y = log->operands[0];
    if (Term ceil = pool.ceilLog2(y); ceilLogs.contains(ceil)) {
      add({atLeast(y, 1)}, pool.both(pool.lessEqual(log, ceil), pool.lessEqual(ceil, plus(log, 1))));
      if (Term guard = powerGuard(y))
        add({guard}, pool.equal(log, ceil));
    }
    // The powers of two up to y are as many as those below y + 1, and one more than those up to y div 2.
    if (Term ceil = pool.ceilLog2(plus(y, 1)); ceilLogs.contains(ceil))
      add({atLeast(y, 1)}, pool.equal(ceil, plus(log, 1)));
    if (Term ceil = pool.ceilLog2(plus(pool.quotient(y, number(2)), 1)); ceilLogs.contains(ceil))
      add({atLeast(y, 1)}, pool.equal(ceil, log));
  }
}

} // namespace quadrille::compiler::prove
