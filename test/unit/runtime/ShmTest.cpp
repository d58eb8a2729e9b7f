//===- ShmTest.cpp - The shared-memory backend ----------------------------===//

#include "AlltoallvChecks.h"
#include "CollectiveChecks.h"

#include "quadrille/shm.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <numeric>
#include <stdexcept>
#include <thread>

using namespace quadrille;
using checks::Matrix;
using checks::Report;
using shm::Communicator;
using shm::Datatype;
using shm::Operator;
using shm::Team;

namespace {

void multiplyMatrices(const void *in, void *inout, std::size_t count, const Datatype &type,
                      void *context) {
  EXPECT_EQ(type.sizeBytes(), sizeof(Matrix));
  checks::multiply(in, inout, count);
  if (context)
    *static_cast<std::atomic<long> *>(context) += static_cast<long>(count);
}

checks::Environment<Communicator> environment() {
  return {Datatype::of<Matrix>(), Operator::user(multiplyMatrices)};
}

//===----------------------------------------------------------------------===//
// Collectives
//===----------------------------------------------------------------------===//

class ShmCollectives : public testing::TestWithParam<Index> {};

TEST_P(ShmCollectives, AreRight) {
  Team team(GetParam());
  for (const std::size_t n : std::vector<std::size_t>{0, 1, 2, 7, 64, 1000}) {
    Report report;
    const Status status = team.run(
        [&](Communicator &comm) { checks::everyCollective(comm, n, environment(), report); });
    EXPECT_FALSE(status) << status.text();
    EXPECT_TRUE(report.good()) << report.text();
  }
}

TEST_P(ShmCollectives, ReportErrorsAndGoOn) {
  Team team(GetParam());
  Report report;
  (void)team.run([&](Communicator &comm) {
    checks::commonErrors(comm, environment(), report);
    checks::lengthMismatch(comm, report);
    checks::timeout(comm, report);
    checks::everyCollective(comm, 5, environment(), report);
  });
  EXPECT_TRUE(report.good()) << report.text();
}

TEST_P(ShmCollectives, AlltoallvFromLengths) {
  Team team(GetParam());
  Report report;
  const Status status = team.run([&](Communicator &comm) {
    checks::alltoallvIsRight(comm, Datatype::of<std::int64_t>(), report);
  });
  EXPECT_FALSE(status && status.code() != ErrorCode::BadParameter && status.code() != ErrorCode::NullBuffer) << status.text();
  EXPECT_TRUE(report.good()) << report.text();
}

INSTANTIATE_TEST_SUITE_P(Sizes, ShmCollectives, testing::Values(1, 2, 3, 4, 5, 8, 13));

TEST(Shm, ManyMoreRanksThanCores) {
  Team team(64);
  Report report;
  (void)team.run([&](Communicator &comm) {
    checks::everyCollective(comm, 3, environment(), report);
    for (int i = 0; i < 20; ++i)
      if (Status bad = emitted::barrier_dissemination(comm))
        report.expect(false, comm.rank(), bad.text());
  });
  EXPECT_TRUE(report.good()) << report.text();
}

TEST(Shm, ManyCallsAndRuns) {
  Team team(3);
  Report report;
  for (int run = 0; run < 50; ++run)
    (void)team.run([&](Communicator &comm) {
      for (std::size_t n = 0; n < 8; ++n)
        checks::everyCollective(comm, n, environment(), report);
    });
  EXPECT_TRUE(report.good()) << report.text();
}

TEST(Shm, LargeMessages) {
  Team team(2);
  Report report;
  (void)team.run([&](Communicator &comm) {
    checks::everyCollective(comm, 200'000, environment(), report);
  });
  EXPECT_TRUE(report.good()) << report.text();
}

TEST(Shm, ABarrierHoldsEverybodyBack) {
  constexpr Index p = 7;
  Team team(p);
  std::atomic<int> entered{0};
  std::atomic<bool> early{false};
  for (int round = 1; round <= 200; ++round)
    (void)team.run([&](Communicator &comm) -> Status {
      ++entered;
      Status status = emitted::barrier_dissemination(comm);
      if (entered.load() < round * static_cast<int>(p))
        early = true;
      return status;
    });
  EXPECT_FALSE(early);
}

TEST(Shm, ThreadsOfOnesOwn) {
  shm::World world(3);
  for (int round = 0; round < 3; ++round) {
    Report report;
    std::vector<std::thread> threads;
    for (Index rank = 0; rank < 3; ++rank)
      threads.emplace_back([&, rank] {
        Communicator comm(world, rank);
        checks::everyCollective(comm, 4, environment(), report);
      });
    for (std::thread &thread : threads)
      thread.join();
    EXPECT_TRUE(report.good()) << report.text();
    world.reset();
  }
  EXPECT_THROW(shm::World(0), std::invalid_argument);
  EXPECT_THROW(Communicator(world, 3), std::invalid_argument);
}

TEST(Shm, NestedCalls) {
  Team team(4);
  Report report;
  (void)team.run([&](Communicator &comm) {
    for (int i = 0; i < 100; ++i) {
      Communicator::Call outer(comm, "outer.quad", Datatype::of<int>());
      const Index p = comm.size(), me = comm.rank();
      Region t = outer.temporary(1, 1), got = outer.temporary(1, 1);
      int value = static_cast<int>(me);
      outer.copy(t, outer.input(&value, 1, 1));
      for (int s = 0; s < 3; ++s) {
        auto step = outer.step(comm.everyone(), 1);
        step.send(t, (me + 1) % p);
        step.recv(got, floorMod(me - 1, p));
        if (Status bad = step.finish())
          report.expect(false, me, bad.text());
        outer.copy(t, got);
        checks::everyCollective(comm, 2, environment(), report);
      }
      outer.copy(outer.output(&value, 1, 1), t);
      report.expect(value == floorMod(me - 3, p), me, "shifted three times");
    }
  });
  EXPECT_TRUE(report.good()) << report.text();
}

//===----------------------------------------------------------------------===//
// Operators
//===----------------------------------------------------------------------===//

template <class T> class Builtins : public testing::Test {};
using Numbers = testing::Types<std::int8_t, std::int16_t, std::int32_t, std::int64_t,
                               std::uint8_t, std::uint16_t, std::uint32_t, std::uint64_t,
                               float, double>;
TYPED_TEST_SUITE(Builtins, Numbers, ); // the comma is for -Wpedantic

TYPED_TEST(Builtins, CombineInThreeAddresses) {
  using T = TypeParam;
  const std::size_t n = 103; // not a multiple of any vector
  std::vector<T> a(n), b(n);
  for (std::size_t i = 0; i < n; ++i) {
    a[i] = static_cast<T>(static_cast<int>(i * 37 % 251) - 125);
    b[i] = static_cast<T>(static_cast<int>(i * 91 % 241) - 120);
  }
  b[3] = a[5] = 0;
  const auto wide = [](T x) { return static_cast<std::uint64_t>(static_cast<std::int64_t>(x)); };
  const auto check = [&](const Operator &op, auto expected) {
    if (!op.accepts(Datatype::of<T>())) {
      EXPECT_TRUE(std::is_floating_point_v<T>);
      return;
    }
    Team team(1);
    (void)team.run([&](Communicator &comm) {
      Communicator::Call call(comm, "combine.quad", Datatype::of<T>(), op);
      std::vector<T> apart(n), left = a, right = b;
      const Region x = call.input(a.data(), 1, n), y = call.input(b.data(), 1, n);
      const Region l = call.output(left.data(), 1, n), r = call.output(right.data(), 1, n);
      call.combine(call.output(apart.data(), 1, n), x, y);
      call.combine(l, l, y);
      call.combine(r, x, r);
      EXPECT_FALSE(call.finish({}));
      for (std::size_t i = 0; i < n; ++i) {
        const T e = static_cast<T>(expected(a[i], b[i]));
        EXPECT_EQ(apart[i], e) << i;
        EXPECT_EQ(left[i], e) << i;
        EXPECT_EQ(right[i], e) << i;
      }
    });
  };
  if constexpr (std::is_integral_v<T>) {
    check(Operator::sum(), [&](T x, T y) { return wide(x) + wide(y); });
    check(Operator::prod(), [&](T x, T y) { return wide(x) * wide(y); });
  } else {
    check(Operator::sum(), [](T x, T y) { return x + y; });
    check(Operator::prod(), [](T x, T y) { return x * y; });
  }
  check(Operator::min(), [](T x, T y) { return std::min(x, y); });
  check(Operator::max(), [](T x, T y) { return std::max(x, y); });
  check(Operator::band(), [&](T x, T y) { return wide(x) & wide(y); });
  check(Operator::bor(), [&](T x, T y) { return wide(x) | wide(y); });
  check(Operator::bxor(), [&](T x, T y) { return wide(x) ^ wide(y); });
  check(Operator::land(), [](T x, T y) { return x != 0 && y != 0; });
  check(Operator::lor(), [](T x, T y) { return x != 0 || y != 0; });
}

TEST(Operators, IntegersWrap) {
  Team team(1);
  (void)team.run([](Communicator &comm) {
    std::int32_t a = 2147483647, b = 2147483647, c = 0;
    std::int16_t d = -32768, e = -32768, f = 1;
    {
      Communicator::Call call(comm, "wrap.quad", Datatype::of<std::int32_t>(), Operator::sum());
      call.combine(call.output(&c, 1, 1), call.input(&a, 1, 1), call.input(&b, 1, 1));
    }
    Communicator::Call call(comm, "wrap.quad", Datatype::of<std::int16_t>(), Operator::prod());
    call.combine(call.output(&f, 1, 1), call.input(&d, 1, 1), call.input(&e, 1, 1));
    EXPECT_EQ(c, -2);
    EXPECT_EQ(f, 0);
  });
}

TEST(Operators, UsersOperatorKeepsTheOrderWhereverTheResultGoes) {
  Team team(1);
  const std::size_t n = 3000; // more than one piece of the temporary
  std::atomic<long> combined{0};
  for (const bool commutative : {false, true})
    (void)team.run([&](Communicator &comm) {
      // Of powers of one matrix the product does commute.
      const auto operand = [&](Index rank, std::size_t i) {
        const Matrix m = checks::matrixOf(1, i);
        return commutative ? (rank == 1 ? m : m * m) : checks::matrixOf(rank, i);
      };
      std::vector<Matrix> a(n), b(n), expected(n), square(n), to(n);
      for (std::size_t i = 0; i < n; ++i) {
        a[i] = operand(1, i);
        b[i] = operand(2, i);
        expected[i] = a[i] * b[i];
        square[i] = a[i] * a[i];
      }
      std::vector<Matrix> left = a, right = b, both = a;
      Communicator::Call call(comm, "combine.quad", Datatype::of<Matrix>(),
                              Operator::user(multiplyMatrices, &combined, commutative));
      const Region x = call.input(a.data(), 1, n), y = call.input(b.data(), 1, n);
      const Region l = call.output(left.data(), 1, n), r = call.output(right.data(), 1, n);
      const Region s = call.output(both.data(), 1, n);
      call.combine(call.output(to.data(), 1, n), x, y);
      call.combine(l, l, y);
      call.combine(r, x, r);
      call.combine(s, s, s);
      EXPECT_FALSE(call.finish({}));
      EXPECT_TRUE(to == expected);
      EXPECT_TRUE(left == expected);
      EXPECT_TRUE(right == expected);
      EXPECT_TRUE(both == square);
    });
  EXPECT_EQ(combined.load(), 8 * 3000);
}

TEST(Operators, UndefinedOnesAreRefused) {
  Team team(2);
  (void)team.run([](Communicator &comm) {
    double x = 1, y = 0;
    for (const Operator &op : {Operator::band(), Operator::land()})
      EXPECT_EQ(emitted::scan_chain(comm, &x, &y, 1, Datatype::of<double>(), op).code(),
                ErrorCode::BadParameter);
    EXPECT_EQ(emitted::scan_chain(comm, &x, &y, 1, Datatype::opaque(8), Operator::sum()).code(),
              ErrorCode::BadParameter);
    EXPECT_FALSE(emitted::barrier_dissemination(comm));
  });
}

//===----------------------------------------------------------------------===//
// Local operations
//===----------------------------------------------------------------------===//

TEST(ShmCall, CopyHandlesOverlapAndSegments) {
  Team team(1);
  (void)team.run([](Communicator &comm) {
    Communicator::Call call(comm, "copy.quad", Datatype::of<int>());
    std::vector<int> v(10);
    const auto refill = [&] { std::iota(v.begin(), v.end(), 0); };
    refill();
    Region all = call.output(v.data(), 10, 1);
    call.copy(all.run(2, 8), all.run(0, 8));
    EXPECT_EQ(v, (std::vector<int>{0, 1, 0, 1, 2, 3, 4, 5, 6, 7}));
    refill();
    call.copy(all, all.cyclic(3, 10, 10)); // rotate in place
    EXPECT_EQ(v, (std::vector<int>{3, 4, 5, 6, 7, 8, 9, 0, 1, 2}));
    refill();
    const auto even = [](Index j) { return j % 2 == 0; };
    const auto odd = [](Index j) { return j % 2 == 1; };
    call.copy(all.select(0, 10, even), all.select(0, 10, odd));
    EXPECT_EQ(v, (std::vector<int>{1, 1, 3, 3, 5, 5, 7, 7, 9, 9}));
    EXPECT_FALSE(call.finish({}));
    call.copy(all, all.run(0, 3));
    EXPECT_STREQ(call.finish({}).text(), "copy.quad: rank 0 copies 3 elements to 10");
  });
}

TEST(ShmCall, InputIsCopiedOnlyIfItOverlaps) {
  Team team(1);
  (void)team.run([](Communicator &comm) {
    std::vector<int> v{0, 1, 2, 3, 4, 5, 6, 7};
    Communicator::Call call(comm, "input.quad", Datatype::of<int>());
    const Region out = call.output(&v[2], 2, 2);
    const auto isView = [&](const int *at, std::size_t n) {
      const Region in = call.input(at, 1, n, out);
      const Segment first = *in.segments().begin();
      EXPECT_EQ(*reinterpret_cast<int *>(first.data), *at);
      return reinterpret_cast<int *>(first.data) == at;
    };
    EXPECT_TRUE(isView(&v[0], 2));
    EXPECT_FALSE(isView(&v[0], 3));
    EXPECT_FALSE(isView(&v[2], 4));
    EXPECT_FALSE(isView(&v[5], 3));
    EXPECT_TRUE(isView(&v[6], 2));
    // Several outputs, and none.
    const Region copied = call.input(&v[0], 1, 1, out, call.output(&v[0], 1, 1));
    EXPECT_NE(copied.segments().begin()->data, reinterpret_cast<std::byte *>(&v[0]));
    const Region viewed = call.input(&v[2], 1, 1);
    EXPECT_EQ(viewed.segments().begin()->data, reinterpret_cast<std::byte *>(&v[2]));
  });
}

TEST(ShmCall, BlocksWithLengthsOfTheirOwn) {
  Team team(1);
  (void)team.run([](Communicator &comm) {
    std::vector<int> v{0, 1, 2, 3, 4, 5, 6, 7};
    const std::vector<std::size_t> len{3, 0, 4};
    const auto length = [&](Index j) { return len[static_cast<std::size_t>(j)]; };
    Communicator::Call call(comm, "lengths.quad", Datatype::of<int>());
    EXPECT_FALSE(call.requireLengths("len", len.data(), 3));
    EXPECT_FALSE(call.requireBufferOf("x", v.data(), 3, length));
    EXPECT_EQ(call.longest(), 4);
    EXPECT_FALSE(call.requireBuffer("y", v.data(), 1, 6));
    EXPECT_EQ(call.longest(), 6);
    const Region out = call.outputOf(v.data(), 3, length);
    EXPECT_EQ(out.count(), 3);
    EXPECT_EQ(out.length(1), 0);
    const auto firstOf = [](const Region &region) {
      return reinterpret_cast<int *>(region.segments().begin()->data);
    };
    EXPECT_EQ(*firstOf(out[2]), 3);
    // Memory of its own, with the same contents.
    const Region copy = call.temporaryOf(3, length);
    call.copy(copy, out);
    v.assign(8, -1);
    for (Index j : {Index{0}, Index{2}})
      EXPECT_EQ(*firstOf(copy[j]), j == 0 ? 0 : 3);
    EXPECT_EQ(call.temporaryLike(copy.slice(2, 3)).elements(), 4);
    EXPECT_EQ(call.temporaryBlocks(copy, 2).elements(), 8);
    // An input is copied only where it overlaps; blocks without elements do not.
    const auto isView = [&](const int *at, Index blocks) {
      return firstOf(call.inputOf(at, blocks, length, call.output(&v[3], 1, 2))) == at;
    };
    EXPECT_TRUE(isView(&v[0], 2));
    EXPECT_FALSE(isView(&v[0], 3));
    EXPECT_FALSE(isView(&v[4], 1));
    EXPECT_TRUE(isView(&v[5], 1));
    EXPECT_FALSE(call.finish({}));
  });
}

TEST(ShmCall, LengthsThatCannotBeAreRefused) {
  Team team(1);
  (void)team.run([](Communicator &comm) {
    const auto fails = [&](const char *text, auto &&what) {
      Communicator::Call call(comm, "lengths.quad", Datatype::of<int>());
      const Status status = what(call);
      EXPECT_STREQ(status.text(), text);
      // What has failed stays so.
      EXPECT_STREQ(call.finish({}).text(), text);
    };
    const std::size_t huge = ~std::size_t{0};
    const std::vector<std::size_t> tooLong{huge / 8, 1, huge / 8}, wrap{1, huge}, some{0, 2};
    const auto of = [](const std::vector<std::size_t> &len) {
      return [&len](Index j) { return len[static_cast<std::size_t>(j)]; };
    };
    const char *const missing = "lengths.quad: len is null on rank 0, but 3 lengths are expected there";
    const char *const larger =
        "lengths.quad: blocks of the lengths in len, elements of 4 bytes, are larger than the address space";
    fails(missing, [&](auto &call) { return call.requireLengths("len", nullptr, 3); });
    fails(larger, [&](auto &call) { return call.requireLengths("len", tooLong.data(), 3); });
    fails(larger, [&](auto &call) { return call.requireLengths("len", wrap.data(), 2); });
    fails("lengths.quad: buffer x is null on rank 0, but 2 elements are expected there",
          [&](auto &call) { return call.requireBufferOf("x", nullptr, 2, of(some)); });
    const char *const buffer =
        "lengths.quad: buffer x of elements of 4 bytes is larger than the address space";
    int element = 0;
    fails(buffer, [&](auto &call) { return call.requireBufferOf("x", &element, 2, of(wrap)); });
    fails(buffer, [&](auto &call) { return call.requireBufferOf("x", &element, 3, of(tooLong)); });
    fails("lengths.quad: blocks of rank 0 together are larger than the address space", [&](auto &call) {
      EXPECT_EQ(call.temporaryOf(2, of(wrap)).count(), 0);
      return call.finish({});
    });
    // More than there can be, but a number.
    Communicator::Call call(comm, "lengths.quad", Datatype::of<int>());
    (void)call.temporaryOf(3, of(tooLong));
    EXPECT_EQ(call.finish({}).code(), quadrille::ErrorCode::TooLarge);
    // No lengths, no elements: null is fine.
    Communicator::Call none(comm, "lengths.quad", Datatype::of<int>());
    EXPECT_FALSE(none.requireLengths("len", nullptr, 0));
    EXPECT_FALSE(none.requireBufferOf("x", nullptr, 1, of(some)));
    EXPECT_EQ(none.outputOf(nullptr, 1, of(some)).elements(), 0);
    EXPECT_FALSE(none.finish({}));
  });
}

TEST(ShmStep, NoneAndNoBlocksAreNoMessage) {
  Team team(2);
  Report report;
  (void)team.run([&](Communicator &comm) {
    Communicator::Call call(comm, "none.quad", Datatype::of<int>(), Operator::sum());
    int value = 5;
    const Region r = call.output(&value, 1, 1);
    auto step = call.step(comm.everyone(), 1);
    step.send(r, none);
    step.recv(r, none);
    step.send(none);
    step.recv(none);
    step.recvCombine(r, none, Side::Left);
    step.recvUpTo(r, none);
    step.send(r.slice(0, 0), 1 - comm.rank());
    step.recv(r.slice(0, 0), 1 - comm.rank());
    // This one is a message, of length 0.
    step.send(call.output(nullptr, 3, 0), 1 - comm.rank());
    step.recv(1 - comm.rank());
    if (Status bad = call.finish(step.finish()))
      report.expect(false, comm.rank(), bad.text());
    report.expect(value == 5, comm.rank(), "value untouched");
  });
  EXPECT_TRUE(report.good()) << report.text();
}

TEST(ShmStep, SegmentsNeedNotAgree) {
  Team team(2);
  Report report;
  (void)team.run([&](Communicator &comm) {
    std::vector<int> v(12);
    for (int i = 0; i < 12; ++i)
      v[static_cast<std::size_t>(i)] = i;
    Communicator::Call call(comm, "segments.quad", Datatype::of<int>(), Operator::sum());
    const Region r = call.output(v.data(), 12, 1);
    auto step = call.step(comm.everyone(), 1);
    if (comm.rank() == 0) {
      step.send(r.select(0, 12, [](Index j) { return j % 3 != 2; }), 1); // 0 1 3 4 6 7 9 10
      step.send(r.run(4, 5), 1);
    } else {
      const Region to = call.output(v.data(), 1, 12).split(3);
      step.recv(to.cyclic(2, 2, 3), 0); // elements 8 .. 11, 0 .. 3
      step.recvCombine(r.select(4, 8, [](Index) { return true; }).select(0, 4, [](Index j) { return j != 9; }),
                       0, Side::Right);
    }
    const Status status = call.finish(step.finish());
    if (comm.rank() == 1) {
      report.expect(status.code() == ErrorCode::Transport, 1, "5 elements for 4");
      const std::vector<int> expected{6, 7, 9, 10, 4, 5, 6, 7, 0, 1, 3, 4};
      report.expect(v == expected, 1, "the first message arrived");
    }
  });
  EXPECT_TRUE(report.good()) << report.text();
}

TEST(ShmStep, ElementSizesMustAgree) {
  Team team(2);
  const Status status = team.run([&](Communicator &comm) -> Status {
    std::vector<double> v(4);
    Communicator::Call call(comm, "size.quad", Datatype::opaque(comm.rank() == 0 ? 4 : 8));
    auto step = call.step(comm.everyone(), 2);
    if (comm.rank() == 0)
      step.send(call.output(v.data(), 1, 3), 1);
    else
      step.recv(call.output(v.data(), 1, 3), 0);
    return call.finish(step.finish());
  });
  EXPECT_STREQ(status.text(), "size.quad:2: rank 1 expects elements of 8 bytes from rank 0, "
                              "which sent elements of 4 bytes");
}

//===----------------------------------------------------------------------===//
// Failures
//===----------------------------------------------------------------------===//

TEST(ShmFailure, OneRankFailsTheOthersAreToldAndTheNextCallWorks) {
  constexpr Index p = 5;
  Team team(p);
  Report report;
  std::atomic<int> aborted{0};
  for (int run = 0; run < 20; ++run)
    (void)team.run([&](Communicator &comm) {
      for (int i = 0; i < 10; ++i) {
        const Index culprit = (run + i) % p;
        std::vector<double> x(4, 1), y(4 * p);
        const Status status =
            emitted::allgather_ring(comm, comm.rank() == culprit ? nullptr : x.data(),
                                    y.data(), 4, Datatype::of<double>());
        const std::string text = status.text();
        if (comm.rank() == culprit) {
          report.expect(status.code() == ErrorCode::NullBuffer, comm.rank(), text);
        } else {
          // Every block goes through the culprit.
          report.expect(status.code() == ErrorCode::Aborted, comm.rank(), text);
          const std::string who = std::to_string(culprit);
          report.expect(text == "allgather/ring.quad:10: rank " + std::to_string(comm.rank()) +
                                    " gives up because rank " + who +
                                    " failed: allgather/ring.quad: buffer x is null on rank " +
                                    who + ", but 1 blocks of 4 elements are expected there",
                        comm.rank(), text);
          ++aborted;
        }
        checks::everyCollective(comm, 3, environment(), report);
      }
    });
  EXPECT_TRUE(report.good()) << report.text();
  EXPECT_EQ(aborted.load(), 20 * 10 * (p - 1));
}

TEST(ShmFailure, TheRunReportsTheCauseNotItsEcho) {
  Team team(4);
  for (Index culprit = 0; culprit < 4; ++culprit) {
    const Status status = team.run([&](Communicator &comm) {
      std::vector<double> x(1), y(4);
      return emitted::allgather_ring(comm, comm.rank() == culprit ? nullptr : x.data(),
                                     y.data(), 1, Datatype::of<double>());
    });
    EXPECT_EQ(status.code(), ErrorCode::NullBuffer) << status.text();
  }
  EXPECT_FALSE(team.run([](Communicator &comm) { return emitted::barrier_dissemination(comm); }));
}

TEST(ShmFailure, AnExceptionEndsTheRun) {
  Team team(4);
  std::atomic<int> aborted{0};
  for (int run = 0; run < 5; ++run) {
    EXPECT_THROW((void)team.run([&](Communicator &comm) {
      if (comm.rank() == 2)
        throw std::runtime_error("no");
      for (;;) {
        if (Status bad = emitted::barrier_dissemination(comm)) {
          if (bad.code() == ErrorCode::Aborted)
            ++aborted;
          return;
        }
      }
    }),
                 std::runtime_error);
    EXPECT_FALSE(team.run([](Communicator &comm) { return emitted::barrier_dissemination(comm); }));
  }
  EXPECT_EQ(aborted.load(), 15);
}

TEST(ShmFailure, APartnerThatHasLeftIsNotWaitedFor) {
  Team team(2);
  std::string text;
  (void)team.run([&](Communicator &comm) {
    int value = 0;
    {
      Communicator::Call call(comm, "left.quad", Datatype::of<int>());
      auto step = call.step(comm.everyone(), 4);
      if (comm.rank() == 0)
        step.send(call.output(&value, 1, 1), 1);
      const Status status = call.finish(step.finish());
      if (comm.rank() == 0) {
        EXPECT_EQ(status.code(), ErrorCode::Transport);
        text = status.text();
      }
    }
    EXPECT_FALSE(emitted::barrier_dissemination(comm));
  });
  EXPECT_EQ(text, "left.quad:4: rank 0 waits for rank 1 (send of 1 elements), which has "
                  "already left this call");
  // Also one that has left the run.
  const Status status = team.run([&](Communicator &comm) -> Status {
    if (comm.rank() == 1)
      return {};
    return emitted::barrier_dissemination(comm);
  });
  EXPECT_EQ(status.code(), ErrorCode::Transport);
}

TEST(ShmFailure, ATimeoutEndsTheOthersToo) {
  Team team(3);
  Report report;
  (void)team.run([&](Communicator &comm) {
    // Rank 2 comes late; rank 0 gives up, and rank 1 learns of it.
    const auto begin = std::chrono::steady_clock::now();
    {
      if (comm.rank() == 2)
        std::this_thread::sleep_for(std::chrono::milliseconds(800));
      Communicator::Call call(comm, "late.quad");
      comm.setTimeout(comm.rank() == 0 ? 50 : 0);
      auto step = call.step(comm.everyone(), 9);
      for (Index r = 0; r < 3; ++r)
        if (r != comm.rank()) {
          step.send(r);
          step.recv(r);
        }
      const Status status = call.finish(step.finish());
      const ErrorCode expected = comm.rank() == 0 ? ErrorCode::Timeout : ErrorCode::Aborted;
      report.expect(status.code() == expected, comm.rank(), status.text());
      if (comm.rank() == 0)
        report.expect(std::string(status.text()) ==
                          "late.quad:9: rank 0 waited 50 ms for rank 2 (send of 0 elements), "
                          "rank 2 (receive of 0 elements)",
                      0, status.text());
    }
    if (comm.rank() < 2)
      report.expect(std::chrono::steady_clock::now() - begin < std::chrono::milliseconds(780),
                    comm.rank(), "gave up too late");
    comm.setTimeout(0);
    checks::everyCollective(comm, 3, environment(), report);
  });
  EXPECT_TRUE(report.good()) << report.text();
}

TEST(ShmFailure, BuffersAreFreeAfterATimeout) {
  // A sender gives up while its reader may just be reading: afterwards the
  // buffer is freed, which the sanitizers would not forgive.
  Team team(2);
  std::atomic<int> timeouts{0};
  for (int round = 0; round < 200; ++round)
    (void)team.run([&](Communicator &comm) {
      const std::size_t n = 20000;
      Communicator::Call call(comm, "race.quad", Datatype::of<int>());
      if (comm.rank() == 0) {
        comm.setTimeout(1);
        auto x = std::make_unique<std::vector<int>>(n, 1);
        auto step = call.step(comm.everyone(), 1);
        step.send(call.output(x->data(), 1, n), 1);
        timeouts += call.finish(step.finish()).code() == ErrorCode::Timeout;
        std::fill(x->begin(), x->end(), 2);
      } else {
        std::vector<int> y(n);
        std::this_thread::sleep_for(std::chrono::microseconds(700 + round * 4));
        auto step = call.step(comm.everyone(), 1);
        step.recv(call.output(y.data(), 1, n), 0);
        if (!call.finish(step.finish())) {
          const std::vector<int> ones(n, 1);
          EXPECT_TRUE(y == ones);
        }
      }
    });
  RecordProperty("timeouts", timeouts.load());
}

TEST(Shm, TimeoutFromTheEnvironment) {
  const auto initial = [](const char *value) {
    setenv("QUADRILLE_TIMEOUT_MS", value, 1);
    shm::World world(1);
    const Index ms = Communicator(world, 0).timeoutMs();
    unsetenv("QUADRILLE_TIMEOUT_MS");
    return ms;
  };
  EXPECT_EQ(initial("250"), 250);
  EXPECT_EQ(initial("0"), 0);
  EXPECT_EQ(initial("-3"), 0);
  EXPECT_EQ(initial("1s"), 0);
  EXPECT_EQ(initial(""), 0);
}

TEST(Shm, ManyRanksAndFewPartnersStaySmall) {
  // 512 * 512 channels of two lines each would be 32 MB.
  Team team(512);
  EXPECT_FALSE(team.run([](Communicator &comm) { return emitted::barrier_dissemination(comm); }));
}

} // namespace
