//===- FrameVerifier.h - Whether expressions are well formed --------------------------------------------*- C++ -*-===//
//
// Private to ir/Verify*.cpp.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_IR_FRAMEVERIFIER_H
#define QUADRILLE_IR_FRAMEVERIFIER_H

#include "Schedule.h"

#include "llvm/ADT/SmallBitVector.h"
#include "llvm/ADT/Twine.h"

namespace quadrille::compiler::ir {

struct Violation {
  std::string text;
};

inline void require(bool holds, const llvm::Twine &otherwise) {
  if (!holds)
    throw Violation{otherwise.str()};
}

/// Runs `check` and returns the text of the violation that it throws; empty if it throws none.
template <typename Check>
std::string violationOf(const llvm::Twine &where, Check check) {
  try {
    check();
    return "";
  } catch (const Violation &violation) {
    return (where + ": " + violation.text).str();
  }
}

/// Verifies expressions of one frame. `known`: the variables that have a value at the current place.
class FrameVerifier {
public:
  FrameVerifier(llvm::ArrayRef<Variable> variables, size_t tables)
      : variables(variables), tables(tables), known(static_cast<unsigned>(variables.size())) {}

  void define(unsigned variable) {
    require(variable < variables.size(), "variable " + llvm::Twine(variable) + " is none of the frame");
    known.set(variable);
  }
  void define(std::optional<unsigned> variable) {
    if (variable)
      define(*variable);
  }
  void defineFirst(size_t count) {
    for (unsigned v = 0; v < count; ++v)
      define(v);
  }

  void expr(const Expr *expr, Type type, bool isOfCost = false);
  void integer(const Expr *expr) { this->expr(expr, Type::Integer); }
  void boolean(const Expr *expr) { this->expr(expr, Type::Boolean); }
  void optionalInteger(const Expr *expr) {
    if (expr)
      integer(expr);
  }
  void optionalBoolean(const Expr *expr) {
    if (expr)
      boolean(expr);
  }
  void length(const LengthOf &length);
  void knowledge(const Knowledge &known);

  llvm::ArrayRef<Variable> variables;
  const size_t tables;
  llvm::SmallBitVector known;

private:
  void operands(const Expr &expr, llvm::ArrayRef<Type> types, bool isOfCost);
  void special(const Expr &expr, bool isOfCost);
  void call(const Expr &expr, bool isOfCost);
  void tree(const Expr &expr, bool isOfCost);
  void field(const Expr &expr, bool isOfCost);
  void aggregate(const Expr &expr);
};

} // namespace quadrille::compiler::ir

#endif // QUADRILLE_IR_FRAMEVERIFIER_H
