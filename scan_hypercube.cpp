// scan_hypercube.cpp: the schedule scan/hypercube, backend shm.
// Written by quadrille 0.1.0 (--backend shm --namespace collectives); edit the schedule instead.
//
// checked for p = 1,2,4,8,16, all n: matching, no deadlock, result
// model telephone, operator associative
// cost log2(p) * (alpha + beta*n)

#include "scan_hypercube.h"
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

/// The schedule scan/hypercube: what every rank of `group` does.
Status scan_hypercube(Call &call, const Group &group, const Region &x, const Region &y) {
  const Index p = group.size();
  const Index me = group.rank();
  const Region sum = call.temporaryLike(x);
  // 10: var sum := x
  call.copy(sum, x);
  // 11: y := x
  call.copy(y, x);
  const Region t = call.temporaryLike(sum);
  for (Index d = 0; d < quadrille::log2(p); ++d) {
    const Index partner = me ^ quadrille::shl(1, d);
    // 14: step
    auto step = call.step(group, 14);
    step.send(sum, partner);
    step.recv(t, partner);
    if (Status bad = step.finish())
      return bad;
    if (partner < me) {
      call.combine(y, t, y);
      call.combine(sum, t, sum);
    } else {
      call.combine(sum, sum, t);
    }
  }
  return {};
}

} // namespace

Status scan_hypercube(Communicator &comm, const void *x, void *y, std::size_t n,
                      const Communicator::Datatype &type, const Communicator::Operator &op) {
  Call call(comm, "scan/hypercube.quad", type, op);
  if (Status bad = call.requireSize(quadrille::isPow2(comm.size()), "pow2(p)"))
    return bad;
  if (Status bad = call.requireBuffer("x", x, 1, n))
    return bad;
  if (Status bad = call.requireBuffer("y", y, 1, n))
    return bad;
  const Region out = call.output(y, 1, n);
  // In a call in place, the input is read before the output is written: no copy is needed.
  const Region in = call.input(x, 1, n);
  return call.finish(scan_hypercube(call, comm.everyone(), in, out));
}

} // namespace collectives
