//===- NonblockingTest.cpp - Calls in flight, shared memory ---------------===//

#include "NonblockingChecks.h"
#include "ShmChecks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <set>
#include <stdexcept>

using namespace quadrille;
using checks::Report;
using shm::Communicator;
using shm::Datatype;
using shm::Operator;
using shm::Team;

namespace {

Request startBarrier(Communicator &comm) {
  return comm.start([&comm] { return emitted::barrier_dissemination(comm); });
}

class Nonblocking : public testing::TestWithParam<Index> {
protected:
  template <class Body> void run(Body body) {
    Team team(GetParam());
    Report report;
    const Status status = team.run([&](Communicator &comm) {
      comm.setTimeout(60000); // a test that hangs says so
      body(comm, report);
    });
    EXPECT_FALSE(status) << status.text();
    EXPECT_TRUE(report.good()) << report.text();
  }
};

TEST_P(Nonblocking, ManyInFlight) {
  run([](Communicator &comm, Report &report) {
    for (const std::size_t n : {0, 1, 7, 1000})
      for (const std::size_t calls : {1, 2, 16, 17, 18, 60})
        checks::manyInFlight(comm, calls, n, checks::environment(), report);
  });
}

TEST_P(Nonblocking, CallsThatCross) {
  run([](Communicator &comm, Report &report) {
    // Also those that have to share a lane.
    for (const std::size_t between : {0, 15, 31})
      for (int i = 0; i < 10; ++i)
        checks::crossing(comm, between, report);
  });
}

TEST_P(Nonblocking, Errors) {
  run([](Communicator &comm, Report &report) {
    checks::nonblockingErrors(comm, checks::environment(), report);
    checks::nonblockingTimeout(comm, report);
    checks::manyInFlight(comm, 20, 5, checks::environment(), report);
  });
}

TEST_P(Nonblocking, OverlapsWithComputation) {
  run([](Communicator &comm, Report &report) {
    for (const std::size_t n : {10, 100'000})
      checks::overlap(comm, n, report);
  });
}

TEST_P(Nonblocking, ProgressThread) {
  run([](Communicator &comm, Report &report) {
    checks::progressThread(comm, 100, checks::environment(), report);
  });
}

INSTANTIATE_TEST_SUITE_P(Sizes, Nonblocking, testing::Values(1, 2, 3, 5, 8));

TEST(NonblockingShm, ManyMoreRanksThanCores) {
  Team team(40);
  Report report;
  (void)team.run([&](Communicator &comm) {
    checks::manyInFlight(comm, 20, 3, checks::environment(), report);
  });
  EXPECT_TRUE(report.good()) << report.text();
}

// The memory of a started call remains valid, however many other lengths follow.
TEST(NonblockingShm, ManyLengthsInFlight) {
  Team team(3);
  Report report;
  const Status status = team.run([&](Communicator &comm) {
    comm.setTimeout(60000);
    constexpr std::size_t calls = 15;
    std::vector<std::vector<double>> x, y;
    for (std::size_t n = 0; n < calls; ++n) {
      x.emplace_back(1000 * n, 1.0);
      y.emplace_back(1000 * n);
    }
    for (int i = 0; i < 20; ++i) {
      std::vector<Request> requests;
      for (std::size_t k = 0; k < calls; ++k)
        requests.push_back(comm.start([&comm, &from = x[k], &to = y[k]] {
          return emitted::scan_chain(comm, from.data(), to.data(), from.size(), Datatype::of<double>(), Operator::sum());
        }));
      EXPECT_GOOD(waitAll(requests));
      for (std::size_t k = 0; k < calls; ++k)
        report.expect(y[k] == std::vector<double>(1000 * k, static_cast<double>(comm.rank() + 1)), comm.rank(), "a result");
    }
  });
  EXPECT_FALSE(status) << status.text();
  EXPECT_TRUE(report.good()) << report.text();
}

TEST(NonblockingShm, RunsThatStartDifferentNumbersOfCalls) {
  // The lanes of the next run must agree again.
  Team team(3);
  for (int run = 0; run < 20; ++run) {
    (void)team.run([&](Communicator &comm) {
      if (comm.rank() == run % 3)
        for (int i = 0; i < run; ++i)
          startBarrier(comm).cancel();
    });
    Report report;
    const Status status = team.run([&](Communicator &comm) {
      comm.setTimeout(20000);
      checks::manyInFlight(comm, 18, 4, checks::environment(), report);
    });
    EXPECT_FALSE(status) << status.text();
    EXPECT_TRUE(report.good()) << report.text();
  }
}

//===----------------------------------------------------------------------===//
// Who makes progress
//===----------------------------------------------------------------------===//

struct Seen {
  std::mutex mutex;
  std::set<std::thread::id> combining;
  std::atomic<int> combined{0};
};

void recordThread(const void *in, void *inout, std::size_t count, const Datatype &,
                  void *context) {
  Seen &seen = *static_cast<Seen *>(context);
  for (std::size_t i = 0; i < count; ++i)
    static_cast<int *>(inout)[i] += static_cast<const int *>(in)[i];
  const std::lock_guard<std::mutex> lock(seen.mutex);
  seen.combining.insert(std::this_thread::get_id());
  ++seen.combined;
}

/// Rank 1 has to combine what rank 0 sends, which it does after rank 1 has
/// started and gone to compute. Returns whether that happened meanwhile.
bool combinesWhileComputing(bool withThread, Report &report) {
  Team team(2);
  Seen seen;
  std::atomic<int> stage{0};
  std::atomic<bool> meanwhile{false};
  (void)team.run([&](Communicator &comm) {
    const auto reach = [&](int wanted) {
      while (stage.load() < wanted)
        std::this_thread::yield();
    };
    int x = 5 + static_cast<int>(comm.rank()), y = 0;
    if (withThread)
      EXPECT_GOOD(comm.startProgressThread());
    const auto start = [&] {
      return comm.start([&] {
        return emitted::scan_chain(comm, &x, &y, 1, Datatype::of<int>(),
                                   Operator::user(recordThread, &seen));
      });
    };
    if (comm.rank() == 0) {
      reach(1);
      Request request = start();
      stage = 2;
      EXPECT_GOOD(request.wait());
      return;
    }
    Request request = start();
    stage = 1;
    reach(2);
    // "Computing": nothing of the communicator is called.
    const auto limit = checks::steady_clock::now() +
                       std::chrono::milliseconds(withThread ? 30000 : 100);
    while (seen.combined == 0 && checks::steady_clock::now() < limit)
      std::this_thread::yield();
    meanwhile = seen.combined > 0;
    report.expect((seen.combining.count(std::this_thread::get_id()) == 1) ==
                      (meanwhile && !withThread),
                  1, "combined by the wrong thread");
    EXPECT_GOOD(request.wait());
    report.expect(y == 11, 1, "the sum");
    report.expect(seen.combined == 1, 1, "combined once");
  });
  return meanwhile;
}

TEST(NonblockingShm, NothingHappensBehindTheCallersBack) {
  Report report;
  EXPECT_FALSE(combinesWhileComputing(/*withThread=*/false, report));
  EXPECT_TRUE(report.good()) << report.text();
}

TEST(NonblockingShm, AProgressThreadWorksMeanwhile) {
  Report report;
  EXPECT_TRUE(combinesWhileComputing(/*withThread=*/true, report));
  EXPECT_TRUE(report.good()) << report.text();
}

TEST(NonblockingShm, ProgressThreadFromTheEnvironment) {
  setenv("QUADRILLE_PROGRESS_THREAD", "1", 1);
  shm::World world(2);
  std::unique_ptr<Communicator> comms[2];
  for (Index rank : {0, 1})
    comms[rank] = std::make_unique<Communicator>(world, rank);
  unsetenv("QUADRILLE_PROGRESS_THREAD");
  // One thread has both ranks, so only the progress threads can complete the calls.
  Request a = startBarrier(*comms[0]), b = startBarrier(*comms[1]);
  for (int i = 0; i < 30000 && !(a.test() && b.test()); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  EXPECT_TRUE(a.test() && b.test());
}

TEST(NonblockingShm, OneThreadMayPlayAllRanks) {
  shm::World world(3);
  std::vector<std::unique_ptr<Communicator>> comms;
  for (Index rank = 0; rank < 3; ++rank)
    comms.push_back(std::make_unique<Communicator>(world, rank));
  int x[3] = {1, 2, 3}, y[3] = {};
  std::vector<Request> requests;
  for (std::size_t rank = 0; rank < 3; ++rank)
    requests.push_back(comms[rank]->start([&, rank] {
      return emitted::scan_chain(*comms[rank], &x[rank], &y[rank], 1,
                                 Datatype::of<int>(), Operator::sum());
    }));
  for (bool all = false; !all;) {
    all = true;
    for (Request &request : requests)
      all &= request.test();
  }
  EXPECT_FALSE(waitAll(requests));
  EXPECT_EQ(y[2], 6);
}

/// An operator that misbehaves: it calls `progress` and waits.
void impolite(const void *in, void *inout, std::size_t count, const Datatype &,
              void *context) {
  Request &request = **static_cast<Request **>(context);
  (void)request.test();
  EXPECT_EQ(request.wait().code(), ErrorCode::BadParameter);
  for (std::size_t i = 0; i < count; ++i)
    static_cast<int *>(inout)[i] += static_cast<const int *>(in)[i];
}

TEST(NonblockingShm, OperatorsCannotWait) {
  Team team(2);
  Report report;
  std::atomic<bool> isStarted{false};
  (void)team.run([&](Communicator &comm) {
    int x = 1, y = 0;
    Request request, *address = &request;
    // The operator works on rank 1. Its request is there by then, since rank 0 starts later. The flag orders
    // nothing else: ranks are ordered by messages.
    while (comm.rank() == 0 && !isStarted.load(std::memory_order_relaxed))
      std::this_thread::yield();
    request = comm.start([&] {
      if (Status bad = emitted::barrier_dissemination(comm))
        return bad;
      return emitted::scan_chain(comm, &x, &y, 1, Datatype::of<int>(),
                                 Operator::user(impolite, &address));
    });
    isStarted.store(true, std::memory_order_relaxed);
    while (!request.test())
      std::this_thread::yield();
    EXPECT_GOOD(request.wait());
    report.expect(y == comm.rank() + 1, comm.rank(), "the sum");
  });
  EXPECT_TRUE(report.good()) << report.text();
}

//===----------------------------------------------------------------------===//
// Failures, and requests that nobody waits for
//===----------------------------------------------------------------------===//

TEST(NonblockingShm, OneRankFailsTheOthersAreTold) {
  constexpr Index p = 4;
  Team team(p);
  Report report;
  std::atomic<int> aborted{0};
  (void)team.run([&](Communicator &comm) {
    for (int i = 0; i < 20; ++i) {
      std::vector<double> x(4, 1), y(4 * p), z(4 * p);
      const bool culprit = comm.rank() == i % p;
      Request before = startBarrier(comm);
      Request failing = comm.start([&] {
        return emitted::allgather_ring(comm, culprit ? nullptr : x.data(), y.data(), 4,
                                       Datatype::of<double>());
      });
      Request after = comm.start([&] {
        return emitted::allgather_ring(comm, x.data(), z.data(), 4, Datatype::of<double>());
      });
      EXPECT_GOOD(emitted::barrier_dissemination(comm));
      EXPECT_GOOD(after.wait());
      const Status status = failing.wait();
      report.expect(status.code() == (culprit ? ErrorCode::NullBuffer : ErrorCode::Aborted),
                    comm.rank(), status.text());
      aborted += status.code() == ErrorCode::Aborted;
      EXPECT_GOOD(before.wait());
      report.expect(z == std::vector<double>(4 * p, 1.0), comm.rank(), "the call after");
    }
  });
  EXPECT_TRUE(report.good()) << report.text();
  EXPECT_EQ(aborted.load(), 20 * (p - 1));
}

TEST(NonblockingShm, CancelledCallsAbortTheOthers) {
  Team team(3);
  Report report;
  (void)team.run([&](Communicator &comm) {
    for (int i = 0; i < 20; ++i) {
      const bool culprit = comm.rank() == i % 3;
      // More than may begin: some are cancelled before they do.
      std::vector<Request> requests;
      for (int k = 0; k < 20; ++k)
        requests.push_back(comm.start([&comm, k]() -> Status {
          // All ranks wait, and none sends.
          Communicator::Call call(comm, "cancelled.quad");
          auto step = call.step(comm.everyone(), k);
          step.recv((comm.rank() + 1) % 3);
          return call.finish(step.finish());
        }));
      if (culprit)
        for (Request &request : requests)
          request.cancel();
      for (Request &request : requests) {
        const Status status = request.wait();
        report.expect(status.code() == ErrorCode::Aborted, comm.rank(), status.text());
      }
      checks::manyInFlight(comm, 2, 3, checks::environment(), report);
    }
  });
  EXPECT_TRUE(report.good()) << report.text();
}

TEST(NonblockingShm, AnExceptionCancelsWhatWasStarted) {
  Team team(3);
  std::atomic<int> aborted{0};
  for (int run = 0; run < 20; ++run) {
    EXPECT_THROW((void)team.run([&](Communicator &comm) {
      Request first = startBarrier(comm), second = startBarrier(comm);
      if (comm.rank() == run % 3)
        throw std::runtime_error("no");
      (void)first.wait();
      (void)second.wait();
      Request third = startBarrier(comm); // which the third rank never starts
      aborted += third.wait().code() == ErrorCode::Aborted;
    }),
                 std::runtime_error);
    EXPECT_FALSE(team.run([](Communicator &comm) { return startBarrier(comm).wait(); }));
  }
  EXPECT_EQ(aborted.load(), 40);
}

TEST(NonblockingShm, ABodyMayThrow) {
  Team team(2);
  const Status status = team.run([](Communicator &comm) {
    Request request = comm.start([&]() -> Status {
      if (comm.rank() == 0)
        throw std::runtime_error("no");
      return emitted::barrier_dissemination(comm);
    });
    return request.wait();
  });
  EXPECT_STREQ(status.text(), "an exception left a started collective");
}

/// All ranks tell each other a number; then they gather blocks of the largest length, at `to`, each full of that length. The
/// numbers are what `number` is when the call begins.
Status gatherAsTold(Communicator &comm, const double *number, std::vector<double> &told, std::vector<double> &from,
                    std::vector<double> &to) {
  return comm.together([=, &comm, &told, &from, &to]() -> Status {
    if (Status bad = emitted::allgather_ring(comm, number, told.data(), 1, Datatype::of<double>()))
      return bad;
    return comm.then([&comm, &told, &from, &to] {
      const std::size_t n = static_cast<std::size_t>(*std::max_element(told.begin(), told.end()));
      from.assign(n, static_cast<double>(n));
      to.assign(n * told.size(), 0);
      return emitted::allgather_ring(comm, from.data(), to.data(), n, Datatype::of<double>());
    });
  });
}

TEST_P(Nonblocking, CallsThatDependOnEarlierOnes) {
  run([](Communicator &comm, Report &report) {
    const std::size_t p = static_cast<std::size_t>(comm.size());
    double number = 0;
    std::vector<double> told(p), from, to;
    const auto expect = [&](double most, const char *what) {
      report.expect(to == std::vector<double>(static_cast<std::size_t>(most) * p, most), comm.rank(), what);
    };
    const auto next = [&](int i) { number = static_cast<double>(i * comm.rank() + 1); };
    const auto most = [&](int i) { return static_cast<double>(i * (comm.size() - 1) + 1); };
    for (int i = 0; i < 10; ++i) {
      next(i);
      EXPECT_GOOD(gatherAsTold(comm, &number, told, from, to));
      expect(most(i), "blocking");
      next(i + 10);
      Request request = comm.start([&] { return gatherAsTold(comm, &number, told, from, to); });
      checks::manyInFlight(comm, 3, 7, checks::environment(), report);
      EXPECT_GOOD(request.wait());
      expect(most(i + 10), "started");
    }
    Persistent prepared = comm.prepare([&] { return gatherAsTold(comm, &number, told, from, to); });
    for (int i = 0; i < 10; ++i) {
      next(i);
      EXPECT_GOOD(prepared.start());
      checks::manyInFlight(comm, 2, 5, checks::environment(), report);
      EXPECT_GOOD(prepared.wait());
      expect(most(i), "prepared");
    }
  });
}

TEST(NonblockingShm, CallsThatDependOnEarlierOnesFailTogether) {
  constexpr Index p = 3;
  Team team(p);
  Report report;
  (void)team.run([&](Communicator &comm) {
    std::vector<double> x(4, 1), y(4 * p);
    // One rank fails in the first part, or in the second. Ranks that have come through the first one are told, too.
    const auto both = [&](bool failsFirst, bool failsThen) {
      return comm.together([=, &comm, &x, &y]() -> Status {
        if (failsFirst)
          return Status(ErrorCode::BadParameter, "no");
        return comm.then([=, &comm, &x, &y] {
          return emitted::allgather_ring(comm, failsThen ? nullptr : x.data(), y.data(), 4, Datatype::of<double>());
        });
      });
    };
    for (int i = 0; i < 20; ++i) {
      const bool culprit = comm.rank() == i % p;
      const Status first = both(culprit, false), then = both(false, culprit);
      report.expect(first.code() == (culprit ? ErrorCode::BadParameter : ErrorCode::Aborted), comm.rank(), first.text());
      report.expect(then.code() == (culprit ? ErrorCode::NullBuffer : ErrorCode::Aborted), comm.rank(), then.text());
      Persistent prepared = comm.prepare([&] { return both(false, culprit && i % 2 == 0); });
      for (int k = 0; k < 2; ++k) {
        EXPECT_GOOD(prepared.start());
        const Status status = prepared.wait();
        report.expect(status.code() == (i % 2 ? ErrorCode::Ok : culprit ? ErrorCode::NullBuffer : ErrorCode::Aborted), comm.rank(), status.text());
      }
      y.assign(4 * p, 0);
      EXPECT_GOOD(both(false, false));
      report.expect(y == std::vector<double>(4 * p, 1.0), comm.rank(), "the call after");
    }
  });
  EXPECT_TRUE(report.good()) << report.text();
}

TEST(NonblockingShm, RequestsMayOutliveTheRun) {
  std::vector<Request> kept;
  std::mutex mutex;
  {
    Team team(4);
    (void)team.run([&](Communicator &comm) {
      Request request = startBarrier(comm);
      const std::lock_guard<std::mutex> lock(mutex);
      kept.push_back(std::move(request));
    });
    kept.pop_back();
    EXPECT_FALSE(team.run([](Communicator &comm) { return startBarrier(comm).wait(); }));
  }
  // The communicators are gone, the outcomes are not.
  EXPECT_EQ(kept.size(), 3u);
  for (Request &request : kept) {
    EXPECT_TRUE(request.test());
    EXPECT_FALSE(request.wait());
  }
}

} // namespace
