//===- InvariantTest.cpp - Invariants as proofs get them ----------------------------------------------------------------===//

#include "diagnostics/Diagnostics.h"
#include "parse/Parser.h"
#include "sema/Sema.h"
#include "source/Sources.h"

#include "llvm/Support/raw_ostream.h"

#include <gtest/gtest.h>

namespace quadrille::compiler {
namespace {

using ir::Op;

class InvariantTest : public testing::Test {
protected:
  /// The schedule that a text declares, together with its collectives.
  const ir::Schedule &scheduleOf(const std::string &text) {
    unsigned buffer = sources.add(text, "test.quad");
    std::optional<ast::File> file = parse(sources, buffer, diagnostics);
    if (!file)
      throw std::runtime_error("a syntax error");
    auto resolver = [](llvm::StringRef, llvm::StringRef) { return UsedSchedule{}; };
    std::vector<const ir::Schedule *> added;
    if (!analyze(*file, "test.quad", scope, program, sources, diagnostics, resolver, added) || added.size() != 1)
      throw std::runtime_error("not one schedule");
    schedule = added[0];
    return *schedule;
  }

  static const ir::ForStmt &loopIn(const ir::Body &body) {
    for (const auto &stmt : body)
      if (auto *loop = llvm::dyn_cast<ir::ForStmt>(stmt.get()))
        return *loop;
    throw std::runtime_error("no loop");
  }

  std::string nameOf(unsigned variable) const { return schedule->variables[variable].name; }
  static bool isVariable(const ir::Expr *expr, unsigned variable) {
    return expr && expr->op == Op::Variable && expr->variable == variable;
  }

