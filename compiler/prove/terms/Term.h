//===- Term.h - Formulas about a schedule, for all p ------------------------------------------------------------*- C++ -*-===//
//
// Exact integers and truth values over symbols: p, a rank, a slot, loop variables. Terms are immutable and shared: equal
// terms are the same node, so they compare by address. Integers are kept as sums of monomials, which makes
// `(i + 1) - i` and `1` the same term.
//
// Terms mean what the language means, but are total: where the language has no value (division by zero, log2 of a number that is
// not a power of two), a term has an unknown value.
//
// This folder promises that normalization keeps the meaning: a term means what the expression meant from which it was made.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_PROVE_TERMS_TERM_H
#define QUADRILLE_PROVE_TERMS_TERM_H

#include "limits/Limits.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <cassert>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace quadrille::compiler::prove {

enum class TermKind {
  // integers
  Variable,  // name
  Sum,       // constant + coefficient * monomial + ...
  Product,   // of two or more atoms, sorted by number: not linear
  Modulo,    // a mod b, in 0 ..< b
  Quotient,  // a div b, rounded down
  Power2,    // 2 ** a
  Power,     // a ** b, of another base than 2
  CeilLog2,  // of a >= 1
  FloorLog2, // of a >= 1
  BitXor, BitAnd, BitOr,
  Select,    // if a then b else c
  Apply,     // the function `name` of the operands, known only by hypotheses
  // truth values
  True, False,
  AtLeastZero, // a >= 0
  IsZero,      // a == 0
  Bit,         // (a div b) mod 2 == 1
  IsPower2,    // a is a power of two
  Not, And, Or,
};

struct TermNode;

/// A term; null by default.
class Term {
public:
  Term() = default;
  explicit Term(const TermNode *node) : node(node) {}
  explicit operator bool() const { return node != nullptr; }
  const TermNode *operator->() const {
    assert(node && "a null term has no parts");
    return node;
  }
  const TermNode *get() const { return node; }
  bool operator==(const Term &) const = default;

private:
  const TermNode *node = nullptr;
};

struct Monomial {
  std::int64_t coefficient;
  Term atom; // an integer term that is no sum
  bool operator==(const Monomial &) const = default;
};

struct TermNode {
  TermKind kind;
  unsigned number;            // in the order of creation; terms are sorted by it
  std::string name;           // Variable, Apply
  bool isPower = false;       // Variable: stands for a power of two
  std::int64_t constant = 0;  // Sum
  llvm::SmallVector<Monomial, 3> monomials; // Sum: by atom number, coefficients not 0
  llvm::SmallVector<Term, 3> operands;      // of all other kinds

  bool isBoolean() const { return kind >= TermKind::True; }
};

/// Thrown by TermPool if a coefficient does not fit in 64 bits, or if a term is longer than `limit`. Callers catch it and report
/// that they give up.
struct TermOverflow {
  TermOverflow() = default;
  explicit TermOverflow(const LimitInForce &limit) : limit(limit) {}
  std::optional<LimitInForce> limit;
};

/// Makes and owns terms. All terms of one schedule belong to one pool. Throws TermOverflow.
class TermPool {
public:
  TermPool();
  ~TermPool();
  TermPool(const TermPool &) = delete;
  TermPool &operator=(const TermPool &) = delete;

  // ---- integers
  Term integer(std::int64_t value);
  /// The variable of this name. `isPower`: it stands for a power of two.
  Term variable(llvm::StringRef name, bool isPower = false);
  /// A new variable: the name with a number appended.
  Term fresh(llvm::StringRef name, bool isPower = false);
  Term add(Term a, Term b) { return combine(a, 1, b); }
  Term subtract(Term a, Term b) { return combine(a, -1, b); }
  Term multiply(Term a, Term b);
  Term scale(std::int64_t factor, Term a) { return combine(integer(0), factor, a); }
  Term modulo(Term a, Term b);
  Term quotient(Term a, Term b);
  Term power2(Term exponent);
  Term power(Term base, Term exponent);
  Term ceilLog2(Term a);
  Term floorLog2(Term a);
  Term apply(llvm::StringRef function, llvm::ArrayRef<Term> arguments);
  Term bitXor(Term a, Term b);
  Term bitAnd(Term a, Term b);
  Term bitOr(Term a, Term b);
  Term minimum(Term a, Term b) { return select(lessEqual(a, b), a, b); }
  Term maximum(Term a, Term b) { return select(lessEqual(a, b), b, a); }
  /// `yes` and `no` are both integers or both truth values.
  Term select(Term condition, Term yes, Term no);

