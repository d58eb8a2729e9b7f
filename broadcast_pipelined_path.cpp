// broadcast_pipelined_path.cpp: the schedule broadcast/pipelined_path, backend shm.
// Written by quadrille 0.1.0 (--backend shm --namespace collectives); edit the schedule instead.
//
// checked for p = 1..17, all n: matching, no deadlock, result
// model full_duplex
// cost <= (p + k - 2) * (alpha + beta*ceil(n/k))

#include "broadcast_pipelined_path.h"
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

/// The schedule broadcast/pipelined_path: what every rank of `group` does.
Status broadcast_pipelined_path(Call &call, const Group &group, Index k, Index root,
                                const Region &x, const Region &y) {
  const Index p = group.size();
  // Ranks are counted from root on; `real` gives a rank's own number.
  const Index me = quadrille::floorMod(group.rank() - root, p);
  const auto real = [&](Index rank) { return (rank + root) % p; };
  // 10: y := x
  if (me == 0)
    call.copy(y, x);
  const Region yPackets = y.split(k);
  for (Index s = 0; s < p + k - 2; ++s) {
    const Index j = s - me;
    // 14: step
    auto step = call.step(group, 14);
    if (me > 0 && j + 1 >= 0 && j + 1 < k)
      step.recv(yPackets[j + 1], real(me - 1));
    if (me < p - 1 && j >= 0 && j < k)
      step.send(yPackets[j], real(me + 1));
    if (Status bad = step.finish())
      return bad;
  }
  return {};
}

} // namespace

Status broadcast_pipelined_path(Communicator &comm, Index k, Index root, const void *x, void *y,
                                std::size_t n, const Communicator::Datatype &type) {
  Call call(comm, "broadcast/pipelined_path.quad", type);
  if (Status bad = call.requireParameter("k", k, k >= 1, "k >= 1"))
    return bad;
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
  return call.finish(broadcast_pipelined_path(call, comm.everyone(), k, root, in, out));
}

} // namespace collectives
