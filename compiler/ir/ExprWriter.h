//===- ExprWriter.h - Expressions as text ------------------------------------------------------------------*- C++ -*-===//
//
// Writes expressions in the syntax of the language, with parentheses around every nested operator. Private to ir/Print*.cpp.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_IR_EXPRWRITER_H
#define QUADRILLE_IR_EXPRWRITER_H

#include "Schedule.h"

#include "llvm/ADT/StringExtras.h"

#include <cassert>

namespace quadrille::compiler::ir {

/// Writes the expressions of one frame.
class ExprWriter {
public:
  ExprWriter(llvm::ArrayRef<Variable> variables, std::vector<std::string> tables = {})
      : variables(variables), tables(std::move(tables)) {}

  llvm::StringRef name(unsigned variable) const {
    assert(variable < variables.size() && "a variable of another frame");
    return variables[variable].name;
  }
  const std::string &table(unsigned number) const {
    assert(number < tables.size() && "a table of another schedule");
    return tables[number];
  }
  std::string text(const Expr &expr) const;
  /// The text of an expression, in parentheses unless it is a single word or call.
  std::string operand(const Expr &expr) const;
  std::string range(const Expr &lo, const Expr &hi) const { return operand(lo) + " ..< " + operand(hi); }
  std::string list(llvm::ArrayRef<const Expr *> exprs) const {
    return llvm::join(llvm::map_range(exprs, [&](const Expr *expr) { return text(*expr); }), ", ");
  }
  std::string lengthText(const LengthOf &length) const;
  std::string knowledgeText(const Knowledge &known) const;

private:
  std::string tree(const Expr &expr) const;
  std::string field(const Expr &expr) const;
  std::string aggregate(const Expr &expr, llvm::StringRef word) const;

  llvm::ArrayRef<Variable> variables;
  std::vector<std::string> tables;
};

/// `a, b, c`
std::string namesOf(llvm::ArrayRef<Variable> variables);

/// `x@rank[index]`
std::string dataAtRank(llvm::StringRef data, const std::string &rank, const std::string &index);

/// The text of a rank after `@`.
std::string rankText(const Expr &rank, const ExprWriter &writer);

} // namespace quadrille::compiler::ir

#endif // QUADRILLE_IR_EXPRWRITER_H
