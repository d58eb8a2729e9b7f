//===- Lemmas.cpp - Instances of the laws of mod, bits, powers, logarithms and products ----------------------------------===//

#include "Lemmas.h"

#include "DigitLemmas.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"

namespace quadrille::prove {

namespace {
using Terms = llvm::SmallSetVector<Term, 8>;

/// Numbers that are looked at through the same granularities: remainders, quotients and bits of `numbers` at `grains`.
/// Powers of two share one family, since there bits tie one granularity to the next; any other modulus has its own.
struct Family {
  Terms numbers, grains;
};

class Generator {
public:
  Generator(TermPool &pool, llvm::ArrayRef<Term> formulas) : pool(pool) { collect(formulas); }

  std::vector<Term> run() {
    for (Term modulo : modulos)
      windows(modulo->operands[0], modulo->operands[1]);
    logarithms();
    powers();
    products();
    bitwise();
    for (Term modulo : modulos)
      residues(modulo->operands[0], modulo->operands[1]);
    buildFamilies();
    ranges(powerFamily);
    for (auto &entry : otherFamilies)
      ranges(entry.second);
    doublings();
    for (Term flip : flips)
      flipped(flip);
    for (Term quotient : quotients)
      quotientRange(quotient->operands[0], quotient->operands[1]);
    divisors();
    separations(powerFamily, false);
    for (auto &entry : otherFamilies)
      separations(entry.second, true);
    return std::move(result);
  }

private:
  // ---- the terms of the formulas

