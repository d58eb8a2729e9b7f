//===- PersistentTest.cpp - Collectives that are prepared once, shared memory ---===//

#include "NonblockingChecks.h"
#include "ShmChecks.h"

#include <gtest/gtest.h>

#include <mutex>
#include <stdexcept>

using namespace quadrille;
using checks::Report;
using shm::Communicator;
using shm::Datatype;
using shm::Operator;
using shm::Team;

namespace {

Persistent scanOf(Communicator &comm, const std::vector<double> &x, std::vector<double> &y) {
  return comm.prepare([&comm, from = x.data(), to = y.data(), n = x.size()] {
    return emitted::scan_chain(comm, from, to, n, Datatype::of<double>(), Operator::sum());
  });
}

/// The sum of the first rank + 1 numbers from `first` on.
double sumUpTo(Index rank, double first) {
  return static_cast<double>(rank + 1) * (first + static_cast<double>(rank) / 2);
}

class PersistentOn : public testing::TestWithParam<Index> {
protected:
  template <class Body> void run(Body body) {
    Team team(GetParam());
    Report report;
    const Status status = team.run([&](Communicator &comm) {
      comm.setTimeout(60000);
      body(comm, report);
    });
    EXPECT_FALSE(status) << status.text();
    EXPECT_TRUE(report.good()) << report.text();
  }
};

TEST_P(PersistentOn, StartsOftenWithTheSameMemory) {
  run([](Communicator &comm, Report &report) {
    for (const std::size_t n : {0, 1, 1000}) {
      std::vector<double> x(n), y(n);
      Persistent scan = scanOf(comm, x, y);
      EXPECT_GOOD(scan.status());
      EXPECT_GOOD(scan.wait()); // nothing to wait for
      report.expect(scan.test(), comm.rank(), "not started, and under way");
      for (int i = 0; i < 40; ++i) {
        x.assign(n, static_cast<double>(comm.rank() + i));
        EXPECT_GOOD(scan.start());
        while (i % 2 == 0 && !scan.test()) {
        }
        EXPECT_GOOD(scan.wait());
        report.expect(y == std::vector<double>(n, sumUpTo(comm.rank(), i)), comm.rank(), "a result");
      }
    }
  });
}

TEST_P(PersistentOn, SeveralAreUnderWayWithOthers) {
  run([](Communicator &comm, Report &report) {
    constexpr int count = 20; // more than there are lanes
    std::vector<std::vector<double>> x(count), y(count);
    std::vector<Persistent> scans;
    for (int k = 0; k < count; ++k) {
      x[static_cast<std::size_t>(k)].assign(static_cast<std::size_t>(k), static_cast<double>(comm.rank() + k));
      y[static_cast<std::size_t>(k)].assign(static_cast<std::size_t>(k), 0);
      scans.push_back(scanOf(comm, x[static_cast<std::size_t>(k)], y[static_cast<std::size_t>(k)]));
    }
    for (int i = 0; i < 5; ++i) {
      for (Persistent &scan : scans)
        EXPECT_GOOD(scan.start());
      checks::manyInFlight(comm, 3, 7, checks::environment(), report);
      EXPECT_GOOD(waitAll(scans));
      for (int k = 0; k < count; ++k) {
        std::vector<double> &got = y[static_cast<std::size_t>(k)];
        report.expect(got == std::vector<double>(static_cast<std::size_t>(k), sumUpTo(comm.rank(), k)), comm.rank(),
                      "a result");
        got.assign(got.size(), 0);
      }
    }
  });
}

INSTANTIATE_TEST_SUITE_P(Sizes, PersistentOn, testing::Values(1, 2, 3, 5, 8));

TEST(PersistentShm, IsStartedOnceAtATime) {
  Team team(2);
  Report report;
  (void)team.run([&](Communicator &comm) {
    std::vector<double> x(3, 1), y(3);
    Persistent scan = scanOf(comm, x, y);
    EXPECT_GOOD(scan.start());
    report.expect(scan.start().code() == ErrorCode::BadParameter, comm.rank(), "started twice");
    EXPECT_GOOD(scan.wait());
    EXPECT_GOOD(scan.start());
    // And waits when it is destroyed.
  });
  Persistent none;
  EXPECT_EQ(none.start().code(), ErrorCode::BadParameter);
  EXPECT_TRUE(none.test());
  EXPECT_FALSE(none.wait());
  EXPECT_TRUE(report.good()) << report.text();
}

TEST(PersistentShm, AMistakeIsSaidAtOnceAndTellsTheOthers) {
  constexpr Index p = 4;
  Team team(p);
  Report report;
  (void)team.run([&](Communicator &comm) {
    comm.setTimeout(60000);
    for (int i = 0; i < 8; ++i) {
      std::vector<double> x(4, 1), y(4 * p);
      const bool culprit = comm.rank() == i % p;
      Persistent gather = comm.prepare([&comm, from = culprit ? nullptr : x.data(), to = y.data()] {
        return emitted::allgather_ring(comm, from, to, 4, Datatype::of<double>());
      });
      report.expect(gather.status().code() == (culprit ? ErrorCode::NullBuffer : ErrorCode::Ok), comm.rank(),
                    gather.status().text());
      // The others can do nothing about it, however often.
      for (int k = 0; k < 3; ++k) {
        EXPECT_GOOD(gather.start());
        const Status status = gather.wait();
        report.expect(status.code() == (culprit ? ErrorCode::NullBuffer : ErrorCode::Aborted), comm.rank(), status.text());
      }
      EXPECT_GOOD(emitted::barrier_dissemination(comm));
    }
  });
  EXPECT_TRUE(report.good()) << report.text();
}

TEST(PersistentShm, StartsAgainAfterItWasCancelled) {
  Team team(3);
  Report report;
  (void)team.run([&](Communicator &comm) {
    comm.setTimeout(60000);
    std::vector<double> x(5), y(5);
    Persistent scan = scanOf(comm, x, y);
    for (int i = 0; i < 20; ++i) {
      x.assign(5, static_cast<double>(comm.rank() + i));
      // All ranks come here before anybody goes on, so nobody has ended it yet.
      EXPECT_GOOD(emitted::barrier_dissemination(comm));
      if (comm.rank() == 0) {
        EXPECT_GOOD(scan.start());
        scan.cancel();
      } else {
        EXPECT_GOOD(scan.start());
      }
      (void)scan.wait();
      EXPECT_GOOD(scan.start());
      EXPECT_GOOD(scan.wait());
      report.expect(y == std::vector<double>(5, sumUpTo(comm.rank(), i)), comm.rank(), "a result");
    }
  });
  EXPECT_TRUE(report.good()) << report.text();
}

TEST(PersistentShm, MayOutliveItsCommunicator) {
  std::vector<Persistent> kept;
  std::vector<double> x(3, 1);
  std::vector<std::vector<double>> y(4, x);
  {
    Team team(4);
    std::mutex mutex;
    (void)team.run([&](Communicator &comm) {
      Persistent scan = scanOf(comm, x, y[static_cast<std::size_t>(comm.rank())]);
      if (comm.rank() > 0)
        (void)scan.start();
      else
        (void)scan.start().code();
      const std::lock_guard<std::mutex> lock(mutex);
      kept.push_back(std::move(scan));
    });
    EXPECT_EQ(y[3], std::vector<double>(3, 4.0));
  }
  for (Persistent &scan : kept) {
    EXPECT_FALSE(scan.wait());
    EXPECT_EQ(scan.start().code(), ErrorCode::Transport);
  }
}

TEST(PersistentShm, AnExceptionGivesItUp) {
  Team team(3);
  std::vector<double> x(3, 1);
  for (int run = 0; run < 10; ++run) {
    EXPECT_THROW((void)team.run([&](Communicator &comm) {
      std::vector<double> y(3);
      Persistent scan = scanOf(comm, x, y);
      (void)scan.start();
      if (comm.rank() == run % 3)
        throw std::runtime_error("no");
      (void)scan.wait();
    }),
                 std::runtime_error);
  }
}

} // namespace
