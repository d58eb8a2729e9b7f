//===- ShmTest.cpp - The shared-memory backend ----------------------------===//

#include "AlltoallvChecks.h"
#include "ShmChecks.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <thread>

using namespace quadrille;
using checks::Report;
using shm::Communicator;
using shm::Datatype;
using shm::Operator;
using shm::Team;

namespace {

class ShmCollectives : public testing::TestWithParam<Index> {};

TEST_P(ShmCollectives, AreRight) {
  Team team(GetParam());
  for (const std::size_t n : std::vector<std::size_t>{0, 1, 2, 7, 64, 1000}) {
    Report report;
    const Status status = team.run(
        [&](Communicator &comm) { checks::everyCollective(comm, n, checks::environment(), report); });
    EXPECT_FALSE(status) << status.text();
    EXPECT_TRUE(report.good()) << report.text();
  }
}

TEST_P(ShmCollectives, ReportErrorsAndGoOn) {
  Team team(GetParam());
  Report report;
  (void)team.run([&](Communicator &comm) {
    checks::commonErrors(comm, checks::environment(), report);
    checks::lengthMismatch(comm, report);
    checks::timeout(comm, report);
    checks::everyCollective(comm, 5, checks::environment(), report);
  });
  EXPECT_TRUE(report.good()) << report.text();
}

TEST_P(ShmCollectives, AlltoallvFromLengths) {
  Team team(GetParam());
  Report report;
  const Status status = team.run([&](Communicator &comm) {
    checks::alltoallvIsRight(comm, Datatype::of<std::int64_t>(), report);
  });
  EXPECT_FALSE(status && status.code() != ErrorCode::BadParameter && status.code() != ErrorCode::NullBuffer) << status.text();
  EXPECT_TRUE(report.good()) << report.text();
}

INSTANTIATE_TEST_SUITE_P(Sizes, ShmCollectives, testing::Values(1, 2, 3, 4, 5, 8, 13));

TEST(Shm, ManyMoreRanksThanCores) {
  Team team(64);
  Report report;
  (void)team.run([&](Communicator &comm) {
    checks::everyCollective(comm, 3, checks::environment(), report);
    for (int i = 0; i < 20; ++i)
      if (Status bad = emitted::barrier_dissemination(comm))
        report.expect(false, comm.rank(), bad.text());
  });
  EXPECT_TRUE(report.good()) << report.text();
}

TEST(Shm, ManyCallsAndRuns) {
  Team team(3);
  Report report;
  for (int run = 0; run < 50; ++run)
    (void)team.run([&](Communicator &comm) {
      for (std::size_t n = 0; n < 8; ++n)
        checks::everyCollective(comm, n, checks::environment(), report);
    });
  EXPECT_TRUE(report.good()) << report.text();
}

TEST(Shm, LargeMessages) {
  Team team(2);
  Report report;
  (void)team.run([&](Communicator &comm) {
    checks::everyCollective(comm, 200'000, checks::environment(), report);
  });
  EXPECT_TRUE(report.good()) << report.text();
}

TEST(Shm, ABarrierHoldsEverybodyBack) {
  constexpr Index p = 7;
  Team team(p);
  std::atomic<int> entered{0};
  std::atomic<bool> early{false};
  for (int round = 1; round <= 200; ++round)
    (void)team.run([&](Communicator &comm) -> Status {
      ++entered;
      Status status = emitted::barrier_dissemination(comm);
      if (entered.load() < round * static_cast<int>(p))
        early = true;
      return status;
    });
  EXPECT_FALSE(early);
}

/// What all threads of this process have used of the cores, in seconds.
double processorSeconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

TEST(Shm, WhoHasNothingToDoUsesNoCore) {
  constexpr std::chrono::milliseconds pause(400);
  constexpr double little = 0.2; // of the pause: a rank that spins uses all of it
  Team team(2);
  const auto sumAfter = [&](std::chrono::milliseconds late) {
    return team.run([&](Communicator &comm) -> Status {
      std::int64_t x = comm.rank() + 1, y = 0;
      if (comm.rank() == 0)
        std::this_thread::sleep_for(late);
      return emitted::scan_hypercube(comm, &x, &y, 1, Datatype::of<std::int64_t>(), shm::Operator::sum());
    });
  };
  EXPECT_FALSE(sumAfter(std::chrono::milliseconds(0)));
  const double beforePause = processorSeconds();
  std::this_thread::sleep_for(pause);
  EXPECT_LT(processorSeconds() - beforePause, little) << "a team between two runs";
  const double beforeWait = processorSeconds();
  EXPECT_FALSE(sumAfter(pause));
  EXPECT_LT(processorSeconds() - beforeWait, little) << "a rank that waits for another";
}

TEST(Shm, ThreadsOfOnesOwn) {
  shm::World world(3);
  for (int round = 0; round < 3; ++round) {
    Report report;
    std::vector<std::thread> threads;
    for (Index rank = 0; rank < 3; ++rank)
      threads.emplace_back([&, rank] {
        Communicator comm(world, rank);
        checks::everyCollective(comm, 4, checks::environment(), report);
      });
    for (std::thread &thread : threads)
      thread.join();
    EXPECT_TRUE(report.good()) << report.text();
    world.reset();
  }
  EXPECT_THROW(shm::World(0), std::invalid_argument);
  EXPECT_THROW(Communicator(world, 3), std::invalid_argument);
}

TEST(Shm, NestedCalls) {
  Team team(4);
  Report report;
  (void)team.run([&](Communicator &comm) {
    for (int i = 0; i < 100; ++i) {
      Communicator::Call outer(comm, "outer.quad", Datatype::of<int>());
      const Index p = comm.size(), me = comm.rank();
      Region t = outer.temporary(1, 1), got = outer.temporary(1, 1);
      int value = static_cast<int>(me);
      outer.copy(t, outer.input(&value, 1, 1));
      for (int s = 0; s < 3; ++s) {
        auto step = outer.step(comm.everyone(), 1);
        step.send(t, (me + 1) % p);
        step.recv(got, floorMod(me - 1, p));
        if (Status bad = step.finish())
          report.expect(false, me, bad.text());
        outer.copy(t, got);
        checks::everyCollective(comm, 2, checks::environment(), report);
      }
      outer.copy(outer.output(&value, 1, 1), t);
      report.expect(value == floorMod(me - 3, p), me, "shifted three times");
    }
  });
  EXPECT_TRUE(report.good()) << report.text();
}

TEST(Shm, TimeoutFromTheEnvironment) {
  const auto initial = [](const char *value) {
    setenv("QUADRILLE_TIMEOUT_MS", value, 1);
    shm::World world(1);
    const Index ms = Communicator(world, 0).timeoutMs();
    unsetenv("QUADRILLE_TIMEOUT_MS");
    return ms;
  };
  EXPECT_EQ(initial("250"), 250);
  EXPECT_EQ(initial("0"), 0);
  EXPECT_EQ(initial("-3"), 0);
  EXPECT_EQ(initial("1s"), 0);
  EXPECT_EQ(initial(""), 0);
}

// A rank that waits for a long message to be taken does a part of that: see SharedWork.h.
TEST(Shm, BothRanksMoveLongMessages) {
  Team team(2);
  Report report;
  (void)team.run([&](Communicator &comm) {
    for (const std::size_t n : {65536, 65537, 300001})
      for (int i = 0; i < 8; ++i) {
        const Index root = i % 2;
        std::vector<std::int64_t> x(n), y(n), z(2 * n);
        for (std::size_t k = 0; k < n; ++k)
          x[k] = static_cast<std::int64_t>(k) * (comm.rank() + 1) + i;
        const auto type = Datatype::of<std::int64_t>();
        Request request = comm.start([&] { return emitted::allgather_ring(comm, x.data(), z.data(), n, type); });
        EXPECT_GOOD(emitted::reduce_chain(comm, root, x.data(), y.data(), n, type, Operator::sum()));
        EXPECT_GOOD(request.wait());
        std::size_t wrong = 0;
        for (std::size_t k = 0; k < n; ++k) {
          const auto of = [&](int rank) { return static_cast<std::int64_t>(k) * (rank + 1) + i; };
          wrong += comm.rank() == root && y[k] != of(0) + of(1);
          wrong += z[k] != of(0) || z[n + k] != of(1);
        }
        report.expect(wrong == 0, comm.rank(), "a long message");
      }
  });
  EXPECT_TRUE(report.good()) << report.text();
}

TEST(Shm, ManyRanksAndFewPartnersStaySmall) {
  // 512 * 512 channels of a few lines each would be more than 32 MB.
  Team team(512);
  EXPECT_FALSE(team.run([](Communicator &comm) { return emitted::barrier_dissemination(comm); }));
}

} // namespace
