//===- CaseSearchTest.cpp - Cases beyond the small ones, and the work that they take -------------------------------------===//

#include "LibrarySchedules.h"

#include "check/CaseSearch.h"

using namespace quadrille::compiler;
using quadrille::compiler::test::librarySchedule;

// What is not counted has no bound: a search with a budget of half a second went on for ten minutes.
TEST(CaseSearch, CountsWhatRanksReadAndWrite) {
  const ir::Schedule &schedule = librarySchedule(QUADRILLE_INPUTS "/copies.quad");
  SearchBudget budget;
  budget.work = budget.workOfCase = 1000000000;
  std::uint64_t work = 0;
  EXPECT_FALSE(failureOf(schedule, CheckOptions(), {1, {0}}, budget, work));
  EXPECT_GE(work, 100u * 1000); // each packet of each copy
}

TEST(CaseSearch, EndsACaseThatCopiesTooMuch) {
  const ir::Schedule &schedule = librarySchedule(QUADRILLE_INPUTS "/copies.quad");
  SearchBudget budget;
  budget.work = budget.workOfCase = 10000;
  std::uint64_t work = 0;
  EXPECT_FALSE(failureOf(schedule, CheckOptions(), {1, {0}}, budget, work));
  EXPECT_GT(work, budget.workOfCase);
  EXPECT_LT(work, 100u * 1000);
}
