// allgather_hypercube.cpp: the schedule allgather/hypercube, backend shm.
// Written by quadrille 0.1.0 (--backend shm --namespace collectives); edit the schedule instead.
//
// checked for p = 1,2,4,8,16, all n: matching, no deadlock, result
// model telephone
// cost log2(p)*alpha + (p - 1)*beta*n

#include "allgather_hypercube.h"
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

/// The schedule allgather/hypercube: what every rank of `group` does.
Status allgather_hypercube(Call &call, const Group &group, const Region &x, const Region &y) {
  const Index p = group.size();
  const Index me = group.rank();
  // 9: y[me] := x
  call.copy(y[me], x);
  for (Index w = 1; w < p; w *= 2) {
    const Index partner = me ^ w;
    // 12: step
    auto step = call.step(group, 12);
    step.send(y.run(w * (me / w), w), partner);
    step.recv(y.run(w * (partner / w), w), partner);
    if (Status bad = step.finish())
      return bad;
  }
  return {};
}

} // namespace

Status allgather_hypercube(Communicator &comm, const void *x, void *y, std::size_t n,
                           const Communicator::Datatype &type) {
  Call call(comm, "allgather/hypercube.quad", type);
  if (Status bad = call.requireSize(quadrille::isPow2(comm.size()), "pow2(p)"))
    return bad;
  if (Status bad = call.requireBuffer("x", x, 1, n))
    return bad;
  if (Status bad = call.requireBuffer("y", y, comm.size(), n))
    return bad;
  const Region out = call.output(y, comm.size(), n);
  // In a call in place, the input is read before the output is written: no copy is needed.
  const Region in = call.input(x, 1, n);
  return call.finish(allgather_hypercube(call, comm.everyone(), in, out));
}

} // namespace collectives
