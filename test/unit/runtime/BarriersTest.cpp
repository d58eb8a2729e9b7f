//===- BarriersTest.cpp - Counter and binomial barrier --------------------===//

#include "Threads.h"

#include "quadrille/barriers.h"

#include <gtest/gtest.h>

#include <atomic>
#include <new>
#include <stdexcept>

using namespace quadrille;
using shm::BinomialBarrier;
using shm::CounterBarrier;

namespace {

template <class Barrier> class Barriers : public testing::Test {
public:
  static std::string name(Index p) {
    return std::string(testing::UnitTest::GetInstance()->current_test_info()->test_suite_name()) +
           ", p = " + std::to_string(p);
  }

  /// Every thread writes the epoch before the barrier and reads the values of all
  /// threads after it. In ordinary memory, so that the sanitizer detects missing
  /// order; in two sets, as a fast thread may be in the next epoch already.
  static void meet(Barrier &barrier, int epochs) {
    const Index p = barrier.threads();
    const threads::Watchdog watchdog(name(p));
    std::vector<int> entered[2];
    entered[0].assign(static_cast<std::size_t>(p), -1);
    entered[1] = entered[0];
    std::atomic<long> wrong{0};
    threads::run(p, [&](Index me) {
      for (int epoch = 0; epoch < epochs; ++epoch) {
        std::vector<int> &set = entered[epoch % 2];
        set[static_cast<std::size_t>(me)] = epoch;
        barrier.arriveAndWait(me);
        for (const int of : set)
          if (of != epoch)
            ++wrong;
      }
    });
    EXPECT_EQ(wrong, 0) << name(p);
  }
};

using Kinds = testing::Types<CounterBarrier, BinomialBarrier>;
class KindNames {
public:
  template <class Barrier> static std::string GetName(int) {
    return std::is_same_v<Barrier, CounterBarrier> ? "Counter" : "Binomial";
  }
};
TYPED_TEST_SUITE(Barriers, Kinds, KindNames);

TYPED_TEST(Barriers, NobodyLeavesBeforeAllHaveEntered) {
  for (Index p = 1; p <= 17; ++p) {
    TypeParam barrier(p);
    EXPECT_EQ(barrier.threads(), p);
    this->meet(barrier, p <= 4 ? 1000 : 200);
  }
}

TYPED_TEST(Barriers, ManyMoreThreadsThanCores) {
  TypeParam barrier(100);
  this->meet(barrier, 50);
}

TYPED_TEST(Barriers, NewThreadsMayGoOn) {
  TypeParam barrier(5);
  for (int i = 0; i < 20; ++i)
    this->meet(barrier, 1 + i % 3);
}

/// All other threads wait, asleep, for a late one.
TYPED_TEST(Barriers, EveryThreadIsWaitedFor) {
  for (const Index p : {2, 3, 4, 5, 7, 8, 9, 16, 17}) {
    const threads::Watchdog watchdog(this->name(p));
    TypeParam barrier(p);
    std::atomic<Index> left{0};
    std::vector<Index> leftEarly(static_cast<std::size_t>(p), 0);
    threads::run(p, [&](Index me) {
      for (Index late = 0; late < p; ++late) {
        if (me == late) {
          threads::sleepMs(5);
          leftEarly[static_cast<std::size_t>(late)] = left;
        }
        barrier.arriveAndWait(me);
        ++left;
        barrier.arriveAndWait(me); // all have left
        if (me == 0)
          left = 0;
        barrier.arriveAndWait(me);
      }
    });
    for (Index late = 0; late < p; ++late)
      EXPECT_EQ(leftEarly[static_cast<std::size_t>(late)], 0)
          << this->name(p) << ", late " << late;
  }
}

TYPED_TEST(Barriers, EpochsWrapRound) {
  for (const Index p : {1, 2, 3, 8})
    for (const std::uint32_t first : {0x7ffffffdu, 0xfffffffdu, 0x80000000u}) {
      TypeParam barrier(p, first);
      this->meet(barrier, 10);
    }
}

TYPED_TEST(Barriers, WhoWaitsSleeps) {
  const threads::Watchdog watchdog(this->name(4));
  TypeParam barrier(4);
  std::atomic<double> longestMs{0};
  threads::run(4, [&](Index me) {
    if (me == 1)
      threads::sleepMs(400);
    const double before = threads::usedMs();
    barrier.arriveAndWait(me);
    double used = threads::usedMs() - before, seen = longestMs;
    while (used > seen && !longestMs.compare_exchange_weak(seen, used)) {
    }
  });
  EXPECT_LT(longestMs, 20); // a thread that did not sleep would use more, even on a busy core
}

TYPED_TEST(Barriers, NeedAThread) {
  EXPECT_THROW(TypeParam(0), std::invalid_argument);
  EXPECT_THROW(TypeParam(-1), std::invalid_argument);
}

} // namespace
