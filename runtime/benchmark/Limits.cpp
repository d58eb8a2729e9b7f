//===- Limits.cpp - What collectives cannot be faster than ----------------===//
//
// Measures copying, adding, passing a cache line, and switching between
// threads. No collective can be faster than these. Uses Google Benchmark, and
// takes its options; tools/bench reads its JSON output.
//
//===----------------------------------------------------------------------===//

#include <benchmark/benchmark.h>

#include <atomic>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#ifdef __linux__
#include <linux/futex.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

namespace {

/// The cores that this program may use.
std::vector<int> cores() {
  std::vector<int> result;
#ifdef __linux__
  static const cpu_set_t all = [] {
    cpu_set_t set;
    CPU_ZERO(&set);
    sched_getaffinity(0, sizeof set, &set);
    return set;
  }();
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu)
    if (CPU_ISSET(cpu, &all))
      result.push_back(cpu);
#endif
  return result;
}

/// Pins the calling thread to one of these cores.
void pin(std::size_t core) {
#ifdef __linux__
  const std::vector<int> all = cores();
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(all[core % all.size()], &one);
  sched_setaffinity(0, sizeof one, &one);
#else
  static_cast<void>(core);
#endif
}

/// Pairs of blocks, by turns. Blocks of 16 MiB have left the cache when a collective gets them,
/// since other ranks, and the program, have theirs. So there are as many pairs as take 256 MiB,
/// and a pair comes again when the others have displaced it. There is one pair of shorter blocks.
template <class Element> class Pairs {
public:
  explicit Pairs(std::size_t bytes)
      : from_(bytes < longBytes ? 1 : totalBytes / (2 * bytes), std::vector<Element>(bytes / sizeof(Element), 1)), to_(from_) {}

  /// The next pair: source and target.
  std::pair<const Element *, Element *> next() {
    const std::size_t at = at_++ % from_.size();
    return {from_[at].data(), to_[at].data()};
  }

private:
  static constexpr std::size_t longBytes = std::size_t{16} << 20, totalBytes = std::size_t{256} << 20;

  std::vector<std::vector<Element>> from_, to_;
  std::size_t at_ = 0;
};

/// Each thread copies range(0) bytes of its own, which it has written before.
void copy(benchmark::State &state) {
  pin(static_cast<std::size_t>(state.thread_index()));
  const std::size_t bytes = static_cast<std::size_t>(state.range(0));
  Pairs<char> pairs(bytes);
  for (auto _ : state) {
    const auto [from, to] = pairs.next();
    std::memcpy(to, from, bytes);
    benchmark::ClobberMemory();
  }
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(bytes));
}

/// Each thread computes y += x for its own blocks of range(0) bytes.
void add(benchmark::State &state) {
  pin(static_cast<std::size_t>(state.thread_index()));
  const std::size_t words = static_cast<std::size_t>(state.range(0)) / sizeof(double);
  Pairs<double> pairs(words * sizeof(double));
  for (auto _ : state) {
    const auto pair = pairs.next();
    const double *__restrict from = pair.first;
    double *__restrict to = pair.second;
    for (std::size_t i = 0; i < words; ++i)
      to[i] += from[i];
    benchmark::ClobberMemory();
  }
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(words * sizeof(double)));
}

/// Whose turn it is. Acquire and release as for handing over data, though there are none.
struct alignas(128) Turn {
  std::atomic<std::uint32_t> count{0};
};
Turn turn;

/// Two threads on two cores write to a cache line by turns: an iteration passes
/// it there and back.
void line(benchmark::State &state) {
  const std::uint32_t me = static_cast<std::uint32_t>(state.thread_index());
  pin(me);
  if (me == 0)
    turn.count.store(0);
  std::uint32_t mine = me;
  for (auto _ : state) {
    while (turn.count.load(std::memory_order_acquire) != mine)
#if defined(__x86_64__) || defined(__i386__)
      __builtin_ia32_pause();
#else
      ;
#endif
    turn.count.store(mine + 1, std::memory_order_release);
    mine += 2;
  }
}

#ifdef __linux__
/// Two threads on one core sleep and wake each other by turns: an iteration is two switches.
void contextSwitch(benchmark::State &state) {
  const std::uint32_t me = static_cast<std::uint32_t>(state.thread_index());
  pin(0);
  if (me == 0)
    turn.count.store(0);
  std::uint32_t mine = me;
  for (auto _ : state) {
    for (std::uint32_t seen; (seen = turn.count.load(std::memory_order_acquire)) != mine;)
      syscall(SYS_futex, &turn.count, FUTEX_WAIT_PRIVATE, seen, nullptr, nullptr, 0);
    turn.count.store(mine + 1, std::memory_order_release);
    syscall(SYS_futex, &turn.count, FUTEX_WAKE_PRIVATE, 1, nullptr, nullptr, 0);
    mine += 2;
  }
}
#endif

} // namespace

int main(int argc, char **argv) {
  const int available = static_cast<int>(cores().size());
  const auto configure = [&](benchmark::internal::Benchmark *b) {
    b->Arg(64 << 10)->Arg(1 << 20)->Arg(16 << 20)->UseRealTime()->Threads(1);
    if (available > 1)
      b->Threads(available);
  };
  configure(benchmark::RegisterBenchmark("copy", copy));
  configure(benchmark::RegisterBenchmark("add", add));
  if (available > 1)
    benchmark::RegisterBenchmark("line", line)->UseRealTime()->Threads(2);
#ifdef __linux__
  benchmark::RegisterBenchmark("switch", contextSwitch)->UseRealTime()->Threads(2);
#endif
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv))
    return 2;
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
