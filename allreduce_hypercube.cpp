// allreduce_hypercube.cpp: the schedule allreduce/hypercube, backend shm.
// Written by quadrille 0.1.0 (--backend shm --namespace collectives); edit the schedule instead.
//
// checked for p = 1,2,4,8,16, all n: matching, no deadlock, result
// model telephone, operator associative
// cost log2(p) * (alpha + beta*n)

#include "allreduce_hypercube.h"
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

/// The schedule allreduce/hypercube: what every rank of `group` does.
Status allreduce_hypercube(Call &call, const Group &group, const Region &x, const Region &y) {
  const Index p = group.size();
  const Index me = group.rank();
  // 10: y := x
  call.copy(y, x);
  const Region t = call.temporaryLike(y);
  for (Index d = 0; d < quadrille::log2(p); ++d) {
    const Index partner = me ^ quadrille::shl(1, d);
    // 13: step
    auto step = call.step(group, 13);
    step.send(y, partner);
    step.recv(t, partner);
    if (Status bad = step.finish())
      return bad;
    if (partner < me)
      call.combine(y, t, y);
    else
      call.combine(y, y, t);
  }
  return {};
}

} // namespace

Status allreduce_hypercube(Communicator &comm, const void *x, void *y, std::size_t n,
                           const Communicator::Datatype &type, const Communicator::Operator &op) {
  Call call(comm, "allreduce/hypercube.quad", type, op);
  if (Status bad = call.requireSize(quadrille::isPow2(comm.size()), "pow2(p)"))
    return bad;
  if (Status bad = call.requireBuffer("x", x, 1, n))
    return bad;
  if (Status bad = call.requireBuffer("y", y, 1, n))
    return bad;
  const Region out = call.output(y, 1, n);
  // In a call in place, the input is read before the output is written: no copy is needed.
  const Region in = call.input(x, 1, n);
  return call.finish(allreduce_hypercube(call, comm.everyone(), in, out));
}

} // namespace collectives
