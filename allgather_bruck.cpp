// allgather_bruck.cpp: the schedule allgather/bruck, backend shm.
// Written by quadrille 0.1.0 (--backend shm --namespace collectives); edit the schedule instead.
//
// checked for p = 1..17, all n: matching, no deadlock, result
// model full_duplex
// cost ceil_log2(p)*alpha + (p - 1)*beta*n

#include "allgather_bruck.h"
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

/// The schedule allgather/bruck: what every rank of `group` does.
Status allgather_bruck(Call &call, const Group &group, const Region &x, const Region &y) {
  const Index p = group.size();
  const Index me = group.rank();
  // 9: y[me] := x
  call.copy(y[me], x);
  for (Index w = 1; w < p; w *= 2) {
    const Index count = quadrille::minimum(w, p - w);
    // 12: step
    auto step = call.step(group, 12);
    step.send(y.cyclic(me, count, p), quadrille::floorMod(me - w, p));
    step.recv(y.cyclic(me + w, count, p), (me + w) % p);
    if (Status bad = step.finish())
      return bad;
  }
  return {};
}

} // namespace

Status allgather_bruck(Communicator &comm, const void *x, void *y, std::size_t n,
                       const Communicator::Datatype &type) {
  Call call(comm, "allgather/bruck.quad", type);
  if (Status bad = call.requireBuffer("x", x, 1, n))
    return bad;
  if (Status bad = call.requireBuffer("y", y, comm.size(), n))
    return bad;
  const Region out = call.output(y, comm.size(), n);
  // In a call in place, the input is read before the output is written: no copy is needed.
  const Region in = call.input(x, 1, n);
  return call.finish(allgather_bruck(call, comm.everyone(), in, out));
}

} // namespace collectives
