// Calls emitted functions wrongly. Every rank must get the same error, with a text, before any message is sent: ranks
// would hang otherwise, or find leftovers in the right call at the end.

#include "allreduce_hypercube.h"
#include "broadcast_pipelined_path.h"
#include "reduce_scatter_ring.h"

#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

using collectives::Communicator;
using quadrille::ErrorCode;
using quadrille::Status;

#ifdef WITH_MPI
using Number = int;
static void first(void *in, void *inout, int *count, MPI_Datatype *) { std::memcpy(inout, in, sizeof(Number) * *count); }
#else
using Number = int;
static void first(const void *in, void *inout, std::size_t count, const Communicator::Datatype &, void *) {
  std::memcpy(inout, in, sizeof(Number) * count);
}
#endif

static bool expect(const Communicator &comm, const char *what, const Status &status, ErrorCode wanted) {
  bool ok = status.code() == wanted && (wanted == ErrorCode::Ok || !std::string(status.text()).empty());
  if (!ok || comm.rank() == 0)
    std::printf("%s: %s: %s\n", ok ? "ok" : "WRONG", what, std::string(status.text()).c_str());
  return ok;
}

static bool callWrongly(Communicator &comm, const Communicator::Datatype &type, const Communicator::Operator &sum,
                        const Communicator::Operator &ordered, bool powerOfTwo) {
  using namespace collectives;
  const std::size_t n = 10, p = static_cast<std::size_t>(comm.size());
  std::vector<Number> x(n * p, 1), y(n * p, 0);
  bool ok = true;
  if (!powerOfTwo) {
    ok &= expect(comm, "a size the schedule does not support",
                 allreduce_hypercube(comm, x.data(), y.data(), n, type, sum), ErrorCode::UnsupportedSize);
  } else {
    ok &= expect(comm, "null input", allreduce_hypercube(comm, nullptr, y.data(), n, type, sum), ErrorCode::NullBuffer);
    ok &= expect(comm, "null output", allreduce_hypercube(comm, x.data(), nullptr, n, type, sum), ErrorCode::NullBuffer);
    ok &= expect(comm, "null buffers of no elements", allreduce_hypercube(comm, nullptr, nullptr, 0, type, sum), ErrorCode::Ok);
    ok &= expect(comm, "right", allreduce_hypercube(comm, x.data(), y.data(), n, type, sum), ErrorCode::Ok);
    ok &= y[0] == comm.size() && y[n - 1] == comm.size();
  }
  ok &= expect(comm, "an operator that does not commute", reduce_scatter_ring(comm, x.data(), y.data(), n, type, ordered),
               ErrorCode::NotCommutative);
  ok &= expect(comm, "a root that is no rank", broadcast_pipelined_path(comm, 2, comm.size(), x.data(), y.data(), n, type),
               ErrorCode::BadRoot);
  ok &= expect(comm, "a negative root", broadcast_pipelined_path(comm, 2, -1, x.data(), y.data(), n, type), ErrorCode::BadRoot);
  ok &= expect(comm, "fewer packets than none", broadcast_pipelined_path(comm, -1, 0, x.data(), y.data(), n, type),
               ErrorCode::BadParameter);
  ok &= expect(comm, "a choice of packets for no rank", broadcast_pipelined_path(comm, 0, comm.size(), x.data(), y.data(), n, type),
               ErrorCode::BadRoot);
  ok &= expect(comm, "a choice of packets, started, for no rank",
               broadcast_pipelined_path_start(comm, 0, -1, x.data(), y.data(), n, type).wait(), ErrorCode::BadRoot);
  ok &= broadcast_pipelined_path_packets(comm, comm.size(), n, type) == 0;
  ok &= broadcast_pipelined_path_packets(comm, -1, n, type) == 0;
  // The dearer a startup, the fewer packets.
  comm.setMachine({1e-6, 1e-9});
  const quadrille::Index many = broadcast_pipelined_path_packets(comm, 0, 1000000, type);
  comm.setMachine({1, 1e-9});
  const quadrille::Index few = broadcast_pipelined_path_packets(comm, 0, 1000000, type);
  ok &= many > 10 && few == 1;
  comm.setMachine({1e-9, 1e-9}); // several packets for the call at the end
  ok &= expect(comm, "more elements than there is memory",
               allreduce_hypercube(comm, x.data(), y.data(), ~std::size_t(0) / 2, type, sum),
               powerOfTwo ? ErrorCode::TooLarge : ErrorCode::UnsupportedSize);
  std::fill(y.begin(), y.end(), 0);
  ok &= expect(comm, "right again", broadcast_pipelined_path(comm, 3, 0, x.data(), y.data(), n, type), ErrorCode::Ok);
  ok &= y[0] == 1 && y[n - 1] == 1;
  std::fill(y.begin(), y.end(), 0);
  ok &= broadcast_pipelined_path_packets(comm, 0, n, type) > 1;
  ok &= expect(comm, "a choice of packets", broadcast_pipelined_path(comm, 0, 0, x.data(), y.data(), n, type), ErrorCode::Ok);
  ok &= y[0] == 1 && y[n - 1] == 1;
  if (!ok)
    std::printf("WRONG: at rank %d\n", static_cast<int>(comm.rank()));
  return ok;
}

#ifdef WITH_MPI
int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  bool ok;
  {
    Communicator comm(MPI_COMM_WORLD);
    MPI_Op ordered;
    MPI_Op_create(first, /*commute=*/0, &ordered);
    ok = callWrongly(comm, Communicator::Datatype(MPI_INT), Communicator::Operator(MPI_SUM), Communicator::Operator(ordered),
                     (comm.size() & (comm.size() - 1)) == 0);
    MPI_Op_free(&ordered);
  }
  MPI_Finalize();
  return ok ? 0 : 1;
}
#else
int main() {
  bool ok = true;
  for (int p : {4, 3}) {
    quadrille::shm::Team team(p);
    std::vector<char> oks(static_cast<std::size_t>(p), 0);
    const Status ran = team.run([&](Communicator &comm) {
      oks[static_cast<std::size_t>(comm.rank())] =
          callWrongly(comm, Communicator::Datatype::of<Number>(), Communicator::Operator::sum(),
                      Communicator::Operator::user(first), p == 4);
    });
    ok &= ran.code() == ErrorCode::Ok;
    for (char one : oks)
      ok &= one != 0;
  }
  return ok ? 0 : 1;
}
#endif
