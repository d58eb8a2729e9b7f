//===- Symbols.h - The symbols of a schedule's formulas -----------------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_PROVE_SYMBOLS_H
#define QUADRILLE_PROVE_SYMBOLS_H

#include "Obligation.h"

#include "ir/Schedule.h"

#include <optional>

namespace quadrille::prove {

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

/// Translates expressions. Whatever an expression needs to have a value is appended to `needs`, each under the
/// conditions under which it is evaluated. Throws NotModelled.
class Numbers {
public:
  Numbers(TermPool &pool) : pool(pool) {}

  struct Need {
    Term condition;
    llvm::SMRange range;
    std::string what;
  };

  Value value(const ir::Expr &expr, const Variables &variables);
  /// Of an expression that is an integer, or a truth value; `none` is refused by the language.
  Term term(const ir::Expr &expr, const Variables &variables);

  std::vector<Need> needs;

private:
  struct Scope;
  Value value(const ir::Expr &expr, const std::vector<Value> &variables);
  Term term(const ir::Expr &expr, const std::vector<Value> &variables);
  Value call(const ir::Expr &expr, const std::vector<Value> &variables);
  Term existing(const Value &value, llvm::SMRange range);
  void need(Term condition, llvm::SMRange range, const char *what);

  TermPool &pool;
  std::vector<Term> path; // conditions under which the current expression is evaluated
  llvm::SmallVector<const ir::Function *, 8> calls;
};

} // namespace quadrille::prove

#endif // QUADRILLE_PROVE_SYMBOLS_H
