//===- LocksTest.cpp - Spin, reader-writer and sleeping lock --------------===//

#include "Threads.h"

#include "quadrille/barriers.h"
#include "quadrille/locks.h"

#include <gtest/gtest.h>

#include <atomic>
#include <mutex>
#include <shared_mutex>

using namespace quadrille;
using shm::CounterBarrier;
using shm::ReaderWriterLock;
using shm::SleepingLock;
using shm::SpinLock;

namespace {

//===----------------------------------------------------------------------===//
// What all have in common
//===----------------------------------------------------------------------===//

template <class Lock> class Locks : public testing::Test {
public:
  const threads::Watchdog watchdog{
      testing::UnitTest::GetInstance()->current_test_info()->test_suite_name()};

  /// A counter in ordinary memory, of which two halves are equal whenever the
  /// lock is free.
  static void count(Lock &lock, Index threads, int times) {
    long first = 0, second = 0;
    std::atomic<long> wrong{0};
    threads::run(threads, [&](Index) {
      for (int i = 0; i < times; ++i) {
        const std::lock_guard<Lock> guard(lock);
        if (first++ != second)
          ++wrong;
        ++second;
      }
    });
    EXPECT_EQ(wrong, 0);
    EXPECT_EQ(first, threads * times);
    EXPECT_EQ(second, threads * times);
  }
};

using Kinds = testing::Types<SpinLock, ReaderWriterLock, SleepingLock>;
class KindNames {
public:
  template <class Lock> static std::string GetName(int) {
    if (std::is_same_v<Lock, SpinLock>)
      return "Spin";
    return std::is_same_v<Lock, SleepingLock> ? "Sleeping" : "ReaderWriter";
  }
};
TYPED_TEST_SUITE(Locks, Kinds, KindNames);

TYPED_TEST(Locks, ExcludeEachOther) {
  for (const Index p : {1, 2, 3, 4, 8}) {
    TypeParam byCores, byThreads(p);
    this->count(byCores, p, 20000);
    this->count(byThreads, p, 20000);
  }
}

TYPED_TEST(Locks, ManyMoreThreadsThanCores) {
  TypeParam byCores, byThreads(100);
  this->count(byCores, 100, 200);
  this->count(byThreads, 100, 200);
}

TYPED_TEST(Locks, AHolderMaySleep) {
  // Long enough for all other threads to go to sleep.
  TypeParam lock;
  long entered = 0;
  threads::run(6, [&](Index) {
    for (int i = 0; i < 3; ++i) {
      const std::lock_guard<TypeParam> guard(lock);
      ++entered;
      threads::sleepMs(5);
    }
  });
  EXPECT_EQ(entered, 18);
}

TYPED_TEST(Locks, WhoWaitsSleeps) {
  TypeParam lock;
  double used = 0;
  lock.lock();
  std::thread waiting([&] {
    const double before = threads::usedMs();
    const std::lock_guard<TypeParam> guard(lock);
    used = threads::usedMs() - before;
  });
  threads::sleepMs(400);
  lock.unlock();
  waiting.join();
  EXPECT_LT(used, 20); // a thread that did not sleep would use more, even on a busy core
}

TYPED_TEST(Locks, CanBeTried) {
  TypeParam lock;
  const auto tryElsewhere = [&lock] {
    bool got = false;
    std::thread([&] {
      got = lock.try_lock();
      if (got)
        lock.unlock();
    }).join();
    return got;
  };
  EXPECT_TRUE(tryElsewhere());
  lock.lock();
  EXPECT_FALSE(tryElsewhere());
  lock.unlock();
  EXPECT_TRUE(lock.try_lock());
  EXPECT_FALSE(tryElsewhere());
  lock.unlock();
  EXPECT_TRUE(tryElsewhere());
}

TYPED_TEST(Locks, ExcludeWhoOnlyTries) {
  TypeParam lock;
  long counted = 0;
  std::atomic<long> got{0};
  threads::run(3, [&](Index) {
    for (int i = 0; i < 20000; ++i) {
      const std::unique_lock<TypeParam> maybe(lock, std::try_to_lock);
      if (!maybe)
        continue;
      ++counted;
      ++got;
    }
  });
  EXPECT_GT(counted, 0);
  EXPECT_EQ(counted, got);
}

TYPED_TEST(Locks, TwoAtATime) {
  TypeParam a, b;
  long moved = 0;
  threads::run(2, [&](Index me) {
    for (int i = 0; i < 2000; ++i) {
      if (me == 0) {
        const std::scoped_lock both(a, b);
        ++moved;
      } else {
        const std::scoped_lock both(b, a);
        ++moved;
      }
    }
  });
  EXPECT_EQ(moved, 4000);
}

//===----------------------------------------------------------------------===//
// Readers and writers
//===----------------------------------------------------------------------===//

class ReadersAndWriters : public testing::Test {
public:
  const threads::Watchdog watchdog{"readers and writers"};
};

TEST_F(ReadersAndWriters, ReadersMeetInside) {
  for (const Index p : {1, 2, 5, 33}) {
    ReaderWriterLock lock(p);
    CounterBarrier inside(p);
    threads::run(p, [&](Index) {
      for (int i = 0; i < 20; ++i) {
        const std::shared_lock<ReaderWriterLock> guard(lock);
        inside.arriveAndWait();
      }
    });
    EXPECT_TRUE(lock.try_lock());
    lock.unlock();
  }
}

TEST_F(ReadersAndWriters, AWriterIsAlone) {
  for (const Index p : {2, 3, 8, 40}) {
    ReaderWriterLock lock(p);
    long first = 0, second = 0;
    std::atomic<long> wrong{0}, written{0};
    const int times = p > 8 ? 300 : 10000;
    threads::run(p, [&](Index me) {
      for (int i = 0; i < times; ++i)
        if ((me + i) % 4 == 0) {
          const std::lock_guard<ReaderWriterLock> guard(lock);
          ++first;
          ++second;
          ++written;
        } else {
          const std::shared_lock<ReaderWriterLock> guard(lock);
          if (first != second)
            ++wrong;
        }
    });
    EXPECT_EQ(wrong, 0);
    EXPECT_EQ(first, written);
    EXPECT_GT(first, 0);
  }
}

TEST_F(ReadersAndWriters, WhatReadersReadIsReadBeforeItIsWritten) {
  // Only unlock_shared orders the last access of a reader before the first one of
  // a writer.
  ReaderWriterLock lock(2);
  long value = 0;
  std::atomic<bool> reading{false};
  std::thread reader([&] {
    const std::shared_lock<ReaderWriterLock> guard(lock);
    reading.store(true, std::memory_order_relaxed);
    threads::sleepMs(20);
    EXPECT_EQ(value, 0);
  });
  while (!reading.load(std::memory_order_relaxed))
    std::this_thread::yield();
  lock.lock();
  value = 1;
  lock.unlock();
  reader.join();
}

TEST_F(ReadersAndWriters, CanBeTried) {
  ReaderWriterLock lock;
  EXPECT_TRUE(lock.try_lock_shared());
  EXPECT_TRUE(lock.try_lock_shared());
  EXPECT_FALSE(lock.try_lock());
  lock.unlock_shared();
  EXPECT_FALSE(lock.try_lock());
  lock.unlock_shared();
  EXPECT_TRUE(lock.try_lock());
  EXPECT_FALSE(lock.try_lock_shared());
  EXPECT_FALSE(lock.try_lock());
  lock.unlock();
  EXPECT_TRUE(lock.try_lock_shared());
  lock.unlock_shared();
}

/// A waiting writer keeps new readers out, and gets the lock when earlier readers
/// have left.
TEST_F(ReadersAndWriters, ReadersDoNotStarveAWriter) {
  ReaderWriterLock lock;
  std::atomic<bool> written{false};
  lock.lock_shared();
  std::thread writer([&] {
    const std::lock_guard<ReaderWriterLock> guard(lock);
    written = true;
  });
  while (lock.try_lock_shared()) {
    lock.unlock_shared();
    std::this_thread::yield();
  }
  threads::sleepMs(10);
  EXPECT_FALSE(written);
  EXPECT_FALSE(lock.try_lock_shared());
  lock.unlock_shared();
  lock.lock_shared(); // after the writer
  EXPECT_TRUE(written);
  lock.unlock_shared();
  writer.join();
}

} // namespace
