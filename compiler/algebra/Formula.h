//===- Formula.h - Exact formulas in p, n, k ---------------------------------------------------------------*- C++ -*-===//
//
// What costs are made of: rational numbers, symbols, arithmetic, and the functions of the language that stay symbols
// (ceil_log2(p), ceil(n/k), min(a, b), sums over ranges, functions that a file defines), with their identities. Formulas
// are kept expanded enough that equal polynomials are equal formulas; what is more than that, `isZero` decides, or says
// that it does not know.
//
// GiNaC does the algebra; Formula*.cpp alone see it. Its order of terms depends on addresses, so ours is another one. All
// that is declared here may be called by several threads at once.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_ALGEBRA_FORMULA_H
#define QUADRILLE_ALGEBRA_FORMULA_H

#include "Rational.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
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

/// Thrown where a formula gets more terms than the limits below allow.
struct FormulaTooLarge : std::runtime_error {
  FormulaTooLarge() : std::runtime_error("the formula has too many terms") {}
};

/// A formula: immutable, cheap to copy.
class Formula {
public:
  static constexpr size_t maxTerms = 2000, maxProducts = 20000, maxKey = 1 << 16;

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
  /// Sum (maximum, minimum) of `each` over those values of the symbol `variable` in lo ..< hi for which `condition` holds.
  /// A sum of polynomials and powers becomes a closed form where one is found (then the range must not be turned around:
  /// `rangeIsOrdered` says that lo <= hi is known).
  enum class Over { Sum, Minimum, Maximum };
  static Formula over(Over kind, const Formula &each, llvm::StringRef variable, const Formula &lo, const Formula &hi,
                      const Formula &condition = 1, bool rangeIsOrdered = false);

  Formula operator+(const Formula &other) const;
  Formula operator-(const Formula &other) const;
  Formula operator*(const Formula &other) const;
  Formula operator/(const Formula &other) const; // exact; by 0: a formula without value
  Formula operator-() const { return Formula(0) - *this; }
  /// Exponents that are no numbers are taken to be >= 0, as the language wants them.
  Formula power(const Formula &exponent) const;
  /// Whether they are the same formula; equal values alone do not make them so, see `isZero`.
  bool operator==(const Formula &other) const;

  /// Replaces symbols at once.
  Formula substitute(llvm::ArrayRef<std::pair<std::string, Formula>> by) const;
  /// Replaces applied functions, those inside of others first, where `by` gives something for a function and its operands.
  using Rewriter = llvm::function_ref<std::optional<Formula>(FormulaFunction, llvm::ArrayRef<Formula>)>;
  Formula rewrite(Rewriter by) const;
  /// With respect to a symbol; nothing if it stands under a function whose derivative makes no sense (ceil, min, ...).
  std::optional<Formula> derivative(llvm::StringRef symbol) const;
  /// The coefficient of symbol ** degree, if the formula is a polynomial in it.
  std::optional<Formula> coefficient(llvm::StringRef symbol, unsigned degree) const;

  /// The number that it is, if it is one and fits.
  std::optional<Rational> number() const;
  bool mentions(llvm::StringRef symbol) const;
  /// In order of name.
  std::vector<std::string> symbols() const;

  /// In the syntax of the language, in one line, in the shortest form that was found: `2*(p - 1)`, `ceil_log2(p)*n`. The
  /// same formula is always the same text.
  std::string text() const;

private:
  friend class CompiledFormula;
  friend class FormulaImpl;
  struct Node;
  explicit Formula(std::shared_ptr<const Node> node);
  std::shared_ptr<const Node> node;
};

/// What is known about the symbols beyond that they are integers, p, k >= 1, n >= 0 and 0 <= root < p.
struct FormulaFacts {
  bool pIsPow2 = false; // then ceil_log2(p) = floor_log2(p) = log2(p), 2 ** log2(p) = p
  bool pIsEven = false;
};

/// With identities applied that hold because of the facts, or that need more than a look at one operation.
Formula simplify(const Formula &formula, const FormulaFacts &facts = {});

/// Whether a formula is 0 for all values; nothing: not known.
std::optional<bool> isZero(const Formula &formula, const FormulaFacts &facts = {});

/// The values of symbols, and of functions and tables that the formula calls.
class FormulaValues {
public:
  virtual ~FormulaValues() = default;
  /// Nothing if there is none; so for the name and arguments of a call, and for the name and indices of a table's entry.
  virtual std::optional<Rational> symbol(llvm::StringRef name) const = 0;
  virtual std::optional<Rational> call(llvm::StringRef, llvm::ArrayRef<Rational>) const { return std::nullopt; }
  virtual std::optional<Rational> entry(llvm::StringRef, llvm::ArrayRef<Rational>) const { return std::nullopt; }
};

/// The exact value; nothing if there is none, or it does not fit.
std::optional<Rational> evaluate(const Formula &formula, const FormulaValues &values);

/// A formula made ready to be evaluated often, in floating point.
class CompiledFormula {
public:
  /// Values are given in the order of `symbols`. Functions and tables are asked of `values`, if there are any.
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
