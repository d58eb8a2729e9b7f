//===- SelectionTableTest.cpp - From times to a table that chooses --------------------------------------------------------===//

#include "tune/SelectionTable.h"

#include <gtest/gtest.h>

#include <deque>

using namespace quadrille::compiler;
using namespace quadrille::compiler::tune;

namespace {

/// Schedules of a collective, of which only what the table looks at is set.
class SelectionTable : public testing::Test {
protected:
  SelectionTable() { collective.name = "allreduce"; }

  const ir::Schedule *schedule(std::string name, bool commutative = false, bool restricted = false) {
    ir::Schedule &made = schedules.emplace_back();
    made.name = std::move(name);
    made.collective = &collective;
    made.usesOperator = true;
    made.requiresCommutative = commutative;
    if (restricted)
      made.requirements.emplace_back().condition = &aboutRanks;
    return &made;
  }

  static ir::Expr variable(unsigned number) {
    ir::Expr result;
    result.op = ir::Op::Variable;
    result.variable = number;
    return result;
  }

  static Timed timed(const ir::Schedule *schedule, double predicted, std::optional<double> measured = std::nullopt, std::string parameter = "") {
    return {schedule, std::move(parameter), predicted, measured, false, {}, true};
  }

  static std::string names(const Cell &cell, llvm::ArrayRef<const Timed *> before = {}) {
    std::string result;
    for (const Timed *timed : preferencesOf(cell, before))
      result += (result.empty() ? "" : " ") + timed->schedule->name;
    return result;
  }

  /// Conditions on the number of ranks, and on the first parameter.
  ir::Expr aboutRanks = variable(0), aboutParameter = variable(ir::Schedule::firstNumber);

  ir::Collective collective;
  std::deque<ir::Schedule> schedules;
  const ir::Schedule *cube = schedule("cube", false, true), *ring = schedule("ring", true), *tree = schedule("tree"), *grid = schedule("grid", true, true);
};

TEST_F(SelectionTable, prefersTheFastest) {
  EXPECT_EQ(names({"allreduce", 4, 8, {timed(tree, 2), timed(ring, 3)}}), "tree");
  EXPECT_EQ(names({"allreduce", 4, 8, {}}), "");
}

TEST_F(SelectionTable, keepsSomethingForOtherOperatorsAndRanks) {
  // Fastest; fastest for any operator; fastest for any p; fastest for both.
  EXPECT_EQ(names({"allreduce", 4, 8, {timed(grid, 1), timed(cube, 2), timed(ring, 3), timed(tree, 4)}}), "grid cube ring tree");
  EXPECT_EQ(names({"allreduce", 4, 8, {timed(grid, 1), timed(cube, 2), timed(tree, 3), timed(ring, 4)}}), "grid cube tree");
  EXPECT_EQ(names({"allreduce", 4, 8, {timed(cube, 1), timed(tree, 2), timed(ring, 3)}}), "cube tree");
  EXPECT_EQ(names({"allreduce", 4, 8, {timed(ring, 1), timed(tree, 2), timed(cube, 3)}}), "ring tree");
}

TEST_F(SelectionTable, knowsThatARequirementOfTheParameterIsMet) {
  ir::Schedule &radix = schedules.emplace_back();
  radix.name = "radix";
  radix.collective = &collective;
  radix.parameterCount = 1;
  radix.requirements.emplace_back().condition = &aboutParameter;
  EXPECT_TRUE(timed(&radix, 1).admitsAll());
  EXPECT_FALSE(timed(cube, 1).admitsAll());
  EXPECT_EQ(names({"allreduce", 4, 8, {timed(&radix, 1), timed(tree, 2)}}), "radix");
}

TEST_F(SelectionTable, believesMeasurementsRatherThanPredictions) {
  EXPECT_EQ(names({"allreduce", 4, 8, {timed(tree, 1), timed(cube, 9, 5)}}), "cube");
  EXPECT_EQ(names({"allreduce", 4, 8, {timed(tree, 1, 6), timed(cube, 9, 5)}}), "cube tree");
}

TEST_F(SelectionTable, comparesNoPredictionsThatTakePortsForFree) {
  Timed ports = timed(tree, 1);
  ports.hasFreePorts = true;
  EXPECT_EQ(names({"allreduce", 4, 8, {ports, timed(cube, 2)}}), "cube");
  EXPECT_EQ(names({"allreduce", 4, 8, {ports}}), "tree");
  ports.measured = 1;
  EXPECT_EQ(names({"allreduce", 4, 8, {ports, timed(cube, 2, 2)}}), "tree");
}

TEST_F(SelectionTable, keepsWhatIsAlmostTheFastest) {
  const Cell before{"allreduce", 4, 8, {timed(tree, 1)}};
  const std::vector<const Timed *> earlier = preferencesOf(before, {});
  EXPECT_EQ(names({"allreduce", 4, 64, {timed(cube, 1), timed(tree, 1.02)}}, earlier), "tree");
  EXPECT_EQ(names({"allreduce", 4, 64, {timed(cube, 1), timed(tree, 1.05)}}, earlier), "cube tree");
}

TEST_F(SelectionTable, hasRowsForStretches) {
  const std::vector<Cell> cells = {
      {"allreduce", 2, 8, {timed(tree, 1e-6)}},  {"allreduce", 2, 512, {timed(tree, 2e-6)}},  {"allreduce", 2, 32768, {timed(ring, 3e-6, 4e-6), timed(tree, 5e-6, 6e-6)}},
      {"allreduce", 8, 8, {timed(tree, 1e-6)}},  {"allreduce", 8, 512, {timed(tree, 2e-6)}},  {"allreduce", 8, 32768, {timed(tree, 3e-6, std::nullopt, "k=auto")}},
      {"allreduce", 32, 8, {timed(tree, 1e-6)}}, {"allreduce", 32, 512, {timed(tree, 2e-6)}}, {"allreduce", 32, 32768, {timed(tree, 4e-6, std::nullopt, "k=auto")}},
  };
  EXPECT_EQ(rowsText(cells), "allreduce       p=1..4 bytes=0..4Ki           tree                          predicted=1us\n"
                             "allreduce       p=1..4 bytes=4097..           ring                          predicted=3us measured=4us\n"
                             "allreduce       p=1..4 bytes=4097..           tree                          predicted=5us measured=6us\n"
                             "allreduce       p=5.. bytes=0..4Ki            tree                          predicted=1us\n"
                             "allreduce       p=5.. bytes=4097..            tree k=auto                   predicted=3us\n");
}

TEST_F(SelectionTable, hasNoConditionsWhereThereAreNone) {
  EXPECT_EQ(tableText(Cell{"allreduce", 4, 8, {timed(tree, 1e-6)}}, "shm", "a machine"),
            "quadrille-table 1\nmachine a machine\nbackend shm\n\nallreduce                                     tree                          predicted=1us\n");
}

} // namespace
