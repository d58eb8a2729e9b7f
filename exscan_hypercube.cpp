// exscan_hypercube.cpp: the schedule exscan/hypercube, backend shm.
// Written by quadrille 0.1.0 (--backend shm --namespace collectives); edit the schedule instead.
//
// checked for p = 1..17, all n: matching, no deadlock, result
// model telephone, operator associative
// cost ceil_log2(p) * (alpha + beta*n)

#include "exscan_hypercube.h"
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

/// The schedule exscan/hypercube: what every rank of `group` does.
Status exscan_hypercube(Call &call, const Group &group, const Region &x, const Region &y) {
  const Index p = group.size();
  const Index me = group.rank();
  bool yFull = false;
  const Region sum = call.temporaryLike(x);
  // 9: var sum := x
  call.copy(sum, x);
  const Region t = call.temporaryLike(sum);
  for (Index d = 0; d < quadrille::ceilLog2(p); ++d) {
    const Index partner = me ^ quadrille::shl(1, d);
    // 12: step
    const Index peer = partner < p ? partner : none;
    auto step = call.step(group, 12);
    step.send(sum, peer);
    step.recv(t, peer);
    if (Status bad = step.finish())
      return bad;
    if (partner < me) {
      if (partner < p && yFull)
        call.combine(y, t, y);
      else if (partner < p)
        call.copy(y, t);
      yFull = partner < p || yFull;
      if (partner < p)
        call.combine(sum, t, sum);
    } else if (partner < p) {
      call.combine(sum, sum, t);
    }
  }
  return {};
}

} // namespace

Status exscan_hypercube(Communicator &comm, const void *x, void *y, std::size_t n,
                        const Communicator::Datatype &type, const Communicator::Operator &op) {
  Call call(comm, "exscan/hypercube.quad", type, op);
  if (Status bad = call.requireBuffer("x", x, 1, n))
    return bad;
  if (Status bad = call.requireBuffer("y", y, 1, n))
    return bad;
  const Region out = call.output(y, 1, n);
  // In a call in place, the input is read before the output is written: no copy is needed.
  const Region in = call.input(x, 1, n);
  return call.finish(exscan_hypercube(call, comm.everyone(), in, out));
}

} // namespace collectives
