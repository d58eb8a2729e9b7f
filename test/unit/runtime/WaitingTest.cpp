//===- WaitingTest.cpp - What a thread learns from its waits ----------------===//

#include "quadrille/waiting.h"

#include <gtest/gtest.h>
#include <thread>
#include <vector>

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

/// Whether that is what comes out. Where a yield takes a time slice the thread
/// learns something else from it, so that it is given several times.
bool isLearned(int vain, int good, const std::vector<int> &expected) {
  for (int attempt = 0; attempt < 50; ++attempt)
    if (spinsAfter(vain, good, expected.size()) == expected)
      return true;
  return false;
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
