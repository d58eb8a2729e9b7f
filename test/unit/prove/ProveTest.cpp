//===- ProveTest.cpp - Cases that were run before, and limits of a proof ------------------------------------------===//

#include "LibrarySchedules.h"

#include "prove/Prove.h"

using namespace quadrille::compiler;
using namespace quadrille::compiler::prove;
using quadrille::compiler::test::librarySchedule;

TEST(Prove, SmallCasesThatHaveBeenRunAreNotRunAgain) {
  const ir::Schedule &schedule = librarySchedule("allgather/ring");
  Verdict checked;
  checked.schedule = &schedule;
  checked.ok = true;
  checked.checkedPs = {41};
  ProofOptions options;
  options.check.ps = {1, 2, 3};
  EXPECT_EQ(prove::prove(schedule, options).checked.checkedPs, options.check.ps);
  options.checked = &checked;
  const ProofVerdict verdict = prove::prove(schedule, options);
  EXPECT_EQ(verdict.checked.checkedPs, checked.checkedPs);
  EXPECT_TRUE(verdict.isProved());
}

TEST(Prove, WhoGivesUpNamesTheLimit) {
  ProofOptions options;
  options.check.ps = {1, 2, 3};
  options.totalResources = limits::proofSteps.at(1000);
  const ProofVerdict verdict = prove::prove(librarySchedule("allgather/ring"), options);
  ASSERT_FALSE(verdict.isProved());
  for (const ClaimVerdict &claim : verdict.claims) {
    if (!claim.isProved()) {
      ASSERT_TRUE(claim.open->limit) << claim.open->text();
      EXPECT_EQ(*claim.open->limit, options.totalResources);
      EXPECT_NE(claim.open->text().find(", within `proofSteps` = 1000 steps of Z3 (--effort)"), std::string::npos);
    }
  }
}
