//===- Formula.h - Exact formulas in p, n, k ---------------------------------------------------------------*- C++ -*-===//
//
// Formulas consist of rational numbers, symbols, arithmetic, and applied functions of the language (ceil_log2(p), ceil(n/k),
// min(a, b), sums over ranges, functions that a file defines), which are simplified by their identities. Formulas have a
// normal form in which equal polynomials are equal formulas. Other equalities are decided by `isZero`, as far as it can.
//
// GiNaC does the algebra; only Formula*.cpp include it. Its order of terms depends on addresses, so formulas have an order of
// their own. All functions here are thread-safe.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_ALGEBRA_FORMULA_H
#define QUADRILLE_ALGEBRA_FORMULA_H

#include "Rational.h"

#include "limits/Limits.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

namespace quadrille::compiler {

/// The functions that a formula may apply. Truth values are the numbers 0 and 1.
enum class FormulaFunction {
  // one operand
  Log2, FloorLog2, CeilLog2, Ceiling, Floor, SquareRoot, IsPow2, IsEven, TrailingZeros, Not,
  // two operands
  Divide, Modulo, Minimum, Maximum, BitXor, BitAnd, BitOr, Bit, Equal, Less, LessEqual, And, Or,
  // three operands: condition, then, else
  Select,
};

/// Thrown if a formula exceeds a limit (limits/Limits.h).
struct FormulaTooLarge : std::runtime_error {
  explicit FormulaTooLarge(const LimitInForce &limit) : std::runtime_error("the formula has too many terms"), limit(limit) {}
  LimitInForce limit;
};

/// What `compute` yields; nothing if a formula exceeds a limit on the way.
template <typename Compute> auto unlessTooLarge(Compute compute) -> std::optional<std::invoke_result_t<Compute>> {
  try {
    return compute();
  } catch (const FormulaTooLarge &) {
    return std::nullopt;
  }
}

/// A formula: immutable, cheap to copy.
class Formula {
public:
  Formula() : Formula(0) {}
  Formula(std::int64_t value);
  Formula(const Rational &value);
  /// p, n, k, root, alpha, ...: the same name is the same symbol. Symbols stand for integers unless `isReal`.
  static Formula symbol(llvm::StringRef name, bool isReal = false);
  static Formula apply(FormulaFunction function, llvm::ArrayRef<Formula> operands);
  /// `name(operands)`, of a function that a file defines, or a table's entry `name[operands]`. A name with `$0`, `$1`, ...
  /// in it is a text with places for the operands: `height(binary(0 ..< $0))`.
  static Formula call(llvm::StringRef name, llvm::ArrayRef<Formula> operands);
  static Formula entry(llvm::StringRef table, llvm::ArrayRef<Formula> indices);
  /// Sum, minimum or maximum of `each` over the values of the symbol `variable` in lo ..< hi for which `condition` holds; 0 if
  /// there are none. Sums of polynomials and powers become closed forms if possible. `rangeIsOrdered`: lo <= hi is known;
  /// otherwise closed forms use max(lo, hi).
  enum class Over { Sum, Minimum, Maximum };
  static Formula over(Over kind, const Formula &each, llvm::StringRef variable, const Formula &lo, const Formula &hi,
                      const Formula &condition = 1, bool rangeIsOrdered = false);

  Formula operator+(const Formula &other) const;
  Formula operator-(const Formula &other) const;
  Formula operator*(const Formula &other) const;
  Formula operator/(const Formula &other) const; // exact; division by 0 gives a formula without value
  Formula operator-() const { return Formula(0) - *this; }
  /// Exponents that are not numbers are assumed to be >= 0, as the language demands.
  Formula power(const Formula &exponent) const;
  /// Whether the normal forms are the same. Different formulas may have equal values, see `isZero`.
  bool operator==(const Formula &other) const;

  /// Replaces all given symbols simultaneously.
  Formula substitute(llvm::ArrayRef<std::pair<std::string, Formula>> by) const;
  /// Replaces each applied function, innermost first, by what `by` returns for it and its operands; keeps it if that is nothing.
  using Rewriter = llvm::function_ref<std::optional<Formula>(FormulaFunction, llvm::ArrayRef<Formula>)>;
  Formula rewrite(Rewriter by) const;
  /// The derivative with respect to a symbol; nothing if the symbol occurs under ceil, min or another such function.
  std::optional<Formula> derivative(llvm::StringRef symbol) const;
  /// The coefficient of symbol ** degree, if the formula is a polynomial in it.
  std::optional<Formula> coefficient(llvm::StringRef symbol, unsigned degree) const;

  /// The value, if the formula is a number that fits.
  std::optional<Rational> number() const;
  bool mentions(llvm::StringRef symbol) const;
  /// The free symbols, sorted by name.
  std::vector<std::string> symbols() const;

  /// The formula in the syntax of the language, in one line and in the shortest form found: `2*(p - 1)`, `ceil_log2(p)*n`.
  /// Equal formulas have equal texts.
  std::string text() const;

private:
  friend class CompiledFormula;
  friend class FormulaImpl;
  struct Node;
  explicit Formula(std::shared_ptr<const Node> node);
  std::shared_ptr<const Node> node;
};

/// Facts about p, in addition to those that always hold: symbols are integers, p, k >= 1, n >= 0 and 0 <= root < p.
struct FormulaFacts {
  bool pIsPow2 = false; // then ceil_log2(p) = floor_log2(p) = log2(p), 2 ** log2(p) = p
  bool pIsEven = false;
};

/// Applies identities that need the facts, or more context than a single operation.
Formula simplify(const Formula &formula, const FormulaFacts &facts = {});

/// Whether a formula is 0 for all values of its symbols; nothing if this is not found out.
std::optional<bool> isZero(const Formula &formula, const FormulaFacts &facts = {});

/// The values of symbols, and of functions and tables that the formula calls.
class FormulaValues {
public:
  virtual ~FormulaValues() = default;
  // The value of a symbol, a call, an entry of a table; nothing if it has none.
  virtual std::optional<Rational> symbol(llvm::StringRef name) const = 0;
  virtual std::optional<Rational> call(llvm::StringRef, llvm::ArrayRef<Rational>) const { return std::nullopt; }
  virtual std::optional<Rational> entry(llvm::StringRef, llvm::ArrayRef<Rational>) const { return std::nullopt; }
};

/// The exact value; nothing if there is none or it does not fit.
std::optional<Rational> evaluate(const Formula &formula, const FormulaValues &values);

/// A formula compiled for repeated evaluation in floating point.
class CompiledFormula {
public:
  /// `symbols`: the order in which values will be given. `values`: evaluates calls and entries; may be null if there are none.
  CompiledFormula(const Formula &formula, llvm::ArrayRef<std::string> symbols, const FormulaValues *values = nullptr);
  ~CompiledFormula();
  CompiledFormula(CompiledFormula &&) noexcept;
  /// NaN where there is no value.
  double operator()(llvm::ArrayRef<double> values) const;

private:
  struct Code;
  std::unique_ptr<Code> code;
};

} // namespace quadrille::compiler

#endif // QUADRILLE_ALGEBRA_FORMULA_H
