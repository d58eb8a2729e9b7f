//===- Expressions.h - Random expressions of all operations --------------------------------------------------*- C++ -*-===//
//
// Generated from ir/Operations.def, over the variables of a schedule that does nothing.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_TEST_DIFFERENTIAL_EXPRESSIONS_H
#define QUADRILLE_TEST_DIFFERENTIAL_EXPRESSIONS_H

#include "../fuzz/Random.h"

#include "ir/Schedule.h"

#include <array>

namespace quadrille::compiler::differential {

using fuzz::Random;

/// The variables of the frame, in its order.
enum Variable : unsigned { P, Me, K, I, Root };
inline constexpr unsigned variableCount = 5;
inline constexpr const char *variableNames[variableCount] = {"p", "me", "k", "i", "root"};

/// Values of the variables, and the length n of a block: p, k > 0, n >= 0, me and root are ranks, i is any number.
struct Sample {
  std::array<std::int64_t, variableCount> values;
  std::int64_t n;

  std::string text() const;
};

/// The schedule, and the memory of the expressions.
struct Subject {
  Subject();

  ir::Program program;
  ir::Collective collective;
  ir::Schedule schedule;

  ir::Expr *make(ir::Op op, ir::Type type, llvm::ArrayRef<const ir::Expr *> operands);
  const ir::Expr *constant(std::int64_t value, ir::Type type = ir::Type::Integer);
  const ir::Expr *variable(unsigned index);
};

struct Wishes {
  unsigned depth = 4;
  bool ofCosts = false; // allow n and operations that only cost clauses may have
  bool small = false;   // only literals that fit into few bits
};

/// A random expression: a number or a condition.
const ir::Expr *randomExpression(Subject &subject, Random &random, const Wishes &wishes);

inline constexpr unsigned ranksOfCase = 6;

/// Samples of `cases` cases, each with several ranks: the samples of a case differ in `me` and `i` only. Most have ordinary values,
/// some have values near the limits of 64 bits.
std::vector<Sample> randomSamples(Random &random, unsigned cases, bool small);

/// The text with only the parentheses that precedence requires.
std::string shortText(const ir::Expr &expr);

/// All slightly smaller expressions of the same type: an operation is replaced by an operand, or a part by a number.
std::vector<const ir::Expr *> smaller(Subject &subject, const ir::Expr &expr);

std::size_t sizeOf(const ir::Expr &expr);

/// The expression with `variable` replaced by `by`.
const ir::Expr *withIn(Subject &subject, const ir::Expr &expr, Variable variable, Variable by);

/// Whether two expressions are equal, apart from Expr::dependsOnRank.
bool isSame(const ir::Expr &a, const ir::Expr &b);

} // namespace quadrille::compiler::differential

#endif // QUADRILLE_TEST_DIFFERENTIAL_EXPRESSIONS_H
