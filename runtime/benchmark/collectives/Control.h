//===- Control.h - What the ranks of a measuring program share --*- C++ -*-===//
//
// There is one Control per program, in memory that all its ranks share, which
// are threads or processes. It is zero at first. Between slices all ranks
// sleep, so that programs that are measured by turns do not take cores from
// each other.
//
//===----------------------------------------------------------------------===//

#ifndef QUADRILLE_BENCHMARK_COLLECTIVES_CONTROL_H
#define QUADRILLE_BENCHMARK_COLLECTIVES_CONTROL_H

#include <atomic>
#include <climits>
#include <cstdint>
#include <ctime>
#include <linux/futex.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace benchmark {

constexpr int mostRanks = 64, mostCalls = 64;

inline double nowNs() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now); // the same clock in all processes
  return static_cast<double>(now.tv_sec) * 1e9 + static_cast<double>(now.tv_nsec);
}

/// A command to all ranks: to prepare buffers, to measure a slice, which is a
/// number of calls of one contestant, or to quit.
struct Command {
  enum Kind : int { Prepare, Slice, Quit } kind;
  int contestant;
  int collective;       ///< for Prepare: determines the buffers
  bool backToBack;      ///< otherwise ranks synchronize before each call
  bool checkAll;        ///< check all elements of the results, otherwise some
  int calls;            ///< timed calls, 1 .. mostCalls
  int warmUp;           ///< calls before these
  int root;             ///< back to back: call s has (root + s) mod p
  std::int64_t words;   ///< of a block
  std::int64_t serial;  ///< number of the first call; data depends on it
};

enum class Outcome : int { Fine, Refused, Wrong };

struct alignas(128) RankState {
  /// The serial of the last call that was entered. Stored before a barrier (release) and
  /// read by others after it (acquire), which a right barrier puts in this order.
  std::atomic<std::int64_t> entered;
  Outcome outcome;
  char text[400]; ///< why the call was refused, or what is wrong
  double entry[mostCalls], exit[mostCalls]; ///< when each call began and ended, in ns
};

/// Sleeps while `word` is `seen`, until woken; at most `ns` if that is > 0.
inline void futexWait(std::atomic<std::uint32_t> &word, std::uint32_t seen, long ns = 0) {
  const timespec most = {0, ns};
  syscall(SYS_futex, &word, FUTEX_WAIT, seen, ns > 0 ? &most : nullptr, nullptr, 0);
}
inline void futexWake(std::atomic<std::uint32_t> &word) {
  syscall(SYS_futex, &word, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
}

class Control {
public:
  Command command;
  RankState ranks[mostRanks];

  /// Called by rank 0 after it has written `command`. Wakes the other ranks.
  void publish() {
    commands_.fetch_add(1, std::memory_order_seq_cst);
    futexWake(commands_);
  }
  /// Called by the other ranks. Sleeps until there is a command after number
  /// `seen`, and returns the number of that.
  std::uint32_t await(std::uint32_t seen) {
    while (commands_.load(std::memory_order_acquire) == seen)
      futexWait(commands_, seen);
    return seen + 1;
  }

  /// The benchmark's own barrier, which is not measured. A rank spins if there
  /// is a core for every rank, otherwise it sleeps. While it waits it calls
  /// `world.progress()` now and then: the library may not have sent all of a
  /// message when the call that sends it returns, and sends the rest when it is
  /// called next. (MPICH does so with long messages over UCX.)
  template <class World> void synchronize(int p, int cores, World &world) {
    constexpr int spinsBetween = 4096;
    constexpr long sleepNs = World::owesProgress ? 100'000 : 0;
    const std::uint32_t epoch = epoch_.load(std::memory_order_acquire);
    if (arrived_.fetch_add(1, std::memory_order_acq_rel) + 1 == static_cast<std::uint32_t>(p)) {
      arrived_.store(0, std::memory_order_relaxed);
      epoch_.store(epoch + 1, std::memory_order_seq_cst);
      if (sleepers_.load(std::memory_order_seq_cst) > 0)
        futexWake(epoch_);
      return;
    }
    for (int spins = p <= cores ? 100'000 : 0; spins > 0; --spins) {
      if (epoch_.load(std::memory_order_acquire) != epoch)
        return;
      if (spins % spinsBetween == 0)
        world.progress();
      pause();
    }
    sleepers_.fetch_add(1, std::memory_order_seq_cst);
    while (epoch_.load(std::memory_order_seq_cst) == epoch) {
      world.progress();
      futexWait(epoch_, epoch, sleepNs);
    }
    sleepers_.fetch_sub(1, std::memory_order_relaxed);
  }

private:
  static void pause() {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    asm volatile("yield");
#endif
  }

  // Memory orders. What a rank has written before `publish` or `synchronize` (release) is
  // seen by the ranks that go on because of it (acquire). `epoch_` and `sleepers_` are
  // sequentially consistent besides: the last rank sees a sleeper, or that sees the epoch.
  alignas(128) std::atomic<std::uint32_t> commands_;
  alignas(128) std::atomic<std::uint32_t> arrived_;
  alignas(128) std::atomic<std::uint32_t> epoch_;
  std::atomic<std::uint32_t> sleepers_;
};

static_assert(std::atomic<std::uint32_t>::is_always_lock_free && std::atomic<std::int64_t>::is_always_lock_free,
              "processes share these");

} // namespace benchmark

#endif // QUADRILLE_BENCHMARK_COLLECTIVES_CONTROL_H
