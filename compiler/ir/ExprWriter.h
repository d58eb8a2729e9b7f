//===- ExprWriter.h - Expressions as text ------------------------------------------------------------------*- C++ -*-===//
//
// Writes expressions in the syntax of the language, with parentheses around every nested operator, for those who read a program, or only
// where they are needed, for those who read a formula.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_IR_EXPRWRITER_H
#define QUADRILLE_IR_EXPRWRITER_H

#include "Operations.h"
#include "Schedule.h"

#include "llvm/ADT/StringExtras.h"

#include <cassert>
#include <functional>

namespace quadrille::compiler::ir {

enum class Parentheses { All, Needed };

/// The definition of a variable, which is written in its place; null: its name is.
using Definitions = std::function<const Expr *(unsigned variable)>;

/// Writes the expressions of one frame.
class ExprWriter {
public:
  ExprWriter(llvm::ArrayRef<Variable> variables, std::vector<std::string> tables = {}, Parentheses parentheses = Parentheses::All,
             Definitions definitionOf = nullptr)
      : variables(variables), tables(std::move(tables)), parentheses(parentheses), definitionOf(std::move(definitionOf)) {}

  llvm::StringRef name(unsigned variable) const {
    assert(variable < variables.size() && "a variable of another frame");
    return variables[variable].name;
  }
  const std::string &table(unsigned number) const {
    assert(number < tables.size() && "a table of another schedule");
    return tables[number];
  }
  std::string text(const Expr &expr) const;
  /// The text of an expression, in parentheses unless it is a single word or call; where only needed ones are written, unless it binds at
  /// least so tightly.
  std::string operand(const Expr &expr, Binding least = Binding::BitOr) const;
  std::string range(const Expr &lo, const Expr &hi) const { return operand(lo) + " ..< " + operand(hi); }
  std::string list(llvm::ArrayRef<const Expr *> exprs) const {
    return llvm::join(llvm::map_range(exprs, [&](const Expr *expr) { return text(*expr); }), ", ");
  }
  std::string lengthText(const LengthOf &length) const;
  std::string knowledgeText(const Knowledge &known) const;

private:
  /// The expression that is written: a definition in the place of a name.
  const Expr &written(const Expr &expr) const;
  std::string infix(const Expr &expr) const;
  std::string tree(const Expr &expr) const;
  std::string field(const Expr &expr) const;
  std::string aggregate(const Expr &expr, llvm::StringRef word) const;

  llvm::ArrayRef<Variable> variables;
  std::vector<std::string> tables;
  const Parentheses parentheses;
  const Definitions definitionOf;
};

/// The names of a schedule's tables, by number.
std::vector<std::string> tableNames(const Schedule &schedule);

/// `a, b, c`
std::string namesOf(llvm::ArrayRef<Variable> variables);

/// `x@rank[index]`
std::string dataAtRank(llvm::StringRef data, const std::string &rank, const std::string &index);

/// The text of a rank after `@`.
std::string rankText(const Expr &rank, const ExprWriter &writer);

} // namespace quadrille::compiler::ir

#endif // QUADRILLE_IR_EXPRWRITER_H
