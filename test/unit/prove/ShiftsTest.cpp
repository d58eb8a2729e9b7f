//===- ShiftsTest.cpp - Divisors that are a variable and a constant ----------------------------------------------------------===//

#include "prove/solver/Shifts.h"

#include "limits/Limits.h"

#include <gtest/gtest.h>

using namespace quadrille::compiler;
using namespace quadrille::compiler::prove;

namespace {

class ShiftsTest : public testing::Test {
protected:
  ShiftsTest() : solver(pool) {}
  SolverResult ask(Term hypothesis, Term goal) {
    return solver.prove({"", {hypothesis}, goal}, {limits::solverSteps.at(4000000), limits::solverStepsOther.at(4000000)});
  }
  Term plus(Term a, std::int64_t b) { return pool.add(a, pool.integer(b)); }

  TermPool pool;
  Solver solver;
  Term k = pool.variable("k"), c = pool.variable("c"), r = pool.variable("r"), zero = pool.integer(0);
  // ((k + 1)*c + r) mod (k + 1), and the condition under which it is r
  Term digit = pool.modulo(pool.add(pool.multiply(plus(k, 1), c), r), plus(k, 1));
  Term isDigit = pool.conjunction({pool.inRange(zero, r, plus(k, 1)), pool.lessEqual(zero, c)});
};

} // namespace

TEST_F(ShiftsTest, MakeAProductOfASum) {
  EXPECT_EQ(ask(isDigit, pool.equal(digit, r)).answer, Answer::Proved);
}

// What k stands for in hypotheses it stands for in the goal, too.
TEST_F(ShiftsTest, ReplaceTheVariableEverywhere) {
  const Question question{"", {pool.equal(k, r)}, pool.equal(digit, r)};
  const Question changed = Shifts(pool, question).apply(question);
  const Term shifted = pool.variable("k + 1");
  EXPECT_EQ(changed.goal, pool.equal(pool.modulo(pool.add(pool.multiply(shifted, c), r), shifted), r));
  EXPECT_EQ(changed.hypotheses, std::vector<Term>{pool.equal(plus(shifted, -1), r)});
}

TEST_F(ShiftsTest, GiveModelsInTheVariablesOfTheQuestion) {
  const Question question{"", {pool.both(isDigit, pool.equal(k, pool.integer(5)))}, pool.equal(digit, plus(r, 1))};
  const Shifts shifts(pool, question);
  ASSERT_FALSE(shifts.empty());
  const SolverResult outcome = ask(question.hypotheses[0], question.goal);
  EXPECT_NE(outcome.answer, Answer::Proved);
  SolverResult changed;
  changed.model.values = {{pool.variable("k + 1"), 6}, {r, 2}};
  const SolverResult undone = shifts.undo(changed, question);
  EXPECT_EQ(undone.model.values[0].first, k);
  EXPECT_EQ(undone.model.values[0].second, 5);
  EXPECT_EQ(undone.model.values[1].second, 2);
}

TEST_F(ShiftsTest, LeaveAloneWhatNeedsNone) {
  // Nothing is multiplied; or k is a divisor itself.
  EXPECT_TRUE(Shifts(pool, {"", {}, pool.equal(pool.modulo(r, plus(k, 1)), zero)}).empty());
  EXPECT_TRUE(Shifts(pool, {"", {}, pool.equal(pool.add(digit, pool.modulo(r, k)), zero)}).empty());
}

TEST_F(ShiftsTest, KeepSuppositions) {
  const Term supposed = pool.equal(pool.multiply(k, c), zero);
  const Question question{"", {isDigit}, pool.equal(digit, r), {supposed}};
  const Shifts shifts(pool, question);
  SolverResult outcome;
  outcome.restsOn = shifts.apply(question).suppositions;
  EXPECT_EQ(shifts.undo(outcome, question).restsOn, std::vector<Term>{supposed});
}
