// allgather_ring.cpp: the schedule allgather/ring, backend shm.
// Written by quadrille 0.1.0 (--backend shm --namespace collectives); edit the schedule instead.
//
// checked for p = 1..17, all n: matching, no deadlock, result
// model full_duplex
// cost (p - 1) * (alpha + beta*n)

#include "allgather_ring.h"
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

/// The schedule allgather/ring: what every rank of `group` does.
Status allgather_ring(Call &call, const Group &group, const Region &x, const Region &y) {
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

} // namespace

Status allgather_ring(Communicator &comm, const void *x, void *y, std::size_t n,
                      const Communicator::Datatype &type) {
  Call call(comm, "allgather/ring.quad", type);
  if (Status bad = call.requireBuffer("x", x, 1, n))
    return bad;
  if (Status bad = call.requireBuffer("y", y, comm.size(), n))
    return bad;
  const Region out = call.output(y, comm.size(), n);
  // In a call in place, the input is read before the output is written: no copy is needed.
  const Region in = call.input(x, 1, n);
  return call.finish(allgather_ring(call, comm.everyone(), in, out));
}

} // namespace collectives
