//===- MachineTest.cpp - Choices that depend on the machine ---------------===//

#include "quadrille/machine.h"
#include "quadrille/math.h"
#include "quadrille/shm.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <limits>

using namespace quadrille;

/// The cost that `bestPacketCount` minimizes, in the time of a byte, for an
/// alpha that is a whole number of these.
static Index cost(Index a, Index c, Index n, Index bytes, Index startup, Index k) {
  return (a + c * k) * (startup + bytes * ceilDiv(n, k));
}

static Index best(Index a, Index c, Index n, Index bytes, Index startup) {
  return bestPacketCount(a + c, a + 2 * c, static_cast<std::size_t>(n), bytes, {static_cast<double>(startup) * 1e-9, 1e-9});
}

TEST(BestPacketCount, IsTheBestOfAllWhereBlocksAreShort) {
  for (Index n = 0; n <= 120; ++n)
    for (Index a : {0, 1, 3, 10, 100})
      for (Index c : {1, 2, 3})
        for (Index startup : {1, 8, 100, 5000})
          for (Index bytes : {1, 8}) {
            Index least = 1;
            for (Index k = 2; k <= n; ++k)
              if (cost(a, c, n, bytes, startup, k) < cost(a, c, n, bytes, startup, least))
                least = k;
            const Index k = best(a, c, n, bytes, startup);
            ASSERT_GE(k, 1);
            ASSERT_LE(k, maximum(1, n));
            ASSERT_EQ(cost(a, c, n, bytes, startup, k), cost(a, c, n, bytes, startup, least))
                << "a = " << a << ", c = " << c << ", n = " << n << ", bytes = " << bytes << ", startup = " << startup << ": " << k;
          }
}

TEST(BestPacketCount, FollowsTheSquareRoot) {
  // sqrt(100 * 8*10^6 / (1 * 8000)) = 316.2; the packets of 317 have 3155 elements, those of 316 as many as 3165.
  const Index k = best(100, 1, 1000000, 8, 8000);
  EXPECT_GE(k, 310);
  EXPECT_LE(k, 323);
  for (Index other = 250; other <= 400; ++other)
    EXPECT_LE(cost(100, 1, 1000000, 8, 8000, k), cost(100, 1, 1000000, 8, 8000, other)) << other;
}

TEST(BestPacketCount, CopesWithExtremes) {
  EXPECT_EQ(bestPacketCount(0, 0, 1000, 8, {1e-6, 1e-9}), 1);        // p = 1: no rounds
  EXPECT_EQ(bestPacketCount(1, 2, 1000, 8, {1e-6, 1e-9}), 1);        // no rounds that all packets share
  EXPECT_EQ(bestPacketCount(5, 6, 1000, 8, {1e-6, 0}), 1);           // words cost nothing
  EXPECT_EQ(bestPacketCount(5, 6, 1000, 0, {1e-6, 1e-9}), 1);        // they have no bytes
  EXPECT_EQ(bestPacketCount(5, 6, 0, 8, {1e-6, 1e-9}), 1);           // there are none
  EXPECT_EQ(bestPacketCount(5, 6, 1000, 8, {1e300, 1e-300}), 1);     // startups are all
  EXPECT_EQ(bestPacketCount(5, 5, 1000, 8, {1e-6, 1e-9}), 1000);     // further packets cost nothing
  EXPECT_GE(bestPacketCount(5, 6, ~std::size_t{0}, 8, {1e-6, 1e-9}), 1);
  EXPECT_GE(bestPacketCount(std::numeric_limits<Index>::max(), std::numeric_limits<Index>::max(), 1000, 8, {1e-6, 1e-9}), 1);
}

