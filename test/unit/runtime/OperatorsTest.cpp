//===- OperatorsTest.cpp - Operators of the shared-memory backend --------===//

#include "ShmChecks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <type_traits>
#include <vector>

using namespace quadrille;
using checks::Matrix;
using shm::Communicator;
using shm::Datatype;
using shm::Operator;
using shm::Team;

namespace {

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

TEST(Operators, ReadWhatTheyOverwriteElsewhere) {
  const std::size_t n = 5;
  Team team(1);
  (void)team.run([&](Communicator &comm) {
    Communicator::Call call(comm, "combine.quad", Datatype::of<int>(), Operator::sum());
    std::vector<int> rotated(3 * n), shifted(3 * n), ones(3 * n, 1);
    for (std::size_t i = 0; i < 3 * n; ++i)
      rotated[i] = shifted[i] = static_cast<int>(i);
    const Region z = call.output(rotated.data(), 3, n), s = call.output(shifted.data(), 3, n);
    call.combine(z, z.cyclic(1, 3, 3), z.cyclic(2, 3, 3));
    call.combine(s.slice(1, 3), call.input(ones.data(), 2, n), s.slice(0, 2));
    EXPECT_FALSE(call.finish({}));
    for (std::size_t i = 0; i < 3 * n; ++i) {
      EXPECT_EQ(rotated[i], static_cast<int>((i + n) % (3 * n) + (i + 2 * n) % (3 * n))) << i;
      EXPECT_EQ(shifted[i], static_cast<int>(i < n ? i : i - n + 1)) << i;
    }
  });
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
                              Operator::user(checks::multiplyMatrices, &combined, commutative));
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

} // namespace
