// allreduce_ring.cpp: the schedule allreduce/ring, backend shm.
// Written by quadrille 0.1.0 (--backend shm --namespace collectives); edit the schedule instead.
//
// checked for p = 1..17, all n: matching, no deadlock, result
// model full_duplex, operator commutative
// cost 2*(p - 1) * (alpha + beta*ceil(n/p))

#include "allreduce_ring.h"
#include "quadrille/math.h"

namespace collectives {

using Call = Communicator::Call;
using quadrille::Group;
using quadrille::Index;
using quadrille::none;
using quadrille::Region;
using quadrille::Request;
using quadrille::Side;
using quadrille::Status;

namespace {

/// The schedule reduce_scatter/ring: what every rank of `group` does.
/// The blocks of its arrays may differ in length.
Status reduce_scatter_ring_ragged(Call &call, const Group &group, const Region &x,
                                  const Region &y) {
  const Index p = group.size();
  const Index me = group.rank();
  const Region sum = call.temporaryLike(x);
  // 9: var sum := x
  call.copy(sum, x);
  for (Index s = 1; s < p; ++s) {
    // 11: step
    auto step = call.step(group, 11);
    step.send(sum[(me + s) % p], quadrille::floorMod(me - 1, p));
    step.recvCombine(sum[(me + s + 1) % p], (me + 1) % p, Side::Right);
    if (Status bad = step.finish())
      return bad;
  }
  // 17: y := sum[me]
  call.copy(y, sum[me]);
  return {};
}

/// The schedule allgather/ring: what every rank of `group` does.
/// The blocks of its arrays may differ in length.
Status allgather_ring_ragged(Call &call, const Group &group, const Region &x, const Region &y) {
  const Index p = group.size();
  const Index me = group.rank();
  // 8: y[me] := x
  call.copy(y[me], x);
  for (Index s = 0; s < p - 1; ++s) {
    // 10: step
    auto step = call.step(group, 10);
    step.send(y[quadrille::floorMod(me - s, p)], (me + 1) % p);
    step.recv(y[quadrille::floorMod(me - s - 1, p)], quadrille::floorMod(me - 1, p));
    if (Status bad = step.finish())
      return bad;
  }
  return {};
}

/// The schedule allreduce/ring: what every rank of `group` does.
Status allreduce_ring(Call &call, const Group &group, const Region &x, const Region &y) {
  const Index p = group.size();
  const Index me = group.rank();
  const Region xPackets = x.split(p);
  const Region yPackets = y.split(p);
  // 10: use reduce_scatter/ring(x) -> y[me]
  if (Status bad = reduce_scatter_ring_ragged(call, group, xPackets, yPackets[me]))
    return bad;
  // 11: use allgather/ring(y[me]) -> y
  if (Status bad = allgather_ring_ragged(call, group, yPackets[me], yPackets))
    return bad;
  return {};
}

} // namespace

Status allreduce_ring(Communicator &comm, const void *x, void *y, std::size_t n,
                      const Communicator::Datatype &type, const Communicator::Operator &op) {
  Call call(comm, "allreduce/ring.quad", type, op);
  if (Status bad = call.requireCommutative())
    return bad;
  if (Status bad = call.requireBuffer("x", x, 1, n))
    return bad;
  if (Status bad = call.requireBuffer("y", y, 1, n))
    return bad;
  return call.run({}, [&] {
    const Region out = call.output(y, 1, n);
    const Region in = call.input(x, 1, n, out);
    return allreduce_ring(call, comm.everyone(), in, out);
  });
}

Request allreduce_ring_start(Communicator &comm, const void *x, void *y, std::size_t n,
                             const Communicator::Datatype &type, const Communicator::Operator &op) {
  return comm.start([=, &comm] {
    return allreduce_ring(comm, x, y, n, type, op);
  });
}

} // namespace collectives
