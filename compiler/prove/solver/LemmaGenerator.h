//===- LemmaGenerator.h - One run over the terms of formulas ------------------------------------------------------*- C++ -*-===//
//
// Private to Lemmas*.cpp.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_PROVE_SOLVER_LEMMAGENERATOR_H
#define QUADRILLE_PROVE_SOLVER_LEMMAGENERATOR_H

#include "Lemmas.h"

#include "limits/Limits.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

namespace quadrille::compiler::prove {

class LemmaGenerator {
public:
  LemmaGenerator(TermPool &pool, llvm::ArrayRef<Term> formulas) : pool(pool) { collect(formulas); }
  std::vector<Term> run();

private:
  using Terms = llvm::SmallSetVector<Term, 8>;

  /// Numbers that are looked at through the same granularities: remainders, quotients and bits of `numbers` at `grains`.
  /// Powers of two share one family, since there bits tie one granularity to the next; any other modulus has its own.
  struct Family {
    Terms numbers, grains;
  };

  // ---- the terms of the formulas
  void collect(llvm::ArrayRef<Term> formulas);

  // ---- building formulas
  Term number(std::int64_t value) { return pool.integer(value); }
  Term atLeast(Term a, std::int64_t value) { return pool.lessEqual(number(value), a); }
  Term plus(Term a, std::int64_t value) { return pool.add(a, number(value)); }
  Term iff(Term a, Term b) { return pool.equal(a, b); }
  bool isFull() { return result.size() >= limits::lemmas; }
  void add(llvm::ArrayRef<Term> conditions, Term conclusion);
  /// What has to hold for the term to be a power of two; null if nothing is known to make it one.
  Term powerGuard(Term a);
  Term positive(Term a) { return a->kind == TermKind::Variable && a->isPower ? pool.truth(true) : atLeast(a, 1); }
  Term align(Term x, Term grain) { return pool.subtract(x, pool.modulo(x, grain)); }

  // ---- remainders by any modulus
  /// x mod m is a sum of x and a multiple of m that is known while x is near 0 ..< m.
  void windows(Term x, Term m);
  /// A simpler term of the same remainder: multiples of the modulus left out, t for t mod m.
  Term residue(Term x, Term m);
  /// The remainder again, of simpler terms.
  void residues(Term x, Term m);

  // ---- numbers at granularities
  bool isGrain(Term m);
  Family &familyOf(Term m) { return powerGuard(m) ? powerFamily : otherFamilies[m]; }
  void buildFamilies();
  /// 2*w, or the term for it that occurs: 1 << d + 1 for w = 1 << d.
  Term twice(Term w);
  void ranges(const Family &family);
  /// x mod 2w is x mod w and the bit of w.
  void doublings();
  /// The aligned parts of two numbers are the same or at least one granule apart, and their quotients differ. That they
  /// are exactly one or at least two apart matters for walks around rows of b ranks; for powers, bits tell.
  void separations(const Family &family, bool exactly);
  void quotientRange(Term x, Term m);
  /// What follows where one number is a multiple of a granularity: it does not count in remainders.
  void divisors();

  // ---- x xor w for a power w
  std::pair<Term, Term> flipOperands(Term flip);
  void flipped(Term y);

  // ---- xor, and, or of any numbers
  void bitwise();

  // ---- powers of two and logarithms
  /// d for 1 << d; for other powers their logarithm, if the formulas speak of it.
  Term exponentOf(Term power);
  /// The powers of two that divide what the formulas divide it by, or a term with it or with what a function yields, which
  /// may be the same number.
  llvm::SmallSetVector<std::int64_t, 4> halvings(Term power);
  void powers();
  void powerPair(Term a, Term b, Term guard);
  void logarithms();

  // ---- products
  void products();

  TermPool &pool;
  Terms modulos, extraModulos, quotients, literalDivisions, bits, bitwiseTerms, flips, ceilLogs, floorLogs, productTerms, isPowers;
  Terms divisibilities; // x mod m, of which the formulas ask whether it is 0
  Terms powerTerms; // what may be a power of two
  Family powerFamily;
  llvm::MapVector<Term, Family> otherFamilies;
  llvm::DenseSet<Term> emitted;
  std::vector<Term> result;
};

} // namespace quadrille::compiler::prove

#endif // QUADRILLE_PROVE_SOLVER_LEMMAGENERATOR_H
