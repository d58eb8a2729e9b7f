//===- Plans.cpp - The time of recording a plan ---------------------------===//
//
// One rank among many records the plan of the emitted allreduce/ring, removes
// superfluous operations, determines which operations wait for which, and binds
// the plan to an n. Uses Google Benchmark.
//
//===----------------------------------------------------------------------===//

#include "allreduce_ring.h"

#include "../plan/PlanObserver.h"
#include "../shm/World.h"

#include <benchmark/benchmark.h>

#include <memory>
#include <vector>

using namespace quadrille;
using quadrille::detail::Plan;

namespace {

/// Keeps the plan of a call. With an observer, plans are not carried out.
class Keeper final : public quadrille::detail::PlanObserver {
public:
  Stage stage() const override { return Stage::CombinesOnArrival; }
  Status see(std::shared_ptr<Plan> seen, const quadrille::detail::Recorder &, Index) override {
    plan = std::move(seen);
    return {};
  }
  std::shared_ptr<Plan> plan;
};

void record(benchmark::State &state) {
  const Index p = state.range(0), n = 2 * p + 1;
  shm::World world(p);
  shm::Communicator comm(world, p / 3);
  Keeper keeper;
  shm::detail::CommunicatorState::of(comm).plans.observer = &keeper;
  std::vector<double> x(static_cast<std::size_t>(n)), y(x.size());
  for (auto _ : state) {
    const Status bad = collectives::allreduce_ring(comm, x.data(), y.data(), x.size(),
                                                   shm::Datatype::of<double>(), shm::Operator::sum());
    if (bad)
      return state.SkipWithError(bad.text());
    benchmark::DoNotOptimize(&keeper.plan->bind(n, "ring", comm.rank()));
  }
  state.counters["operations"] = static_cast<double>(keeper.plan->operations.size());
  state.counters["bytes"] = static_cast<double>(keeper.plan->bytes());
}

} // namespace

BENCHMARK(record)->RangeMultiplier(8)->Range(8, 4096)->Unit(benchmark::kMicrosecond);
BENCHMARK_MAIN();
