//===- CollectiveChecks.h - Checks that run on every rank of a backend ----===//

#ifndef QUADRILLE_TEST_COLLECTIVECHECKS_H
#define QUADRILLE_TEST_COLLECTIVECHECKS_H

#include "EmittedCollectives.h"

#include <cstdint>
#include <cstdio>
#include <ctime>
#include <mutex>
#include <string>
#include <vector>

namespace checks {

/// Whether the transport tells how long a message was that did not fit.
inline bool tellsCutLengths = true;

using quadrille::ErrorCode;
using quadrille::Index;
using quadrille::Region;
using quadrille::Status;

/// Collects failed expectations of all threads.
class Report {
public:
  void expect(bool holds, Index rank, const std::string &what) {
    if (holds)
      return;
    const std::lock_guard<std::mutex> lock(mutex_);
    failures_.push_back("rank " + std::to_string(rank) + ": " + what);
  }
  bool good() const { return failures_.empty(); }
  std::string text() const {
    std::string all;
    for (const std::string &failure : failures_)
      all += failure + "\n";
    return all;
  }

private:
  std::mutex mutex_;
  std::vector<std::string> failures_;
};

/// 2 x 2 matrices modulo 2**32: their product is associative, not commutative.
struct Matrix {
  std::uint32_t a, b, c, d;
  friend bool operator==(const Matrix &x, const Matrix &y) {
    return x.a == y.a && x.b == y.b && x.c == y.c && x.d == y.d;
  }
  friend Matrix operator*(const Matrix &x, const Matrix &y) {
    return {x.a * y.a + x.b * y.c, x.a * y.b + x.b * y.d, x.c * y.a + x.d * y.c,
            x.c * y.b + x.d * y.d};
  }
};

inline void multiply(const void *in, void *inout, std::size_t count) {
  const Matrix *left = static_cast<const Matrix *>(in);
  Matrix *right = static_cast<Matrix *>(inout);
  for (std::size_t i = 0; i < count; ++i)
    right[i] = left[i] * right[i];
}

inline Matrix matrixOf(Index rank, std::size_t i) {
  const std::uint32_t r = static_cast<std::uint32_t>(rank) * 2654435761u;
  const std::uint32_t s = static_cast<std::uint32_t>(i) * 40503u;
  return {r + 1, s ^ 7u, r ^ s, s + 3};
}

inline std::int64_t valueOf(Index rank, Index block, std::size_t i) {
  return rank * 1000003 + block * 1009 + static_cast<Index>(i) + 1;
}

/// Types and operators that backends name differently.
template <class Communicator> struct Environment {
  typename Communicator::Datatype matrix;
  typename Communicator::Operator product;
};

#define EXPECT_GOOD(status)                                                          \
  do {                                                                               \
    if (Status bad = (status))                                                       \
      report.expect(false, comm.rank(), std::string(#status ": ") + bad.text());     \
  } while (false)
#define EXPECT_THAT(condition)                                                       \
  report.expect((condition), comm.rank(),                                            \
                std::string(#condition) + " for n = " + std::to_string(n) +          \
                    ", line " + std::to_string(__LINE__))

/// Every collective once with blocks of `n` elements.
template <class Communicator>
void everyCollective(Communicator &comm, std::size_t n,
                     const Environment<Communicator> &env, Report &report) {
  using Datatype = typename Communicator::Datatype;
  using Operator = typename Communicator::Operator;
  const Datatype int64 = Datatype::template of<std::int64_t>();
  const Index p = comm.size(), me = comm.rank();
  const std::size_t blocks = static_cast<std::size_t>(p);

  EXPECT_GOOD(emitted::barrier_dissemination(comm));

  // Scans and reductions, with an operator that does not commute.
  std::vector<Matrix> x(n), y(n), prefix(n), total(n);
  for (std::size_t i = 0; i < n; ++i) {
    x[i] = matrixOf(me, i);
    Matrix product = matrixOf(0, i);
    for (Index r = 1; r <= me; ++r)
      product = product * matrixOf(r, i);
    prefix[i] = product;
    for (Index r = me + 1; r < p; ++r)
      product = product * matrixOf(r, i);
    total[i] = product;
  }
  EXPECT_GOOD(emitted::scan_chain(comm, x.data(), y.data(), n, env.matrix, env.product));
  EXPECT_THAT(y == prefix);
  y = x;
  EXPECT_GOOD(emitted::scan_chain(comm, y.data(), y.data(), n, env.matrix, env.product));
  EXPECT_THAT(y == prefix);
  if (quadrille::isPow2(p)) {
    EXPECT_GOOD(
        emitted::scan_hypercube(comm, x.data(), y.data(), n, env.matrix, env.product));
    EXPECT_THAT(y == prefix);
    y = x;
    EXPECT_GOOD(
        emitted::scan_hypercube(comm, y.data(), y.data(), n, env.matrix, env.product));
    EXPECT_THAT(y == prefix);
  }
  for (const Index root : {Index{0}, p - 1}) {
    y.assign(n, Matrix{});
    EXPECT_GOOD(emitted::reduce_chain(comm, root, x.data(),
                                      me == root ? y.data() : nullptr, n, env.matrix,
                                      env.product));
    EXPECT_THAT(me != root || y == total);
  }
  // A commutative one, any root.
  {
    const Index root = p / 2;
    std::vector<std::int64_t> a(n), b(n), sum(n);
    for (std::size_t i = 0; i < n; ++i) {
      a[i] = valueOf(me, 0, i);
      for (Index r = 0; r < p; ++r)
        sum[i] += valueOf(r, 0, i);
    }
    EXPECT_GOOD(emitted::reduce_chain(comm, root, a.data(), b.data(), n, int64,
                                      Operator::sum()));
    EXPECT_THAT(me != root || b == sum);
  }

  // Gathering.
  std::vector<std::int64_t> block(n), all(n * blocks), gathered(n * blocks);
  for (std::size_t i = 0; i < n; ++i)
    block[i] = valueOf(me, 0, i);
  for (Index r = 0; r < p; ++r)
    for (std::size_t i = 0; i < n; ++i)
      gathered[static_cast<std::size_t>(r) * n + i] = valueOf(r, 0, i);
  EXPECT_GOOD(emitted::allgather_ring(comm, block.data(), all.data(), n, int64));
  EXPECT_THAT(all == gathered);
  all.assign(n * blocks, -1);
  EXPECT_GOOD(emitted::allgather_circulant(comm, block.data(), all.data(), n, int64));
  EXPECT_THAT(all == gathered);
  // In place: the own block is where the result will be.
  all.assign(n * blocks, -1);
  for (std::size_t i = 0; i < n; ++i)
    all[static_cast<std::size_t>(me) * n + i] = valueOf(me, 0, i);
  EXPECT_GOOD(emitted::allgather_circulant(
      comm, n ? &all[static_cast<std::size_t>(me) * n] : nullptr, all.data(), n, int64));
  EXPECT_THAT(all == gathered);
  {
    const Index q = 3, first = me / q * q, width = quadrille::minimum(q, p - first);
    std::vector<std::int64_t> row(n * static_cast<std::size_t>(width));
    EXPECT_GOOD(emitted::allgather_rows(comm, q, block.data(), row.data(), n, int64));
    bool right = true;
    for (Index c = 0; c < width; ++c)
      for (std::size_t i = 0; i < n; ++i)
        right = right &&
                row[static_cast<std::size_t>(c) * n + i] == valueOf(first + c, 0, i);
    EXPECT_THAT(right);
  }

  // Broadcast, also with more packets than elements.
  for (const Index k : {Index{1}, Index{3}, static_cast<Index>(n % 50) + 2})
    for (const Index root : {Index{0}, p / 2}) {
      std::vector<std::int64_t> from(me == root ? n : 0), to(n, -1), expected(n);
      for (std::size_t i = 0; i < n; ++i) {
        expected[i] = valueOf(root, k, i);
        if (me == root)
          from[i] = expected[i];
      }
      EXPECT_GOOD(emitted::broadcast_pipeline(comm, k, root,
                                              me == root ? from.data() : nullptr,
                                              to.data(), n, int64));
      EXPECT_THAT(to == expected);
    }

  // Total exchange.
  std::vector<std::int64_t> out(n * blocks), in(n * blocks, -1), exchanged(n * blocks);
  for (Index j = 0; j < p; ++j)
    for (std::size_t i = 0; i < n; ++i) {
      out[static_cast<std::size_t>(j) * n + i] = valueOf(me, j, i);
      exchanged[static_cast<std::size_t>(j) * n + i] = valueOf(j, me, i);
    }
  EXPECT_GOOD(emitted::alltoall_direct(comm, out.data(), in.data(), n, int64));
  EXPECT_THAT(in == exchanged);
  in = out;
  EXPECT_GOOD(emitted::alltoall_direct(comm, in.data(), in.data(), n, int64));
  EXPECT_THAT(in == exchanged);
  if (quadrille::isPow2(p)) {
    in.assign(n * blocks, -1);
    EXPECT_GOOD(emitted::alltoall_hypercube(comm, out.data(), in.data(), n, int64));
    EXPECT_THAT(in == exchanged);
  }
}

/// Errors that all ranks make, each followed by a correct call: an error must not
/// affect later calls.
template <class Communicator>
void commonErrors(Communicator &comm, const Environment<Communicator> &env,
                  Report &report) {
  const std::size_t n = 4;
  std::vector<Matrix> x(n), y(n);
  const auto expectError = [&](const Status &status, ErrorCode code,
                               const std::string &text) {
    report.expect(status.code() == code, comm.rank(),
                  std::string("code of: ") + status.text());
    report.expect(text.empty() || text == status.text(), comm.rank(),
                  "expected: " + text + "\n  got: " + status.text());
    EXPECT_GOOD(emitted::barrier_dissemination(comm));
  };
  const std::string p = std::to_string(comm.size());
  const std::string me = std::to_string(comm.rank());
  if (!quadrille::isPow2(comm.size()))
    expectError(emitted::scan_hypercube(comm, x.data(), y.data(), n, env.matrix,
                                        env.product),
                ErrorCode::UnsupportedSize,
                "scan/hypercube.quad: requires p is a power of two, but p = " + p);
  expectError(emitted::scan_chain(comm, nullptr, y.data(), n, env.matrix, env.product),
              ErrorCode::NullBuffer,
              "scan/chain.quad: buffer x is null on rank " + me +
                  ", but 1 blocks of 4 elements are expected there");
  expectError(emitted::scan_chain(comm, x.data(), y.data(), ~std::size_t{0} / 4,
                                  env.matrix, env.product),
              ErrorCode::TooLarge, "");
  for (const Index root : {Index{-1}, comm.size()})
    expectError(emitted::reduce_chain(comm, root, x.data(), y.data(), n, env.matrix,
                                      env.product),
                ErrorCode::BadRoot,
                "reduce/chain.quad: root " + std::to_string(root) +
                    " is not a rank in 0 ..< " + p);
  if (comm.size() > 2)
    expectError(emitted::reduce_chain(comm, 1, x.data(), y.data(), n, env.matrix,
                                      env.product),
                ErrorCode::NotCommutative,
                "reduce/chain.quad: requires a commutative operator, but the operator "
                "is not commutative");
  expectError(emitted::broadcast_pipeline(comm, 0, 0, x.data(), y.data(), n, env.matrix),
              ErrorCode::BadParameter, "broadcast/pipeline.quad: requires k >= 1, but k = 0");
  {
    typename Communicator::Call call(comm, "bad.quad", env.matrix);
    auto step = call.step(comm.everyone(), 3);
    step.send(call.output(x.data(), 1, n), comm.size());
    expectError(call.finish(step.finish()), ErrorCode::BadPartner,
                "bad.quad:3: rank " + me + " names partner " + p +
                    ", which is not in 0 ..< " + p);
  }
  {
    typename Communicator::Call call(comm, "huge.quad", env.matrix);
    Region t = call.temporary(1, Index{1} << 62);
    call.copy(t, t);
    expectError(call.finish({}), ErrorCode::TooLarge, "");
  }
  {
    typename Communicator::Call call(comm, "large.quad", env.matrix);
    Region t = call.temporary(1, Index{1} << 50);
    call.copy(t, t);
    auto step = call.step(comm.everyone(), 3);
    expectError(call.finish(step.finish()), ErrorCode::OutOfMemory, "");
  }
  {
    typename Communicator::Call call(comm, "combine.quad", env.matrix);
    Region r = call.output(x.data(), 1, n);
    call.combine(r, r, r);
    expectError(call.finish({}), ErrorCode::BadParameter, "");
  }
}

/// Two ranks that do not agree on a length; the others do nothing.
template <class Communicator>
void lengthMismatch(Communicator &comm, Report &report) {
  using Datatype = typename Communicator::Datatype;
  if (comm.size() < 2)
    return;
  for (const Index sent : {Index{3}, Index{7}}) {
    std::vector<std::int64_t> x(8, 1), y(16, -1);
    {
      typename Communicator::Call call(comm, "mismatch.quad",
                                       Datatype::template of<std::int64_t>());
      auto step = call.step(comm.everyone(), 5);
      if (comm.rank() == 0)
        step.send(call.output(x.data(), 1, static_cast<std::size_t>(sent)), 1);
      if (comm.rank() == 1)
        step.recv(call.output(y.data(), 1, 5), 0);
      const Status status = call.finish(step.finish());
      if (comm.rank() == 1) {
        report.expect(status.code() == ErrorCode::OtherLength, 1, status.text());
        const std::string text = "mismatch.quad:5: rank 1 expects 5 elements from rank 0, "
                                 "which sent ";
        bool isRight = status.text() == text + std::to_string(sent);
        if (!tellsCutLengths)
          isRight = isRight || (sent > 5 && status.text() == text + "more");
        report.expect(isRight, 1, status.text());
        bool untouched = true;
        for (std::size_t i = 5; i < y.size(); ++i)
          untouched = untouched && y[i] == -1;
        report.expect(untouched, 1, "elements beyond the buffer were written");
      } else if (status) {
        report.expect(false, comm.rank(), status.text());
      }
    }
    EXPECT_GOOD(emitted::barrier_dissemination(comm));
  }
  // recvUpTo accepts fewer elements, reports their number, and refuses more.
  for (const Index sent : {Index{0}, Index{3}, Index{6}, Index{7}}) {
    std::vector<std::int64_t> x(8, 1), y(8, -1);
    {
      typename Communicator::Call call(comm, "upto.quad",
                                       Datatype::template of<std::int64_t>());
      auto step = call.step(comm.everyone(), 5);
      Index received = -5;
      if (comm.rank() == 0)
        step.send(call.output(x.data(), 1, static_cast<std::size_t>(sent)), 1);
      if (comm.rank() == 1) // the last two blocks first
        step.recvUpTo(call.output(y.data(), 3, 2).cyclic(1, 3, 3), 0, &received);
      const Status status = call.finish(step.finish());
      if (comm.rank() == 1 && sent > 6) {
        report.expect(status.code() == ErrorCode::OtherLength, 1, "upTo too many");
      } else if (comm.rank() == 1) {
        report.expect(!status && received == sent, 1, "upTo fewer");
        for (std::size_t i = 0; i < 6; ++i)
          report.expect(y[(i + 2) % 6] == (static_cast<Index>(i) < sent ? 1 : -1), 1,
                        "upTo element " + std::to_string(i));
      }
    }
    EXPECT_GOOD(emitted::barrier_dissemination(comm));
  }
  // In a plan, into contiguous memory: the unused part is not changed.
  {
    std::vector<std::int64_t> x(100, 1), room(100, -1), y(60, -1);
    typename Communicator::Call call(comm, "arrived.quad",
                                     Datatype::template of<std::int64_t>());
    EXPECT_GOOD(call.requireBuffer("x", x.data(), 1, 60));
    EXPECT_GOOD(call.requireBuffer("y", y.data(), 1, 60));
    EXPECT_GOOD(call.requireBuffer("room", room.data(), 1, 100));
    EXPECT_GOOD(call.run({}, [&]() -> Status {
      const Region to = call.output(room.data(), 1, 100);
      Region arrived;
      auto step = call.step(comm.everyone(), 5);
      if (comm.rank() == 0)
        step.send(call.output(x.data(), 1, 60), 1);
      if (comm.rank() == 1)
        step.recvUpTo(to, 0, arrived);
      if (Status bad = step.finish())
        return bad;
      if (comm.rank() == 1)
        call.copy(call.output(y.data(), 1, 60), arrived);
      return {};
    }));
    bool right = true;
    for (std::size_t i = 0; comm.rank() == 1 && i < 100; ++i)
      right = right && room[i] == (i < 60 ? 1 : -1) && (i >= 60 || y[i] == 1);
    report.expect(right, comm.rank(), "what arrived");
  }
}

/// The watchdog: rank 0 waits in vain for the last rank.
template <class Communicator> void timeout(Communicator &comm, Report &report) {
  using Datatype = typename Communicator::Datatype;
  if (comm.size() < 2)
    return;
  EXPECT_GOOD(emitted::barrier_dissemination(comm));
  if (comm.rank() == 0) {
    comm.setTimeout(100);
    std::vector<std::int64_t> y(10);
    typename Communicator::Call call(comm, "scan/hypercube.quad",
                                     Datatype::template of<std::int64_t>());
    auto step = call.step(comm.everyone(), 14);
    step.recv(call.output(y.data(), 1, 10), comm.size() - 1);
    const Status status = call.finish(step.finish());
    report.expect(status.code() == ErrorCode::Timeout, 0, status.text());
    report.expect(std::string(status.text()) ==
                      "scan/hypercube.quad:14: rank 0 waited 100 ms for rank " +
                          std::to_string(comm.size() - 1) + " (receive of 10 elements)",
                  0, status.text());
    comm.setTimeout(0);
  } else {
    // The part of the other ranks in the same call is slow.
    comm.setTimeout(0);
    typename Communicator::Call call(comm, "scan/hypercube.quad");
    timespec pause{0, 500'000'000};
    nanosleep(&pause, nullptr);
  }
  // Afterwards the communicator works again.
  EXPECT_GOOD(emitted::barrier_dissemination(comm));
}

} // namespace checks

#endif // QUADRILLE_TEST_COLLECTIVECHECKS_H
