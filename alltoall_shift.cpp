// alltoall_shift.cpp: the schedule alltoall/shift, backend shm.
// Written by quadrille 0.1.0 (--backend shm --namespace collectives); edit the schedule instead.
//
// checked for p = 1..17, all n: matching, no deadlock, result
// model full_duplex
// cost (p - 1) * (alpha + beta*n)

#include "alltoall_shift.h"
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

/// The schedule alltoall/shift: what every rank of `group` does.
Status alltoall_shift(Call &call, const Group &group, const Region &x, const Region &y) {
  const Index p = group.size();
  const Index me = group.rank();
  // 8: y[me] := x[me]
  call.copy(y[me], x[me]);
  for (Index s = 1; s < p; ++s) {
    // 10: step
    auto step = call.step(group, 10);
    step.send(x[(me + s) % p], (me + s) % p);
    step.recv(y[quadrille::floorMod(me - s, p)], quadrille::floorMod(me - s, p));
    if (Status bad = step.finish())
      return bad;
  }
  return {};
}

} // namespace

Status alltoall_shift(Communicator &comm, const void *x, void *y, std::size_t n,
                      const Communicator::Datatype &type) {
  Call call(comm, "alltoall/shift.quad", type);
  if (Status bad = call.requireBuffer("x", x, comm.size(), n))
    return bad;
  if (Status bad = call.requireBuffer("y", y, comm.size(), n))
    return bad;
  const Region out = call.output(y, comm.size(), n);
  const Region in = call.input(x, comm.size(), n, out);
  return call.finish(alltoall_shift(call, comm.everyone(), in, out));
}

} // namespace collectives
