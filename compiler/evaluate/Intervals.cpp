//===- Intervals.cpp - What an operation of an expression makes of intervals ----------------------------------------------===//

#include "Intervals.h"

#include "arithmetic/IntervalMeaning.h"

#include "llvm/ADT/STLExtras.h"

namespace quadrille::compiler {

namespace intervals = arithmetic::intervals;
using arithmetic::Interval;
using ir::Op;

Interval intervalOf(const ir::Expr &operation, const Interval &a, const Interval &b) {
  if (a.isNothing() || b.isNothing())
    return arithmetic::nothing;
  switch (operation.op) {
#define COST_UNARY(name, function, form, word, binding, result, operand, cpp)
#define COST_BINARY(name, function, form, word, binding, result, operands, cpp)
#define UNARY(name, function, form, word, binding, result, operand, cpp) \
  case Op::name:                                                         \
    return intervals::function(a);
#define BINARY(name, function, form, word, binding, result, operands, cpp) \
  case Op::name:                                                           \
    return intervals::function(a, b);
#define EQUALITY(name, function, form, word, binding, result, type, cpp)                                \
  case Op::name: /* `none` is no number */                                                              \
    return llvm::any_of(operation.operands, [](const ir::Expr *operand) { return operand->mayBeNone; }) \
               ? arithmetic::truth                                                                      \
               : intervals::function(a, b);
#include "ir/Operations.def"
  default:
    return arithmetic::anything;
  }
}

} // namespace quadrille::compiler
