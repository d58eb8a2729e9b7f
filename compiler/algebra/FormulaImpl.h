//===- FormulaImpl.h - The representation of formulas -------------------------------------------------------------*- C++ -*-===//
//
// Included by Formula*.cpp only, as is GiNaC. A formula is a quotient of two polynomials with rational coefficients in
// *atoms*: symbols, applied functions, powers with symbolic exponents, sums over ranges. GiNaC sees each atom as one of its
// symbols, so it works on polynomials only. Every atom and formula has a key, a text that describes it completely: equal
// ones have equal keys. All orders are orders of keys, so results do not depend on addresses.
//
// GiNaC's reference counts are not atomic, and expressions share constants. Code that touches a GiNaC object, even to destroy
// it, must hold an AlgebraLock.
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
struct Monomial {
  Number coefficient;
  std::vector<std::pair<const Atom *, int>> factors;

  int degree() const {
    int sum = 0;
    for (auto &[atom, exponent] : factors)
      sum += exponent;
    return sum;
  }
};
using Monomials = std::vector<Monomial>;

/// numerator / denominator, without a common factor and with sorted terms. The coefficients of the denominator are integers
/// without a common factor, the first one positive.
struct Formula::Node {
  GiNaC::ex value;
  Monomials numerator, denominator;
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

/// Functions that Formula*.cpp share. The caller must hold an AlgebraLock.
class FormulaImpl {
public:
  using Node = Formula::Node;
  static const Node &node(const Formula &f) { return *f.node; }
  static const GiNaC::ex &value(const Formula &f) { return f.node->value; }
  static const std::string &key(const Formula &f) { return f.node->key; }
  static Formula number(const Number &n) { return make(n); }
  /// The formula of a GiNaC expression in the symbols of atoms.
  static Formula make(const GiNaC::ex &value);
  static Formula make(const Monomials &terms);
  static Formula make(const Monomial &term) { return make(Monomials{term}); }
  static Formula polynomial(const Formula &f) { return make(node(f).numerator); }
  static Formula denominator(const Formula &f) { return make(node(f).denominator); }
  /// The formula of an atom. Atoms with equal keys share one object.
  static Formula intern(Atom atom);
  /// The atom that the formula consists of, if it is one.
  static const Atom *asAtom(const Formula &f);
  static std::optional<Number> number(const Formula &f);
  /// The atoms of the numerator and the denominator.
  static std::vector<const Atom *> atoms(const Formula &f);

  /// Whether all values are certainly integers.
  static bool isInteger(const Formula &f);
  static bool isInteger(const Atom &atom);
  /// Whether all values are known to be >= 0. False if this is not found out.
  static bool isNonnegative(const Formula &f);
  static bool isNonnegative(const Atom &atom);
  static bool isPositive(const Atom &atom); // >= 1

  /// Applies a function to operands without simplification.
  static Formula applied(FormulaFunction function, llvm::ArrayRef<Formula> operands);
  /// A formula without value: a quotient by 0.
  static Formula undefined(const Formula &numerator) { return applied(FormulaFunction::Divide, {numerator, Formula(0)}); }
  static Formula over(Formula::Over kind, const Formula &each, const std::string &variable, const Formula &lo,
                      const Formula &hi, const Formula &condition);
  /// Replaces symbols of atoms.
  static Formula replaced(const Formula &f, const GiNaC::exmap &map);
  /// Builds the atom with other operands, and simplifies it.
  static Formula rebuild(const Atom &atom, llvm::ArrayRef<Formula> operands);
  /// Joins sums over the same range that have the same factor, and multiples of the length of that range, into one sum.
  static Formula joinedSums(const Formula &f);
  /// A formula F with F(i + 1) - F(i) = each, where i is `variable`; nothing if none is found.
  static std::optional<Formula> antidifference(const Formula &each, llvm::StringRef variable);
};

/// Nothing if the number does not fit.
std::optional<Rational> toRational(const Number &number);
Number toNumber(const Rational &rational);

/// floor(x); and floor(log2(x)) for x >= 1.
Number floorOf(const Number &x);
std::int64_t floorLog2(const Number &x);

/// The value of a function at numbers; nothing if it has none. Square roots must be exact.
std::optional<Number> valueOf(FormulaFunction function, llvm::ArrayRef<Number> operands);

/// The order of terms in texts: terms of alpha, beta, gamma, then others by decreasing degree, numbers last.
bool comesBefore(const Monomial &a, const Monomial &b);
bool comesBefore(const Atom &a, const Atom &b);

} // namespace quadrille::compiler

#endif // QUADRILLE_ALGEBRA_FORMULAIMPL_H
