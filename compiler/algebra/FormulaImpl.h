//===- FormulaImpl.h - How formulas are held -------------------------------------------------------------*- C++ -*-===//
//
// For Formula*.cpp alone, which alone see GiNaC. A formula is a quotient of two polynomials with rational coefficients in
// *atoms*: symbols, applied functions, powers with symbolic exponents, sums over ranges. Each atom is a symbol to GiNaC,
// which so has nothing but polynomials to do with. An atom is known by its key, a text that says all about it; what is
// equal has equal keys, and all orders are orders of keys, so that nothing depends on addresses.
//
// GiNaC counts references without atomic operations, even to constants that all expressions share. Whoever touches a
// GiNaC object, if only to destroy it, holds an AlgebraLock.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_ALGEBRA_FORMULAIMPL_H
#define QUADRILLE_ALGEBRA_FORMULAIMPL_H

#include "Formula.h"

#include <ginac/ginac.h>
#include <mutex>

namespace quadrille::compiler {

using Number = GiNaC::numeric;

class AlgebraLock {
public:
  AlgebraLock() : guard(mutex()) {}

private:
  static std::recursive_mutex &mutex();
  std::lock_guard<std::recursive_mutex> guard;
};

enum class AtomKind { Symbol, Apply, Call, Entry, Over, Power };

struct Atom {
  AtomKind kind = AtomKind::Symbol;
  FormulaFunction function = FormulaFunction::Log2; // Apply
  Formula::Over over = Formula::Over::Sum;          // Over
  std::string name;                                 // Symbol, Call, Entry; Over: the variable
  bool isReal = false;                              // Symbol
  std::vector<Formula> operands;                    // Over: each, lo, hi, condition; Power: base, exponent
  std::string key;
  std::vector<std::string> symbols; // free ones, in order of name
  GiNaC::symbol symbol;
};

/// coefficient * product of atom ** exponent, the atoms in order, exponents positive.
struct Term {
  Number coefficient;
  std::vector<std::pair<const Atom *, int>> factors;

  int degree() const {
    int sum = 0;
    for (auto &[atom, exponent] : factors)
      sum += exponent;
    return sum;
  }
};
using Terms = std::vector<Term>;

/// numerator / denominator without a common factor; terms in order. The denominator's coefficients are integers without a
/// common factor, and the first is positive.
struct Formula::Node {
  GiNaC::ex value;
  Terms numerator, denominator;
  std::string key;

  Node() = default;
  ~Node() {
    AlgebraLock lock;
    value = 0;
    numerator.clear();
    denominator.clear();
  }
  bool isPolynomial() const { return denominator.size() == 1 && denominator[0].factors.empty(); }
};

/// What Formula*.cpp know of each other. All need the lock.
class FormulaImpl {
public:
  using Node = Formula::Node;
  static const Node &node(const Formula &f) { return *f.node; }
  static const GiNaC::ex &value(const Formula &f) { return f.node->value; }
  static const std::string &key(const Formula &f) { return f.node->key; }
  static Formula number(const Number &n) { return make(n); }
  /// Of any expression in atoms' symbols.
  static Formula make(const GiNaC::ex &value);
  static Formula make(const Terms &terms);
  static Formula make(const Term &term) { return make(Terms{term}); }
  static Formula polynomial(const Formula &f) { return make(node(f).numerator); }
  static Formula denominator(const Formula &f) { return make(node(f).denominator); }
  /// The atom that is known so far under the key of this one, or this one from now on.
  static Formula intern(Atom atom);
  /// The atom that the formula consists of, if it is one.
  static const Atom *asAtom(const Formula &f);
  static std::optional<Number> number(const Formula &f);
  /// Atoms that occur, also under others if `deep`.
  static std::vector<const Atom *> atoms(const Formula &f);

  /// Whether its values are integers, by its form.
  static bool isInteger(const Formula &f);
  static bool isInteger(const Atom &atom);
  /// Whether its values are known to be >= 0.
  static bool isNonnegative(const Formula &f);
  static bool isNonnegative(const Atom &atom);
  static bool isPositive(const Atom &atom); // >= 1

  /// Applies a function to operands without looking for identities.
  static Formula applied(FormulaFunction function, llvm::ArrayRef<Formula> operands);
  /// What has no value: the quotient by 0.
  static Formula undefined(const Formula &numerator) { return applied(FormulaFunction::Divide, {numerator, Formula(0)}); }
  static Formula over(Formula::Over kind, const Formula &each, const std::string &variable, const Formula &lo,
                      const Formula &hi, const Formula &condition);
  /// With atoms' symbols replaced.
  static Formula replaced(const Formula &f, const GiNaC::exmap &map);
  /// The atom anew with other operands, identities applied.
  static Formula rebuild(const Atom &atom, llvm::ArrayRef<Formula> operands);
  /// The same with sums over one range, and numbers of times that it is long, in one sum where they have the same factors.
  static Formula joinedSums(const Formula &f);
  /// F with F(i + 1) - F(i) = each, if one is found.
  static std::optional<Formula> antidifference(const Formula &each, llvm::StringRef variable);
};

/// Nothing if it does not fit.
std::optional<Rational> toRational(const Number &number);
Number toNumber(const Rational &rational);

/// Floor of an exact quotient; and the exponent of the largest power of two that is <= x >= 1.
Number floorOf(const Number &x);
std::int64_t floorLog2(const Number &x);

/// The value of a function at numbers; nothing if it has none there. Square roots only where they are exact.
std::optional<Number> valueOf(FormulaFunction function, llvm::ArrayRef<Number> operands);

/// In the order of texts: alpha's terms, beta's, gamma's, others by falling degree, numbers last.
bool comesBefore(const Term &a, const Term &b);
bool comesBefore(const Atom &a, const Atom &b);

} // namespace quadrille::compiler

#endif // QUADRILLE_ALGEBRA_FORMULAIMPL_H
