//===- FormulaFitTest.cpp - Formulas that have given values ------------------------------------------------------------------===//

#include "prove/definitions/FormulaFit.h"
#include "prove/terms/Solutions.h"

#include "llvm/ADT/STLExtras.h"

#include <gtest/gtest.h>

using namespace quadrille::compiler::prove;

namespace {

class FormulaFitTest : public testing::Test {
protected:
  /// What is fitted to `wanted`, with the atoms a = 0, 1, .. 5 and b = 3, 1, 4, 1, 5, 0, modulo p = 6.
  std::string fitted(std::vector<std::int64_t> wanted) {
    const Term result = fitFormula(pool, {{a, {0, 1, 2, 3, 4, 5}}, {b, {3, 1, 4, 1, 5, 0}}}, {p, {6, 6, 6, 6, 6, 6}}, wanted);
    return result ? text(result) : "";
  }
  TermPool pool;
  Term a = pool.variable("a"), b = pool.variable("b"), p = pool.variable("p");
};

} // namespace

TEST_F(FormulaFitTest, TakesTheSimplest) {
  EXPECT_EQ(fitted({0, 1, 2, 3, 4, 5}), "a");
  EXPECT_EQ(fitted({1, 2, 3, 4, 5, 6}), "a + 1");
  EXPECT_EQ(fitted({3, 2, 6, 4, 9, 5}), "a + b");
  EXPECT_EQ(fitted({4, 1, 3, -1, 2, -4}), "b - a + 1");
  EXPECT_EQ(fitted({3, 2, 0, 4, 3, 5}), "(a + b) mod p");
  EXPECT_EQ(fitted({0, 1, 2, 1, 4, 0}), text(pool.minimum(a, b)));
  EXPECT_EQ(fitted({3, 2, 4, 4, 5, 6}), text(pool.maximum(pool.add(a, pool.integer(1)), b)));
}

TEST_F(FormulaFitTest, FitsEveryPoint) {
  EXPECT_EQ(fitted({0, 1, 2, 3, 4, 6}), "");
  EXPECT_EQ(fitFormula(pool, {{a, {}}}, {p, {}}, {}), Term());
}

TEST_F(FormulaFitTest, NamesPartsOnce) {
  const Term half = pool.quotient(a, pool.integer(2));
  const std::vector<Term> parts = partsOf({pool.less(half, b), pool.add(half, b)});
  EXPECT_EQ(llvm::count(parts, half), 1);
  EXPECT_EQ(llvm::count(parts, b), 1);
  EXPECT_EQ(llvm::count(parts, pool.integer(2)), 0);
}

TEST_F(FormulaFitTest, SolvesForAVariable) {
  // k*b + a == p for a; (p - 1) div 2 for 2*a + 1 == p
  EXPECT_TRUE(llvm::is_contained(solutionsOf(pool, pool.add(pool.multiply(p, b), a), a, p), pool.subtract(p, pool.multiply(p, b))));
  const Term odd = pool.add(pool.scale(2, a), pool.integer(1));
  EXPECT_TRUE(llvm::is_contained(solutionsOf(pool, odd, a, p), pool.quotient(pool.subtract(p, pool.integer(1)), pool.integer(2))));
}
