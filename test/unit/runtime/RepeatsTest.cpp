//===- RepeatsTest.cpp - Calls that are made again and again ----------------===//
//
// A call that equals an earlier one goes straight to its operations. What these
// tests vary is what must not be overlooked then.
//
//===----------------------------------------------------------------------===//

#include "../../../runtime/plan/Repeats.h"
#include "../../../runtime/shm/Execution.h"

#include "ExchangeChecks.h"
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
        // Who tests makes no progress where there is a thread for that; who waits does.
        while (!request.test())
          std::this_thread::yield();
        if (request.status())
          return request.status();
        report.expect(y == p * (p - 1) / 2 && z == p * y, comm.rank(), "a sum of sums");
      }
      return {};
    });
    EXPECT_FALSE(bad) << bad.text();
    EXPECT_TRUE(report.good()) << report.text();
  }
}

} // namespace
