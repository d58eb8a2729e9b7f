//===- VerifyTest.cpp - Descriptions that are broken on purpose ------------------------------------------------------===//

#include "diagnostics/Diagnostics.h"
#include "ir/Verify.h"
#include "ir/Walk.h"
#include "parse/Parser.h"
#include "sema/Sema.h"
#include "source/Sources.h"

#include "llvm/Support/raw_ostream.h"

#include <gtest/gtest.h>

namespace quadrille::compiler {
namespace {

using ir::Op;

/// A schedule with one of everything, well formed until a test breaks it in one place.
class VerifyTest : public testing::Test {
protected:
  VerifyTest() {
    unsigned buffer = sources.add(R"(
      fn twice(i) = 2 * i
      tree path(node, root) {
        root root
        parent if node == root then none else node - 1
        left if node + 1 < p_of(root) then node + 1 else none
        right none
      }
      fn p_of(r) = r + 9
      lemma doubled(i) = twice(i) == i + i
      collective allreduce(x: block) -> (y: block) { ensures y@i == fold(x@j for j in 0 ..< p) }
      schedule inner(k) for allreduce(x) -> y { y := x }
      schedule outer for allreduce(x) -> y {
        requires p > 1
        cost p * alpha
        var z: block[p]
        let q = twice(me)
        let T = path(0)
        split z into 2
        y := x
        for s in 0 ..< p {
          invariant y == x@me if s == 0
          step {
            send y to (me + 1) mod p
            recv t from (me - 1) mod p
            y := t <> y
          }
        }
        exchange y with q into z[me]
        use allreduce/inner(3)(y) -> y among { c : c in 0 ..< p }
      })",
                                  "test.quad");
    std::optional<ast::File> file = parse(sources, buffer, diagnostics);
    auto resolver = [&](llvm::StringRef, llvm::StringRef name) {
      UsedSchedule used;
      for (const auto &schedule : program.schedules)
        if (schedule->name == name)
          used.schedule = schedule.get();
      return used;
    };
    std::vector<const ir::Schedule *> added;
    if (!file || !analyze(*file, "test.quad", scope, program, sources, diagnostics, resolver, added))
      throw std::runtime_error("the schedule is wrong");
  }

  ir::Schedule &outer() { return *program.schedules[1]; }
  std::string violation() { return ir::verify(outer()); }

  /// The first statement of a kind, in the order of the text.
  template <typename Statement> Statement &first() {
    Statement *found = nullptr;
    ir::anyStatement(outer().body, [&](const ir::Stmt &stmt) {
      found = const_cast<Statement *>(llvm::dyn_cast<Statement>(&stmt));
      return found != nullptr;
    });
    return *found;
  }
  ir::Expr &changed(const ir::Expr *expr) { return program.expressions.emplace_back(*expr); }

