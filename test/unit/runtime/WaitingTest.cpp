//===- WaitingTest.cpp - What a thread learns from its waits ----------------===//

#include "quadrille/waiting.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <gtest/gtest.h>
#include <thread>
#include <vector>
#if defined(__linux__)
#include <sched.h>
#endif

using namespace quadrille::shm::detail;

namespace {

/// How the next `count` waits of a thread begin, after `vain` waits in which
/// spinning was in vain and a yield was enough, and `good` in which it was not.
std::vector<int> spinsAfter(int vain, int good, std::size_t count) {
  std::vector<int> result;
  // What is learned is the thread's own.
  std::thread([&] {
    const auto nextWait = [](bool isVain) {
      int spins = 0;
      while ((spins = spinsOfNextWait(8)) == 0)
        (void)Patience(0).yield();
      Patience patience(spins);
      while (patience.spin()) {
        if (!isVain)
          return;
      }
      (void)patience.yield();
    };
    for (int i = 0; i < vain; ++i)
      nextWait(true);
    for (int i = 0; i < good; ++i)
      nextWait(false);
    for (std::size_t i = 0; i < count; ++i)
      result.push_back(spinsOfNextWait(8));
  }).join();
  return result;
}

/// Whether nobody else wants the core just now.
bool isAlone() {
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < 10; ++i)
    std::this_thread::yield();
  return std::chrono::steady_clock::now() - start < std::chrono::microseconds(10);
}

/// Whether that is what comes out. Where a yield takes a time slice the thread
/// learns something else from it, so that it is given several times, and nothing
/// is found out while other programs want all cores.
bool isLearned(int vain, int good, const std::vector<int> &expected) {
  int tried = 0;
  for (int attempt = 0; attempt < 100 && tried < 50; ++attempt) {
    bool isTried = false;
    std::thread([&] { isTried = isAlone(); }).join();
    if (!isTried)
      continue;
    ++tried;
    if (spinsAfter(vain, good, expected.size()) == expected)
      return true;
  }
  return tried < 5;
}

TEST(Waiting, WhoHasSpunInVainYieldsAtOnceTheNextTimes) {
  EXPECT_TRUE(isLearned(0, 3, {8, 8}));
  EXPECT_TRUE(isLearned(1, 0, {0, 0, 0, 0, 8, 8}));
  // Each time twice as often,
  EXPECT_TRUE(isLearned(2, 0, {0, 0, 0, 0, 0, 0, 0, 0, 8}));
  // and after good waits as at first.
  EXPECT_TRUE(isLearned(3, 5, {8, 8}));
  EXPECT_TRUE(isLearned(3, 0, std::vector<int>(16, 0)));
}

#if defined(__linux__)
/// Occupies one core, without ever waiting.
class Hog {
public:
  explicit Hog(int cpu) : thread_([this, cpu] {
    keepTo(cpu);
    while (!isOver_.load(std::memory_order_relaxed)) {
    }
  }) {}
  ~Hog() {
    isOver_.store(true, std::memory_order_relaxed);
    thread_.join();
  }
  static bool keepTo(int cpu) {
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(cpu, &one);
    return sched_setaffinity(0, sizeof one, &one) == 0;
  }

private:
  std::atomic<bool> isOver_{false};
  std::thread thread_;
};

// Where another program has the core, a yield takes a time slice. Sleeping at once
// from then on would do so, too, as the other program need not make way for who is
// woken. So the next waits spin as before, but do not yield.
TEST(Waiting, WhoLosesASliceByYieldingSpinsNevertheless) {
  bool isTried = false;
  for (int attempt = 0; attempt < 10 && !isTried; ++attempt)
    std::thread([&] {
      const int cpu = sched_getcpu();
      if (cpu < 0 || !Hog::keepTo(cpu))
        return;
      const Hog hog(cpu);
      for (int i = 0; i < 20; ++i) {
        Patience patience(8);
        while (patience.spin()) {
        }
        const auto start = std::chrono::steady_clock::now();
        if (!patience.yield()) { // it has learned
          isTried = true;
          break;
        }
        // Where the other makes way soon it learns something else.
        if (std::chrono::steady_clock::now() - start < std::chrono::milliseconds(2))
          return;
      }
      if (isTried)
        EXPECT_EQ(spinsOfNextWait(8), 8);
    }).join();
  if (!isTried)
    GTEST_SKIP() << "no yield takes a time slice";
}
#endif

TEST(Waiting, ALongWaitSaysNothingOfTheCores) {
  const auto spinsAfterLongWait = [] {
    int result = 0;
    std::thread([&] {
      {
        Patience patience(8);
        while (patience.spin()) {
        }
        for (int i = 0; i < 4; ++i)
          (void)patience.yield();
      }
      result = spinsOfNextWait(8);
    }).join();
    return result;
  };
  bool isAny = false;
  for (int attempt = 0; attempt < 50 && !isAny; ++attempt)
    isAny = spinsAfterLongWait() == 8;
  EXPECT_TRUE(isAny);
}

} // namespace
