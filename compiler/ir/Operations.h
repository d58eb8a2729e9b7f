//===- Operations.h - What is said of every operation ------------------------------------------------------*- C++ -*-===//
//
// Operations.def as data: how operations are written, what they take and yield.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_IR_OPERATIONS_H
#define QUADRILLE_IR_OPERATIONS_H

#include "Expr.h"

namespace quadrille::compiler::ir {

/// How an operation is written.
enum class Form {
  Function,  // word(a, b)
  Prefix,    // word a
  Infix,     // a word b
  Name,      // word
  Aggregate, // word(term for i in lo ..< hi)
  Own,
};

/// How tightly an operator binds. Those of one level group to the left, but for powers.
enum class Binding { Select, Or, And, Not, Compare, BitOr, BitXor, BitAnd, Shift, Sum, Product, Sign, Power, Atom };

/// How many operands an operation takes, and of which types.
enum class Shape {
  Unary,    // one
  Binary,   // two of one type
  Equality, // two of any one type that is no tree
  Own,
};

struct Operation {
  Op op;
  llvm::StringLiteral name; // in this program
  Form form;
  llvm::StringLiteral word;
  Binding binding;
  Shape shape;
  Type result, operands;   // not if the shape is its own
  llvm::StringLiteral cpp; // empty: it is not emitted

  bool isCostOnly() const { return ir::isCostOnly(op); }
  /// Written with operands on an open side, so that others may take hold of them.
  bool isOpen() const { return form == Form::Prefix || form == Form::Infix || op == Op::Select; }
  /// Of more than two operands it is that of the first ones and the last.
  bool folds() const { return op == Op::Minimum || op == Op::Maximum; }
};

/// In the order of `Op`.
llvm::ArrayRef<Operation> operations();

inline const Operation &operationOf(Op op) { return operations()[static_cast<unsigned>(op)]; }

/// Null: there is none that is written so.
const Operation *operationWritten(Form form, llvm::StringRef word);

} // namespace quadrille::compiler::ir

#endif // QUADRILLE_IR_OPERATIONS_H