  Sources sources;
  Diagnostics diagnostics{sources, llvm::errs(), DiagnosticsFormat::Text, /*colour=*/false};
  FileScope scope;
  ir::Program program;
  const ir::Schedule *schedule = nullptr;
};

TEST_F(InvariantTest, BlocksOfAnArray) {
  const ir::Schedule &ring = scheduleOf(R"(
    collective allgather(x: block) -> (y: block[p]) { ensures y@i[j] == x@j }
    schedule ring for allgather(x) -> y {
      for s in 0 ..< p - 1 {
        invariant y[j] == x@j if (me - j) mod p <= s else empty
        y[me] := x
      }
    })");
  const ir::ForStmt &loop = loopIn(ring.body);
  EXPECT_EQ(loop.body.size(), 1u);
  ASSERT_EQ(loop.invariants.size(), 1u);
  const ir::Invariant &invariant = loop.invariants[0];
  EXPECT_EQ(sources.line(invariant.range.Start), 5u);
  EXPECT_EQ(invariant.buffer, ring.outputs[0]);
  ASSERT_TRUE(invariant.blockVariable);
  EXPECT_EQ(nameOf(*invariant.blockVariable), "j");
  EXPECT_TRUE(ring.variables[*invariant.blockVariable].ofInvariant);
  EXPECT_FALSE(ring.variables[loop.variable].ofInvariant);
  EXPECT_FALSE(invariant.packetVariable);
  EXPECT_TRUE(isVariable(invariant.rank, *invariant.blockVariable));
  EXPECT_EQ(invariant.index, nullptr);
  EXPECT_FALSE(invariant.isFold);
  ASSERT_NE(invariant.condition, nullptr);
  ASSERT_EQ(invariant.condition->op, Op::LessEqual);
  EXPECT_TRUE(isVariable(invariant.condition->operands[1], loop.variable));
  EXPECT_TRUE(invariant.elseEmpty);
}

TEST_F(InvariantTest, FoldsOfBlocksOfTheSecondInput) {
  const ir::Schedule &schedule = scheduleOf(R"(
    collective sums(root, a: block, x: block[p]) -> (y: block) { ensures y@i == fold(x@j[i] for j in 0 ..< p) }
    schedule cyclic for sums(root, a, x) -> y {
      var sum := x
      for s in 0 ..< p {
        invariant sum[b] == fold(x@(j mod p)[b] for j in me .. s)
        invariant y == fold(x@j[me] for j in 0 ..< s) if s > root
        for r in 0 ..< p { invariant y == a@r }
      }
    })");
  const ir::ForStmt &loop = loopIn(schedule.body);
  ASSERT_EQ(loop.invariants.size(), 2u);
  const ir::Invariant &sum = loop.invariants[0], &y = loop.invariants[1];
  EXPECT_EQ(sum.buffer->name, "sum");
  EXPECT_EQ(sum.input, 1u);
  EXPECT_TRUE(sum.isFold);
  EXPECT_TRUE(sum.isCyclic);
  EXPECT_EQ(sum.rank, nullptr);
  EXPECT_EQ(nameOf(sum.binder), "j");
  EXPECT_TRUE(schedule.variables[sum.binder].ofInvariant);
  EXPECT_TRUE(isVariable(sum.index, *sum.blockVariable));
  EXPECT_TRUE(isVariable(sum.lo, ir::Schedule::variableMe));
  ASSERT_EQ(sum.hi->op, Op::Add); // `..` includes s
  EXPECT_TRUE(isVariable(sum.hi->operands[0], loop.variable));
  EXPECT_EQ(sum.hi->operands[1]->value, 1);
  EXPECT_EQ(sum.condition, nullptr);
  EXPECT_FALSE(sum.elseEmpty);

  EXPECT_EQ(y.buffer, schedule.outputs[0]);
  EXPECT_FALSE(y.blockVariable);
  EXPECT_FALSE(y.isCyclic);
  EXPECT_NE(y.binder, sum.binder);
  EXPECT_TRUE(isVariable(y.hi, loop.variable));
  EXPECT_NE(y.condition, nullptr);
  EXPECT_FALSE(y.elseEmpty);

  const ir::ForStmt &inner = loopIn(loop.body);
  ASSERT_EQ(inner.invariants.size(), 1u);
  EXPECT_EQ(inner.invariants[0].input, 0u);
  EXPECT_TRUE(isVariable(inner.invariants[0].rank, inner.variable));
}

TEST_F(InvariantTest, Packets) {
  const ir::Schedule &schedule = scheduleOf(R"(
    collective collect(x: block) -> (y: block, z: block[p]) { ensures y@i == x@0 }
    schedule packets for collect(x) -> (y, z) {
      split x, y, z into 3
      for s in 0 ..< 3 {
        invariant y[k] == x@0 if k < s
        invariant z[b][k] == x@b if k < s
      }
      for s in 0 ..< 3 {
        invariant y == x@0
        invariant z[b] == x@b
      }
    })");
  const auto &partly = llvm::cast<ir::ForStmt>(*schedule.body[0]).invariants;
  ASSERT_EQ(partly.size(), 2u);
  EXPECT_FALSE(partly[0].blockVariable);
  EXPECT_EQ(nameOf(*partly[0].packetVariable), "k");
  EXPECT_EQ(nameOf(*partly[1].blockVariable), "b");
  EXPECT_EQ(nameOf(*partly[1].packetVariable), "k");
  EXPECT_TRUE(isVariable(partly[1].condition->operands[0], *partly[1].packetVariable));
  const auto &wholly = llvm::cast<ir::ForStmt>(*schedule.body[1]).invariants;
  ASSERT_EQ(wholly.size(), 2u);
  EXPECT_FALSE(wholly[0].blockVariable || wholly[0].packetVariable);
  EXPECT_TRUE(wholly[1].blockVariable.has_value());
  EXPECT_FALSE(wholly[1].packetVariable);
}

TEST_F(InvariantTest, Heard) {
  const ir::Schedule &schedule = scheduleOf(R"(
    collective barrier() { ensures heard(i, j) }
    schedule dissemination for barrier() {
      for w in 1 ..< p times 2 {
        invariant heard(j) if (me - j) mod p < w else empty
        exchange with (me + w) mod p
      }
    })");
  const ir::ForStmt &loop = loopIn(schedule.body);
  ASSERT_EQ(loop.invariants.size(), 1u);
  EXPECT_EQ(loop.invariants[0].buffer, nullptr);
  EXPECT_EQ(nameOf(*loop.invariants[0].blockVariable), "j");
  EXPECT_EQ(loop.invariants[0].rank, nullptr);
  EXPECT_TRUE(loop.invariants[0].elseEmpty);
  EXPECT_TRUE(loop.containsStep);
}

} // namespace
} // namespace quadrille::compiler
