//===- RepeatsTest.cpp - Calls that are made again and again ----------------===//
//
// A call that equals an earlier one goes straight to its operations. What these
// tests vary is what must not be overlooked then.
//
//===----------------------------------------------------------------------===//

#include "../../../runtime/plan/Repeats.h"
#include "../../../runtime/shm/Execution.h"

#include "RepeatedChecks.h"
#include "ShmChecks.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <numeric>
#include <random>
#include <string>
#include <thread>
#include <set>
#include <vector>

using namespace quadrille;
using checks::Report;
using shm::Communicator;
using shm::Datatype;
using shm::Operator;
using shm::Team;
using shm::detail::CommunicatorState;

namespace {

constexpr int often = 4; ///< noted, loaded, and repeated twice

//===--- Keys ------------------------------------------------------------===//

TEST(Repeats, KeysDifferInTheFunctionAndInEachArgument) {
  static char site, other;
  double x = 0, y = 0;
  const CallKey key(site, Index{3}, &x, &y, std::size_t{5});
  EXPECT_TRUE(key == CallKey(site, Index{3}, &x, &y, std::size_t{5}));
  EXPECT_FALSE(key == CallKey(other, Index{3}, &x, &y, std::size_t{5}));
  EXPECT_FALSE(key == CallKey(site, Index{4}, &x, &y, std::size_t{5}));
  EXPECT_FALSE(key == CallKey(site, Index{3}, &y, &y, std::size_t{5}));
  EXPECT_FALSE(key == CallKey(site, Index{3}, &x, &x, std::size_t{5}));
  EXPECT_FALSE(key == CallKey(site, Index{3}, &x, &y, std::size_t{6}));
  EXPECT_FALSE(key == CallKey(site, &x, &y));
}

struct Nothing {};

TEST(Repeats, ACallIsReadyTheSecondTimeItIsNoted) {
  detail::Repeats<Nothing> repeats;
  static char site;
  const CallKey key(site, Index{1});
  EXPECT_EQ(repeats.find(key), nullptr);
  EXPECT_EQ(repeats.note(key), nullptr);
  EXPECT_EQ(repeats.find(key), nullptr);
  auto *const place = repeats.note(key);
  ASSERT_NE(place, nullptr);
  place->isLoaded = true;
  EXPECT_EQ(repeats.find(key), place);
  EXPECT_EQ(repeats.find(CallKey(site, Index{2})), nullptr);
  // One that is in use is not for another call.
  place->isInUse = true;
  EXPECT_EQ(repeats.find(key), nullptr);
  EXPECT_EQ(repeats.note(key), nullptr);
}

TEST(Repeats, OneInUseIsNotGivenToOtherCalls) {
  detail::Repeats<Nothing> repeats;
  static char site;
  const CallKey kept(site, Index{0});
  (void)repeats.note(kept);
  auto *const place = repeats.note(kept);
  ASSERT_NE(place, nullptr);
  place->isLoaded = place->isInUse = true;
  for (Index i = 1; i < 1000; ++i)
    for (int time = 0; time < 2; ++time)
      EXPECT_NE(repeats.note(CallKey(site, i)), place);
  place->isInUse = false;
  EXPECT_EQ(repeats.find(kept), place);
}

// A program that goes round many calls finds all of them, whatever their hashes.
TEST(Repeats, AsManyAsAreKeptAreFound) {
  constexpr std::size_t most = detail::Repeats<Nothing>::most;
  detail::Repeats<Nothing> repeats;
  static char site;
  std::vector<CallKey> keys;
  for (std::size_t i = 0; i + 2 < most; ++i)
    keys.emplace_back(site, i * 8, i);
  // Two with the same hash.
  keys.emplace_back(site, Index{1}, Index{0});
  keys.emplace_back(site, Index{0}, Index{128});
  ASSERT_EQ(keys[most - 2].hash(), keys[most - 1].hash());
  const auto load = [&](const CallKey &key) {
    EXPECT_EQ(repeats.note(key), nullptr);
    auto *const place = repeats.note(key);
    ASSERT_NE(place, nullptr);
    place->isLoaded = true;
  };
  std::set<const void *> places;
  for (const CallKey &key : keys)
    load(key);
  for (int round = 0; round < 3; ++round)
    for (const CallKey &key : keys)
      places.insert(repeats.find(key));
  EXPECT_EQ(places.size(), most);
  EXPECT_EQ(places.count(nullptr), 0u);
  // One more takes the place of the one that was not made for the longest time.
  load(CallKey(site, Index{-1}));
  EXPECT_EQ(repeats.find(keys.front()), nullptr);
  for (std::size_t i = 1; i < most; ++i)
    EXPECT_NE(repeats.find(keys[i]), nullptr);
}

//===--- Calls -----------------------------------------------------------===//

/// Whether the next call with these arguments would be repeated.
bool isKnown(Communicator &comm, const CallKey &key) {
  return CommunicatorState::of(comm).repeats.find(key) != nullptr;
}

/// An all-reduce as it is emitted, by one message in each direction between two
/// ranks, whose key is known.
char exchangeSite;
Status exchange(Communicator &comm, const void *x, void *y, std::size_t n, const Datatype &type, const Operator &op,
                bool mustCommute = false) {
  const CallKey key(exchangeSite, x, y, n, Index{mustCommute});
  Status ended;
  if (comm.repeat(key, type, op, ended))
    return ended;
  Communicator::Call call(comm, "exchange.quad", type, op);
  call.keepAs(key);
  if (mustCommute)
    if (Status bad = call.requireCommutative())
      return bad;
  if (Status bad = call.requireBuffer("x", x, 1, n))
    return bad;
  if (Status bad = call.requireBuffer("y", y, 1, n))
    return bad;
  return call.run({}, [&]() -> Status {
    const Region out = call.output(y, 1, n), in = call.input(x, 1, n, out);
    const Index other = 1 - comm.rank();
    const Region t = call.temporaryLike(out);
    call.copy(out, in);
    auto step = call.step(comm.everyone(), 7);
    step.send(out, other);
    step.recv(t, other);
    if (Status bad = step.finish())
      return bad;
    if (other < comm.rank())
      call.combine(out, t, out);
    else
      call.combine(out, out, t);
    return {};
  });
}

void onTwo(const std::function<Status(Communicator &, Report &)> &body) {
  Team team(2);
  Report report;
  const Status bad = team.run([&](Communicator &comm) { return body(comm, report); });
  EXPECT_FALSE(bad) << bad.text();
  EXPECT_TRUE(report.good()) << report.text();
}

TEST(Repeats, AreFoundAndRight) {
  onTwo([](Communicator &comm, Report &report) -> Status {
    double x = 0, y = 0;
    for (int i = 0; i < often; ++i) {
      report.expect(isKnown(comm, CallKey(exchangeSite, &x, &y, std::size_t{1}, Index{0})) == (i >= 2), comm.rank(),
                    "which call is repeated");
      x = i + static_cast<double>(comm.rank());
      if (Status bad = exchange(comm, &x, &y, 1, Datatype::of<double>(), Operator::sum()))
        return bad;
      report.expect(y == 2 * i + 1, comm.rank(), "the sum");
    }
    return {};
  });
}

TEST(Repeats, OtherTypesAndOperatorsAreNotMistaken) {
  onTwo([](Communicator &comm, Report &report) -> Status {
    // The same memory, as two ints or a long, and all operators: only these differ.
    union {
      std::int64_t wide;
      double number;
      std::int32_t narrow[2];
    } x{}, y{};
    for (int i = 0; i < 3 * often; ++i) {
      x.wide = 7 + 8 * comm.rank();
      if (Status bad = exchange(comm, &x, &y, 1, Datatype::of<std::int64_t>(), i % 3 == 0 ? Operator::sum() : Operator::max()))
        return bad;
      report.expect(y.wide == (i % 3 == 0 ? 22 : 15), comm.rank(), "integers");
      x.number = 0.5 + static_cast<double>(comm.rank());
      if (Status bad = exchange(comm, &x, &y, 1, Datatype::of<double>(), Operator::sum()))
        return bad;
      report.expect(y.number == 2, comm.rank(), "numbers");
      x.narrow[0] = -1;
      y.narrow[1] = 99;
      if (Status bad = exchange(comm, &x, &y, 1, Datatype::of<std::int32_t>(), Operator::prod()))
        return bad;
      report.expect(y.narrow[0] == 1 && y.narrow[1] == 99, comm.rank(), "narrow integers");
    }
    return {};
  });
}

TEST(Repeats, AnOperatorOfTheUserIsKnownByItsContext) {
  onTwo([](Communicator &comm, Report &report) -> Status {
    const auto scaled = [](const void *in, void *inout, std::size_t count, const Datatype &, void *context) {
      for (std::size_t i = 0; i < count; ++i)
        static_cast<int *>(inout)[i] = *static_cast<int *>(context) * (static_cast<const int *>(in)[i] + static_cast<int *>(inout)[i]);
    };
    int two = 2, three = 3, x = 1, y = 0;
    for (int i = 0; i < 2 * often; ++i) {
      int &context = i % 2 ? two : three;
      if (Status bad = exchange(comm, &x, &y, 1, Datatype::of<int>(), Operator::user(scaled, &context, true), true))
        return bad;
      report.expect(y == 2 * context, comm.rank(), "the scaled sum");
    }
    // The same, said not to commute, is refused before any message.
    const Status refused = exchange(comm, &x, &y, 1, Datatype::of<int>(), Operator::user(scaled, &two, false), true);
    report.expect(refused.code() == ErrorCode::NotCommutative, comm.rank(), "an operator that does not commute");
    return {};
  });
}

TEST(Repeats, ErrorsAreFoundAmongRepeatedCalls) {
  onTwo([](Communicator &comm, Report &report) -> Status {
    double x = 1, y = 0;
    for (int i = 0; i < 2 * often; ++i) {
      if (Status bad = exchange(comm, &x, &y, 1, Datatype::of<double>(), Operator::sum()))
        return bad;
      const Status null = exchange(comm, nullptr, &y, 1, Datatype::of<double>(), Operator::sum());
      report.expect(null.code() == ErrorCode::NullBuffer || null.code() == ErrorCode::Aborted, comm.rank(), "a null buffer");
      const Status undefined = exchange(comm, &x, &y, 1, Datatype::of<double>(), Operator::bor());
      report.expect(undefined.code() == ErrorCode::BadParameter || undefined.code() == ErrorCode::Aborted, comm.rank(),
                    "an operator that is not defined");
      report.expect(y == 2, comm.rank(), "the sum");
    }
    return {};
  });
}

// One rank fails in a call that the other one repeats: it is told.
TEST(Repeats, AreAbortedByOthers) {
  onTwo([](Communicator &comm, Report &report) -> Status {
    double x = 1, y = 0;
    for (int i = 0; i < often; ++i)
      if (Status bad = exchange(comm, &x, &y, 1, Datatype::of<double>(), Operator::sum()))
        return bad;
    const Status bad = exchange(comm, comm.rank() == 0 ? nullptr : &x, &y, 1, Datatype::of<double>(), Operator::sum());
    report.expect(bad.code() == (comm.rank() == 0 ? ErrorCode::NullBuffer : ErrorCode::Aborted), comm.rank(), bad.text());
    for (int i = 0; i < often; ++i)
      if (Status wrong = exchange(comm, &x, &y, 1, Datatype::of<double>(), Operator::sum()))
        return wrong;
    report.expect(y == 2, comm.rank(), "the sum after an error");
    return {};
  });
}

TEST(Repeats, TheWatchdogLooksAtThem) {
  onTwo([](Communicator &comm, Report &report) -> Status {
    double x = 1, y = 0;
    for (int i = 0; i < often; ++i)
      if (Status bad = exchange(comm, &x, &y, 1, Datatype::of<double>(), Operator::sum()))
        return bad;
    if (comm.rank() == 0) {
      comm.setTimeout(20);
      const Status late = exchange(comm, &x, &y, 1, Datatype::of<double>(), Operator::sum());
      report.expect(late.code() == ErrorCode::Timeout, comm.rank(), late.text());
      report.expect(std::string(late.text()).find("exchange.quad:7: rank 0 waited 20 ms for rank 1") == 0, comm.rank(), late.text());
    } else {
      // Who has returned is not waited for.
      std::this_thread::sleep_for(std::chrono::milliseconds(500));
    }
    return {};
  });
}

// Blocking and started calls with the same arguments, several of them in flight.
TEST(Repeats, StartedOnesAreRepeatedToo) {
  onTwo([](Communicator &comm, Report &report) -> Status {
    std::vector<double> x(100, 1), y(100), z(100);
    const auto call = [&](std::vector<double> &to, std::size_t n) {
      return exchange(comm, x.data(), to.data(), n, Datatype::of<double>(), Operator::sum());
    };
    for (int i = 0; i < 3 * often; ++i) {
      for (double &value : x)
        value = i;
      std::fill(y.begin(), y.end(), -1);
      std::fill(z.begin(), z.end(), -1);
      Request first = comm.start([&] { return call(y, 3); });
      Request other = comm.start([&] { return call(z, 100); });
      if (i % 2)
        if (Status bad = call(x, 0))
          return bad;
      if (Status bad = other.wait())
        return bad;
      if (Status bad = first.wait())
        return bad;
      report.expect(y[0] == 2 * i && y[2] == 2 * i && y[3] == -1 && z[99] == 2 * i, comm.rank(), "sums of started calls");
      // The same one twice at once: the second must not use what the first one uses.
      Request one = comm.start([&] { return call(y, 3); }), two = comm.start([&] { return call(y, 3); });
      if (Status bad = one.wait())
        return bad;
      if (Status bad = two.wait())
        return bad;
      if (Status bad = call(y, 3))
        return bad;
      report.expect(y[1] == 2 * i, comm.rank(), "sums of equal started calls");
    }
    return {};
  });
}

// Random calls among a few functions, lengths, roots and buffers, more than are kept.
TEST(Repeats, ManyCallsTakeTurns) {
  for (const Index p : {2, 3, 5}) {
    Team team(p);
    Report report;
    const Status bad = team.run([&](Communicator &comm) -> Status {
      std::mt19937 random(17); // the same on all ranks
      constexpr std::size_t most = 40;
      std::vector<double> x(most), y(most * static_cast<std::size_t>(p));
      for (int i = 0; i < 600; ++i) {
        const std::size_t n = random() % 3 * 20;
        const std::size_t from = random() % 2;
        const std::size_t length = n > from ? n - from : 0;
        std::iota(x.begin(), x.end(), static_cast<double>(comm.rank() + i));
        const Index root = static_cast<Index>(random()) % p;
        Status ended;
        switch (random() % 4) {
        case 0:
          ended = emitted::allreduce_ring(comm, x.data() + from, y.data(), length, Datatype::of<double>(), Operator::max());
          if (length > 0)
            report.expect(y[length - 1] == static_cast<double>(p - 1 + i) + static_cast<double>(length - 1 + from), comm.rank(),
                          "a maximum");
          break;
        case 1:
          ended = emitted::broadcast_pipeline(comm, 1 + static_cast<Index>(random() % 2), root, x.data(), y.data(), length,
                                              Datatype::of<double>());
          if (length > 0)
            report.expect(y[length - 1] == static_cast<double>(root + i) + static_cast<double>(length - 1), comm.rank(), "a broadcast");
          break;
        case 2:
          ended = emitted::allgather_ring(comm, x.data(), y.data(), length, Datatype::of<double>());
          if (length > 0)
            report.expect(y[static_cast<std::size_t>(root) * length] == static_cast<double>(root + i), comm.rank(), "a block");
          break;
        default:
          ended = emitted::barrier_dissemination(comm);
        }
        if (ended)
          return ended;
      }
      return {};
    });
    EXPECT_FALSE(bad) << bad.text();
    EXPECT_TRUE(report.good()) << report.text();
  }
}

//===--- Straight programs -----------------------------------------------===//

/// Whether the call with this key is known, and goes through a straight program.
bool isStraight(Communicator &comm, const CallKey &key) {
  auto *const known = CommunicatorState::of(comm).repeats.find(key);
  return known && known->execution->isStraight();
}

TEST(Repeats, ShortOnesGoStraight) {
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
TEST(Repeats, AnotherLengthIsFoundByStraightOnes) {
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

TEST(Repeats, PersistentAndFailedOnesBetweenThem) {
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

TEST(Repeats, StuckOnesGoOn) {
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

//===--- Straight programs of started calls ------------------------------===//

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
TEST(Repeats, StartedOnesGoStraight) {
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
TEST(Repeats, PartsOfAStartedCallCountItsMessages) {
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

TEST(Repeats, StartedOnesAreAbortedByOthers) {
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

TEST(Repeats, AnotherLengthIsFoundByStartedOnes) {
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

TEST(Repeats, TheWatchdogLooksAtStartedOnes) {
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
TEST(Repeats, StartedOnesAreCancelled) {
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
TEST(Repeats, StartedOnesMatchAfterAMixUp) {
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

// What a body makes later is made by the progress thread, which is inside already.
TEST(Repeats, LaterCallsAreMadeByTheProgressThread) {
  for (const Index p : {1, 2, 3}) {
    Team team(p);
    Report report;
    const Status bad = team.run([&](Communicator &comm) -> Status {
      if (Status none = comm.startProgressThread())
        return none;
      std::int64_t x = comm.rank(), y = 0, z = 0;
      const Datatype type = Datatype::of<std::int64_t>();
      for (int i = 0; i < 20 * often; ++i) {
        y = z = -1;
        Request request = comm.start([&]() -> Status {
          if (Status first = checks::sumRoundRing(comm, &x, &y, 1, type, Operator::sum()))
            return first;
          return comm.then([&] { return checks::sumRoundRing(comm, &y, &z, 1, type, Operator::sum()); });
        });
        if (Status ended = request.wait())
          return ended;
        report.expect(y == p * (p - 1) / 2 && z == p * y, comm.rank(), "a sum of sums");
      }
      return {};
    });
    EXPECT_FALSE(bad) << bad.text();
    EXPECT_TRUE(report.good()) << report.text();
  }
}

} // namespace
