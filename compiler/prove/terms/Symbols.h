//===- Symbols.h - The symbols of a schedule's formulas -----------------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_PROVE_TERMS_SYMBOLS_H
#define QUADRILLE_PROVE_TERMS_SYMBOLS_H

#include "Obligation.h"

#include "ir/Schedule.h"

#include <optional>

namespace quadrille::compiler::prove {

/// The value of an expression for the generic rank `me`.
struct Value {
  Term term;   // null: the value has no formula, for the reason `gap`
  Term exists; // the condition under which the value is not `none`; null: it never is
  std::optional<NotModelled> gap = {};
};

/// The values of a schedule's variables for the generic rank.
struct Variables {
  const ir::Schedule &schedule;
  std::vector<Value> values; // by variable
};

/// The names of functions in terms that stand for operations without a formula.
inline constexpr llvm::StringLiteral trailingZerosName = "trailing_zeros", squareRootName = "square_root";

/// Provides terms for what has no formula: trees, calls of recursive functions, trailing zeros, square roots, nodes. DefinedTerms implements it.
class Definitions {
public:
  virtual ~Definitions() = default;
  /// A number that identifies the tree with these arguments.
  virtual Value tree(const ir::Expr &expr, llvm::ArrayRef<Value> arguments) = 0;
  /// A field of the tree with that number; of a node `rank`, unless the field belongs to the whole tree.
  virtual Value field(const ir::Expr &expr, Term tree, Term rank) = 0;
  /// A call of a recursive function. `isDefined` becomes the condition under which its recursion is known to end.
  virtual Value call(const ir::Expr &expr, llvm::ArrayRef<Value> arguments, Term &isDefined) = 0;
  /// A call of another function, if proofs use it by its lemmas; null if its body has to be translated. `isDefined` becomes the
  /// condition under which its value is known to exist.
  virtual Term lemmaCall(const ir::Function &function, llvm::ArrayRef<Value> arguments, Term &isDefined) = 0;
  virtual Term trailingZeros(Term a) = 0;
  /// The largest b with b*b <= a, for a >= 0.
  virtual Term squareRoot(Term a) = 0;
  /// An operation on the map from ranks to nodes, which is the caller's.
  virtual Term ofNodes(ir::Op op, llvm::ArrayRef<Term> operands) = 0;
};

/// Whether a function calls itself, directly or by way of others.
bool isRecursive(const ir::Function &function);

/// Translates expressions to terms. Appends to `needs` what an expression needs to have a value (a positive divisor, ...), if it
/// is evaluated. Throws NotModelled if there is no term.
class Numbers {
public:
  explicit Numbers(TermPool &pool, Definitions *definitions = nullptr) : definitions(definitions), pool(pool) {}

  struct Need {
    Term condition;
    llvm::SMRange range;
    std::string what;
  };

  Value value(const ir::Expr &expr, const Variables &variables);
  Value value(const ir::Expr &expr, const std::vector<Value> &variables);
  /// The term of an integer or a truth value; the language refuses `none` here.
  Term term(const ir::Expr &expr, const Variables &variables);
  Term term(const ir::Expr &expr, const std::vector<Value> &variables);

  /// While this object exists, expressions are translated on their own: with an empty path and no needs. Its destructor restores
  /// both.
  class Apart {
  public:
    explicit Apart(Numbers &numbers) : numbers(numbers) { exchange(); }
    ~Apart() { exchange(); }
    Apart(const Apart &) = delete;
    Apart &operator=(const Apart &) = delete;

  private:
    void exchange() {
      std::swap(needs, numbers.needs);
      std::swap(path, numbers.path);
    }
    Numbers &numbers;
    std::vector<Need> needs;
    std::vector<Term> path;
  };

  /// The condition under which the current expression is evaluated.
  Term condition() const { return pool.conjunction(path); }

  std::vector<Need> needs;
  Definitions *definitions; // null: trees and recursion throw NotModelled

private:
  Value call(const ir::Expr &expr, const std::vector<Value> &variables);
  Value select(const ir::Expr &expr, const std::vector<Value> &variables);
  Term equality(const ir::Expr &expr, const std::vector<Value> &variables);
  Term junction(const ir::Expr &expr, const std::vector<Value> &variables);
  Value defined(const ir::Expr &expr, const std::vector<Value> &variables);
  Term ofNodes(const ir::Expr &expr, const std::vector<Value> &variables);
  void needOperands(const ir::Expr &expr, Term a, Term b);
  Term existing(const Value &value, llvm::SMRange range);
  void need(Term condition, llvm::SMRange range, const char *what);

  TermPool &pool;
  std::vector<Term> path; // conditions under which the current expression is evaluated
  llvm::SmallVector<const ir::Function *, 8> calls;
  unsigned bodies = 0; // the number of function bodies translated for one outermost call
};

} // namespace quadrille::compiler::prove

#endif // QUADRILLE_PROVE_TERMS_SYMBOLS_H
