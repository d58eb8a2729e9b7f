//===- SolverTest.cpp - Obligations of schedules are proved, broken ones refuted -------------------------------------------===//

#include "Obligations.h"

#include "prove/solver/SharedAnswers.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>

#include <unistd.h>

using namespace quadrille::compiler::prove;

namespace {
constexpr std::uint64_t resources = 3'000'000;
namespace limits = quadrille::compiler::limits;

const Effort effort{limits::solverSteps.at(resources), limits::solverStepsOther.at(resources)};

class SolverTest : public testing::Test {
protected:
  TermPool pool;
  Obligations obligations{pool};
  Solver solver{pool};

  /// Checks a counterexample by evaluating terms, without Z3.
  static void expectCounterexample(const Question &o, const Model &model) {
    llvm::DenseMap<Term, std::int64_t> values(model.values.begin(), model.values.end());
    auto valueOf = [&](Term variable) { return values.lookup(variable); };
    for (Term hypothesis : o.hypotheses)
      EXPECT_EQ(evaluate(hypothesis, valueOf), 1) << o.name << ": " << text(hypothesis);
    EXPECT_EQ(evaluate(o.goal, valueOf), 0) << o.name;
  }

  std::string askCvc5(const std::string &script) {
    std::string path = testing::TempDir() + "quadrille-" + std::to_string(::getpid()) + ".smt2";
    std::ofstream(path) << script;
    std::string answer;
    if (FILE *pipe = ::popen((std::string(QUADRILLE_CVC5) + " --lang=smt2 --rlimit=5000000 " + path + " 2>&1").c_str(), "r")) {
      for (int c; (c = std::fgetc(pipe)) != EOF;)
        answer += static_cast<char>(c);
      ::pclose(pipe);
    }
    std::remove(path.c_str());
    return answer;
  }
};

TEST_F(SolverTest, ProvesWhatHolds) {
  for (const Question &o : obligations.all(0)) {
    SolverResult outcome = solver.prove(o, effort);
    EXPECT_EQ(outcome.answer, Answer::Proved) << o.name << ": " << outcome.reason;
  }
}

/// What a solver says of questions that are shared, with what it takes.
std::vector<std::string> answersTo(std::vector<Question> questions, Solver &solver) {
  std::vector<std::string> result;
  for (Question &o : questions) {
    o.isShared = true;
    o.suppositions.assign(o.hypotheses.begin(), o.hypotheses.end());
    o.hypotheses.clear();
    const std::uint64_t before = solver.resourcesUsed();
    const SolverResult outcome = solver.prove(o, effort);
    std::string said = o.name + ": " + std::to_string(static_cast<int>(outcome.answer)) + " " + outcome.reason + ", " +
                       std::to_string(solver.resourcesUsed() - before) + " for";
    for (Term used : outcome.restsOn)
      said += " " + text(used);
    for (auto [variable, value] : outcome.model.values)
      said += " " + text(variable) + " = " + std::to_string(value);
    result.push_back(said);
  }
  return result;
}

TEST_F(SolverTest, SharedQuestionsAreAskedOnceAndAnsweredAlike) {
  SharedAnswers shared;
  TermPool elsewhere;
  Obligations others{elsewhere};
  for (unsigned broken : {0u, 1u}) {
    const std::vector<std::string> alone = answersTo(obligations.all(broken), solver);
    Solver first{pool, &shared}, second{elsewhere, &shared};
    EXPECT_EQ(answersTo(obligations.all(broken), first), alone);
    const size_t asked = shared.size();
    EXPECT_GT(asked, 0u);
    EXPECT_EQ(answersTo(others.all(broken), second), alone);
    EXPECT_EQ(shared.size(), asked);
  }
}

TEST_F(SolverTest, DoesNotProveWhatIsBroken) {
  for (const Question &o : obligations.all(1)) {
    SolverResult outcome = solver.prove(o, effort);
    EXPECT_NE(outcome.answer, Answer::Proved) << o.name;
    if (outcome.answer == Answer::Refuted)
      expectCounterexample(o, outcome.model);
  }
}

TEST_F(SolverTest, RefutesWhatIsBrokenBySmallCases) {
  for (const Question &o : obligations.all(1)) {
    SolverResult outcome = solver.refute(o, 12, {{obligations.p, 8}}, limits::refuteQuestion.at(resources));
    EXPECT_EQ(outcome.answer, Answer::Refuted) << o.name << ": " << outcome.reason;
    expectCounterexample(o, outcome.model);
    for (auto [variable, value] : outcome.model.values)
      if (variable == obligations.p.term) {
        EXPECT_LE(value, 8) << o.name;
      }
  }
}

TEST_F(SolverTest, FindsNoSmallCaseAgainstWhatHolds) {
  for (const Question &o : obligations.all(0)) {
    SolverResult outcome = solver.refute(o, 12, {{obligations.p, 5}}, limits::refuteQuestion.at(10 * resources));
    EXPECT_EQ(outcome.answer, Answer::Unknown) << o.name;
    EXPECT_TRUE(outcome.searched) << o.name << ": " << outcome.reason;
  }
}

TEST_F(SolverTest, AgreesWithCvc5) {
  for (const Question &o : obligations.all(0))
    EXPECT_EQ(askCvc5(solver.smtlib(o)), "unsat\n") << o.name;
  for (const Question &o : obligations.all(1))
    EXPECT_EQ(askCvc5(solver.smtlib(o)), "sat\n") << o.name;
}

TEST_F(SolverTest, KnowsExactMeaningsOfBits) {
  // Each hypothesis holds for a few small numbers only.
  Expr x = obligations.var("x"), y = obligations.var("y"), z = obligations.var("z");
  auto find = [&](std::vector<Term> hypotheses) {
    SolverResult outcome = solver.refute({"example", hypotheses, pool.truth(false)}, 10, {}, limits::refuteQuestion.at(resources));
    EXPECT_EQ(outcome.answer, Answer::Refuted) << text(hypotheses.back()) << ": " << outcome.reason;
    return outcome.answer == Answer::Refuted ? outcome.model.values[0].second : 0;
  };
  auto number = [&](std::int64_t value) { return obligations.number(value); };
  EXPECT_EQ(find({x == (number(-7) % y), y == 5}), 3);
  EXPECT_EQ(find({x == (number(-7) / y), y == 5}), -2);
  EXPECT_EQ(find({x == (y ^ z), y == 13, z == 22}), 27);
  EXPECT_EQ(find({x == Expr{&pool, pool.bitAnd(y, z)}, y == 13, z == 22}), 4);
  EXPECT_EQ(find({x == Expr{&pool, pool.bitOr(y, z)}, y == 13, z == 22}), 31);
  EXPECT_EQ(find({x == power2(y), y == 5}), 32);
  EXPECT_EQ(find({x == ceilLog2(y), y == 33}), 6);
  EXPECT_EQ(find({x == ceilLog2(y), y == 1}), 0);
  EXPECT_EQ(find({x == ceilLog2(y), y == 32}), 5);
  EXPECT_EQ(find({x == floorLog2(y), y == 33}), 5);
  EXPECT_EQ(find({x == y * z, y == -6, z == 7}), -42);
  EXPECT_EQ(find({isPower2(x), x >= 17, x <= 40}), 32);
  EXPECT_EQ(find({bit(x, y), y == 3, x >= 0, x <= 3}), 3);
  EXPECT_EQ(find({obligations.w >= 33, obligations.w <= 126, x == obligations.w}), 64);
}

TEST_F(SolverTest, LooksOnlyBelowTheBounds) {
  Expr x = obligations.var("x");
  Question above{"above", {x >= 20}, pool.truth(false)};
  EXPECT_TRUE(solver.refute(above, 10, {{x, 19}}, limits::refuteQuestion.at(resources)).searched);
  EXPECT_EQ(solver.refute(above, 10, {{x, 20}}, limits::refuteQuestion.at(resources)).answer, Answer::Refuted);
}

TEST_F(SolverTest, DoesNotTakeOverflowForACounterexample) {
  Expr x = obligations.var("x"), y = obligations.var("y");
  SolverResult outcome = solver.refute({"squares", {x >= 1, y >= 1}, (x * y >= x).term}, 10, {}, limits::refuteQuestion.at(10 * resources));
  EXPECT_EQ(outcome.answer, Answer::Unknown);
  EXPECT_TRUE(outcome.searched);
  // Sums overflow at this width, for many values or for two. There is no counterexample, but the search was not complete.
  for (std::int64_t most : {30, 6}) {
    outcome = solver.refute({"sums", {x >= 5, x <= most, y == 1}, (30 * x + 7 * y >= 0).term}, 8, {}, limits::refuteQuestion.at(resources));
    EXPECT_EQ(outcome.answer, Answer::Unknown);
    EXPECT_FALSE(outcome.searched);
  }
}

TEST_F(SolverTest, TellsWhetherHypothesesContradictEachOther) {
  for (const Question &o : obligations.all(0))
    EXPECT_EQ(solver.satisfiable(o.hypotheses, effort), Answer::Proved) << o.name;
  Expr s = obligations.s, w = obligations.w, x = obligations.var("x");
  EXPECT_EQ(solver.satisfiable({s >= 1, s <= 0}, effort), Answer::Refuted);
  EXPECT_EQ(solver.satisfiable({w == 3}, effort), Answer::Refuted);
  EXPECT_EQ(solver.satisfiable({x % w == 1, x % (2 * w) == 0}, effort), Answer::Refuted);
}

TEST_F(SolverTest, GivesUpWhenResourcesEnd) {
  std::vector<Term> hypotheses; // more different numbers than there are values
  std::vector<Expr> numbers;
  for (int i = 0; i <= 8; ++i) {
    const Expr x = numbers.emplace_back(obligations.var("x" + std::to_string(i)));
    llvm::append_values(hypotheses, (x >= 0).term, (x <= 7).term);
    for (int other = 0; other < i; ++other)
      hypotheses.push_back(pool.negate(pool.equal(x, numbers[other])));
  }
  SolverResult outcome = solver.prove({"pigeons", hypotheses, pool.truth(false)}, {limits::solverSteps.at(100'000), limits::solverStepsOther.at(100'000)});
  EXPECT_EQ(outcome.answer, Answer::Unknown);
  EXPECT_EQ(outcome.ranOut, limits::solverStepsOther.at(100'000));
  EXPECT_NE(outcome.reason, "too many lemmas");
  // The solver can still be used.
  EXPECT_EQ(solver.prove(obligations.factorStep(0), effort).answer, Answer::Proved);
}

TEST_F(SolverTest, GivesUpWhereThereAreTooManyLemmas) {
  SolverResult outcome = solver.prove(obligations.factorStep(0), {limits::solverSteps.at(200), effort.other}); // allows a single lemma
  EXPECT_EQ(outcome.answer, Answer::Unknown);
  EXPECT_EQ(outcome.ranOut, limits::solverSteps.at(200));
  EXPECT_EQ(outcome.reason, "too many lemmas");
}

TEST_F(SolverTest, IsDeterministic) {
  TermPool other;
  other.variable("unrelated"); // terms get other numbers and addresses
  Obligations others{other};
  Solver another{other};
  auto mine = obligations.all(0), theirs = others.all(0);
  for (size_t i = 0; i < mine.size(); ++i) {
    EXPECT_EQ(solver.smtlib(mine[i]), another.smtlib(theirs[i]));
    solver.prove(mine[i], effort);
    another.prove(theirs[i], effort);
    EXPECT_EQ(solver.resourcesUsed(), another.resourcesUsed()) << mine[i].name;
  }
}

TEST_F(SolverTest, KnowsOddNumbers) {
  const Term x = pool.variable("x"), y = pool.variable("y"), two = pool.integer(2);
  const Term even = pool.equal(pool.modulo(y, two), pool.integer(0)); // for a sum with a choice, a remainder and products
  const Term number = pool.add(pool.subtract(pool.scale(3, x), pool.scale(2, y)),
                               pool.add(pool.select(even, pool.add(x, pool.integer(1)), pool.scale(5, y)),
                                        pool.modulo(pool.add(x, y), two)));
  for (std::int64_t a = -3; a <= 3; ++a)
    for (std::int64_t b = -3; b <= 3; ++b) {
      const std::int64_t value = 3 * a - 2 * b + (b % 2 == 0 ? a + 1 : 5 * b) + ((a + b) % 2 != 0);
      const std::vector<Term> here{pool.equal(x, pool.integer(a)), pool.equal(y, pool.integer(b))};
      for (std::int64_t rest : {0, 1}) {
        const Question question{"odd", here, pool.equal(pool.modulo(number, two), pool.integer(rest))};
        EXPECT_EQ(solver.prove(question, effort).answer, (value % 2 == 0) == (rest == 0) ? Answer::Proved : Answer::Refuted)
            << a << ", " << b;
      }
    }
}

TEST_F(SolverTest, KnowsLiteralDivisors) {
  Expr x = obligations.var("x");
  Question holds{"literal divisors", {x >= -8, x <= 7}, (bit(x, obligations.number(4)) == (x % 8 >= 4)).term};
  Question fails{"literal divisors", {x >= -8, x <= 7}, (bit(x, obligations.number(4)) == (x / 4 == 1)).term};
  EXPECT_EQ(solver.prove(holds, effort).answer, Answer::Proved);
  EXPECT_EQ(solver.prove(fails, effort).answer, Answer::Refuted); // -1 div 4 is odd, too
  EXPECT_EQ(askCvc5(solver.smtlib(holds)), "unsat\n");
  EXPECT_EQ(askCvc5(solver.smtlib(fails)), "sat\n");
}

TEST_F(SolverTest, WritesReadableScripts) {
  Expr x = obligations.var("x"), w = obligations.w;
  std::string script = solver.smtlib({"low part", {x >= 0}, (x % w <= x - 3 && x / 2 == -4).term});
  EXPECT_EQ(script.substr(0, script.find("; lemmas")), "; low part\n"
                                                       "; unsat: proved for all integers\n"
                                                       "(set-logic QF_UFLIA)\n"
                                                       "(declare-fun modulo (Int Int) Int)\n"
                                                       "(declare-fun |w| () Int)\n"
                                                       "(declare-fun |x| () Int)\n"
                                                       "\n"
                                                       "; hypotheses\n"
                                                       "(assert (>= |x| 0))\n"
                                                       "\n"
                                                       "; powers of two\n"
                                                       "(assert (>= (+ |w| (- 1)) 0))\n"
                                                       "\n");
  EXPECT_NE(script.find("; the goal does not hold\n"), std::string::npos);
  EXPECT_NE(script.find("(= (+ (div |x| 2) 4) 0)"), std::string::npos) << script;
  EXPECT_EQ(script.substr(script.size() - 12), "(check-sat)\n");
}
} // namespace
