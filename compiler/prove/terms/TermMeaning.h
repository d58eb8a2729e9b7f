//===- TermMeaning.h - What the operations of the language are as terms ---------------------------------------------*- C++ -*-===//
//
// Implements the functions that ir/Operations.def names, for terms as operands. The resulting term has the value of the operation
// wherever the operation has one. It is null if the operation has no term for these operands.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_PROVE_TERMS_TERMMEANING_H
#define QUADRILLE_PROVE_TERMS_TERMMEANING_H

#include "Term.h"

#include "ir/Expr.h"

namespace quadrille::compiler::prove {

namespace meaning {

// ---- one operand

inline Term negate(TermPool &pool, Term a) { return pool.scale(-1, a); }
inline Term absolute(TermPool &pool, Term a) { return pool.select(pool.lessEqual(pool.integer(0), a), a, pool.scale(-1, a)); }
inline Term logicalNot(TermPool &pool, Term a) { return pool.negate(a); }
inline Term floorLog2(TermPool &pool, Term a) { return pool.floorLog2(a); }
inline Term ceilLog2(TermPool &pool, Term a) { return pool.ceilLog2(a); }
inline Term log2(TermPool &pool, Term a) { return pool.floorLog2(a); }
inline Term trailingZeros(TermPool &, Term) { return {}; } // prove/definitions provides a function with laws
inline Term isPow2(TermPool &pool, Term a) { return pool.isPower2(a); }
inline Term isEven(TermPool &pool, Term a) { return pool.equal(pool.modulo(a, pool.integer(2)), pool.integer(0)); }
inline Term isOdd(TermPool &pool, Term a) { return pool.equal(pool.modulo(a, pool.integer(2)), pool.integer(1)); }
inline Term squareRoot(TermPool &, Term) { return {}; }

// ---- two operands

inline Term add(TermPool &pool, Term a, Term b) { return pool.add(a, b); }
inline Term subtract(TermPool &pool, Term a, Term b) { return pool.subtract(a, b); }
inline Term multiply(TermPool &pool, Term a, Term b) { return pool.multiply(a, b); }
inline Term divide(TermPool &pool, Term a, Term b) { return pool.quotient(a, b); }
inline Term modulo(TermPool &pool, Term a, Term b) { return pool.modulo(a, b); }
inline Term power(TermPool &pool, Term a, Term b) { return pool.power(a, b); }
inline Term shiftLeft(TermPool &pool, Term a, Term b) { return pool.multiply(a, pool.power2(b)); }
inline Term shiftRight(TermPool &pool, Term a, Term b) { return pool.quotient(a, pool.power2(b)); }
inline Term bitAnd(TermPool &pool, Term a, Term b) { return pool.bitAnd(a, b); }
inline Term bitOr(TermPool &pool, Term a, Term b) { return pool.bitOr(a, b); }
inline Term bitXor(TermPool &pool, Term a, Term b) { return pool.bitXor(a, b); }
inline Term bit(TermPool &pool, Term a, Term b) {
  return pool.select(pool.bit(a, pool.power2(b)), pool.integer(1), pool.integer(0));
}
inline Term minimum(TermPool &pool, Term a, Term b) { return pool.minimum(a, b); }
inline Term maximum(TermPool &pool, Term a, Term b) { return pool.maximum(a, b); }
inline Term equal(TermPool &pool, Term a, Term b) { return pool.equal(a, b); }
inline Term notEqual(TermPool &pool, Term a, Term b) { return pool.notEqual(a, b); }
inline Term less(TermPool &pool, Term a, Term b) { return pool.less(a, b); }
inline Term lessEqual(TermPool &pool, Term a, Term b) { return pool.lessEqual(a, b); }
inline Term logicalAnd(TermPool &pool, Term a, Term b) { return pool.both(a, b); }
inline Term logicalOr(TermPool &pool, Term a, Term b) { return pool.either(a, b); }

} // namespace meaning

/// The term of an operation on one or two operands; `b` is ignored if there is one. Null if the operation has no term for these
/// operands, and for all operations that occur only in costs or that have other operands.
inline Term termOf(TermPool &pool, ir::Op op, Term a, Term b) {
  switch (op) {
#define UNARY(name, function, form, word, binding, result, operand, cpp) \
  case ir::Op::name:                                                     \
    return meaning::function(pool, a);
#define BINARY(name, function, form, word, binding, result, operands, cpp) \
  case ir::Op::name:                                                       \
    return meaning::function(pool, a, b);
#define COST_UNARY(name, function, form, word, binding, result, operand, cpp)
#define COST_BINARY(name, function, form, word, binding, result, operands, cpp)
#include "ir/Operations.def"
  default:
    return {};
  }
}

} // namespace quadrille::compiler::prove

#endif // QUADRILLE_PROVE_TERMS_TERMMEANING_H
