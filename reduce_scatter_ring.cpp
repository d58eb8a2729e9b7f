// reduce_scatter_ring.cpp: the schedule reduce_scatter/ring, backend shm.
// Written by quadrille 0.1.0 (--backend shm --namespace collectives); edit the schedule instead.
//
// checked for p = 1..17, all n: matching, no deadlock, result
// model full_duplex, operator commutative
// cost (p - 1) * (alpha + beta*n)

#include "reduce_scatter_ring.h"
#include "quadrille/math.h"

namespace collectives {

using Call = Communicator::Call;
using quadrille::Group;
using quadrille::Index;
using quadrille::none;
using quadrille::Region;
using quadrille::Side;
using quadrille::Status;

namespace {

/// The schedule reduce_scatter/ring: what every rank of `group` does.
Status reduce_scatter_ring(Call &call, const Group &group, const Region &x, const Region &y) {
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

} // namespace

Status reduce_scatter_ring(Communicator &comm, const void *x, void *y, std::size_t n,
                           const Communicator::Datatype &type, const Communicator::Operator &op) {
  Call call(comm, "reduce_scatter/ring.quad", type, op);
  if (Status bad = call.requireCommutative())
    return bad;
  if (Status bad = call.requireBuffer("x", x, comm.size(), n))
    return bad;
  if (Status bad = call.requireBuffer("y", y, 1, n))
    return bad;
  const Region out = call.output(y, 1, n);
  // In a call in place, the input is read before the output is written: no copy is needed.
  const Region in = call.input(x, comm.size(), n);
  return call.finish(reduce_scatter_ring(call, comm.everyone(), in, out));
}

} // namespace collectives
