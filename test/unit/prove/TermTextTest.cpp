//===- TermTextTest.cpp - Terms in the syntax of the language ---------------------------------------------------------===//

#include "prove/terms/Term.h"

#include <gtest/gtest.h>

using namespace quadrille::compiler::prove;

TEST(TermText, NegatesTheComparisonAndNotWhatIsInIt) {
  TermPool pool;
  Term a = pool.variable("a"), b = pool.variable("b"), s = pool.variable("s");
  // One side of the comparison contains another comparison.
  Term piece = pool.apply("f", {pool.select(pool.equal(a, pool.integer(0)), b, s)});
  EXPECT_EQ(text(pool.equal(piece, b)), "f(if a == 0 then b else s) == b");
  EXPECT_EQ(text(pool.notEqual(b, piece)), text(pool.notEqual(piece, b)));
  EXPECT_EQ(text(pool.notEqual(piece, b)), "f(if a == 0 then b else s) != b");
  EXPECT_EQ(text(pool.notEqual(piece, pool.integer(3))), "f(if a == 0 then b else s) != 3");
}

TEST(TermText, CallsOfFunctionsAsTheyAreWritten) {
  TermPool pool;
  EXPECT_EQ(text(pool.apply("first()", {pool.variable("me"), pool.integer(0)})), "first(me, 0)");
}
