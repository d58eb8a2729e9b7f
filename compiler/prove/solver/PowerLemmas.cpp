//===- PowerLemmas.cpp - Instances of the laws of powers of any base -----------------------------------------------------------===//

#include "PowerLemmas.h"

#include "limits/Limits.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/bit.h"

#include <cstdlib>

namespace quadrille::compiler::prove {

namespace {
class PowerLemmas {
public:
  explicit PowerLemmas(TermPool &pool) : pool(pool), zero(pool.integer(0)), one(pool.integer(1)), two(pool.integer(2)) {}

  std::vector<Term> run(llvm::ArrayRef<Term> formulas) {
    llvm::MapVector<Term, llvm::SmallSetVector<Term, 8>> byBase;
    forEachNode(formulas, [&](Term a) {
      hasPowersOfTwo |= a->kind == TermKind::IsPower2 || a->kind == TermKind::Power2 || a->isPower;
      if (a->kind == TermKind::Power)
        byBase[a->operands[0]].insert(a);
      if (a->kind == TermKind::Modulo)
        divisors.insert(a->operands[0]->kind == TermKind::Quotient ? pool.multiply(a->operands[0]->operands[1], a->operands[1])
                                                                   : a->operands[1]);
    });
    unsigned pairs = 0;
    for (auto &[base, powers] : byBase)
      for (size_t i = 0; i < powers.size(); ++i) {
        alone(powers[i]);
        for (size_t j = 0; j < i; ++j)
          if (++pairs <= limits::digitPairs)
            pair(powers[j], powers[i]);
      }
    return std::move(result);
  }

private:
  void add(std::initializer_list<Term> conditions, Term conclusion) {
    result.push_back(pool.implies(pool.conjunction(conditions), conclusion));
  }
  Term isNatural(Term a) { return pool.lessEqual(zero, a); }

  void alone(Term power) {
    const Term base = power->operands[0], exponent = power->operands[1], some = pool.lessEqual(one, base);
    add({some, isNatural(exponent)}, pool.lessEqual(one, power));
    add({pool.equal(exponent, zero)}, pool.equal(power, one));
    add({pool.equal(exponent, one)}, pool.equal(power, base));
    add({some, pool.lessEqual(one, exponent)}, pool.lessEqual(base, power));
    add({pool.lessEqual(two, base), isNatural(exponent)}, pool.less(exponent, power));
    if (const auto number = TermPool::asInteger(base); number && *number >= 3)
      add({isNatural(exponent)}, pool.equal(pool.modulo(pool.subtract(power, one), pool.integer(*number - 1)), zero));
    // 4**d is 1 << 2*d
    if (const auto number = TermPool::asInteger(base); hasPowersOfTwo && number && *number > 2 && (*number & (*number - 1)) == 0)
      add({isNatural(exponent)}, pool.equal(power, pool.power2(pool.scale(llvm::countr_zero(static_cast<std::uint64_t>(*number)), exponent))));
  }

  /// Adds the laws that relate two powers of the same base.
  void pair(Term a, Term b) {
    // Only multiples by a number are linear.
    const std::int64_t farthest = TermPool::asInteger(a->operands[0]) ? 3 : 1;
    const auto difference = TermPool::asInteger(pool.subtract(b->operands[1], a->operands[1]));
    if (difference && std::abs(*difference) <= farthest)
      return *difference > 0 ? follows(a, b, *difference) : follows(b, a, -*difference);
    ordered(a, b);
    ordered(b, a);
  }

  /// Adds the law for exponents at a fixed distance: the exponent of `high` is that of `low` plus `steps`.
  void follows(Term low, Term high, std::int64_t steps) {
    const Term base = low->operands[0];
    add({isNatural(low->operands[1])}, pool.equal(high, pool.multiply(pool.power(base, pool.integer(steps)), low)));
    divides(low, high);
  }

  void ordered(Term low, Term high) {
    const Term base = low->operands[0], few = low->operands[1], many = high->operands[1], next = pool.multiply(base, low);
    add({pool.lessEqual(one, base), isNatural(few), pool.less(few, many)}, pool.lessEqual(next, high));
    add({isNatural(few), pool.equal(many, pool.add(few, one))}, pool.equal(next, high));
    add({pool.lessEqual(two, base), isNatural(few), isNatural(many)}, pool.equal(pool.less(few, many), pool.less(low, high)));
    divides(low, high);
  }

  void divides(Term low, Term high) {
    const Term base = low->operands[0], few = low->operands[1], many = high->operands[1];
    const Term some = pool.lessEqual(one, base);
    add({some, isNatural(few), pool.lessEqual(few, many)}, pool.equal(pool.modulo(high, low), zero));
    if (const Term next = pool.multiply(base, low); divisors.contains(next)) // such a remainder or digit occurs
      add({some, isNatural(few), pool.less(few, many)}, pool.equal(pool.modulo(high, next), zero));
  }

  TermPool &pool;
  const Term zero, one, two;
  bool hasPowersOfTwo = false; // besides those of other bases
  llvm::SmallSetVector<Term, 8> divisors; // m of x mod m, and w*e of (x div w) mod e
  std::vector<Term> result;
};
} // namespace

std::vector<Term> powerLemmasFor(TermPool &pool, llvm::ArrayRef<Term> formulas) { return PowerLemmas(pool).run(formulas); }

} // namespace quadrille::compiler::prove
