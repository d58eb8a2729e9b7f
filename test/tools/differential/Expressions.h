//===- Expressions.h - Random expressions of all operations --------------------------------------------------*- C++ -*-===//
//
// Made from ir/Operations.def, over the variables of one schedule that does nothing.
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

/// What expressions are made in and about.
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
  bool ofCosts = false; // n, and what stands in clauses of costs only
  bool small = false;   // literals that solvers of few bits can take
};

/// A number or a condition.
const ir::Expr *randomExpression(Subject &subject, Random &random, const Wishes &wishes);

inline constexpr unsigned ranksOfCase = 6;

/// Of so many cases, each with several ranks: the samples of a case differ in `me` and `i` alone. Ordinary ones, and now and then
/// one at the edge of what fits.
std::vector<Sample> randomSamples(Random &random, unsigned cases, bool small);

/// With no more parentheses than the table's binding of operators asks for.
std::string shortText(const ir::Expr &expr);

/// All expressions of the same type with one part less: an operand in place of an operation, a number in place of a part.
std::vector<const ir::Expr *> smaller(Subject &subject, const ir::Expr &expr);

std::size_t sizeOf(const ir::Expr &expr);

/// With one variable in place of another.
const ir::Expr *withIn(Subject &subject, const ir::Expr &expr, Variable variable, Variable by);

/// Whether they say the same; where ranks differ is not compared.
bool isSame(const ir::Expr &a, const ir::Expr &b);

} // namespace quadrille::compiler::differential

#endif // QUADRILLE_TEST_DIFFERENTIAL_EXPRESSIONS_H
