//===- SamplePointsTest.cpp - Numbers that satisfy hypotheses ------------------------------------------------------------===//

#include "LibrarySchedules.h"

#include "prove/ranks/RankOperations.h"
#include "prove/definitions/SamplePoints.h"
#include "prove/solver/Solver.h"

using namespace quadrille::compiler;
using namespace quadrille::compiler::prove;
using quadrille::compiler::test::librarySchedule;

namespace {

/// Hypotheses about the tree `inorder` of p ranks and one rank of it.
class SamplePointsTest : public testing::Test {
protected:
  SamplePointsTest()
      : solver(pool), defined(librarySchedule("exscan/inorder_tree"), pool,
                              [this](const Obligation &o) {
                                return solver.prove({o.name, o.hypotheses, o.goal}, {limits::solverSteps.at(4000000), limits::solverStepsOther.at(4000000)}).answer == Answer::Proved;
                              }) {}

  SamplePoints samples(std::vector<Term> hypotheses, unsigned wanted = 10) { return {defined, pool, hypotheses, wanted}; }
  Term atLeast(Term a, std::int64_t least) { return pool.lessEqual(pool.integer(least), a); }

  TermPool pool;
  Solver solver;
  DefinedTerms defined;
  Term p = pool.variable("p"), a = pool.variable("a"), b = pool.variable("b"), c = pool.variable("c");
};

} // namespace

TEST_F(SamplePointsTest, AreFoundWhereThereAreSome) {
  EXPECT_TRUE(samples({}).any());
  EXPECT_TRUE(samples({atLeast(p, 3), pool.less(a, p), atLeast(a, 1)}).any());
}

TEST_F(SamplePointsTest, AreNotFoundWhereThereAreNone) {
  EXPECT_FALSE(samples({pool.less(a, b), pool.less(b, a)}).any());
  EXPECT_FALSE(samples({pool.conjunction({atLeast(a, 3), pool.less(a, pool.integer(3))})}).any());
}

// Random values would satisfy the equation one time in a thousand.
TEST_F(SamplePointsTest, SolveEquations) {
  const Term sum = pool.add(pool.add(pool.scale(100, a), b), pool.integer(977));
  SamplePoints points = samples({pool.equal(c, sum)});
  ASSERT_TRUE(points.any());
  EXPECT_FALSE(points.refute(pool.equal(pool.subtract(c, sum), pool.integer(0))));
  EXPECT_TRUE(points.refute(pool.equal(c, pool.add(sum, pool.integer(1)))));
}

TEST_F(SamplePointsTest, RefuteWhatIsWrongAtOneOfThem) {
  SamplePoints points = samples({atLeast(p, 1), atLeast(a, 0), pool.less(a, p)});
  ASSERT_TRUE(points.any());
  EXPECT_FALSE(points.refute(pool.less(a, p)));
  EXPECT_TRUE(points.refute(pool.less(a, pool.subtract(p, pool.integer(1)))));
}

// The parent of a rank is that of the real tree. A solver could choose another.
TEST_F(SamplePointsTest, KnowFunctionsAsTheyAre) {
  struct Answers : Oracle {
    std::vector<Invariant> invariants(const LoopHead &, const StateSymbols &) override { return {}; }
    bool isProved(const Obligation &) override { return true; }
  } answers;
  RankOperations program(librarySchedule("exscan/inorder_tree"), pool, answers, defined);
  Term parent, me = pool.variable("me");
  for (const RankOp &op : program.ops)
    forEachNode({op.peer}, [&](Term node) {
      if (node->kind == TermKind::Apply && llvm::StringRef(node->name).ends_with(".parent"))
        parent = node;
    });
  ASSERT_TRUE(parent);
  const std::vector<Term> inside = {atLeast(p, 2), atLeast(me, 0), pool.less(me, p)};
  auto with = [&](Term more) {
    std::vector<Term> all = inside;
    all.push_back(more);
    return all;
  };
  EXPECT_TRUE(samples(with(pool.equal(parent, pool.add(me, pool.integer(1))))).any());
  EXPECT_FALSE(samples(with(pool.equal(parent, me))).any());
}
