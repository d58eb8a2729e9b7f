// gather_binomial.cpp: the schedule gather/binomial, backend shm.
// Written by quadrille 0.1.0 (--backend shm --namespace collectives); edit the schedule instead.
//
// checked for p = 1..17, all n: matching, no deadlock, result
// model half_duplex
// cost ceil_log2(p)*alpha + (p - 1)*beta*n

#include "gather_binomial.h"
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

/// The schedule gather/binomial: what every rank of `group` does.
Status gather_binomial(Call &call, const Group &group, Index root, const Region &x,
                       const Region &y) {
  const Index p = group.size();
  // Ranks are counted from root on; `real` gives a rank's own number.
  const Index me = quadrille::floorMod(group.rank() - root, p);
  const auto real = [&](Index rank) { return (rank + root) % p; };
  const Region held = call.temporaryLike(y);
  // 10: held[me] := x
  call.copy(held[me], x);
  for (Index w = 1; w < p; w *= 2) {
    // 12: step
    auto step = call.step(group, 12);
    if (me % (2 * w) == w)
      step.send(held.run(me, quadrille::minimum(w, p - me)), real(me - w));
    if (me % (2 * w) == 0 && me + w < p)
      step.recv(held.run(me + w, quadrille::minimum(w, p - me - w)), real(me + w));
    if (Status bad = step.finish())
      return bad;
  }
  if (me == 0) {
    // 17: y[root ..+ p mod p] := held
    call.copy(y.cyclic(root, p, p), held);
  }
  return {};
}

} // namespace

Status gather_binomial(Communicator &comm, Index root, const void *x, void *y, std::size_t n,
                       const Communicator::Datatype &type) {
  Call call(comm, "gather/binomial.quad", type);
  if (Status bad = call.requireRoot(root))
    return bad;
  if (Status bad = call.requireBuffer("x", x, 1, n))
    return bad;
  if (comm.rank() == root) {
    if (Status bad = call.requireBuffer("y", y, comm.size(), n))
      return bad;
  }
  const Region out = call.output(y, comm.size(), n);
  // In a call in place, the input is read before the output is written: no copy is needed.
  const Region in = call.input(x, 1, n);
  return call.finish(gather_binomial(call, comm.everyone(), root, in, out));
}

} // namespace collectives
