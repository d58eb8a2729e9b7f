//===- DefinedTermsTest.cpp - Lemmas about trees and recursive functions are true ------------------------------------===//

#include "LibrarySchedules.h"

#include "prove/ranks/RankOperations.h"
#include "prove/solver/Solver.h"

using namespace quadrille::compiler;
using namespace quadrille::compiler::prove;
using quadrille::compiler::test::librarySchedule;

namespace {

struct Deciding : Oracle {
  explicit Deciding(TermPool &pool) : solver(pool) {}
  std::vector<Invariant> invariants(const LoopHead &, const StateSymbols &) override { return {}; }
  bool isProved(const Obligation &obligation) override {
    return solver.prove({obligation.name, obligation.hypotheses, obligation.goal}, {limits::solverSteps.at(4000000), limits::solverStepsOther.at(4000000)}).answer == Answer::Proved;
  }
  Solver solver;
};

} // namespace

/// Every lemma about the terms of the schedule's transfers is true for every rank of every tree.
class Laws : public testing::TestWithParam<const char *> {};

TEST_P(Laws, HoldOfTheFunctionsThemselves) {
  const ir::Schedule &schedule = librarySchedule(GetParam());
  TermPool pool;
  Deciding oracle(pool);
  DefinedTerms defined(schedule, pool, [&](const Obligation &o) { return oracle.isProved(o); });
  RankOperations program(schedule, pool, oracle, defined);
  std::vector<Term> formulas;
  for (const RankOp &op : program.ops) {
    formulas.push_back(op.guard);
    formulas.push_back(op.peer);
  }
  const std::vector<Term> lemmas = defined.lemmas(formulas);
  ASSERT_FALSE(lemmas.empty());
  TreeCache cache;
  std::size_t checked = 0;
  for (std::int64_t p = 1; p <= 21; ++p)
    for (std::int64_t number = 0; number < p; ++number)
      for (std::int64_t me = 0; me < p; ++me) {
        auto valueOf = [&](Term variable) -> std::optional<std::int64_t> {
          if (variable == pool.variable("p"))
            return p;
          if (variable == pool.variable("me"))
            return me;
          return llvm::is_contained(program.numbers, variable) ? number : me % 3; // otherwise it is the variable of a loop
        };
        for (Term lemma : lemmas) {
          ASSERT_EQ(defined.evaluate(lemma, valueOf, cache), 1)
              << text(lemma) << " at p = " << p << ", me = " << me << ", numbers " << number;
          ++checked;
        }
        if (program.numbers.empty())
          number = p; // one value is enough: nothing depends on it
      }
  EXPECT_GT(checked, 1000u);
}

INSTANTIATE_TEST_SUITE_P(Trees, Laws,
                         testing::Values("reduce/inorder_tree", "scan/inorder_tree", "reduce/pipelined_skewed_half",
                                         "broadcast/pipelined_skewed", "broadcast/binomial_small_first",
                                         "broadcast/divide_and_conquer", "allgather/half_duplex"));

/// What is told of the lowest bit of a number beside powers of two.
TEST(LowestBits, AreWhatDivides) {
  TermPool pool;
  Deciding oracle(pool);
  DefinedTerms defined(librarySchedule("broadcast/binomial_small_first"), pool, [&](const Obligation &o) { return oracle.isProved(o); });
  const Term x = pool.variable("x"), w = pool.variable("w", /*isPower=*/true), d = pool.variable("d"), one = pool.integer(1);
  const Term lowest = pool.power2(pool.apply(trailingZerosName, {x}));
  const std::vector<Term> formulas{pool.lessEqual(w, lowest), pool.less(pool.power2(d), lowest)};
  const std::vector<Term> lemmas = defined.lemmas(formulas);
  TreeCache cache;
  for (std::int64_t number = 1; number <= 70; ++number)
    for (std::int64_t exponent = 0; exponent <= 7; ++exponent)
      for (Term lemma : lemmas) {
        auto valueOf = [&](Term variable) -> std::optional<std::int64_t> {
          return variable == x ? number : variable == w ? std::int64_t(1) << exponent : 7 - exponent;
        };
        ASSERT_EQ(defined.evaluate(lemma, valueOf, cache), 1) << text(lemma) << " for " << number << ", " << exponent;
      }
  // They tell that w is the lowest bit of x if it divides x and 2*w does not.
  std::vector<Term> known = lemmas;
  known.push_back(pool.lessEqual(one, x));
  known.push_back(pool.equal(pool.modulo(x, w), pool.integer(0)));
  EXPECT_FALSE(oracle.isProved({Claim::Invariant, "w is the lowest bit", {}, known, pool.equal(w, lowest)}));
  known.push_back(pool.equal(pool.modulo(x, pool.scale(2, w)), w));
  EXPECT_TRUE(oracle.isProved({Claim::Invariant, "w is the lowest bit", {}, known, pool.equal(w, lowest)}));
}