TEST(BestPacketCount, IsSmallWhereRanksShareCores) {
  const MachineTimes machine{2e-6, 1e-10};
  EXPECT_EQ(machine.sharedBy(8, 8).ranksPerCore, 1);
  EXPECT_EQ(machine.sharedBy(8, 0).ranksPerCore, 1); // nobody knows how many cores there are
  EXPECT_EQ(machine.sharedBy(8, 8).alpha, machine.alpha);
  const MachineTimes shared = machine.sharedBy(9, 2);
  EXPECT_EQ(shared.ranksPerCore, 5);
  EXPECT_EQ(shared.cores, 2);
  EXPECT_GT(shared.alpha, machine.alpha);
  EXPECT_EQ(shared.beta, machine.beta);
  // A path of 8 ranks: (6 + k) rounds. One core does the same work with any number of packets.
  const auto packets = [](const MachineTimes &of) { return bestPacketCount(7, 8, std::size_t{1} << 17, 8, of); };
  EXPECT_EQ(packets(machine.sharedBy(8, 1)), 1);
  EXPECT_EQ(packets(machine.sharedBy(8, 2)), 2);
  EXPECT_GT(packets(machine.sharedBy(8, 4)), 2);
  EXPECT_GT(packets(machine), packets(machine.sharedBy(8, 4)));
  // What nobody means does not overflow.
  EXPECT_GE(bestPacketCount(std::numeric_limits<Index>::max(), std::numeric_limits<Index>::max(), ~std::size_t{0}, 8,
                            machine.sharedBy(std::numeric_limits<Index>::max(), std::numeric_limits<Index>::max() - 1)), 1);
}

TEST(MachineTimes, ComeFromTheEnvironment) {
  const auto read = [](const char *alpha, const char *beta) {
    ::setenv("QUADRILLE_ALPHA", alpha, 1);
    ::setenv("QUADRILLE_BETA", beta, 1);
    const MachineTimes times = machineFromEnvironment({3, 4});
    ::unsetenv("QUADRILLE_ALPHA");
    ::unsetenv("QUADRILLE_BETA");
    return times;
  };
  EXPECT_EQ(machineFromEnvironment({3, 4}).alpha, 3);
  EXPECT_EQ(machineFromEnvironment({3, 4}).beta, 4);
  EXPECT_DOUBLE_EQ(read("2.5e-6", "1e-10").alpha, 2.5e-6);
  EXPECT_DOUBLE_EQ(read("2.5e-6", "1e-10").beta, 1e-10);
  testing::internal::CaptureStderr();
  for (const char *wrong : {"", "fast", "-1", "0", "1e999", "1us", "nan", "1 2"}) {
    EXPECT_EQ(read(wrong, "1").alpha, 3) << wrong;
    EXPECT_EQ(read("1", wrong).beta, 4) << wrong;
  }
  // Said once for each variable, and not of an empty one.
  const std::string ignored = " is `fast`, which is ignored: it is a number of seconds above zero, such as 1e-6\n";
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "quadrille: the environment variable QUADRILLE_ALPHA" + ignored +
                                                        "quadrille: the environment variable QUADRILLE_BETA" + ignored);
}

TEST(Environment, SaysWhichVariablesAreIgnored) {
  const auto said = [](const char *variable, const char *value, auto read) {
    ::setenv(variable, value, 1);
    testing::internal::CaptureStderr();
    read();
    ::unsetenv(variable);
    return testing::internal::GetCapturedStderr();
  };
  const auto timeout = [] { detail::numberFromEnvironment("QUADRILLE_TIMEOUT_MS"); };
  EXPECT_EQ(said("QUADRILLE_TIMEOUT_MS", "0", timeout), "");
  EXPECT_EQ(said("QUADRILLE_TIMEOUT_MS", "250", timeout), "");
  EXPECT_EQ(said("QUADRILLE_TIMEOUT_MS", "1s", timeout),
            "quadrille: the environment variable QUADRILLE_TIMEOUT_MS is `1s`, which is ignored: it is a number from 0 on\n");
  EXPECT_EQ(said("QUADRILLE_TIMEOUT_MS", "1s", timeout), "");
}

TEST(MachineTimes, AreTheSameForAllRanksOfAWorld) {
  ::setenv("QUADRILLE_ALPHA", "7", 1);
  shm::World world(2);
  ::setenv("QUADRILLE_ALPHA", "8", 1);
  shm::Communicator a(world, 0), b(world, 1);
  ::unsetenv("QUADRILLE_ALPHA");
  EXPECT_EQ(a.machine().alpha, 7);
  EXPECT_EQ(b.machine().alpha, 7);
  EXPECT_EQ(a.machine().beta, usualShmMachine.beta);
  EXPECT_EQ(a.machine().cores, b.machine().cores);
  // There are machines with 4096 cores, but they do not run tests.
  shm::World crowd(4096);
  EXPECT_GT(shm::Communicator(crowd, 17).machine().ranksPerCore, 1);
  a.setMachine({1, 2});
  EXPECT_EQ(a.machine().beta, 2);
}
