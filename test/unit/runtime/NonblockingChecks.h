//===- NonblockingChecks.h - Checks of calls in flight --------------------===//
//
// As CollectiveChecks.h: they run on every rank of a backend.
//
//===----------------------------------------------------------------------===//

#ifndef QUADRILLE_TEST_NONBLOCKINGCHECKS_H
#define QUADRILLE_TEST_NONBLOCKINGCHECKS_H

#include "CollectiveChecks.h"

#include "quadrille/request.h"

#include <algorithm>
#include <chrono>
#include <functional>
#include <memory>
#include <thread>

namespace checks {

using quadrille::Request;
using std::chrono::milliseconds;
using std::chrono::steady_clock;

/// A started call and its expected result.
struct Flight {
  std::vector<std::int64_t> in, out, expected;
  std::vector<Matrix> matricesIn, matricesOut, matricesExpected;
  Request request;

  bool isRight() const { return out == expected && matricesOut == matricesExpected; }
};

/// Starts call `i` of a series: all kinds of collectives by turns.
template <class Communicator>
void startOne(Communicator &comm, std::size_t i, std::size_t n,
              const Environment<Communicator> &env, Flight &flight) {
  const auto int64 = Communicator::Datatype::template of<std::int64_t>();
  const Index p = comm.size(), me = comm.rank();
  const Index salt = static_cast<Index>(i);
  const std::size_t blocks = static_cast<std::size_t>(p);
  const auto values = [&](Index rank) {
    std::vector<std::int64_t> block(n);
    for (std::size_t j = 0; j < n; ++j)
      block[j] = valueOf(rank, salt, j);
    return block;
  };
  const auto product = [&](Index last) {
    std::vector<Matrix> result(n);
    for (std::size_t j = 0; j < n; ++j) {
      result[j] = matrixOf(salt, j);
      for (Index r = 1; r <= last; ++r)
        result[j] = result[j] * matrixOf(salt + r, j);
    }
    return result;
  };
  flight.in = values(me);
  flight.matricesIn.resize(n);
  for (std::size_t j = 0; j < n; ++j)
    flight.matricesIn[j] = matrixOf(salt + me, j);
  const void *in = flight.in.data(), *matrices = flight.matricesIn.data();
  const auto gather = [&] {
    flight.out.assign(n * blocks, -1);
    for (Index r = 0; r < p; ++r)
      for (std::int64_t value : values(r))
        flight.expected.push_back(value);
    return flight.out.data();
  };
  switch (i % 6) {
  case 0: {
    void *out = gather();
    flight.request = comm.start(
        [=, &comm] { return emitted::allgather_ring(comm, in, out, n, int64); });
    return;
  }
  case 1: {
    flight.matricesOut.resize(n);
    flight.matricesExpected = product(me);
    void *out = flight.matricesOut.data();
    flight.request = comm.start([=, &comm] {
      return quadrille::isPow2(comm.size())
                 ? emitted::scan_hypercube(comm, matrices, out, n, env.matrix, env.product)
                 : emitted::scan_chain(comm, matrices, out, n, env.matrix, env.product);
    });
    return;
  }
  case 2: {
    const Index root = salt % p;
    flight.out.resize(n);
    flight.expected = values(root);
    void *out = flight.out.data();
    flight.request = comm.start([=, &comm] {
      return emitted::broadcast_pipeline(comm, 3, root, in, out, n, int64);
    });
    return;
  }
  case 3: {
    // Begins at other ranks than the earlier calls, which wait for each other.
    void *out = gather();
    flight.request = comm.start(
        [=, &comm] { return emitted::allgather_circulant(comm, in, out, n, int64); });
    return;
  }
  case 4:
    flight.request =
        comm.start([&comm] { return emitted::barrier_dissemination(comm); });
    return;
  case 5: {
    // In place, to the last rank.
    flight.matricesOut = flight.matricesIn;
    void *out = flight.matricesOut.data();
    flight.matricesExpected = me == p - 1 ? product(p - 1) : flight.matricesIn;
    flight.request = comm.start([=, &comm] {
      return emitted::reduce_chain(comm, comm.size() - 1, out, out, n, env.matrix,
                                   env.product);
    });
    return;
  }
  }
}

/// `calls` calls in flight, more than there are lanes or tags, with blocking calls
/// in between. Every rank waits for them in another order.
template <class Communicator>
void manyInFlight(Communicator &comm, std::size_t calls, std::size_t n,
                  const Environment<Communicator> &env, Report &report) {
  std::vector<Flight> flights(calls);
  for (std::size_t i = 0; i < calls; ++i) {
    startOne(comm, i, n, env, flights[i]);
    if (i % 7 == 3)
      everyCollective(comm, n % 11, env, report);
  }
  std::vector<std::size_t> order(calls);
  for (std::size_t i = 0; i < calls; ++i)
    order[i] = i;
  std::uint64_t random = static_cast<std::uint64_t>(comm.rank()) * 7919 + calls + n;
  for (std::size_t i = calls; i > 1; --i) {
    random = random * 6364136223846793005u + 1442695040888963407u;
    std::swap(order[i - 1], order[random / 4294967296u % i]);
  }
  if (comm.rank() % 3 == 1) // the last first
    std::sort(order.rbegin(), order.rend());
  for (std::size_t i : order) {
    Request &request = flights[i].request;
    if (i % 2)
      while (!request.test())
        std::this_thread::yield();
    EXPECT_GOOD(request.wait());
    EXPECT_THAT(request.test());
    EXPECT_THAT(flights[i].isRight());
  }
}

/// Two calls whose messages cross. At rank 2 the first call waits for rank 1,
/// which sends for the second call first; and the second call waits for rank 0,
/// which sends for the first call first. With a single queue per pair of ranks
/// this would be a deadlock. `between` other calls are started between the two.
template <class Communicator>
void crossing(Communicator &comm, std::size_t between, Report &report) {
  if (comm.size() < 3)
    return;
  const auto int64 = Communicator::Datatype::template of<std::int64_t>();
  const Index me = comm.rank();
  std::int64_t sent[2] = {10 * me + 1, 10 * me + 2}, got[2][2] = {};
  const auto body = [&](int which) {
    return [&, which]() -> Status {
      typename Communicator::Call call(comm, "crossing.quad", int64);
      const auto transfer = [&](auto add) {
        auto step = call.step(comm.everyone(), 1);
        add(step);
        return step.finish();
      };
      const auto send = [&] {
        return transfer([&](auto &step) { step.send(call.output(&sent[which], 1, 1), 2); });
      };
      const auto receive = [&](Index from) {
        return transfer([&](auto &step) {
          step.recv(call.output(&got[which][from], 1, 1), from);
        });
      };
      Status bad;
      if (me == 0)
        bad = send();
      if (me == 1) {
        if (which == 0)
          bad = transfer([](auto &step) { step.recv(2); });
        if (!bad)
          bad = send();
      }
      if (me == 2) {
        if (which == 0)
          bad = transfer([](auto &step) { step.send(1); });
        for (const Index from : {Index{1 - which}, Index{which}})
          if (!bad)
            bad = receive(from);
      }
      return call.finish(bad);
    };
  };
  if (me == 2) // the others have offered what they can
    std::this_thread::sleep_for(milliseconds(3));
  Request requests[2];
  requests[0] = comm.start(body(0));
  std::vector<Request> others;
  for (std::size_t i = 0; i < between; ++i)
    others.push_back(
        comm.start([&comm] { return emitted::barrier_dissemination(comm); }));
  requests[1] = comm.start(body(1));
  for (int which : {1, 0}) {
    const Status bad = requests[which].wait();
    report.expect(!bad, me, bad.text());
  }
  if (me == 2)
    for (int which : {0, 1})
      for (int from : {0, 1})
        report.expect(got[which][from] == 10 * from + which + 1, 2,
                      "call " + std::to_string(which) + " got another's message");
  EXPECT_GOOD(waitAll(others));
}

/// Errors are reported by the request and do not affect other calls.
template <class Communicator>
void nonblockingErrors(Communicator &comm, const Environment<Communicator> &env,
                       Report &report) {
  const std::size_t n = 4;
  std::vector<Matrix> x(n), y(n);
  Request other = comm.start([&comm] { return emitted::barrier_dissemination(comm); });
  {
    Request request = comm.start([&] {
      return emitted::reduce_chain(comm, -1, x.data(), y.data(), n, env.matrix,
                                   env.product);
    });
    EXPECT_THAT(request.test()); // found before the first message
    EXPECT_THAT(request.status().code() == ErrorCode::BadRoot);
    EXPECT_THAT(request.wait().code() == ErrorCode::BadRoot);
    EXPECT_THAT(request.wait().code() == ErrorCode::BadRoot);
  }
  EXPECT_GOOD(emitted::barrier_dissemination(comm));
  {
    // A started collective is one; its body may consist of several.
    Request request = comm.start([&]() -> Status {
      const Request inner = comm.start([] { return Status(); });
      report.expect(inner.status().code() == ErrorCode::BadParameter, comm.rank(),
                    "started within");
      if (Status bad = emitted::barrier_dissemination(comm))
        return bad;
      for (std::size_t i = 0; i < n; ++i)
        x[i] = matrixOf(comm.rank(), i);
      if (Status bad = emitted::scan_chain(comm, x.data(), y.data(), n, env.matrix,
                                           env.product))
        return bad;
      return emitted::barrier_dissemination(comm);
    });
    EXPECT_GOOD(request.wait());
    Matrix product = matrixOf(0, 2);
    for (Index r = 1; r <= comm.rank(); ++r)
      product = product * matrixOf(r, 2);
    EXPECT_THAT(y[2] == product);
  }
  EXPECT_GOOD(other.wait());

  // Default-constructed and moved requests.
  Request nothing;
  EXPECT_THAT(nothing.test());
  EXPECT_GOOD(nothing.wait());
  nothing = comm.start([&comm] { return emitted::barrier_dissemination(comm); });
  Request moved(std::move(nothing));
  EXPECT_GOOD(nothing.wait());
  // The assignment waits for the first, the destructor for the second.
  moved = comm.start([&comm] { return emitted::barrier_dissemination(comm); });
}

/// A reduction makes progress while the rank computes: by `test`, which does not
/// wait, and by `progress`.
template <class Communicator>
void overlap(Communicator &comm, std::size_t n, Report &report) {
  using Datatype = typename Communicator::Datatype;
  using Operator = typename Communicator::Operator;
  const auto real = Datatype::template of<double>();
  std::vector<double> x(n), y(n), z(n);
  for (std::size_t i = 0; i < n; ++i)
    x[i] = static_cast<double>(comm.rank() + 1) * static_cast<double>(i % 10);
  const double sum = static_cast<double>(comm.size() * (comm.size() + 1) / 2);
  const auto start = [&](std::vector<double> &to) {
    return comm.start([&] {
      return emitted::reduce_chain(comm, 0, x.data(), to.data(), n, real,
                                   Operator::sum());
    });
  };
  const auto isRight = [&](const std::vector<double> &of) {
    for (std::size_t i = 0; i < n && comm.rank() == 0; ++i)
      if (of[i] != sum * static_cast<double>(i % 10))
        return false;
    return true;
  };
  double work = 1;
  const auto compute = [&] {
    for (int i = 0; i < 1000; ++i)
      work = work * 1.0000001 + 1e-9;
  };
  Request request = start(y);
  const auto limit = steady_clock::now() + std::chrono::seconds(60);
  bool done = false;
  while (!(done = request.test()) && steady_clock::now() < limit)
    compute();
  EXPECT_THAT(done);
  EXPECT_GOOD(request.wait());
  EXPECT_THAT(isRight(y));

  // The same with `progress` of the communicator, and a blocking call meanwhile.
  request = start(z);
  std::vector<double> again(n);
  EXPECT_GOOD(emitted::reduce_chain(comm, 0, x.data(), again.data(), n, real,
                                    Operator::sum()));
  for (int i = 0; i < 10; ++i) {
    compute();
    comm.progress();
  }
  EXPECT_GOOD(request.wait());
  EXPECT_THAT(isRight(z) && isRight(again));
  EXPECT_THAT(work > 1);
}

/// With a progress thread a collective ends while all ranks compute and make no
/// calls that make progress.
template <class Communicator>
void progressThread(Communicator &comm, std::size_t n,
                    const Environment<Communicator> &env, Report &report) {
  EXPECT_GOOD(comm.startProgressThread());
  EXPECT_GOOD(comm.startProgressThread()); // once is enough
  for (int round = 0; round < 5; ++round) {
    std::vector<Flight> flights(8);
    for (std::size_t i = 0; i < flights.size(); ++i)
      startOne(comm, i, n, env, flights[i]);
    const auto limit = steady_clock::now() + std::chrono::seconds(60);
    for (Flight &flight : flights) {
      // With a progress thread `test` makes no progress itself.
      while (!flight.request.test() && steady_clock::now() < limit)
        std::this_thread::sleep_for(std::chrono::microseconds(100));
      EXPECT_THAT(flight.request.test());
      EXPECT_GOOD(flight.request.wait());
      EXPECT_THAT(flight.isRight());
    }
    // The thread gives way to other calls.
    manyInFlight(comm, 20, n, env, report);
    everyCollective(comm, 9, env, report);
  }
  comm.stopProgressThread();
  manyInFlight(comm, 5, n, env, report);
}

/// All ranks wait and none sends; rank 0 times out first.
template <class Communicator>
void nonblockingTimeout(Communicator &comm, Report &report) {
  if (comm.size() < 2)
    return;
  EXPECT_GOOD(emitted::barrier_dissemination(comm));
  const Index before = comm.timeoutMs();
  comm.setTimeout(comm.rank() == 0 ? 100 : 2000);
  Request request = comm.start([&]() -> Status {
    typename Communicator::Call call(comm, "lonely.quad");
    auto step = call.step(comm.everyone(), 7);
    step.recv(comm.rank() == 0 ? 1 : 0);
    return call.finish(step.finish());
  });
  std::size_t tests = 0;
  while (!request.test()) {
    ++tests;
    std::this_thread::yield();
  }
  const Status status = request.wait();
  report.expect(tests > 0, comm.rank(), "it had to be waited for");
  if (comm.rank() == 0)
    report.expect(std::string(status.text()) ==
                      "lonely.quad:7: rank 0 waited 100 ms for rank 1 (receive of 0 "
                      "elements)",
                  0, status.text());
  else // processes of a node see that rank 0 has left, threads why
    report.expect(status.code() == ErrorCode::Timeout ||
                      status.code() == ErrorCode::Transport ||
                      status.code() == ErrorCode::Aborted,
                  comm.rank(), status.text());
  comm.setTimeout(before);
  EXPECT_GOOD(emitted::barrier_dissemination(comm));
}

} // namespace checks

#endif // QUADRILLE_TEST_NONBLOCKINGCHECKS_H
