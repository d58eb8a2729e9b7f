// alltoall_hypercube.cpp: the schedule alltoall/hypercube, backend shm.
// Written by quadrille 0.1.0 (--backend shm --namespace collectives); edit the schedule instead.
//
// checked for p = 1,2,4,8,16, all n: matching, no deadlock, result
// model telephone
// cost log2(p) * (alpha + beta*n * p/2)

#include "alltoall_hypercube.h"
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

/// The schedule alltoall/hypercube: what every rank of `group` does.
Status alltoall_hypercube(Call &call, const Group &group, const Region &x, const Region &y) {
  const Index p = group.size();
  const Index me = group.rank();
  // 9: y := x
  call.copy(y, x);
  const Region tRoom = call.temporaryLike(y);
  for (Index d = quadrille::log2(p) - 1; d >= 0; --d) {
    // 11: step
    {
      const Region selected = y.select(
          0, p, [&](Index a) { return quadrille::bit(a, d) != quadrille::bit(me, d); });
      const Region t = tRoom.slice(0, selected.count());
      const Index peer = me ^ quadrille::shl(1, d);
      auto step = call.step(group, 11);
      step.send(selected, peer);
      step.recv(t, peer);
      if (Status bad = step.finish())
        return bad;
      call.copy(selected, t);
    }
  }
  return {};
}

} // namespace

Status alltoall_hypercube(Communicator &comm, const void *x, void *y, std::size_t n,
                          const Communicator::Datatype &type) {
  Call call(comm, "alltoall/hypercube.quad", type);
  if (Status bad = call.requireSize(quadrille::isPow2(comm.size()), "pow2(p)"))
    return bad;
  if (Status bad = call.requireBuffer("x", x, comm.size(), n))
    return bad;
  if (Status bad = call.requireBuffer("y", y, comm.size(), n))
    return bad;
  const Region out = call.output(y, comm.size(), n);
  // In a call in place, the input is read before the output is written: no copy is needed.
  const Region in = call.input(x, comm.size(), n);
  return call.finish(alltoall_hypercube(call, comm.everyone(), in, out));
}

} // namespace collectives
