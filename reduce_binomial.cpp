// reduce_binomial.cpp: the schedule reduce/binomial, backend shm.
// Written by quadrille 0.1.0 (--backend shm --namespace collectives); edit the schedule instead.
//
// checked for p = 1..17, all n: matching, no deadlock, result
// model half_duplex, operator associative
// cost (ceil_log2(p) + (if root == 0 then 0 else 1)) * (alpha + beta*n)

#include "reduce_binomial.h"
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

/// The schedule reduce/binomial: what every rank of `group` does.
Status reduce_binomial(Call &call, const Group &group, Index root, const Region &x,
                       const Region &y) {
  const Index p = group.size();
  const Index me = group.rank();
  const Region sum = call.temporaryLike(x);
  // 9: var sum := x
  call.copy(sum, x);
  const Region t = call.temporaryLike(sum);
  for (Index w = 1; w < p; w *= 2) {
    // 11: step
    auto step = call.step(group, 11);
    if (me % (2 * w) == w)
      step.send(sum, me - w);
    if (me % (2 * w) == 0 && me + w < p)
      step.recv(t, me + w);
    if (Status bad = step.finish())
      return bad;
    if (me % (2 * w) == 0 && me + w < p)
      call.combine(sum, sum, t);
  }
  // 16: step
  auto step = call.step(group, 16);
  if (me == 0 && root != 0)
    step.send(sum, root);
  if (me == root && root != 0)
    step.recv(y, 0);
  if (Status bad = step.finish())
    return bad;
  if (me == root && root == 0)
    call.copy(y, sum);
  return {};
}

} // namespace

Status reduce_binomial(Communicator &comm, Index root, const void *x, void *y, std::size_t n,
                       const Communicator::Datatype &type, const Communicator::Operator &op) {
  Call call(comm, "reduce/binomial.quad", type, op);
  if (Status bad = call.requireRoot(root))
    return bad;
  if (Status bad = call.requireBuffer("x", x, 1, n))
    return bad;
  if (comm.rank() == root) {
    if (Status bad = call.requireBuffer("y", y, 1, n))
      return bad;
  }
  const Region out = call.output(y, 1, n);
  // In a call in place, the input is read before the output is written: no copy is needed.
  const Region in = call.input(x, 1, n);
  return call.finish(reduce_binomial(call, comm.everyone(), root, in, out));
}

} // namespace collectives
