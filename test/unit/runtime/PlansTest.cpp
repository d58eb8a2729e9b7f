//===- PlansTest.cpp - Which plans calls have, and what they cost --------===//

#include "../../../runtime/plan/Plans.h"
#include "../../../runtime/shm/World.h"

#include "ShmChecks.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <new>

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

/// A collective that counts how often its body is recorded.
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
    Persistent prepared = comm.prepare([&] {
      return emitted::scan_hypercube(comm, x.data(), y.data(), 1000, Datatype::of<double>(),
                                     Operator::sum());
    });
    for (int i = 0; i < 20; ++i) {
      const long before = allocations;
      if (Status wrong = prepared.start())
        return wrong;
      if (Status wrong = prepared.wait())
        return wrong;
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
      const long after = allocations;
      // A rank frees its memory when it is done, so neither may be done before both have counted.
      if (Status wrong = emitted::barrier_dissemination(comm))
        return wrong;
      if (i >= 18) // all lanes have been used
        most = std::max(most.load(), after - before);
    }
    return {};
  });
  EXPECT_FALSE(bad) << bad.text();
  EXPECT_EQ(most.load(), 0);
}

/// Keeps the plan of a call, which is not carried out.
class Keeper final : public PlanObserver {
public:
  Stage stage() const override { return Stage::CombinesOnArrival; }
  Status see(std::shared_ptr<Plan> seen, const Recorder &, Index) override {
    plan = std::move(seen);
    return {};
  }
  std::shared_ptr<Plan> plan;
};

TEST(Plans, OfThousandsOfRanksTakeLessThanTwoMegabytes) {
  constexpr Index p = 4096, rank = 1234, n = p + 1;
  shm::World world(p);
  Communicator comm(world, rank);
  Keeper keeper;
  shm::detail::CommunicatorState::of(comm).plans.observer = &keeper;
  std::vector<double> x(n), y(n);
  const Status bad = emitted::allreduce_ring(comm, x.data(), y.data(), n, Datatype::of<double>(), Operator::sum());
  ASSERT_FALSE(bad) << bad.text();
  ASSERT_TRUE(keeper.plan);
  (void)keeper.plan->bind(n, "ring", rank);
  EXPECT_EQ(keeper.plan->operations.size(), static_cast<std::size_t>(4 * (p - 1)));
  EXPECT_LT(keeper.plan->bytes(), std::size_t{2} << 20);
}

TEST(Plans, AreToldOnRequest) {
  setenv("QUADRILLE_EXPLAIN", "1", 1);
  testing::internal::CaptureStderr();
  {
    Team team(2);
    (void)team.run([](Communicator &comm) -> Status {
      std::vector<int> x(4), y(4);
      std::atomic<int> recorded{0};
      if (Status bad = sumOfAll(comm, 2, x.data(), y.data(), 4, recorded))
        return bad;
      return emitted::barrier_dissemination(comm);
    });
  }
  unsetenv("QUADRILLE_EXPLAIN");
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "plan of sum.quad for rank 1 of 2: 4 operations, 1 superfluous ones removed\n"
            "    1  send x[0] to 0\n"
            "    2  y[0] := x[0] <> incoming from 0\n"
            "    3  send x[1] to 0\n"
            "    4  y[1] := x[1] <> incoming from 0\n"
            "plan of barrier/dissemination.quad for rank 1 of 2: 2 operations, 0 superfluous ones removed\n"
            "    1  send to 0\n"
            "    2  receive from 0\n");
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
