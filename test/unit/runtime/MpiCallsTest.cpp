//===- MpiCallsTest.cpp - What a replayed call asks of MPI -----------------===//
//
// Linked with an MPI that counts: runtime/benchmark/StubMpi.h. So it runs in one
// process, and the numbers are the same on every machine.
//
//===----------------------------------------------------------------------===//

#include "EmittedCollectives.h"

#include "StubMpi.h"

#include "quadrille/mpi.h"

#include <cstdlib>
#include <gtest/gtest.h>
#include <new>
#include <string>
#include <vector>

using namespace quadrille;
using mpi::Communicator;
using mpi::Datatype;
using mpi::Operator;

static thread_local long allocations = 0;

// Counts. The others forward to these.
void *operator new(std::size_t bytes) {
  ++allocations;
  if (void *memory = std::malloc(bytes))
    return memory;
  throw std::bad_alloc();
}
void *operator new(std::size_t bytes, const std::nothrow_t &) noexcept {
  ++allocations;
  return std::malloc(bytes);
}
void operator delete(void *memory) noexcept { std::free(memory); }
void operator delete(void *memory, std::size_t) noexcept { std::free(memory); }

namespace {

/// What the fourth of equal calls asks MPI; those before may ask more, and find
/// memory.
template <class Call> std::string replayed(Call call) {
  for (int i = 0; i < 3; ++i) {
    const Status bad = call();
    EXPECT_FALSE(bad) << bad.text();
  }
  (void)stub::takeCalls();
  const long before = allocations;
  const Status bad = call();
  const long made = allocations - before;
  EXPECT_FALSE(bad) << bad.text();
  EXPECT_EQ(made, 0) << "allocations";
  return stub::takeCalls();
}

class MpiCalls : public testing::Test {
protected:
  std::vector<double> x = std::vector<double>(4000, 1), y = std::vector<double>(64000);
};

TEST_F(MpiCalls, AnExchangeIsOneCall) {
  stub::pretend(0, 2);
  Communicator comm(MPI_COMM_WORLD);
  EXPECT_EQ(replayed([&] {
              return emitted::scan_hypercube(comm, x.data(), y.data(), 1, MPI_DOUBLE, MPI_SUM);
            }),
            "Get_count 1, Sendrecv 1");
}

// MPI combines what the runtime does not: operators that only MPI knows, and numbers
// that do not lie where C expects them.
TEST_F(MpiCalls, MpiCombinesOnlyWhatItAloneCan) {
  stub::pretend(0, 2);
  Communicator comm(MPI_COMM_WORLD);
  const auto call = [&](const void *from, MPI_Datatype type, MPI_Op op) {
    return replayed([&] { return emitted::scan_hypercube(comm, from, y.data(), 1, type, op); });
  };
  const std::string all = "Get_count 1, Sendrecv 1", byMpi = "Get_count 1, Reduce_local 1, Sendrecv 1";
  EXPECT_EQ(call(x.data(), MPI_INT, MPI_BXOR), all);
  EXPECT_EQ(call(x.data(), MPI_INT, MPI_LXOR), byMpi);
  EXPECT_EQ(call(x.data(), MPI_DOUBLE, MPI_BXOR), byMpi); // which MPI refuses
  EXPECT_EQ(call(reinterpret_cast<char *>(x.data()) + 1, MPI_DOUBLE, MPI_SUM), byMpi);
}

TEST_F(MpiCalls, ARingIsAnExchangeInEachStep) {
  stub::pretend(3, 16);
  Communicator comm(MPI_COMM_WORLD);
  const auto call = [&](std::size_t n) {
    return replayed([&] { return emitted::allgather_ring(comm, x.data(), y.data(), n, MPI_DOUBLE); });
  };
  EXPECT_EQ(call(1), "Get_count 15, Sendrecv 15");
  // Long messages go by themselves, and all receives are posted ahead.
  EXPECT_EQ(call(4000), "Get_count 15, Irecv 15, Isend 15, Waitsome 2");
}

// Short messages in several pieces are packed: no datatype is made, which this MPI could not.
TEST_F(MpiCalls, ShortPiecesArePacked) {
  stub::pretend(0, 4);
  Communicator comm(MPI_COMM_WORLD);
  EXPECT_EQ(replayed([&] { return emitted::alltoall_hypercube(comm, x.data(), y.data(), 3, MPI_DOUBLE); }),
            "Get_count 2, Irecv 2, Isend 2, Waitsome 2");
}

TEST_F(MpiCalls, WhoOnlySendsOrReceivesNeedsNoRequest) {
  stub::pretend(0, 2);
  Communicator root(MPI_COMM_WORLD);
  const auto call = [&](Communicator &comm) {
    return replayed([&] { return emitted::broadcast_pipeline(comm, 1, 0, x.data(), y.data(), 1, MPI_DOUBLE); });
  };
  EXPECT_EQ(call(root), "Send 1");
  stub::pretend(1, 2);
  Communicator leaf(MPI_COMM_WORLD);
  EXPECT_EQ(call(leaf), "Get_count 1, Recv 1");
}

TEST_F(MpiCalls, ABarrierAsksForNoLengthTwice) {
  stub::pretend(0, 4);
  Communicator comm(MPI_COMM_WORLD);
  EXPECT_EQ(replayed([&] { return emitted::barrier_dissemination(comm); }),
            "Get_count 2, Sendrecv 2");
}

TEST_F(MpiCalls, MessagesToSeveralPartnersGoTogether) {
  stub::pretend(0, 8);
  Communicator comm(MPI_COMM_WORLD);
  EXPECT_EQ(replayed([&] { return emitted::alltoall_direct(comm, x.data(), y.data(), 1, MPI_DOUBLE); }),
            "Get_count 16, Irecv 16, Isend 16, Waitsome 1");
}

// The watchdog has to look at the clock, so MPI must not wait.
TEST_F(MpiCalls, WithAWatchdogMpiIsOnlyLookedAt) {
  stub::pretend(0, 2);
  Communicator comm(MPI_COMM_WORLD);
  comm.setTimeout(1000);
  EXPECT_EQ(replayed([&] {
              return emitted::scan_hypercube(comm, x.data(), y.data(), 1, MPI_DOUBLE, MPI_SUM);
            }),
            "Get_count 1, Irecv 1, Isend 1, Testsome 1");
}

// Nor must it while something else is in flight.
TEST_F(MpiCalls, AStartedCallIsOnlyLookedAt) {
  stub::pretend(0, 2);
  Communicator comm(MPI_COMM_WORLD);
  EXPECT_EQ(replayed([&] {
              Request request = comm.start([&] {
                return emitted::scan_hypercube(comm, x.data(), y.data(), 1, MPI_DOUBLE, MPI_SUM);
              });
              return request.wait();
            }),
            "Get_count 1, Irecv 1, Isend 1, Testsome 1");
}

// A persistent call has a tag and requests of its own, which are made in its first start.
TEST_F(MpiCalls, APersistentCallKeepsItsRequests) {
  stub::pretend(0, 2);
  Communicator comm(MPI_COMM_WORLD);
  {
    Persistent scan = comm.prepare([&] {
      return emitted::scan_hypercube(comm, x.data(), y.data(), 64, MPI_DOUBLE, MPI_SUM);
    });
    (void)stub::takeCalls();
    const auto call = [&] {
      const Status bad = scan.start();
      return bad ? bad : scan.wait();
    };
    EXPECT_FALSE(call());
    EXPECT_EQ(stub::takeCalls(), "Get_count 1, Recv_init 1, Send_init 1, Start 2, Testsome 1");
    EXPECT_EQ(replayed(call), "Get_count 1, Start 2, Testsome 1");
  }
  EXPECT_EQ(stub::takeCalls(), "Finalized 1, Request_free 2");
}

#ifdef OPEN_MPI
// It sends a few bytes without a request.
TEST_F(MpiCalls, APersistentCallKeepsNoRequestOfAShortSend) {
  stub::pretend(0, 2);
  Communicator comm(MPI_COMM_WORLD);
  for (const std::size_t n : {32, 33}) {
    Persistent scan = comm.prepare([&] { return emitted::scan_hypercube(comm, x.data(), y.data(), n, MPI_DOUBLE, MPI_SUM); });
    EXPECT_EQ(replayed([&] {
                const Status bad = scan.start();
                return bad ? bad : scan.wait();
              }),
              n == 32 ? "Get_count 1, Isend 1, Start 1, Testsome 1" : "Get_count 1, Start 2, Testsome 1");
  }
}
#endif

TEST_F(MpiCalls, APersistentCallPacksIntoTheSameMemory) {
  stub::pretend(0, 4);
  Communicator comm(MPI_COMM_WORLD);
  Persistent all = comm.prepare([&] { return emitted::alltoall_hypercube(comm, x.data(), y.data(), 30, MPI_DOUBLE); });
  EXPECT_EQ(replayed([&] {
              const Status bad = all.start();
              return bad ? bad : all.wait();
            }),
            "Get_count 2, Start 4, Testsome 2");
}

// Messages of a start that has failed may be left, so the next one has another tag, and
// requests for that.
TEST_F(MpiCalls, AfterAFailureAPersistentCallKeepsNothing) {
  stub::pretend(0, 2);
  Communicator comm(MPI_COMM_WORLD);
  Persistent scan = comm.prepare([&] {
    return emitted::scan_hypercube(comm, x.data(), y.data(), 64, MPI_DOUBLE, MPI_SUM);
  });
  EXPECT_FALSE(scan.start());
  EXPECT_FALSE(scan.wait());
  EXPECT_FALSE(scan.start());
  (void)stub::takeCalls();
  scan.cancel();
  EXPECT_EQ(scan.status().code(), ErrorCode::Aborted);
  EXPECT_EQ(stub::takeCalls(), "Cancel 1, Finalized 1, Request_free 2, Testall 1");
  EXPECT_EQ(replayed([&] {
              const Status bad = scan.start();
              return bad ? bad : scan.wait();
            }),
            "Get_count 1, Irecv 1, Isend 1, Testsome 1");
}

// What outlives its communicator has given its requests back.
TEST_F(MpiCalls, APersistentCallMayOutliveItsCommunicator) {
  stub::pretend(0, 2);
  Persistent scan;
  {
    Communicator comm(MPI_COMM_WORLD);
    scan = comm.prepare([&] {
      return emitted::scan_hypercube(comm, x.data(), y.data(), 64, MPI_DOUBLE, MPI_SUM);
    });
    EXPECT_FALSE(scan.start());
    EXPECT_FALSE(scan.wait());
    (void)stub::takeCalls();
  }
  EXPECT_EQ(stub::takeCalls(), "Comm_free 1, Finalized 2, Request_free 2");
  EXPECT_EQ(scan.start().code(), ErrorCode::Transport);
}

} // namespace