  void collect(llvm::ArrayRef<Term> formulas) {
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
      case TermKind::IsZero: // a fact such as p mod b == 0
        if (a->operands[0]->kind == TermKind::Modulo && !TermPool::asInteger(a->operands[0]->operands[1]))
          divisibilities.insert(a->operands[0]);
        break;
      default:
        break;
      }
    });
    for (Term flip : bitwiseTerms)
      if (flip->kind == TermKind::BitXor && (powerGuard(flip->operands[0]) || powerGuard(flip->operands[1])))
        flips.insert(flip);
  }

  // ---- building formulas

  Term number(std::int64_t value) { return pool.integer(value); }
  Term atLeast(Term a, std::int64_t value) { return pool.lessEqual(number(value), a); }
  Term plus(Term a, std::int64_t value) { return pool.add(a, number(value)); }
  Term iff(Term a, Term b) { return pool.equal(a, b); }

  bool isFull() { return result.size() >= maxLemmas; }

  void add(llvm::ArrayRef<Term> conditions, Term conclusion) {
    if (isFull())
      return;
    Term lemma = pool.implies(pool.conjunction(conditions), conclusion);
    if (!pool.isTrue(lemma) && emitted.insert(lemma).second)
      result.push_back(lemma);
  }

  /// What has to hold for the term to be a power of two; null if nothing is known to make it one.
  Term powerGuard(Term a) {
    if (auto value = TermPool::asInteger(a))
      return *value > 0 && (*value & (*value - 1)) == 0 ? pool.truth(true) : Term();
    Term known = pool.isPower2(a);
    if (pool.isTrue(known))
      return known;
    switch (a->kind) {
    case TermKind::Power2:
      return atLeast(a->operands[0], 0);
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

  Term positive(Term a) { return a->kind == TermKind::Variable && a->isPower ? pool.truth(true) : atLeast(a, 1); }
  Term align(Term x, Term grain) { return pool.subtract(x, pool.modulo(x, grain)); }

  // ---- remainders by any modulus

  /// x mod m is a sum of x and a multiple of m that is known while x is near 0 ..< m.
  void windows(Term x, Term m) {
    Term r = pool.modulo(x, m), some = positive(m);
    add({some}, pool.inRange(number(0), r, m));
    for (std::int64_t k : {0, -1, 1, -2, 2}) // k*m <= x < (k+1)*m
      add({some, pool.inRange(pool.scale(k, m), x, pool.scale(k + 1, m))}, pool.equal(r, pool.subtract(x, pool.scale(k, m))));
  }

  /// A simpler term of the same remainder: multiples of the modulus left out, t for t mod m.
  Term residue(Term x, Term m) {
    Monomial grain{1, m};
    if (auto parts = TermPool::monomialsOf(m); parts.size() == 1 && TermPool::constantOf(m) == 0)
      grain = parts[0];
    for (unsigned rounds = 0; rounds < 8; ++rounds) { // remainders of remainders
      Term next = number(TermPool::constantOf(x));
      for (const Monomial &part : TermPool::monomialsOf(x)) {
        bool hasGrain = part.atom == grain.atom ||
                        (part.atom->kind == TermKind::Product && llvm::is_contained(part.atom->operands, grain.atom));
        if (hasGrain && part.coefficient % grain.coefficient == 0)
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

  /// The remainder again, of simpler terms.
  void residues(Term x, Term m) {
    auto isThatOf = [&](Term simple, llvm::ArrayRef<Term> conditions) {
      Term r = pool.modulo(simple, m);
      add(conditions, pool.equal(pool.modulo(x, m), r));
      if (r->kind == TermKind::Modulo && !modulos.contains(r) && extraModulos.insert(r))
        windows(r->operands[0], r->operands[1]);
    };
    Term simple = residue(x, m);
    if (simple != x)
      isThatOf(simple, {positive(m)});
    for (Term fact : divisibilities) // (t mod p) mod b, where p mod b == 0
      if (Term p = fact->operands[0]; fact->operands[1] == m)
        for (const Monomial &part : TermPool::monomialsOf(simple))
          if (part.atom->kind == TermKind::Modulo && part.atom->operands[1] == p) {
            Term without = pool.add(simple, pool.scale(part.coefficient, pool.subtract(part.atom->operands[0], part.atom)));
            isThatOf(residue(without, m), {positive(m), positive(p), pool.equal(fact, number(0))});
          }
  }

  // ---- numbers at granularities

  bool isGrain(Term m) {
    return powerGuard(m) || llvm::any_of(divisibilities, [&](Term fact) { return fact->operands[1] == m; });
  }
  Family &familyOf(Term m) { return powerGuard(m) ? powerFamily : otherFamilies[m]; }

  void buildFamilies() {
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
    for (Term product : productTerms) // s*b, and t mod p where b divides t and p: whole numbers of granules
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
    // Powers of two are multiples of smaller ones, which tells where ranges end that they bound.
    if (!powerFamily.grains.empty())
      for (Term power : powerTerms)
        if (!TermPool::asInteger(power) && powerGuard(power))
          powerFamily.numbers.insert(power);
  }

  /// 2*w, or the term for it that occurs: 1 << d + 1 for w = 1 << d.
  Term twice(Term w) {
    if (w->kind == TermKind::Power2)
      if (Term next = pool.power2(plus(w->operands[0], 1)); powerTerms.contains(next))
        return next;
    return pool.scale(2, w);
  }

  void ranges(const Family &family) {
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

  /// x mod 2w is x mod w and the bit of w.
  void doublings() {
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

  /// The aligned parts of two numbers are the same or at least one granule apart, and their quotients differ. That they
  /// are exactly one or at least two apart matters for walks around rows of b ranks; for powers, bits tell.
  void separations(const Family &family, bool exactly) {
    for (Term grain : family.grains)
      for (auto [i, x] : llvm::enumerate(family.numbers))
        for (Term y : llvm::ArrayRef(family.numbers.getArrayRef()).take_front(i)) {
          if (isFull())
            return;
          Term a = align(x, grain), b = align(y, grain);
          Term below = pool.lessEqual(pool.add(a, grain), b), above = pool.lessEqual(pool.add(b, grain), a);
          add({positive(grain)}, pool.disjunction({pool.equal(a, b), below, above}));
          if (exactly)
            for (auto [low, high] : {std::pair(a, b), std::pair(b, a)})
              add({positive(grain), pool.less(low, high)},
                  pool.either(pool.equal(pool.add(low, grain), high), pool.lessEqual(pool.add(low, pool.scale(2, grain)), high)));
          Term p = pool.quotient(x, grain), q = pool.quotient(y, grain);
          if (quotients.contains(p) && quotients.contains(q)) {
            add({positive(grain)}, iff(pool.less(p, q), below));
            add({positive(grain)}, iff(pool.less(q, p), above));
          }
        }
  }

  void quotientRange(Term x, Term m) {
    Term q = pool.quotient(x, m), some = positive(m);
    add({some, atLeast(x, 0)}, pool.inRange(number(0), q, plus(x, 1)));
    add({some, atLeast(x, 0)}, iff(pool.equal(q, number(0)), pool.less(x, m)));
    add({some, pool.lessEqual(m, x)}, atLeast(q, 1));
    add({some, pool.inRange(pool.scale(-1, m), x, number(0))}, pool.equal(q, number(-1)));
    add({some, pool.inRange(m, x, pool.scale(2, m))}, pool.equal(q, number(1)));
    add({pool.equal(m, number(1))}, pool.equal(q, x));
    add({atLeast(m, 2), atLeast(x, 0)}, pool.lessEqual(pool.scale(2, q), x));
    if (Term guard = powerGuard(m))
      add({guard}, iff(pool.bit(x, m), pool.equal(pool.modulo(q, number(2)), number(1))));
  }

  /// What follows where one number is a multiple of a granularity: it does not count in remainders.
  void divisors() {
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

  // ---- x xor w for a power w

  std::pair<Term, Term> flipOperands(Term flip) {
    Term x = flip->operands[0], w = flip->operands[1];
    return powerGuard(w) ? std::pair(x, w) : std::pair(w, x);
  }

  void flipped(Term y) {
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

  // ---- xor, and, or of any numbers

  void bitwise() {
    for (Term a : bitwiseTerms) {
      Term x = a->operands[0], y = a->operands[1];
      Term natural = pool.both(atLeast(x, 0), atLeast(y, 0));
      add({natural}, atLeast(a, 0));
      if (a->kind == TermKind::BitXor) {
        add({}, iff(pool.equal(a, number(0)), pool.equal(x, y)));
        add({}, iff(pool.equal(a, x), pool.equal(y, number(0))));
        add({}, iff(pool.equal(a, y), pool.equal(x, number(0))));
        add({natural}, pool.lessEqual(a, pool.add(x, y)));
        // Flipping the same bits once more, seen from here, takes them back.
        add({}, pool.equal(pool.bitXor(a, y), x));
        add({}, pool.equal(pool.bitXor(a, x), y));
        for (Term b : bitwiseTerms)
          if (b->kind == TermKind::BitXor && b->number < a->number) {
            Term u = b->operands[0], v = b->operands[1];
            add({pool.equal(a, b)}, pool.both(iff(pool.equal(x, u), pool.equal(y, v)), iff(pool.equal(x, v), pool.equal(y, u))));
            add({pool.equal(x, v), pool.equal(y, u)}, pool.equal(a, b));
            add({pool.equal(u, a), pool.equal(v, y)}, pool.equal(b, x));
            add({pool.equal(u, a), pool.equal(v, x)}, pool.equal(b, y));
            add({pool.equal(x, b), pool.equal(y, v)}, pool.equal(a, u));
            add({pool.equal(x, b), pool.equal(y, u)}, pool.equal(a, v));
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
      if (a->kind != TermKind::BitAnd) // numbers below a power of two stay below it
        for (Term power : powerTerms)
          if (Term guard = powerGuard(power))
            add({guard, natural, pool.less(x, power), pool.less(y, power)}, pool.less(a, power));
    }
  }

  // ---- powers of two and logarithms

  /// d for 1 << d; for other powers their logarithm, if the formulas speak of it.
  Term exponentOf(Term power) {
    if (power->kind == TermKind::Power2)
      return power->operands[0];
    Term floor = pool.floorLog2(power), ceil = pool.ceilLog2(power);
    return floorLogs.contains(floor) ? floor : ceilLogs.contains(ceil) ? ceil : Term();
  }

  /// Whether the formulas divide it, or a term with it, by an even number.
  bool isHalved(Term power) {
    return llvm::any_of(literalDivisions, [&](Term a) {
      return *TermPool::asInteger(a->operands[1]) % 2 == 0 &&
             llvm::any_of(TermPool::monomialsOf(a->operands[0]), [&](const Monomial &m) { return m.atom == power; });
    });
  }

  void powers() {
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
      if (isHalved(a))
        add({guard}, pool.either(pool.equal(a, number(1)), pool.equal(pool.modulo(a, number(2)), number(0))));
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
    for (Term is : isPowers) {
      Term y = is->operands[0];
      add({is}, atLeast(y, 1));
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
      // As what is known to be a power.
      for (Term power : powerTerms)
        if (power != y)
          if (Term guard = powerGuard(power))
            for (std::int64_t factor : {1, 2})
              add({guard, pool.equal(y, pool.scale(factor, power))}, is);
    }
  }

  void powerPair(Term a, Term b, Term guard) {
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

  void logarithms() {
    auto one = [&](Term log, bool up) {
      Term y = log->operands[0], some = atLeast(y, 1);
      add({some}, pool.inRange(number(0), log, y));
      add({some}, iff(pool.equal(log, number(0)), up ? pool.equal(y, number(1)) : pool.less(y, number(2))));
      add({atLeast(y, 2)}, atLeast(log, 1));
      for (Term power : powerTerms)
        if (Term guard = powerGuard(power))
          if (Term e = exponentOf(power); e && e != log)
            add({some, guard}, up ? iff(pool.less(e, log), pool.less(power, y)) : iff(pool.lessEqual(e, log), pool.lessEqual(power, y)));
      if (Term power = pool.power2(log); powerTerms.contains(power))
        add({some}, up ? pool.inRange(y, power, pool.scale(2, y)) : pool.both(pool.lessEqual(power, y), pool.less(y, pool.scale(2, power))));
      for (Term other : up ? ceilLogs : floorLogs) {
        if (other == log)
          continue;
        Term z = other->operands[0];
        add({some, pool.lessEqual(y, z)}, pool.lessEqual(log, other));
        Term rest = pool.subtract(z, pool.scale(2, y)); // z is twice y, or the odd number that is halved to y
        add({some, atLeast(z, 2), pool.either(pool.equal(rest, number(0)), pool.equal(rest, number(up ? -1 : 1)))},
            pool.equal(other, plus(log, 1)));
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
    }
  }

  // ---- products

  void products() {
    llvm::MapVector<Term, Terms> multipliers; // of a factor: all x whose product with it is spoken of
    for (Term product : productTerms) {
      if (product->operands.size() != 2)
        continue;
      Term x = product->operands[0], y = product->operands[1];
      multipliers[y].insert(x);
      multipliers[x].insert(y);
      for (auto [u, v] : {std::pair(x, y), std::pair(y, x)}) {
        for (std::int64_t value : {0, 1, 2})
          add({pool.equal(u, number(value))}, pool.equal(product, pool.scale(value, v)));
        add({atLeast(u, 0), atLeast(v, 0)}, atLeast(product, 0));
        for (std::int64_t value : {1, 2})
          add({atLeast(u, value), atLeast(v, 0)}, pool.lessEqual(pool.scale(value, v), product));
      }
    }
    for (Term quotient : quotients)
      if (auto known = multipliers.find(quotient->operands[1]); known != multipliers.end()) {
        known->second.insert(quotient);
        windows(quotient->operands[0], quotient->operands[1]); // what is left over
      }
    for (auto &[y, xs] : multipliers)
      for (Term a : xs)
        for (Term b : xs) {
          if (a == b)
            continue;
          // (t div y)*y is t - t mod y, and that only for y >= 1
          bool quotient = a->kind == TermKind::Quotient || b->kind == TermKind::Quotient;
          Term some = quotient ? positive(y) : atLeast(y, 0);
          Term left = pool.multiply(a, y), right = pool.multiply(b, y);
          for (std::int64_t step : {-1, 0, 1, 2})
            add({some, pool.lessEqual(plus(a, step), b)}, pool.lessEqual(pool.add(left, pool.scale(step, y)), right));
        }
  }

  TermPool &pool;
  Terms modulos, extraModulos, quotients, literalDivisions, bits, bitwiseTerms, flips, ceilLogs, floorLogs, productTerms, isPowers;
  Terms divisibilities; // x mod m, of which the formulas ask whether it is 0
  Terms powerTerms; // what may be a power of two
  Family powerFamily;
  llvm::MapVector<Term, Family> otherFamilies;
  llvm::DenseSet<Term> emitted;
  std::vector<Term> result;
};
} // namespace

std::vector<Term> lemmasFor(TermPool &pool, llvm::ArrayRef<Term> formulas) {
  // Of remainders that digits lead to more has to be told.
  std::vector<Term> result = digitLemmasFor(pool, formulas);
  std::vector<Term> all(formulas.begin(), formulas.end());
  llvm::append_range(all, result);
  llvm::append_range(result, Generator(pool, all).run());
  return result;
}

} // namespace quadrille::prove
