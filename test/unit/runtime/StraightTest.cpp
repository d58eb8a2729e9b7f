//===- StraightTest.cpp - Short calls that are repeated go straight --------===//
//
// Blocking, started and persistent calls whose messages fit into slots. What these
// tests vary is what the straight program has to leave to the window.
//
//===----------------------------------------------------------------------===//

#include "../../../runtime/shm/Execution.h"

#include "ExchangeChecks.h"
#include "RepeatedChecks.h"
#include "ShmChecks.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <random>
#include <string>
#include <thread>
#include <vector>

using namespace quadrille;
using checks::exchange;
using checks::exchangeSite;
using checks::often;
using checks::onTwo;
using checks::Report;
using shm::Communicator;
using shm::Datatype;
using shm::Operator;
using shm::Team;
using shm::detail::CommunicatorState;

namespace {

//===--- Blocking calls --------------------------------------------------===//

/// Whether the call with this key is known, and goes through a straight program.
bool isStraight(Communicator &comm, const CallKey &key) {
  auto *const known = CommunicatorState::of(comm).repeats.find(key);
  return known && known->execution->isStraight();
}

TEST(Straight, ShortOnesGoStraight) {
  onTwo([](Communicator &comm, Report &report) -> Status {
    std::vector<double> x(8, 1), y(8);
    const auto known = [&](std::size_t n, const Operator &op) {
      for (int i = 0; i < often; ++i) {
        std::fill(y.begin(), y.end(), -1);
        const Status bad = exchange(comm, x.data(), y.data(), n, Datatype::of<double>(), op);
        report.expect(!bad, comm.rank(), bad.text());
        report.expect(n == 0 || (y[0] == 2 && y[n - 1] == 2), comm.rank(), "the sum");
      }
      return isStraight(comm, CallKey(exchangeSite, x.data(), y.data(), n, Index{0}));
    };
    report.expect(known(1, Operator::sum()), comm.rank(), "a number");
    report.expect(known(6, Operator::sum()), comm.rank(), "as many as a slot contains");
    report.expect(!known(7, Operator::sum()), comm.rank(), "more than a slot contains");
    const auto add = [](const void *in, void *inout, std::size_t count, const Datatype &, void *) {
      for (std::size_t i = 0; i < count; ++i)
        static_cast<double *>(inout)[i] += static_cast<const double *>(in)[i];
    };
    report.expect(!known(1, Operator::user(add, nullptr, true)), comm.rank(), "an operator of the user's");
    report.expect(known(1, Operator::sum()), comm.rank(), "a built-in one again");
    for (int i = 0; i < often; ++i)
      if (Status bad = emitted::barrier_dissemination(comm))
        return bad;
    return {};
  });
}

// What arrives is not what the steps expect: the window finds out what is wrong.
TEST(Straight, AnotherLengthIsFoundByStraightOnes) {
  onTwo([](Communicator &comm, Report &report) -> Status {
    std::int64_t x[3] = {1, 1, 1}, y[3] = {};
    const auto sum = [&](std::size_t n) { return exchange(comm, x, y, n, Datatype::of<std::int64_t>(), Operator::sum()); };
    for (int round = 0; round < 3; ++round) {
      for (int i = 0; i < often; ++i)
        for (const std::size_t n : {std::size_t{1}, std::size_t{2}})
          if (Status bad = sum(n))
            return bad;
      report.expect(isStraight(comm, CallKey(exchangeSite, x, y, std::size_t{1}, Index{0})), comm.rank(), "a straight call");
      const Status bad = sum(comm.rank() == 0 ? 1 : 2);
      const bool isTold = bad.code() == ErrorCode::Aborted ||
                          std::string(bad.text()).find("exchange.quad:7: rank ") == 0;
      report.expect(bad && isTold, comm.rank(), bad.text());
    }
    return {};
  });
}

TEST(Straight, PersistentAndFailedOnesBetweenThem) {
  onTwo([](Communicator &comm, Report &report) -> Status {
    double x = 1, y = 0, z = 0;
    Persistent other = comm.prepare([&] { return exchange(comm, &x, &z, 1, Datatype::of<double>(), Operator::sum()); });
    for (int i = 0; i < 5 * often; ++i) {
      x = i;
      y = z = -1;
      if (i % 2)
        if (Status bad = other.start())
          return bad;
      if (Status bad = exchange(comm, &x, &y, 1, Datatype::of<double>(), Operator::sum()))
        return bad;
      if (i % 2)
        if (Status bad = other.wait())
          return bad;
      report.expect(y == 2 * i && (i % 2 == 0 || z == 2 * i), comm.rank(), "the sums");
      if (i % 5 == 0)
        report.expect(bool(exchange(comm, nullptr, &y, 1, Datatype::of<double>(), Operator::sum())), comm.rank(), "an error");
      // In place, and the other way round.
      if (Status bad = exchange(comm, &y, &y, 1, Datatype::of<double>(), Operator::sum()))
        return bad;
      report.expect(y == 4 * i, comm.rank(), "the sum in place");
    }
    return {};
  });
}

TEST(Straight, StuckOnesGoOn) {
  for (const Index p : {2, 3, 5, 8}) {
    Team team(p);
    Report report;
    const Status bad = team.run([&](Communicator &comm) -> Status {
      checks::lateRanks(comm, Datatype::of<std::int64_t>(), Operator::sum(), 600, report);
      return {};
    });
    EXPECT_FALSE(bad) << bad.text();
    EXPECT_TRUE(report.good()) << report.text();
  }
}

//===--- Started and persistent calls ------------------------------------===//

/// An all-reduce of one number.
struct StartedSum {
  Communicator &comm;
  double x = 1, y = 0;

