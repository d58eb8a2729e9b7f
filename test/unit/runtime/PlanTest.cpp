//===- PlanTest.cpp - What calls are recorded as --------------------------===//

#include "../../../runtime/plan/Plans.h"
#include "../../../runtime/plan/Window.h"

#include "ShmChecks.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <new>
#include <numeric>

using namespace quadrille;
using namespace quadrille::detail;
using checks::Report;
using shm::Communicator;
using shm::Datatype;
using shm::Operator;
using shm::Team;

//===----------------------------------------------------------------------===//
// Allocations are counted.
//===----------------------------------------------------------------------===//

static std::atomic<long> allocations{0};

void *operator new(std::size_t bytes) {
  allocations.fetch_add(1, std::memory_order_relaxed);
  if (void *memory = std::malloc(bytes ? bytes : 1))
    return memory;
  throw std::bad_alloc();
}
void *operator new(std::size_t bytes, const std::nothrow_t &) noexcept {
  allocations.fetch_add(1, std::memory_order_relaxed);
  return std::malloc(bytes ? bytes : 1);
}
void operator delete(void *memory) noexcept { std::free(memory); }
void operator delete(void *memory, std::size_t) noexcept { std::free(memory); }

namespace {

//===----------------------------------------------------------------------===//
// Divisions
//===----------------------------------------------------------------------===//

Blocks blocks(Divisions::Id division, std::int32_t lo, std::int32_t len) {
  Blocks result;
  result.division = division;
  result.lo = lo;
  result.len = len;
  return result;
}

TEST(Divisions, NumbersForEveryN) {
  Divisions divisions;
  // Three blocks of n elements; block 1 in 4 packets; packet 2 of these in 3.
  const auto whole = divisions.uniform(7, 3, Divisions::callLength);
  const auto packets = divisions.packets(whole, 1, 4);
  const auto parts = divisions.packets(packets, 2, 3);
  EXPECT_EQ(divisions.packets(whole, 1, 4), packets); // is the same one
  EXPECT_EQ(divisions.bufferOf(parts), 7u);
  for (const Index n : {0, 1, 2, 3, 4, 5, 11, 1000, 1 << 30}) {
    const Numbers numbers(divisions, n);
    EXPECT_EQ(numbers.offset(whole, 2), 2 * n);
    Index at = n;
    for (Index j = 0; j < 4; ++j) {
      EXPECT_EQ(numbers.offset(packets, j), at);
      if (j == 2) {
        Index part = at;
        const Index length = n / 4 + (2 < n % 4 ? 1 : 0);
        for (Index i = 0; i < 3; ++i) {
          EXPECT_EQ(numbers.offset(parts, i), part);
          part += length / 3 + (i < length % 3 ? 1 : 0);
        }
        EXPECT_EQ(numbers.offset(parts, 3), part);
      }
      at += n / 4 + (j < n % 4 ? 1 : 0);
    }
    EXPECT_EQ(numbers.elements(blocks(whole, 0, 3)), 3 * n);
    EXPECT_EQ(numbers.elements(divisions.whole(packets)), n);
  }
}

TEST(Divisions, WhatMayOverlap) {
  Divisions divisions;
  const auto x = divisions.uniform(0, 3, Divisions::callLength);
  const auto y = divisions.uniform(1, 3, Divisions::callLength);
  const auto inFour = divisions.packets(x, 1, 4), inThree = divisions.packets(x, 1, 3);
  const auto other = divisions.packets(x, 2, 4);
  EXPECT_FALSE(divisions.mayOverlap(blocks(x, 0, 3), blocks(y, 0, 3)));
  EXPECT_FALSE(divisions.mayOverlap(blocks(x, 0, 1), blocks(x, 1, 2)));
  EXPECT_TRUE(divisions.mayOverlap(blocks(x, 0, 2), blocks(x, 1, 2)));
  EXPECT_FALSE(divisions.mayOverlap(blocks(inFour, 0, 2), blocks(inFour, 2, 2)));
  EXPECT_TRUE(divisions.mayOverlap(blocks(inFour, 0, 2), blocks(x, 1, 1)));
  EXPECT_FALSE(divisions.mayOverlap(blocks(inFour, 0, 2), blocks(x, 2, 1)));
  EXPECT_FALSE(divisions.mayOverlap(blocks(inFour, 0, 4), blocks(other, 0, 4)));
  // Where packets of four and of three begin depends on n.
  EXPECT_TRUE(divisions.mayOverlap(blocks(inFour, 0, 1), blocks(inThree, 2, 1)));
  EXPECT_TRUE(divisions.areSame(blocks(inFour, 1, 2), blocks(inFour, 1, 2)));
  EXPECT_FALSE(divisions.areSame(blocks(inFour, 1, 2), blocks(inThree, 1, 2)));
}

//===----------------------------------------------------------------------===//
// The window
//===----------------------------------------------------------------------===//

/// Begins what is allowed, and ends it when told to.
struct Port {
  std::vector<int> state; ///< 0 not begun, 1 under way, 2 done
  const Operation *first = nullptr;
  std::vector<std::size_t> order;
  std::size_t at(const Operation &operation) const {
    return static_cast<std::size_t>(&operation - first);
  }
  Progress begin(const Operation &operation) {
    state[at(operation)] = operation.isMessage() ? 1 : 2;
    order.push_back(at(operation));
    return operation.isMessage() ? Progress::UnderWay : Progress::Done;
  }
  Progress poll(const Operation &operation) {
    return state[at(operation)] == 2 ? Progress::Done : Progress::UnderWay;
  }
  bool failed() const { return false; }
};

TEST(Window, RespectsDependencesAndLooksAhead) {
  // Every operation waits for the one three before it.
  for (const std::size_t count : {1u, 3u, 63u, 64u, 65u, 130u, 300u}) {
    std::vector<Operation> operations(count);
    for (std::size_t i = 0; i < count; ++i) {
      operations[i].kind = Operation::Kind::Send;
      operations[i].waitsFor = i >= 3 ? std::uint64_t{1} << 61 : 0;
      operations[i].follows = static_cast<std::uint32_t>(i < window ? 0 : i - window + 1);
    }
    Window progress;
    progress.reset({operations.data(), count, nullptr, nullptr});
    Port port;
    port.first = operations.data();
    port.state.assign(count, 0);
    std::uint64_t random = 1;
    while (!progress.isOver()) {
      progress.advance(port);
      for (std::size_t i = 0; i < count; ++i) {
        if (i >= 3 && port.state[i] > 0) {
          EXPECT_EQ(port.state[i - 3], 2) << i << " of " << count;
        }
        random = random * 6364136223846793005u + 1442695040888963407u;
        if (port.state[i] == 1 && random >> 62 == 0)
          port.state[i] = 2;
      }
    }
    EXPECT_EQ(port.order.size(), count);
  }
}

TEST(Window, ALongStepIsBegunAsAWhole) {
  constexpr std::size_t count = 500;
  std::vector<Operation> operations(count); // all of one step
  Window progress;
  progress.reset({operations.data(), count, nullptr, nullptr});
  Port port;
  port.first = operations.data();
  port.state.assign(count, 0);
  progress.advance(port);
  EXPECT_EQ(port.order.size(), count);
}

//===----------------------------------------------------------------------===//
// Plans of calls
//===----------------------------------------------------------------------===//

/// A schedule that says how often its body has run.
Status sumOfAll(Communicator &comm, Index k, const void *x, void *y, std::size_t n,
                std::atomic<int> &recorded) {
  Communicator::Call call(comm, "sum.quad", Datatype::of<int>(), Operator::sum());
  if (Status bad = call.requireBuffer("x", x, 1, n))
    return bad;
  if (Status bad = call.requireBuffer("y", y, 1, n))
    return bad;
  return call.run({k}, [&]() -> Status {
    ++recorded;
    const Index p = comm.size(), me = comm.rank();
    const Region out = call.output(y, 1, n);
    const Region in = call.input(x, 1, n, out);
    call.copy(out, in);
    for (Index j = 0; j < k; ++j)
      for (Index s = 1; s < p; ++s) {
        auto step = call.step(comm.everyone(), 1);
        step.send(in.split(k)[j], (me + s) % p);
        step.recvCombine(out.split(k)[j], (me + p - s) % p, Side::Right);
        if (Status bad = step.finish())
          return bad;
      }
    return {};
  });
}

TEST(Plans, AreRecordedOncePerRankAndParameters) {
  constexpr Index p = 3;
  Team team(p);
  std::atomic<int> recorded{0};
  Report report;
  const auto runs = [&](Index k, std::size_t n, bool inPlace) {
    recorded = 0;
    const Status bad = team.run([&](Communicator &comm) -> Status {
      std::vector<int> x(n + 1, static_cast<int>(comm.rank()) + 1), y(n + 1, -1);
      if (Status wrong = sumOfAll(comm, k, x.data(), inPlace ? x.data() : y.data(), n, recorded))
        return wrong;
      for (std::size_t i = 0; i < n; ++i)
        report.expect((inPlace ? x : y)[i] == 6, comm.rank(), "the sum");
      return {};
    });
    EXPECT_FALSE(bad) << bad.text();
    return recorded.load();
  };
  EXPECT_EQ(runs(2, 0, false), p); // also what was recorded without elements
  EXPECT_EQ(runs(2, 5, false), 0); // holds for every n,
  EXPECT_EQ(runs(2, 1000, false), 0);
  EXPECT_EQ(runs(2, 5, true), p); // but not in place,
  EXPECT_EQ(runs(2, 7, true), 0);
  EXPECT_EQ(runs(3, 7, false), p); // nor for other numbers.
  EXPECT_EQ(runs(2, 7, false), 0);
  // The least recently used goes.
  for (Index k = 10; k < 10 + static_cast<Index>(PlanCache::mostPlans); ++k)
    EXPECT_EQ(runs(k, 3, false), p);
  EXPECT_EQ(runs(2, 7, false), p);
  EXPECT_EQ(runs(9 + static_cast<Index>(PlanCache::mostPlans), 7, false), 0);
  EXPECT_TRUE(report.good()) << report.text();
}

TEST(Plans, NothingIsAllocatedWhenTheyAreKnown) {
  Team team(2);
  std::atomic<long> most{0};
  const Status bad = team.run([&](Communicator &comm) -> Status {
    std::vector<double> x(1000, 1), y(1000);
    std::atomic<int> recorded{0};
    for (int i = 0; i < 20; ++i) {
      const long before = allocations;
      for (const std::size_t n : {1u, 1000u}) {
        if (Status wrong = emitted::scan_hypercube(comm, x.data(), y.data(), n,
                                                   Datatype::of<double>(), Operator::sum()))
          return wrong;
        Request request = comm.start([&, n] {
          return emitted::scan_hypercube(comm, x.data(), y.data(), n, Datatype::of<double>(),
                                         Operator::sum());
        });
        if (Status wrong = request.wait())
          return wrong;
      }
      // Both ranks have made the same calls, so neither is in an earlier one.
      if (Status wrong = emitted::barrier_dissemination(comm))
        return wrong;
      if (i >= 18) // all lanes have been used
        most = std::max(most.load(), allocations - before);
    }
    return {};
  });
  EXPECT_FALSE(bad) << bad.text();
  EXPECT_EQ(most.load(), 0);
}

TEST(Plans, LengthsThatDoNotFitAreFoundBeforeAnyMessage) {
  Team team(2);
  const Status bad = team.run([&](Communicator &comm) -> Status {
    std::vector<int> x(8), y(8);
    Communicator::Call call(comm, "lengths.quad", Datatype::of<int>());
    if (Status wrong = call.requireBuffer("x", x.data(), 2, 3))
      return wrong;
    if (Status wrong = call.requireBuffer("y", y.data(), 2, 3))
      return wrong;
    return call.run({}, [&]() -> Status {
      call.copy(call.output(y.data(), 2, 3), call.output(x.data(), 2, 3)[0]);
      return {};
    });
  });
  EXPECT_STREQ(bad.text(), "lengths.quad: rank 0 copies 3 elements to 6");
}

} // namespace
