//===- Locks.cpp - Threads that contend for a lock ------------------------===//

#include "Threads.h"

#include "quadrille/barriers.h"
#include "quadrille/locks.h"

#include <cstdio>
#include <map>
#include <mutex>
#include <pthread.h>
#include <shared_mutex>
#include <string>
#include <unistd.h>

using namespace benchmark;
using namespace quadrille;

namespace {

#if defined(_POSIX_SPIN_LOCKS) && _POSIX_SPIN_LOCKS > 0
#define HAVE_PTHREAD_SPINLOCK
class PthreadSpinLock {
public:
  explicit PthreadSpinLock(Index) { pthread_spin_init(&lock_, PTHREAD_PROCESS_PRIVATE); }
  ~PthreadSpinLock() { pthread_spin_destroy(&lock_); }
  PthreadSpinLock(const PthreadSpinLock &) = delete;
  PthreadSpinLock &operator=(const PthreadSpinLock &) = delete;
  void lock() { pthread_spin_lock(&lock_); }
  void unlock() { pthread_spin_unlock(&lock_); }

private:
  pthread_spinlock_t lock_;
};
#endif

/// A mutex of the standard library, which does not need the number of threads.
template <class Mutex> struct Standard : Mutex {
  explicit Standard(Index) {}
};

/// The data that the lock protects.
struct alignas(64) Counters {
  long value[4] = {};
};

/// Work without the lock, which the compiler cannot optimize away.
void doSomethingElse(int rounds) {
  for (int i = 0; i < rounds; ++i)
    std::atomic_signal_fence(std::memory_order_seq_cst);
}

/// Each of p threads acquires the lock `times` times, and writes in one of
/// `readersPerWriter` + 1 of these. Returns the time per acquisition in ns, or
/// 0 if the result is wrong.
template <class Lock> double contend(Index p, Index times, Index readersPerWriter) {
  Lock lock(p);
  Counters counters;
  shm::CounterBarrier together(p);
  double ns = 0;
  std::atomic<bool> torn{false};
  runThreads(p, [&](Index me) {
    together.arriveAndWait();
    const double start = nowNs();
    for (Index i = 0; i < times; ++i) {
      if (i % (readersPerWriter + 1) == 0) {
        const std::lock_guard<Lock> guard(lock);
        for (long &value : counters.value)
          ++value;
      } else if constexpr (requires { lock.lock_shared(); }) {
        const std::shared_lock<Lock> guard(lock);
        if (counters.value[0] != counters.value[3])
          torn = true;
      }
      doSomethingElse(50);
    }
    together.arriveAndWait();
    if (me == 0)
      ns = nowNs() - start;
  });
  const Index written = (times + readersPerWriter) / (readersPerWriter + 1);
  if (torn || counters.value[0] != p * written || counters.value[3] != p * written)
    return 0;
  return ns / static_cast<double>(p * times);
}

struct Contestant {
  const char *name;
  double (*run)(Index p, Index times, Index readersPerWriter);
  bool ours;
};

using StdMutex = Standard<std::mutex>;
using StdSharedMutex = Standard<std::shared_mutex>;

const std::vector<Contestant> exclusive = {
    {"spin", contend<shm::SpinLock>, true},
    {"sleeping", contend<shm::SleepingLock>, true},
    {"rw", contend<shm::ReaderWriterLock>, true},
    {"mutex", contend<StdMutex>, false},
    {"shared_mutex", contend<StdSharedMutex>, false},
#ifdef HAVE_PTHREAD_SPINLOCK
    {"pthread_spin", contend<PthreadSpinLock>, false},
#endif
};

const std::vector<Contestant> shared = {
    {"rw", contend<shm::ReaderWriterLock>, true},
    {"shared_mutex", contend<StdSharedMutex>, false},
};

bool table(const Options &options, const std::vector<Contestant> &contestants,
           Index readersPerWriter) {
  std::printf("%3s", "p");
  for (const Contestant &contestant : contestants)
    std::printf("%14s", contestant.name);
  for (const Contestant &contestant : contestants)
    if (!contestant.ours)
      std::printf("%20s", (std::string(contestant.name) + "/" + contestants[0].name).c_str());
  std::printf("\n");

  bool right = true;
  for (const Index p : options.threads) {
    std::map<const char *, std::vector<double>> times;
    for (int i = 0; i < options.repetitions; ++i)
      for (const Contestant &contestant : contestants) {
        const double ns = contestant.run(p, std::max<Index>(20, options.work / p / 4), readersPerWriter);
        times[contestant.name].push_back(ns);
        if (ns == 0) {
          std::fprintf(stderr, "%s, p = %lld: wrong result\n", contestant.name,
                       static_cast<long long>(p));
          right = false;
        }
      }
    std::printf("%3lld", static_cast<long long>(p));
    for (const Contestant &contestant : contestants)
      std::printf("%14.1f", median(times[contestant.name]));
    for (const Contestant &contestant : contestants)
      if (!contestant.ours)
        std::printf("%20.2f", median(times[contestant.name]) / median(times[contestants[0].name]));
    std::printf("\n");
    std::fflush(stdout);
  }
  return right;
}

} // namespace

bool benchmark::locks(const Options &options) {
  std::printf("\nlocks: ns per acquisition by p threads together, median of %d\n",
              options.repetitions);
  const bool writersRight = table(options, exclusive, 0);
  std::printf("\n15 readers to a writer\n");
  const bool readersRight = table(options, shared, 15);
  return writersRight && readersRight;
}