  Sources sources;
  Diagnostics diagnostics{sources, llvm::errs(), DiagnosticsFormat::Text, /*colour=*/false};
  FileScope scope;
  ir::Program program;
};

TEST_F(VerifyTest, WhatAnalysisMakesIsWellFormed) {
  for (const auto &schedule : program.schedules)
    EXPECT_EQ(ir::verify(*schedule), "");
  for (const auto &function : program.functions)
    EXPECT_EQ(ir::verify(*function), "");
  for (const auto &tree : program.trees)
    EXPECT_EQ(ir::verify(*tree), "");
  for (const auto &lemma : program.lemmas)
    EXPECT_EQ(ir::verify(*lemma), "");
  for (const auto &collective : program.collectives)
    EXPECT_EQ(ir::verify(*collective), "");
}

TEST_F(VerifyTest, AVariableHasAValueWhereItIsRead) {
  // The value of the first `let` is the variable of the loop that follows.
  auto &let = first<ir::LetStmt>();
  ir::Expr &read = changed(let.value->operands[0]);
  ASSERT_EQ(read.op, Op::Variable);
  read.variable = first<ir::ForStmt>().variable;
  let.value = &read;
  EXPECT_EQ(violation(), "schedule `allreduce/outer`: `s` is read where it has no value");
  read.variable = 1000;
  EXPECT_EQ(violation(), "schedule `allreduce/outer`: variable 1000 is none of the frame");
}

TEST_F(VerifyTest, OperandsHaveTheTypesThatTheOperationTakes) {
  ir::Expr &condition = changed(outer().requirements[0].condition);
  condition.op = Op::And;
  outer().requirements[0].condition = &condition;
  EXPECT_EQ(violation(), "schedule `allreduce/outer`: Constant has another type than what is wanted");
  condition.op = Op::Not;
  EXPECT_EQ(violation(), "schedule `allreduce/outer`: Not has 2 operands");
}

TEST_F(VerifyTest, WhatDiffersBetweenRanksIsSaidTo) {
  auto &let = first<ir::LetStmt>();
  ir::Expr &value = changed(let.value);
  value.dependsOnRank = false;
  let.value = &value;
  EXPECT_EQ(violation(), "schedule `allreduce/outer`: Call is said to be the same on all ranks, and has an operand that is not");

}

TEST_F(VerifyTest, CostsStandInClauses) {
  auto &let = first<ir::LetStmt>();
  ir::Expr &value = changed(let.value);
  value.op = Op::Alpha;
  value.operands.clear();
  let.value = &value;
  EXPECT_EQ(violation(), "schedule `allreduce/outer`: Alpha stands outside clauses of costs");
}

TEST_F(VerifyTest, TransfersStandInSteps) {
  auto &loop = first<ir::ForStmt>();
  auto &step = llvm::cast<ir::StepStmt>(*loop.body[0]);
  std::unique_ptr<ir::Stmt> send = std::move(step.body[0]);
  step.body.erase(step.body.begin());
  loop.body.push_back(std::move(send));
  EXPECT_EQ(violation(), "schedule `allreduce/outer`: a transfer outside a step");
}

TEST_F(VerifyTest, StepsAreInLockstepIfTheirScheduleIs) {
  llvm::cast<ir::StepStmt>(*first<ir::ForStmt>().body[0]).lockstep = true;
  EXPECT_EQ(violation(), "schedule `allreduce/outer`: a step is in lockstep and its schedule is not, or the other way round");
}

TEST_F(VerifyTest, TransfersComeBeforeAssignments) {
  ir::Body &body = llvm::cast<ir::StepStmt>(*first<ir::ForStmt>().body[0]).body;
  std::swap(body[1], body[2]);
  EXPECT_EQ(violation(), "schedule `allreduce/outer`: a transfer after an assignment of its step");
}

TEST_F(VerifyTest, BuffersAreOnesOwn) {
  first<ir::AssignStmt>().target.buffer = program.schedules[0]->outputs[0];
  EXPECT_EQ(violation(), "schedule `allreduce/outer`: a buffer of another schedule");
}

TEST_F(VerifyTest, BuffersAreUsedWhereTheyAre) {
  ir::Body &body = outer().body;
  body.erase(body.begin()); // the declaration of z
  EXPECT_EQ(violation(), "schedule `allreduce/outer`: `z` is used where it is not there");
}

TEST_F(VerifyTest, InputsAreOnlyRead) {
  first<ir::AssignStmt>().target.buffer = outer().inputs[0];
  EXPECT_EQ(violation(), "schedule `allreduce/outer`: the input `x` is written");
}

TEST_F(VerifyTest, IndicesHaveSomethingToChooseFrom) {
  ir::Slice &target = first<ir::AssignStmt>().target;
  target.blocks.kind = ir::IndexKind::Point;
  EXPECT_EQ(violation(), "schedule `allreduce/outer`: an index where there is nothing to choose from");
}

TEST_F(VerifyTest, AUsePassesWhatIsTaken) {
  first<ir::UseStmt>().numbers.clear();
  EXPECT_EQ(violation(), "schedule `allreduce/outer`: a `use` of `allreduce/inner` passes 0 numbers");
}

TEST_F(VerifyTest, LoopsKnowWhetherTheyHoldSteps) {
  first<ir::ForStmt>().containsStep = false;
  EXPECT_EQ(violation(), "schedule `allreduce/outer`: a loop is wrong about whether it holds steps");
}

TEST_F(VerifyTest, LoopsHaveTheBoundsOfTheirKind) {
  first<ir::ForStmt>().loop = ir::LoopKind::Others;
  EXPECT_EQ(violation(), "schedule `allreduce/outer`: a loop has other bounds than it takes");
}

TEST_F(VerifyTest, AnExchangeIsASendAndAReceive) {
  // The bare step is the last but one statement.
  auto &step = llvm::cast<ir::StepStmt>(*outer().body[outer().body.size() - 2]);
  ASSERT_TRUE(step.bare);
  step.body.pop_back();
  EXPECT_EQ(violation(), "schedule `allreduce/outer`: half an exchange");
}

TEST_F(VerifyTest, ClocksAreForAllOrNone) {
  auto clock = std::make_unique<ir::Clock>();
  clock->times.push_back(outer().requirements[0].condition->operands[0]);
  clock->sender = clock->receiver = ir::Schedule::variableMe;
  first<ir::TransferStmt>().clock = clock.get();
  EXPECT_EQ(violation(), "schedule `allreduce/outer`: some transfers have a clock, and others none");
}

TEST_F(VerifyTest, FunctionsTreesLemmasAndCollectives) {
  program.functions[0]->type = ir::Type::Boolean;
  EXPECT_EQ(ir::verify(*program.functions[0]), "function `twice`: Multiply has another type than what is wanted");
  program.trees[0]->parent = nullptr;
  EXPECT_EQ(ir::verify(*program.trees[0]), "tree `path`: it tells the parent of a node and splits ranges, or neither");
  program.lemmas[0]->claim = nullptr;
  EXPECT_EQ(ir::verify(*program.lemmas[0]), "lemma `doubled`: no expression where one belongs");
  program.collectives[0]->promises[0].output = 1;
  EXPECT_EQ(ir::verify(*program.collectives[0]), "collective `allreduce`: a promise about an output that there is not");
}

} // namespace
} // namespace quadrille::compiler
