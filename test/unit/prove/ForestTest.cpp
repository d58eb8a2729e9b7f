//===- ForestTest.cpp - No law of forests is false ------------------------------------------------------------------------===//
//
// A wrong law could prove wrong schedules. So the instances for three ranks are evaluated in forests of several shapes, for all ranks.
//
//===----------------------------------------------------------------------------------------------------------------===//

#include "prove/ranks/Forest.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

#include <gtest/gtest.h>

#include <functional>

using namespace quadrille::compiler::prove;

namespace {
class ForestTest : public testing::Test {
protected:
  TermPool pool;
  const Term me = pool.variable("me"), p = pool.variable("p"), x = pool.variable("x"), r = pool.variable("r"), s = pool.variable("s");

  Term number(std::int64_t value) { return pool.integer(value); }
  Term minus(Term a, std::int64_t b) { return pool.subtract(a, number(b)); }

  /// The ranks from `rank` on, each of which hands on to the next one.
  std::vector<std::int64_t> chainFrom(std::int64_t rank, std::int64_t ranks, Term handsOn, Term next) const {
    std::vector<std::int64_t> chain;
    if (rank < 0 || rank >= ranks)
      return chain;
    const auto valueAt = [&](Term term, std::int64_t at) { return *evaluate(term, [&](Term variable) { return variable == me ? at : ranks; }); };
    for (chain.push_back(rank); valueAt(handsOn, chain.back()); chain.push_back(valueAt(next, chain.back())))
      if (chain.size() > static_cast<std::size_t>(ranks))
        break;
    return chain;
  }

  /// Expects that the measure is right for this forest, and no instance of a law false.
  void expectTrue(Term handsOn, Term next, Term measure) {
    Forest forest(pool, handsOn, next);
    const Term isWellFounded = forest.isWellFounded(measure);
    forest.setMeasure(measure);
    const std::vector<Term> laws = forest.laws({forest.below(x, r), forest.below(x, s), forest.below(x, forest.before(r, x))});
    ASSERT_GT(laws.size(), 20u);
    unsigned applied = 0;
    for (std::int64_t ranks = 1; ranks <= 7; ++ranks) {
      for (std::int64_t rank = 0; rank < ranks; ++rank)
        if (chainFrom(rank, ranks, handsOn, next).size() > 1) {
          ASSERT_TRUE(*evaluate(isWellFounded, [&](Term variable) { return variable == me ? rank : ranks; }));
        }
      for (std::int64_t first = -1; first <= ranks; ++first)
        for (std::int64_t second = -1; second <= ranks; ++second)
          for (std::int64_t third = 0; third < ranks; ++third) {
            const llvm::DenseMap<Term, std::int64_t> values{{p, ranks}, {x, first}, {r, second}, {s, third}};
            const std::vector<std::int64_t> chain = chainFrom(first, ranks, handsOn, next);
            // What functions yield outside their domain does not matter to any law: a number that is no rank.
            const std::function<std::int64_t(Term)> valueOf = [&](Term term) {
              const Term plain = pool.rebuild(term, [&](Term node) -> Term {
                if (node->kind != TermKind::Apply)
                  return {};
                if (Forest::isBelow(node))
                  return number(llvm::is_contained(chain, valueOf(node->operands[1])));
                if (node->operands.size() == 1)
                  return number(chain.empty() ? -7 : chain.back());
                const auto at = llvm::find(chain, valueOf(node->operands[0]));
                return number(at == chain.end() || at == chain.begin() ? -7 : *std::prev(at));
              });
              return *evaluate(plain, [&](Term variable) { return values.at(variable); });
            };
            for (Term law : laws) {
              ASSERT_TRUE(valueOf(law)) << text(law) << "\nis false for p = " << ranks << ", x = " << first << ", r = " << second << ", s = " << third;
              ++applied;
            }
          }
    }
    EXPECT_GT(applied, 5000u);
  }
};

TEST_F(ForestTest, LawsHold) {
  const Term isNoRoot = pool.lessEqual(number(1), me), last = minus(p, 1);
  expectTrue(isNoRoot, minus(me, 1), me);                                                  // a path
  expectTrue(isNoRoot, number(0), me);                                                     // a star
  expectTrue(isNoRoot, pool.quotient(minus(me, 1), number(2)), me);                        // a heap
  expectTrue(isNoRoot, pool.quotient(minus(me, 1), number(3)), me);                        // a ternary one
  expectTrue(pool.less(me, last), pool.add(me, number(1)), pool.scale(-1, me));            // a path upwards
  expectTrue(pool.lessEqual(number(2), me), minus(me, 2), me);                             // two paths
  const Term goal = pool.minimum(number(3), last);                                         // from both ends
  expectTrue(pool.notEqual(me, goal), pool.select(pool.less(me, goal), pool.add(me, number(1)), minus(me, 1)),
             pool.maximum(pool.subtract(me, goal), pool.subtract(goal, me)));
  expectTrue(pool.truth(false), number(0), me);                                            // nobody hands on
}
} // namespace