  Status call(std::size_t n = 1) { return exchange(comm, &x, &y, n, Datatype::of<double>(), Operator::sum()); }
  Request start() {
    return comm.start([this] { return call(); });
  }
  /// Makes it known, so that further ones are straight.
  Status learn(Report &report) {
    for (int i = 0; i < often; ++i)
      if (Status bad = start().wait())
        return bad;
    report.expect(isStraight(comm, CallKey(exchangeSite, &x, &y, std::size_t{1}, Index{0})), comm.rank(), "a straight call");
    return {};
  }
};

// More in a row than there are lanes and slots, whose partners come late now and then.
TEST(Straight, StartedOnesGoStraight) {
  onTwo([](Communicator &comm, Report &report) -> Status {
    StartedSum sum{comm};
    if (Status bad = sum.learn(report))
      return bad;
    Persistent again = comm.prepare([&] { return sum.call(); });
    std::mt19937 random(static_cast<unsigned>(comm.rank()));
    for (int i = 0; i < 2000; ++i) {
      sum.x = i;
      sum.y = -1;
      if (random() % 64 == 0)
        std::this_thread::sleep_for(std::chrono::microseconds(random() % 200));
      Status bad;
      if (i % 3 == 0) {
        bad = again.start();
        if (!bad)
          bad = again.wait();
      } else {
        Request request = sum.start();
        while (i % 3 == 1 && !request.test())
          std::this_thread::yield();
        bad = request.wait();
      }
      if (bad)
        return bad;
      report.expect(sum.y == 2 * i, comm.rank(), "the sum");
    }
    return {};
  });
}

// A started body makes three calls, each of which is known: their messages are those of one
// call, so each part has to know how many there were before.
TEST(Straight, PartsOfAStartedCallCountItsMessages) {
  onTwo([](Communicator &comm, Report &report) -> Status {
    StartedSum sum{comm};
    if (Status bad = sum.learn(report))
      return bad;
    StartedSum other{comm};
    const auto three = [&]() -> Status {
      if (Status bad = sum.call())
        return bad;
      if (Status bad = other.call())
        return bad;
      return sum.call();
    };
    Persistent again = comm.prepare(three);
    for (int i = 0; i < 5 * often; ++i) {
      sum.x = i;
      other.x = -i;
      sum.y = other.y = 0;
      if (i % 2) {
        if (Status bad = again.start())
          return bad;
        if (Status bad = again.wait())
          return bad;
      } else if (Status bad = comm.start(three).wait()) {
        return bad;
      }
      report.expect(sum.y == 2 * i && other.y == -2 * i, comm.rank(), "the sums of the parts");
    }
    return {};
  });
}

TEST(Straight, StartedOnesAreAbortedByOthers) {
  onTwo([](Communicator &comm, Report &report) -> Status {
    StartedSum sum{comm};
    for (int round = 0; round < 3; ++round) {
      if (Status bad = sum.learn(report))
        return bad;
      const Status bad = comm.rank() == 0 ? exchange(comm, nullptr, &sum.y, 1, Datatype::of<double>(), Operator::sum()) : Status();
      if (comm.rank() == 0) {
        report.expect(bad.code() == ErrorCode::NullBuffer, comm.rank(), bad.text());
      } else {
        const Status told = sum.call();
        report.expect(told.code() == ErrorCode::Aborted, comm.rank(), told.text());
      }
      Request request = comm.start([&] {
        return comm.rank() == 0 ? exchange(comm, nullptr, &sum.y, 1, Datatype::of<double>(), Operator::sum()) : sum.call();
      });
      const Status ended = request.wait();
      report.expect(ended.code() == (comm.rank() == 0 ? ErrorCode::NullBuffer : ErrorCode::Aborted), comm.rank(), ended.text());
    }
    return {};
  });
}

TEST(Straight, AnotherLengthIsFoundByStartedOnes) {
  onTwo([](Communicator &comm, Report &report) -> Status {
    std::int64_t x[3] = {1, 1, 1}, y[3] = {};
    const auto start = [&](std::size_t n) {
      return comm.start([&, n] { return exchange(comm, x, y, n, Datatype::of<std::int64_t>(), Operator::sum()); });
    };
    for (int round = 0; round < 3; ++round) {
      for (int i = 0; i < often; ++i)
        for (const std::size_t n : {std::size_t{1}, std::size_t{2}})
          if (Status bad = start(n).wait())
            return bad;
      const Status bad = start(comm.rank() == 0 ? 1 : 2).wait();
      const bool isTold = bad.code() == ErrorCode::Aborted ||
                          std::string(bad.text()).find("exchange.quad:7: rank ") == 0;
      report.expect(bad && isTold, comm.rank(), bad.text());
    }
    return {};
  });
}

TEST(Straight, TheWatchdogLooksAtStartedOnes) {
  onTwo([](Communicator &comm, Report &report) -> Status {
    StartedSum sum{comm};
    if (Status bad = sum.learn(report))
      return bad;
    if (comm.rank() == 0) {
      comm.setTimeout(20);
      const Status late = sum.start().wait();
      report.expect(late.code() == ErrorCode::Timeout, comm.rank(), late.text());
      report.expect(std::string(late.text()).find("exchange.quad:7: rank 0 waited 20 ms for rank 1") == 0, comm.rank(), late.text());
    } else {
      std::this_thread::sleep_for(std::chrono::milliseconds(500));
    }
    return {};
  });
}

// Both give it up, before or after the other's message has come.
TEST(Straight, StartedOnesAreCancelled) {
  onTwo([](Communicator &comm, Report &report) -> Status {
    StartedSum sum{comm};
    for (int round = 0; round < 20; ++round) {
      if (Status bad = sum.learn(report))
        return bad;
      Request request = sum.start();
      request.cancel();
      report.expect(!request.status() || request.status().code() == ErrorCode::Aborted, comm.rank(), request.status().text());
      if (Status bad = emitted::barrier_dissemination(comm))
        return bad;
    }
    return {};
  });
}

// One rank has started what the other one has called: both are told, and later started calls match nevertheless.
TEST(Straight, StartedOnesMatchAfterAMixUp) {
  onTwo([](Communicator &comm, Report &report) -> Status {
    StartedSum sum{comm};
    for (int round = 0; round < 3; ++round) {
      if (Status bad = sum.learn(report))
        return bad;
      comm.setTimeout(50);
      const Status mixed = comm.rank() == 0 ? sum.call() : sum.start().wait();
      report.expect(mixed.code() == ErrorCode::Timeout || mixed.code() == ErrorCode::Aborted || mixed.code() == ErrorCode::Transport, comm.rank(), mixed.text());
      comm.setTimeout(10000);
    }
    return sum.learn(report);
  });
}

} // namespace
