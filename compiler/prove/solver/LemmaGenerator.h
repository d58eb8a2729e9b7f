//===- LemmaGenerator.h - One run over the terms of formulas ------------------------------------------------------*- C++ -*-===//
//
// Used only by Lemmas*.cpp.
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

  /// The formulas contain remainders, quotients or bits of `numbers` with divisors (granularities) in `grains`. All powers of two
  /// are in one family, because bits relate one granularity to the next; any other divisor has a family of its own.
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
  /// A condition under which the term is a power of two; null if none is known.
  Term powerGuard(Term a);
  Term positive(Term a) { return a->kind == TermKind::Variable && a->isPower ? pool.truth(true) : atLeast(a, 1); }
  Term align(Term x, Term grain) { return pool.subtract(x, pool.modulo(x, grain)); }

  // ---- remainders by any modulus
  /// Equations such as p == m*d tell that p mod m is 0. Adds this lemma, and p mod m to the remainders that need lemmas.
  void factors();
  /// x mod m is x - k*m if k*m <= x < (k+1)*m, for small k.
  void windows(Term x, Term m);
  /// A simpler term with the same remainder by m as x: without multiples of m, and with t in the place of t mod m.
  Term residue(Term x, Term m);
  /// x is m*column + row under the condition; `row` is x itself if no part of it is seen to be a multiple of m.
  struct Coordinates {
    Term column, row, condition;
  };
  Coordinates coordinates(Term x, Term m);
  /// x mod m equals the remainders of simpler terms.
  void residues(Term x, Term m);

  // ---- numbers at granularities
  bool isGrain(Term m);
  Family &familyOf(Term m) { return powerGuard(m) ? powerFamily : otherFamilies[m]; }
  void buildFamilies();
  /// 2*w, or 1 << d + 1 for w = 1 << d if the formulas contain that.
  Term twice(Term w);
  void ranges(const Family &family);
  /// Whether both branches of the choice are one of the family's numbers plus multiples of powers. For instance x - q or x, the place of
  /// a rank where the ranks from a power q on hand their data to the first ones.
  bool isFolded(Term select);
  /// The remainder of a folded number is that of the side which its condition chooses.
  void foldedRemainders();
  /// x mod 2w is x mod w, plus w if bit(x, w); and x div w is twice x div 2w, plus 1 if bit(x, w).
  void doublings();
  /// x mod c*m is x mod m, plus one of 0, m, ..., (c - 1)*m, for small numbers c.
  void multiples();
  /// The aligned parts of two numbers are equal, or at least one granule apart, and their quotients are in the same order. `exactly`:
  /// parts that differ are exactly one granule apart, or at least two. Walks around rows of b ranks need this. For powers of two it
  /// follows from bits, unless a carry leads to the next granule; so it is also stated if x - y has only variables of the granularity.
  void separations(const Family &family, bool exactly);
  void quotientRange(Term x, Term m);
  /// x div (y div c) is at least c times x div y.
  void dividedDivisors();
  /// (x + m*d) div m is x div m plus d, where both quotients occur. Division of polynomials tells d, as of (r * r**e - 1) and (r**e - 1) by r - 1.
  void exactDifferences();
  /// If a granularity divides a number, remainders do not change when the number is added.
  void divisors();

  // ---- x xor w for a power w
  std::pair<Term, Term> flipOperands(Term flip);
  void flipped(Term y);

  // ---- xor, and, or of any numbers
  /// x xor 3*w is (x xor w) xor 2*w, for a power w, and so on: each flips one bit.
  void severalBits();
  void bitwise();

  // ---- powers of two and logarithms
  /// d for 1 << d; for other powers their logarithm if the formulas contain it, else null.
  Term exponentOf(Term power);
  /// The largest power of two in each constant divisor, unless it is 1. A divisor counts if its dividend contains `power` or a call of
  /// a function, which may equal `power`; all count if `power` is a variable such as p, which may bound any dividend.
  llvm::SmallSetVector<std::int64_t, 4> halvings(Term power);
  void powers();
  /// If g divides a power of two, both g and the quotient are powers, too, and their logarithms add up.
  void dividedPowers();
  void powerPair(Term a, Term b, Term guard);
  void logarithms();

  // ---- products
  std::int64_t smallNumbers(Term a);
  void products();
  void parities();
  void doubled(Term y, const Terms &factors);
  /// If x is u - v, x*y is u*y - v*y, where these products occur.
  void distributed(Term y, const Terms &factors);
  /// A condition under which a*y, as the pool simplifies it, may be compared with such a product of b where a <= b: y is not
  /// negative, and the simplification is right, which it is for positive divisors only.
  Term mayMultiply(Term a, Term y);

  TermPool &pool;
  Terms callsOf; // quotients that are arguments of functions
  Terms modulos, extraModulos, quotients, literalDivisions, bits, bitwiseTerms, flips, ceilLogs, floorLogs, productTerms, isPowers, selects;
  Terms divisibilities; // the terms x mod m that the formulas compare with 0
  Terms equations;      // the sums that they compare with 0
  Terms powerTerms; // terms that may be powers of two
  Family powerFamily;
  llvm::MapVector<Term, Family> otherFamilies;
  llvm::DenseSet<Term> emitted;
  std::vector<Term> result;
};

} // namespace quadrille::compiler::prove

#endif // QUADRILLE_PROVE_SOLVER_LEMMAGENERATOR_H
