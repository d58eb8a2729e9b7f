// reduce_scatter_hypercube.cpp: the schedule reduce_scatter/hypercube, backend shm.
// Written by quadrille 0.1.0 (--backend shm --namespace collectives); edit the schedule instead.
//
// checked for p = 1,2,4,8,16, all n: matching, no deadlock, result
// model telephone, operator associative
// cost log2(p)*alpha + (p - 1)*beta*n

#include "reduce_scatter_hypercube.h"
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

/// The schedule reduce_scatter/hypercube: what every rank of `group` does.
Status reduce_scatter_hypercube(Call &call, const Group &group, const Region &x, const Region &y) {
  const Index p = group.size();
  const Index me = group.rank();
  const Region sum = call.temporaryLike(x);
  // 10: var sum := x
  call.copy(sum, x);
  const Region tRoom = call.temporaryLike(sum);
  for (Index w = 1; w < p; w *= 2) {
    const Index partner = me ^ w;
    const Index v = 2 * w;
    // 14: step
    {
      const Region selected = sum.select(0, p, [&](Index j) { return j % v == partner % v; });
      const Region t = tRoom.slice(0, selected.count());
      auto step = call.step(group, 14);
      step.send(selected, partner);
      step.recv(t, partner);
      if (Status bad = step.finish())
        return bad;
      if (partner < me)
        call.combine(sum.select(0, p, [&](Index j) { return j % v == me % v; }), t,
                     sum.select(0, p, [&](Index j) { return j % v == me % v; }));
      else
        call.combine(sum.select(0, p, [&](Index j) { return j % v == me % v; }),
                     sum.select(0, p, [&](Index j) { return j % v == me % v; }), t);
    }
  }
  // 20: y := sum[me]
  call.copy(y, sum[me]);
  return {};
}

} // namespace

Status reduce_scatter_hypercube(Communicator &comm, const void *x, void *y, std::size_t n,
                                const Communicator::Datatype &type,
                                const Communicator::Operator &op) {
  Call call(comm, "reduce_scatter/hypercube.quad", type, op);
  if (Status bad = call.requireSize(quadrille::isPow2(comm.size()), "pow2(p)"))
    return bad;
  if (Status bad = call.requireBuffer("x", x, comm.size(), n))
    return bad;
  if (Status bad = call.requireBuffer("y", y, 1, n))
    return bad;
  const Region out = call.output(y, 1, n);
  // In a call in place, the input is read before the output is written: no copy is needed.
  const Region in = call.input(x, comm.size(), n);
  return call.finish(reduce_scatter_hypercube(call, comm.everyone(), in, out));
}

} // namespace collectives
