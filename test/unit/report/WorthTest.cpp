//===- WorthTest.cpp - What it is worth to choose among schedules ---------------------------------------------------------===//

#include "tune/Worth.h"

#include <gtest/gtest.h>

#include <cmath>

using namespace quadrille::compiler::tune;

namespace {

class WorthTest : public testing::Test {
protected:
  void note(std::int64_t p, std::uint64_t bytes, const char *path, double seconds, const char *parameter = "") { journal.note({p, bytes, path, parameter}, seconds); }
  std::optional<Worth> worth() const {
    return worthOf("allreduce", journal, [](std::int64_t, std::uint64_t bytes) { return bytes < 100 ? "short" : "long k=auto"; });
  }

  Journal journal{"", "mpi"};
};

} // namespace

TEST_F(WorthTest, ComparesWithTheBestSingleScheduleAndWithMpi) {
  note(2, 8, "allreduce/short", 1);
  note(2, 8, "allreduce/long", 2, "k=auto");
  note(2, 8, "allreduce/mpi", 4);
  note(2, 800, "allreduce/short", 8);
  note(2, 800, "allreduce/long", 1, "k=auto");
  note(2, 800, "allreduce/mpi", 1);
  note(2, 800, "broadcast/other", 1e-9);
  note(2, 800, "allreduce/long", 1e-9, "k=auto:int64");
  const auto found = worth();
  ASSERT_TRUE(found);
  EXPECT_EQ(found->places, 2u);
  EXPECT_EQ(found->single, "long k=auto");
  EXPECT_NEAR(found->againstSingle, std::sqrt(2.0), 1e-12);
  EXPECT_NEAR(found->againstMpi.value(), 2, 1e-12);
  EXPECT_EQ(worthText(*found), "1.41 times as fast as long k=auto everywhere, 2.00 times as fast as MPI's own (2 places measured)");
}

TEST_F(WorthTest, PlacesMayBeLeftToMpi) {
  note(2, 8, "allreduce/short", 2);
  note(2, 8, "allreduce/mpi", 1);
  note(2, 50, "allreduce/short", 1);
  note(2, 50, "allreduce/mpi", 4);
  note(2, 800, "allreduce/short", 1);
  const auto found = worthOf("allreduce", journal, [](std::int64_t, std::uint64_t bytes) { return bytes == 8 ? "mpi" : "short"; });
  ASSERT_TRUE(found);
  EXPECT_EQ(found->single, "short");
  EXPECT_NEAR(found->againstSingle, std::cbrt(2.0), 1e-12);
  EXPECT_NEAR(found->againstMpi.value(), 2, 1e-12);
  EXPECT_EQ(worthText(*found), "1.26 times as fast as short everywhere, 2.00 times as fast as MPI's own (3 places measured, 2 with MPI's own)");
}

TEST_F(WorthTest, WhereOnlyMpiWasMeasuredNothingIsSaidOfSchedules) {
  note(2, 8, "allreduce/mpi", 1);
  note(2, 800, "allreduce/short", 2);
  const auto found = worthOf("allreduce", journal, [](std::int64_t, std::uint64_t bytes) { return bytes == 8 ? "mpi" : "short"; });
  ASSERT_TRUE(found);
  EXPECT_EQ(found->single, "short");
  EXPECT_NEAR(found->againstSingle, 1, 1e-12);
}

TEST_F(WorthTest, WhatWasNotMeasuredIsThreeTimesTheFastest) {
  note(2, 8, "allreduce/short", 1);
  note(2, 800, "allreduce/short", 16);
  note(2, 800, "allreduce/long", 1, "k=auto");
  const auto found = worth();
  ASSERT_TRUE(found);
  EXPECT_EQ(found->single, "long k=auto");
  EXPECT_NEAR(found->againstSingle, std::sqrt(3.0), 1e-12);
  EXPECT_FALSE(found->againstMpi);
}

TEST_F(WorthTest, ASingleScheduleServesAllNumbersOfRanks) {
  note(2, 8, "allreduce/short", 2);
  note(2, 8, "allreduce/hypercube", 1);
  note(3, 8, "allreduce/short", 2);
  const auto found = worth();
  ASSERT_TRUE(found);
  EXPECT_EQ(found->single, "short");
  EXPECT_NEAR(found->againstSingle, 1, 1e-12);
}

TEST_F(WorthTest, IsNotKnownWithoutTimesOfWhatIsChosen) {
  EXPECT_FALSE(worth());
  note(2, 8, "allreduce/long", 1, "k=auto");
  note(2, 8, "allreduce/mpi", 1);
  EXPECT_FALSE(worth());
}
