//===- Steps.cpp - The time that a step over MPI adds to MPI --------------===//
//
// Runs an emitted schedule over an MPI library whose functions return at once
// (StubMpi.h), with many steps and with one. Subtracts from the difference of
// their times the time of the same calls of that library alone. Uses Google
// Benchmark, and takes its options; tools/bench reads its JSON output.
//
//===----------------------------------------------------------------------===//

#include "StubMpi.h"

#include "allreduce_recursive_doubling.h"

#include "quadrille/mpi.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <limits>

namespace {

using quadrille::mpi::Communicator;

constexpr int calls = 256;
constexpr int moreSteps = 15; ///< 2^16 ranks have so many steps more than two

/// The time of `calls` calls: the least of a few measurements, since other load
/// on the machine would not be the same in the times that are subtracted.
template <class Body> double seconds(Body body) {
  double fastest = std::numeric_limits<double>::max();
  for (int time = 0; time < 5; ++time) {
    const auto begin = std::chrono::steady_clock::now();
    for (int i = 0; i < calls; ++i)
      body();
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
    fastest = std::min(fastest, taken.count());
  }
  return fastest;
}

/// Measures a step that exchanges 8 bytes and combines, in a chain of such
/// steps.
void step(benchmark::State &state) {
  stub::pretend(0, 2);
  Communicator few(MPI_COMM_WORLD);
  stub::pretend(0, 2 << moreSteps);
  Communicator many(MPI_COMM_WORLD);
  double x = 1, y = 0;
  const auto replay = [&](Communicator &comm) {
    if (quadrille::Status bad = collectives::allreduce_recursive_doubling(comm, &x, &y, 1, MPI_DOUBLE, MPI_SUM)) {
      std::fprintf(stderr, "%s\n", bad.text());
      std::exit(1);
    }
  };
  const auto onlyMpi = [&] {
    for (int i = 0; i < moreSteps; ++i) {
      MPI_Status status;
      int count = 0;
      MPI_Sendrecv(&x, 1, MPI_DOUBLE, 1, 0, &y, 1, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD, &status);
      MPI_Get_count(&status, MPI_BYTE, &count);
    }
  };
  replay(few);
  replay(many);
  for (auto _ : state) {
    const double all = seconds([&] { replay(many); });
    const double one = seconds([&] { replay(few); });
    const double mpi = seconds(onlyMpi);
    state.SetIterationTime(std::max(all - one - mpi, 0.0) / (calls * moreSteps));
  }
}

} // namespace

// Google Benchmark cannot determine the number of iterations from a time that
// is mostly subtracted.
BENCHMARK(step)->UseManualTime()->Iterations(20);

BENCHMARK_MAIN();
