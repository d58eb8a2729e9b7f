//===- ShmFailureTest.cpp - Errors, exceptions and timeouts --------------===//

#include "ShmChecks.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <numeric>
#include <stdexcept>
#include <thread>
#include <vector>

using namespace quadrille;
using checks::Report;
using shm::Communicator;
using shm::Datatype;
using shm::Team;

namespace {

TEST(ShmFailure, OneRankFailsTheOthersAreToldAndTheNextCallWorks) {
  constexpr Index p = 5;
  Team team(p);
  Report report;
  std::atomic<int> aborted{0};
  for (int run = 0; run < 20; ++run)
    (void)team.run([&](Communicator &comm) {
      for (int i = 0; i < 10; ++i) {
        const Index culprit = (run + i) % p;
        std::vector<double> x(4, 1), y(4 * p);
        const Status status =
            emitted::allgather_ring(comm, comm.rank() == culprit ? nullptr : x.data(),
                                    y.data(), 4, Datatype::of<double>());
        const std::string text = status.text();
        if (comm.rank() == culprit) {
          report.expect(status.code() == ErrorCode::NullBuffer, comm.rank(), text);
        } else {
          // All blocks pass the failing rank.
          report.expect(status.code() == ErrorCode::Aborted, comm.rank(), text);
          const std::string who = std::to_string(culprit);
          report.expect(text == "allgather/ring.quad:10: rank " + std::to_string(comm.rank()) +
                                    " gives up because rank " + who +
                                    " failed: allgather/ring.quad: buffer x is null on rank " +
                                    who + ", but 1 blocks of 4 elements are expected there",
                        comm.rank(), text);
          ++aborted;
        }
        checks::everyCollective(comm, 3, checks::environment(), report);
      }
    });
  EXPECT_TRUE(report.good()) << report.text();
  EXPECT_EQ(aborted.load(), 20 * 10 * (p - 1));
}

TEST(ShmFailure, TheRunReportsTheCauseNotItsEcho) {
  Team team(4);
  for (Index culprit = 0; culprit < 4; ++culprit) {
    const Status status = team.run([&](Communicator &comm) {
      std::vector<double> x(1), y(4);
      return emitted::allgather_ring(comm, comm.rank() == culprit ? nullptr : x.data(),
                                     y.data(), 1, Datatype::of<double>());
    });
    EXPECT_EQ(status.code(), ErrorCode::NullBuffer) << status.text();
  }
  EXPECT_FALSE(team.run([](Communicator &comm) { return emitted::barrier_dissemination(comm); }));
}

TEST(ShmFailure, AnExceptionEndsTheRun) {
  Team team(4);
  std::atomic<int> aborted{0};
  for (int run = 0; run < 5; ++run) {
    EXPECT_THROW((void)team.run([&](Communicator &comm) {
      if (comm.rank() == 2)
        throw std::runtime_error("no");
      for (;;) {
        if (Status bad = emitted::barrier_dissemination(comm)) {
          if (bad.code() == ErrorCode::Aborted)
            ++aborted;
          return;
        }
      }
    }),
                 std::runtime_error);
    EXPECT_FALSE(team.run([](Communicator &comm) { return emitted::barrier_dissemination(comm); }));
  }
  EXPECT_EQ(aborted.load(), 15);
}

TEST(ShmFailure, APartnerThatHasLeftIsNotWaitedFor) {
  Team team(2);
  std::string text;
  (void)team.run([&](Communicator &comm) {
    std::vector<int> values(100);
    {
      Communicator::Call call(comm, "left.quad", Datatype::of<int>());
      auto step = call.step(comm.everyone(), 4);
      // A short message would not have to wait.
      if (comm.rank() == 0)
        step.send(call.output(values.data(), 1, values.size()), 1);
      const Status status = call.finish(step.finish());
      if (comm.rank() == 0) {
        EXPECT_EQ(status.code(), ErrorCode::Transport);
        text = status.text();
      }
    }
    EXPECT_FALSE(emitted::barrier_dissemination(comm));
  });
  EXPECT_EQ(text, "left.quad:4: rank 0 waits for rank 1 (send of 100 elements), which has "
                  "already left this call");
  // Also one that has left the run.
  const Status status = team.run([&](Communicator &comm) -> Status {
    if (comm.rank() == 1)
      return {};
    return emitted::barrier_dissemination(comm);
  });
  EXPECT_EQ(status.code(), ErrorCode::Transport);
}

TEST(ShmFailure, ATimeoutEndsTheOthersToo) {
  Team team(3);
  Report report;
  (void)team.run([&](Communicator &comm) {
    // Rank 2 comes late; rank 0 gives up, and rank 1 learns of it.
    const auto begin = std::chrono::steady_clock::now();
    {
      if (comm.rank() == 2)
        std::this_thread::sleep_for(std::chrono::milliseconds(800));
      Communicator::Call call(comm, "late.quad");
      comm.setTimeout(comm.rank() == 0 ? 50 : 0);
      auto step = call.step(comm.everyone(), 9);
      for (Index r = 0; r < 3; ++r)
        if (r != comm.rank()) {
          step.send(r);
          step.recv(r);
        }
      const Status status = call.finish(step.finish());
      // Rank 2 finds all it needs.
      const ErrorCode expected[] = {ErrorCode::Timeout, ErrorCode::Aborted, ErrorCode::Ok};
      report.expect(status.code() == expected[comm.rank()], comm.rank(), status.text());
      if (comm.rank() == 0)
        report.expect(std::string(status.text()) ==
                          "late.quad:9: rank 0 waited 50 ms for rank 2 (receive of 0 elements)",
                      0, status.text());
    }
    if (comm.rank() < 2)
      report.expect(std::chrono::steady_clock::now() - begin < std::chrono::milliseconds(780),
                    comm.rank(), "gave up too late");
    comm.setTimeout(0);
    checks::everyCollective(comm, 3, checks::environment(), report);
  });
  EXPECT_TRUE(report.good()) << report.text();
}

TEST(ShmFailure, BuffersAreFreeAfterATimeout) {
  // A sender gives up while the receiver may be reading its buffer, and frees the
  // buffer. Sanitizers detect an access afterwards.
  Team team(2);
  std::atomic<int> timeouts{0};
  for (int round = 0; round < 200; ++round)
    (void)team.run([&](Communicator &comm) {
      const std::size_t n = 20000;
      Communicator::Call call(comm, "race.quad", Datatype::of<int>());
      if (comm.rank() == 0) {
        comm.setTimeout(1);
        auto x = std::make_unique<std::vector<int>>(n, 1);
        auto step = call.step(comm.everyone(), 1);
        step.send(call.output(x->data(), 1, n), 1);
        timeouts += call.finish(step.finish()).code() == ErrorCode::Timeout;
        std::fill(x->begin(), x->end(), 2);
      } else {
        std::vector<int> y(n);
        std::this_thread::sleep_for(std::chrono::microseconds(700 + round * 4));
        auto step = call.step(comm.everyone(), 1);
        step.recv(call.output(y.data(), 1, n), 0);
        if (!call.finish(step.finish())) {
          const std::vector<int> ones(n, 1);
          EXPECT_TRUE(y == ones);
        }
      }
    });
  RecordProperty("timeouts", timeouts.load());
}

} // namespace
