// barrier_dissemination.cpp: the schedule barrier/dissemination, backend shm.
// Written by quadrille 0.1.0 (--backend shm --namespace collectives); edit the schedule instead.
//
// checked for p = 1..17, all n: matching, no deadlock, result
// model full_duplex
// cost ceil_log2(p) * alpha

#include "barrier_dissemination.h"
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

/// The schedule barrier/dissemination: what every rank of `group` does.
Status barrier_dissemination(Call &call, const Group &group) {
  const Index p = group.size();
  const Index me = group.rank();
  for (Index w = 1; w < p; w *= 2) {
    // 9: step
    auto step = call.step(group, 9);
    step.send((me + w) % p);
    step.recv(quadrille::floorMod(me - w, p));
    if (Status bad = step.finish())
      return bad;
  }
  return {};
}

} // namespace

Status barrier_dissemination(Communicator &comm) {
  Call call(comm, "barrier/dissemination.quad");
  return call.finish(barrier_dissemination(call, comm.everyone()));
}

} // namespace collectives
