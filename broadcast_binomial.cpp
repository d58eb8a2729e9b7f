// broadcast_binomial.cpp: the schedule broadcast/binomial, backend shm.
// Written by quadrille 0.1.0 (--backend shm --namespace collectives); edit the schedule instead.
//
// checked for p = 1..17, all n: matching, no deadlock, result
// model half_duplex
// cost ceil_log2(p) * (alpha + beta*n)

#include "broadcast_binomial.h"
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

/// The schedule broadcast/binomial: what every rank of `group` does.
Status broadcast_binomial(Call &call, const Group &group, Index root, const Region &x,
                          const Region &y) {
  const Index p = group.size();
  // Ranks are counted from root on; `real` gives a rank's own number.
  const Index me = quadrille::floorMod(group.rank() - root, p);
  const auto real = [&](Index rank) { return (rank + root) % p; };
  // 9: y := x
  if (me == 0)
    call.copy(y, x);
  for (Index d = quadrille::ceilLog2(p) - 1; d >= 0; --d) {
    const Index w = quadrille::shl(1, d);
    // 12: step
    auto step = call.step(group, 12);
    if (me % (2 * w) == 0 && me + w < p)
      step.send(y, real(me + w));
    if (me % (2 * w) == w)
      step.recv(y, real(me - w));
    if (Status bad = step.finish())
      return bad;
  }
  return {};
}

} // namespace

Status broadcast_binomial(Communicator &comm, Index root, const void *x, void *y, std::size_t n,
                          const Communicator::Datatype &type) {
  Call call(comm, "broadcast/binomial.quad", type);
  if (Status bad = call.requireRoot(root))
    return bad;
  if (comm.rank() == root) {
    if (Status bad = call.requireBuffer("x", x, 1, n))
      return bad;
  }
  if (Status bad = call.requireBuffer("y", y, 1, n))
    return bad;
  const Region out = call.output(y, 1, n);
  // In a call in place, the input is read before the output is written: no copy is needed.
  const Region in = call.input(x, 1, n);
  return call.finish(broadcast_binomial(call, comm.everyone(), root, in, out));
}

} // namespace collectives
