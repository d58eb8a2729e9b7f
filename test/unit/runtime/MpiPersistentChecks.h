//===- MpiPersistentChecks.h - Persistent calls over MPI ------------------===//

#ifndef QUADRILLE_TEST_MPIPERSISTENTCHECKS_H
#define QUADRILLE_TEST_MPIPERSISTENTCHECKS_H

#include "CollectiveChecks.h"
#include "NonblockingChecks.h"

#include "quadrille/mpi.h"

#include "State.h" // private: tags

#include <cstdlib>
#include <memory>
#include <utility>
#include <vector>

/// What the tests set that programs cannot.
struct quadrille::mpi::detail::TestAccess {
  static CommunicatorState &state(Communicator &comm) { return *comm.state_; }
  static void setTags(Communicator &comm, std::uint64_t tags) { comm.state_->shareTags(tags); }
};

namespace checks {

using quadrille::ErrorCode;
using quadrille::Index;
using quadrille::Persistent;
using quadrille::Request;
using quadrille::Status;
using quadrille::mpi::Communicator;

/// Runs body(comm) on communicators whose messages go through MPI, through the memory of
/// the node, and both.
template <class Body> void onEveryWay(Body body) {
  const std::pair<const char *, const char *> ways[] = {
      {"QUADRILLE_SHARED_MEMORY", "0"}, {"QUADRILLE_SHARED_MEMORY", "1"}, {"QUADRILLE_NODES", "2"}};
  // All of them are there till the end: MPI may take a message that is left from one for
  // one of the next.
  std::vector<std::unique_ptr<Communicator>> comms;
  for (const auto &[name, value] : ways) {
    ::setenv(name, value, 1);
    comms.push_back(std::make_unique<Communicator>(MPI_COMM_WORLD));
    ::unsetenv(name);
  }
  for (const std::unique_ptr<Communicator> &comm : comms)
    body(*comm);
}

/// Persistent calls whose ranks are in different starts, with few tags and with many.
inline void persistent(const Environment<Communicator> &env, Report &report) {
  const auto scanOf = [](Communicator &comm, const std::vector<double> &x, std::vector<double> &y) {
    return comm.prepare([&comm, from = x.data(), to = y.data(), n = x.size()] {
      return emitted::scan_chain(comm, from, to, n, MPI_DOUBLE, MPI_SUM);
    });
  };
  const auto sumUpTo = [](Index rank, double first) {
    return static_cast<double>(rank + 1) * (first + static_cast<double>(rank) / 2);
  };
  onEveryWay([&](Communicator &comm) {
    const auto me = static_cast<double>(comm.rank());
    for (const Index timeoutMs : {60000, 0}) {
      comm.setTimeout(timeoutMs);
      for (const std::size_t n : {0, 1, 7, 1000, 30001}) {
        std::vector<double> x(n), y(n);
        Persistent scan = scanOf(comm, x, y);
        // The first rank only sends, so it is some starts ahead.
        for (int i = 0; i < 30; ++i) {
          x.assign(n, me + i);
          EXPECT_GOOD(scan.start());
          while (i % 2 == 0 && !scan.test()) {
          }
          EXPECT_GOOD(scan.wait());
          EXPECT_THAT(y == std::vector<double>(n, sumUpTo(comm.rank(), i)));
        }
      }
    }
    // Two messages for each pair of ranks, and messages in several pieces, of which short
    // ones are packed.
    for (const std::size_t n : {3, 3000}) {
      const auto blocks = static_cast<std::size_t>(comm.size());
      std::vector<std::int64_t> x(n * blocks), y(n * blocks), gathered(n * blocks);
      Persistent gather =
          comm.prepare([&] { return emitted::allgather_circulant(comm, x.data(), gathered.data(), n, MPI_INT64_T); });
      Persistent all = comm.prepare([&] { return emitted::alltoall_direct(comm, x.data(), y.data(), n, MPI_INT64_T); });
      for (int i = 0; i < 5; ++i) {
        for (std::size_t j = 0; j < x.size(); ++j)
          x[j] = valueOf(comm.rank(), i, j);
        EXPECT_GOOD(all.start());
        EXPECT_GOOD(gather.start());
        EXPECT_GOOD(all.wait());
        EXPECT_GOOD(gather.wait());
        bool right = true;
        for (std::size_t from = 0; from < blocks; ++from)
          for (std::size_t j = 0; j < n; ++j) {
            const auto value = [&](std::size_t at) { return valueOf(static_cast<Index>(from), i, at); };
            right = right && y[from * n + j] == value(static_cast<std::size_t>(comm.rank()) * n + j) &&
                    gathered[from * n + j] == value(j);
          }
        EXPECT_THAT(right);
      }
    }
    // More of them than there are tags, prepared in any order, and started by turns.
    for (const std::uint64_t tags : {1, 2, 7, 1000}) {
      quadrille::mpi::detail::TestAccess::setTags(comm, tags);
      constexpr std::size_t count = 20;
      std::vector<double> x[count], y[count];
      Persistent scans[count];
      for (std::size_t i = 0; i < count; ++i) {
        const std::size_t k = comm.rank() % 2 == 0 ? i : count - 1 - i;
        x[k].assign(k, me + static_cast<double>(k));
        y[k].assign(k, 0);
        scans[k] = scanOf(comm, x[k], y[k]);
      }
      for (int i = 0; i < 3; ++i) {
        for (Persistent &scan : scans)
          EXPECT_GOOD(scan.start());
        manyInFlight(comm, 3, 7, env, report);
        EXPECT_GOOD(waitAll(scans));
        for (std::size_t n = 0; n < count; ++n) {
          EXPECT_THAT(y[n] == std::vector<double>(n, sumUpTo(comm.rank(), static_cast<double>(n))));
          y[n].assign(n, 0);
        }
      }
    }
  });
}

/// A message that is left from a start that has failed is not taken for one of a later
/// start.
inline void persistentAfterFailure(Report &report) {
  onEveryWay([&](Communicator &comm) {
    if (comm.size() < 2)
      return;
    comm.setTimeout(60000);
    const Index me = comm.rank();
    const std::size_t n = 1;
    std::int64_t sent = 0, got = 0;
    // From rank 1 to rank 0 and back.
    const auto there = [&]() -> Status {
      Communicator::Call call(comm, "there.quad", MPI_INT64_T);
      const auto transfer = [&](auto add) {
        auto step = call.step(comm.everyone(), 1);
        add(step);
        return step.finish();
      };
      Status bad;
      if (me == 0 || me == 1) {
        const auto first = [&](auto &step) {
          me == 1 ? step.send(call.output(&sent, 1, 1), 0) : step.recv(call.output(&got, 1, 1), 1);
        };
        const auto second = [&](auto &step) {
          me == 1 ? step.recv(call.output(&got, 1, 1), 0) : step.send(call.output(&got, 1, 1), 1);
        };
        bad = transfer(first);
        if (!bad)
          bad = transfer(second);
      }
      return call.finish(bad);
    };
    const auto isRight = [&](Persistent &call, std::int64_t value) {
      sent = value;
      got = 0;
      EXPECT_GOOD(call.start());
      EXPECT_GOOD(call.wait());
      EXPECT_THAT(got == (me < 2 ? value : 0));
    };
    Persistent call = comm.prepare(there);
    isRight(call, 10);
    isRight(call, 20);
    // Rank 0 gives up before rank 1 has sent.
    sent = 30;
    for (const Index turn : {0, 1}) {
      if (me == turn) {
        EXPECT_GOOD(call.start());
        call.cancel();
        EXPECT_THAT(call.status().code() == ErrorCode::Aborted || call.status().code() == ErrorCode::Transport);
      }
      MPI_Barrier(MPI_COMM_WORLD);
    }
    if (me > 1) {
      EXPECT_GOOD(call.start());
      EXPECT_GOOD(call.wait());
    }
    isRight(call, 40);
    isRight(call, 50);
    call = comm.prepare(there);
    isRight(call, 60);
    isRight(call, 70);
  });
}

} // namespace checks

#endif // QUADRILLE_TEST_MPIPERSISTENTCHECKS_H
