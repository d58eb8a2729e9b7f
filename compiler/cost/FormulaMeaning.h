//===- FormulaMeaning.h - The operations of the language on formulas -------------------------------*- C++ -*-===//
//
// The functions that ir/Operations.def names, applied to formulas. Wherever the operation has a value, the formula has the
// same one. Numbers may be fractions, as in cost clauses.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_COST_FORMULAMEANING_H
#define QUADRILLE_COST_FORMULAMEANING_H

#include "algebra/Formula.h"
#include "ir/Expr.h"

#include <optional>

namespace quadrille::compiler {

namespace meaning {

using F = FormulaFunction;

// ---- one operand

inline Formula negate(const Formula &a) { return -a; }
inline Formula absolute(const Formula &a) { return Formula::apply(F::Maximum, {a, -a}); }
inline Formula logicalNot(const Formula &a) { return Formula::apply(F::Not, {a}); }
inline Formula log2(const Formula &a) { return Formula::apply(F::Log2, {a}); }
inline Formula floorLog2(const Formula &a) { return Formula::apply(F::FloorLog2, {a}); }
inline Formula ceilLog2(const Formula &a) { return Formula::apply(F::CeilLog2, {a}); }
inline Formula trailingZeros(const Formula &a) { return Formula::apply(F::TrailingZeros, {a}); }
inline Formula isPow2(const Formula &a) { return Formula::apply(F::IsPow2, {a}); }
inline Formula isEven(const Formula &a) { return Formula::apply(F::IsEven, {a}); }
inline Formula isOdd(const Formula &a) { return logicalNot(isEven(a)); }
inline Formula squareRoot(const Formula &a) { return Formula::apply(F::SquareRoot, {a}); }
inline Formula ceiling(const Formula &a) { return Formula::apply(F::Ceiling, {a}); }
inline Formula floor(const Formula &a) { return Formula::apply(F::Floor, {a}); }

// ---- two operands

inline Formula add(const Formula &a, const Formula &b) { return a + b; }
inline Formula subtract(const Formula &a, const Formula &b) { return a - b; }
inline Formula multiply(const Formula &a, const Formula &b) { return a * b; }
inline Formula divide(const Formula &a, const Formula &b) { return Formula::apply(F::Divide, {a, b}); }
inline Formula modulo(const Formula &a, const Formula &b) { return Formula::apply(F::Modulo, {a, b}); }
inline Formula power(const Formula &a, const Formula &b) { return a.power(b); }
inline Formula shiftLeft(const Formula &a, const Formula &b) { return a * Formula(2).power(b); }
inline Formula shiftRight(const Formula &a, const Formula &b) { return divide(a, Formula(2).power(b)); }
inline Formula bitAnd(const Formula &a, const Formula &b) { return Formula::apply(F::BitAnd, {a, b}); }
inline Formula bitOr(const Formula &a, const Formula &b) { return Formula::apply(F::BitOr, {a, b}); }
inline Formula bitXor(const Formula &a, const Formula &b) { return Formula::apply(F::BitXor, {a, b}); }
inline Formula bit(const Formula &a, const Formula &b) { return Formula::apply(F::Bit, {a, b}); }
inline Formula minimum(const Formula &a, const Formula &b) { return Formula::apply(F::Minimum, {a, b}); }
inline Formula maximum(const Formula &a, const Formula &b) { return Formula::apply(F::Maximum, {a, b}); }
inline Formula equal(const Formula &a, const Formula &b) { return Formula::apply(F::Equal, {a, b}); }
inline Formula notEqual(const Formula &a, const Formula &b) { return logicalNot(equal(a, b)); }
inline Formula less(const Formula &a, const Formula &b) { return Formula::apply(F::Less, {a, b}); }
inline Formula lessEqual(const Formula &a, const Formula &b) { return Formula::apply(F::LessEqual, {a, b}); }
inline Formula logicalAnd(const Formula &a, const Formula &b) { return Formula::apply(F::And, {a, b}); }
inline Formula logicalOr(const Formula &a, const Formula &b) { return Formula::apply(F::Or, {a, b}); }
inline Formula ratio(const Formula &a, const Formula &b) { return a / b; }

} // namespace meaning

/// The formula of an operation on one or two operands. Nothing for other operations.
inline std::optional<Formula> formulaOf(ir::Op op, llvm::ArrayRef<Formula> operands) {
  switch (op) {
#define UNARY(name, function, form, word, binding, result, operand, cpp) \
  case ir::Op::name:                                                     \
    return meaning::function(operands[0]);
#define BINARY(name, function, form, word, binding, result, operand, cpp) \
  case ir::Op::name:                                                      \
    return meaning::function(operands[0], operands[1]);
#include "ir/Operations.def"
  default:
    return std::nullopt;
  }
}

} // namespace quadrille::compiler

#endif // QUADRILLE_COST_FORMULAMEANING_H
