//===- Operations.h - The table of operations ------------------------------------------------------*- C++ -*-===//
//
// Operations.def as data: syntax, operand types and result type of every operation.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_IR_OPERATIONS_H
#define QUADRILLE_IR_OPERATIONS_H

#include "Expr.h"

#include <cassert>

namespace quadrille::compiler::ir {

/// How an operation is written.
enum class Form {
  Function,  // word(a, b)
  Prefix,    // word a
  Infix,     // a word b
  Name,      // word
  Aggregate, // word(term for i in lo ..< hi)
  Own,       // its syntax is written out where it is parsed and printed
};

/// Precedence levels, loosest first. Operators of one level are left-associative, except powers.
enum class Binding { Select, Or, And, Not, Compare, BitOr, BitXor, BitAnd, Shift, Sum, Product, Sign, Power, Atom };

/// Number and types of the operands.
enum class Signature {
  Unary,    // one
  Binary,   // two of one type
  Equality, // two of the same type, integers or truth values
  Own,
};

struct Operation {
  Op op;
  llvm::StringLiteral name; // the enumerator of Op
  Form form;
  llvm::StringLiteral word;
  Binding binding;
  Signature signature;
  Type result, operands;   // undefined if the shape is Own
  llvm::StringLiteral cpp; // in emitted code; empty: not emitted

  bool isCostOnly() const { return ir::isCostOnly(op); }
  /// Whether the text begins or ends with an operand, so that it may need parentheses.
  bool isOpen() const { return form == Form::Prefix || form == Form::Infix || op == Op::Select; }
  /// Whether it takes more than two operands: op(a, b, c) = op(op(a, b), c).
  bool folds() const { return op == Op::Minimum || op == Op::Maximum; }
};

/// All operations, in the order of `Op`.
llvm::ArrayRef<Operation> operations();

inline const Operation &operationOf(Op op) {
  const Operation &result = operations()[static_cast<unsigned>(op)];
  assert(result.op == op && "the table is in the order of `Op`");
  return result;
}

/// The operation that is written this way; null if there is none.
const Operation *operationWritten(Form form, llvm::StringRef word);

} // namespace quadrille::compiler::ir

#endif // QUADRILLE_IR_OPERATIONS_H
