//===- Symbols.h - The symbols of a schedule's formulas -----------------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_PROVE_TERMS_SYMBOLS_H
#define QUADRILLE_PROVE_TERMS_SYMBOLS_H

#include "Obligation.h"

#include "ir/Schedule.h"

#include <optional>

namespace quadrille::compiler::prove {

/// The value of an expression for the generic rank `me`.
struct Value {
  Term term;   // null: it has no formula, for the reason `gap`
  Term exists; // false where the value is the rank that is not there; null: it always exists
  std::optional<NotModelled> gap = {};
};

/// A running schedule: the values of its variables, for the generic rank.
struct Variables {
  const ir::Schedule &schedule;
  std::vector<Value> values; // by variable
};

/// What stands for trees and for functions that call themselves, which have no formula.
class Definitions {
public:
  virtual ~Definitions() = default;
  /// A number for the tree that these arguments give.
  virtual Value tree(const ir::Expr &expr, llvm::ArrayRef<Value> arguments) = 0;
  /// Of the tree with that number, of a rank if the field has no fixed place.
  virtual Value field(const ir::Expr &expr, Term tree, Term rank) = 0;
  /// Of a function that calls itself; `isDefined` becomes the condition under which its calls are known to end.
  virtual Value call(const ir::Expr &expr, llvm::ArrayRef<Value> arguments, Term &isDefined) = 0;
  /// Of another function that is known by what lemmas say of it; null if this one has to be looked into. `isDefined`
  /// becomes the condition under which its value is known to exist.
  virtual Term lemmaCall(const ir::Function &function, llvm::ArrayRef<Value> arguments, Term &isDefined) = 0;
  virtual Term trailingZeros(Term a) = 0;
};

/// Whether a function calls itself, also by way of others.
bool isRecursive(const ir::Function &function);

/// Translates expressions. Whatever an expression needs to have a value is appended to `needs`, each under the
/// conditions under which it is evaluated. Throws NotModelled.
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
  /// Of an expression that is an integer, or a truth value; `none` is refused by the language.
  Term term(const ir::Expr &expr, const Variables &variables);
  Term term(const ir::Expr &expr, const std::vector<Value> &variables);

  /// While it lives, expressions are translated as if nothing were around them; then all is as it was before.
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

  /// Under which the expression that is being translated is evaluated.
  Term condition() const { return pool.conjunction(path); }

  std::vector<Need> needs;
  Definitions *definitions; // may be null: trees and recursion are not modelled then

private:
  Value call(const ir::Expr &expr, const std::vector<Value> &variables);
  Term existing(const Value &value, llvm::SMRange range);
  void need(Term condition, llvm::SMRange range, const char *what);

  TermPool &pool;
  std::vector<Term> path; // conditions under which the current expression is evaluated
  llvm::SmallVector<const ir::Function *, 8> calls;
  unsigned bodies = 0; // of functions, put in place for one call
};

} // namespace quadrille::compiler::prove

#endif // QUADRILLE_PROVE_TERMS_SYMBOLS_H
