// alltoall_one_factor.cpp: the schedule alltoall/one_factor, backend shm.
// Written by quadrille 0.1.0 (--backend shm --namespace collectives); edit the schedule instead.
//
// checked for p = 1..17, all n: matching, no deadlock, result
// model telephone
// cost q * (alpha + beta*n)

#include "alltoall_one_factor.h"
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

/// The schedule alltoall/one_factor: what every rank of `group` does.
Status alltoall_one_factor(Call &call, const Group &group, const Region &x, const Region &y) {
  const Index p = group.size();
  const Index me = group.rank();
  const Index q = p > 1 && quadrille::isOdd(p) ? p : p - 1;
  // 10: y[me] := x[me]
  call.copy(y[me], x[me]);
  for (Index r = 0; r < q; ++r) {
    const Index other = me == q ? r : quadrille::floorMod(2 * r - me, q);
    const Index partner = other == me ? q : other;
    // 14: step
    auto step = call.step(group, 14);
    if (partner < p) {
      step.send(x[partner], partner);
      step.recv(y[partner], partner);
    }
    if (Status bad = step.finish())
      return bad;
  }
  return {};
}

} // namespace

Status alltoall_one_factor(Communicator &comm, const void *x, void *y, std::size_t n,
                           const Communicator::Datatype &type) {
  Call call(comm, "alltoall/one_factor.quad", type);
  if (Status bad = call.requireBuffer("x", x, comm.size(), n))
    return bad;
  if (Status bad = call.requireBuffer("y", y, comm.size(), n))
    return bad;
  const Region out = call.output(y, comm.size(), n);
  const Region in = call.input(x, comm.size(), n, out);
  return call.finish(alltoall_one_factor(call, comm.everyone(), in, out));
}

} // namespace collectives
