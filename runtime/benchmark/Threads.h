//===- Threads.h - What the benchmarks of threads have in common ----------===//

#ifndef QUADRILLE_BENCHMARK_THREADS_H
#define QUADRILLE_BENCHMARK_THREADS_H

#include "quadrille/index.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

namespace benchmark {

using quadrille::Index;

struct Options {
  std::vector<Index> threads = {1, 2, 4, 8};
  int repetitions = 9; ///< of which the median is printed
  Index work = 1'000'000; ///< cell updates by each thread; a quarter of it acquisitions by all
  Index largestSlice = 1'000'000;
};

/// Print a table, and return whether all results were right.
bool barriers(const Options &options);
bool locks(const Options &options);

inline double nowNs() {
  return std::chrono::duration<double, std::nano>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

inline double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

/// Runs body(i) for i in 0 ..< count, each on its own thread.
template <class Body> void runThreads(Index count, const Body &body) {
  std::vector<std::thread> threads;
  for (Index i = 0; i < count; ++i)
    threads.emplace_back([&body, i] { body(i); });
  for (std::thread &thread : threads)
    thread.join();
}

} // namespace benchmark

#endif // QUADRILLE_BENCHMARK_THREADS_H