/// What is told of a root beside a number that is squared.
TEST(SquareRoots, AreWhatIsSquared) {
  TermPool pool;
  Deciding oracle(pool);
  DefinedTerms defined(librarySchedule("broadcast/binomial_small_first"), pool, [&](const Obligation &o) { return oracle.isProved(o); });
  const Term x = pool.variable("x"), y = pool.variable("y"), zero = pool.integer(0), root = pool.apply(squareRootName, {x});
  const Term isSquared = pool.equal(pool.multiply(y, y), x);
  const std::vector<Term> lemmas = defined.lemmas({pool.lessEqual(zero, root), isSquared});
  TreeCache cache;
  for (std::int64_t number = 0; number <= 130; ++number)
    for (std::int64_t other = -12; other <= 12; ++other)
      for (Term lemma : lemmas) {
        auto valueOf = [&](Term variable) -> std::optional<std::int64_t> { return variable == x ? number : other; };
        ASSERT_EQ(defined.evaluate(lemma, valueOf, cache), 1) << text(lemma) << " for " << number << ", " << other;
      }
  std::vector<Term> known = lemmas;
  known.push_back(isSquared);
  EXPECT_FALSE(oracle.isProved({Claim::Invariant, "y is the root", {}, known, pool.equal(y, root)}));
  known.push_back(pool.lessEqual(zero, y));
  EXPECT_TRUE(oracle.isProved({Claim::Invariant, "y is the root", {}, known, pool.equal(y, root)}));
  EXPECT_FALSE(oracle.isProved({Claim::Invariant, "y is the root of one more", {}, known, pool.equal(pool.add(y, pool.integer(1)), root)}));
}

/// The bounds of a recursive function suffice to prove where the root of a tree is, and are not too strong.
TEST(Bounds, OfTheSkewedTree) {
  const ir::Schedule &schedule = librarySchedule("broadcast/pipelined_skewed");
  TermPool pool;
  Deciding oracle(pool);
  DefinedTerms defined(schedule, pool, [&](const Obligation &o) { return oracle.isProved(o); });
  RankOperations program(schedule, pool, oracle, defined);
  Term size = pool.variable("s"), left = pool.apply("skewed_left()", {size, pool.integer(0), pool.integer(1)});
  auto follows = [&](Term goal) {
    Obligation obligation{Claim::Defined, "", {}, {pool.lessEqual(pool.integer(1), size)}, goal};
    for (Term lemma : defined.lemmas({goal}))
      obligation.hypotheses.push_back(lemma);
    return oracle.isProved(obligation);
  };
  EXPECT_TRUE(follows(pool.inRange(pool.integer(0), left, size)));
  EXPECT_FALSE(follows(pool.less(pool.integer(0), left)));
  EXPECT_FALSE(follows(pool.less(left, pool.subtract(size, pool.integer(1)))));
}

/// If nothing is shown about a function because a limit ran out, the gap names the limit.
TEST(Bounds, NameTheLimitThatEndedTheirSearch) {
  const ir::Schedule &schedule = librarySchedule("allgather/bruck_ports");
  const ir::Expr *call = nullptr;
  ir::anyPart(*schedule.cost->formula, [&](const ir::Expr &part) {
    if (part.op == ir::Op::Call)
      call = &part;
    return call != nullptr;
  });
  ASSERT_TRUE(call);
  TermPool pool;
  const LimitInForce limit = limits::solverSteps.at(1);
  DefinedTerms defined(schedule, pool, [](const Obligation &) { return false; },
                       [&](const Obligation &) { return std::optional(limit); });
  Term isDefined;
  try {
    defined.call(*call, {prove::Value{pool.variable("p"), {}, {}}, prove::Value{pool.variable("k"), {}, {}}}, isDefined);
    FAIL() << "nothing is shown about the function";
  } catch (const NotModelled &gap) {
    EXPECT_EQ(gap.gap, Gap::RecursiveFunction);
    EXPECT_EQ(gap.limit, limit);
  }
}