  // ---- truth values
  Term truth(bool value) { return value ? trueTerm : falseTerm; }
  Term less(Term a, Term b) { return atLeastZero(subtract(subtract(b, a), integer(1))); }
  Term lessEqual(Term a, Term b) { return atLeastZero(subtract(b, a)); }
  Term equal(Term a, Term b); // integers or truth values
  Term notEqual(Term a, Term b) { return negate(equal(a, b)); }
  /// (a div b) mod 2 == 1
  Term bit(Term a, Term b);
  Term isPower2(Term a);
  Term negate(Term a);
  Term conjunction(llvm::ArrayRef<Term> terms);
  Term disjunction(llvm::ArrayRef<Term> terms);
  Term both(Term a, Term b) { return conjunction({a, b}); }
  Term either(Term a, Term b) { return disjunction({a, b}); }
  Term implies(Term a, Term b) { return either(negate(a), b); }
  /// lo <= a < hi
  Term inRange(Term lo, Term a, Term hi) {
    const Term below = less(a, hi), above = lessEqual(lo, a); // every compiler makes them in this order
    return both(above, below);
  }

  // ---- looking into terms
  /// The value of a constant integer term.
  static std::optional<std::int64_t> asInteger(Term a);
  bool isTrue(Term a) const { return a == trueTerm; }
  bool isFalse(Term a) const { return a == falseTerm; }
  /// Any integer term equals constantOf + the sum of monomialsOf.
  static std::int64_t constantOf(Term a);
  static llvm::SmallVector<Monomial, 3> monomialsOf(Term a);

  /// Replaces variables, all at once. The keys are the variables.
  using Substitution = llvm::DenseMap<const TermNode *, Term>;
  Term substitute(Term a, const Substitution &by);
  /// Builds the term anew, bottom up. `map` returns a replacement for a node, or null to keep it.
  Term rebuild(Term a, const std::function<Term(Term)> &map);

private:
  Term intern(TermNode node);
  Term combine(Term a, std::int64_t factor, Term b); // a + factor*b
  Term sum(std::int64_t constant, llvm::SmallVector<Monomial, 3> monomials);
  Term atLeastZero(Term a);
  Term isZero(Term a);
  /// `a` with the Select `choice` replaced by its operand number `operand` (1 or 2).
  Term withChoice(Term a, Term choice, unsigned operand);
  Term junction(TermKind kind, llvm::ArrayRef<Term> terms);
  Term make(TermKind kind, std::initializer_list<Term> operands);

  struct Store;
  std::unique_ptr<Store> store;
  Term trueTerm, falseTerm;
};

/// The parts of a conjunction; of another truth value, itself: then it must live as long as the result.
inline llvm::ArrayRef<Term> conjunctsOf(const Term &a) { return a->kind == TermKind::And ? llvm::ArrayRef<Term>(a->operands) : llvm::ArrayRef<Term>(a); }
llvm::ArrayRef<Term> conjunctsOf(Term &&) = delete;

/// Calls `visit` once on every node that the term is made of, operands first.
void forEachNode(llvm::ArrayRef<Term> terms, llvm::function_ref<void(Term)> visit);

/// The variables in the terms, in the order of their creation.
llvm::SmallVector<Term, 8> variablesOf(llvm::ArrayRef<Term> terms);

/// The number of nodes of the terms, shared ones counted once.
std::size_t sizeOf(llvm::ArrayRef<Term> terms);

/// A term in the syntax of the language: `(me - j) mod p < 1 << d`.
std::string text(Term a);

/// The exact value of a term, truth values as 0 and 1; nothing if it has none or it does not fit in 64 bits. `valueOf` returns
/// the values of variables.
std::optional<std::int64_t> evaluate(Term a, llvm::function_ref<std::int64_t(Term)> valueOf);

} // namespace quadrille::compiler::prove

template <> struct llvm::DenseMapInfo<quadrille::compiler::prove::Term> {
  using Term = quadrille::compiler::prove::Term;
  using Node = const quadrille::compiler::prove::TermNode *;
  static Term getEmptyKey() { return Term(DenseMapInfo<Node>::getEmptyKey()); }
  static Term getTombstoneKey() { return Term(DenseMapInfo<Node>::getTombstoneKey()); }
  static unsigned getHashValue(Term term) { return DenseMapInfo<Node>::getHashValue(term.get()); }
  static bool isEqual(Term a, Term b) { return a == b; }
};

#endif // QUADRILLE_PROVE_TERMS_TERM_H
