// broadcast_pipelined_binary.cpp: the schedule broadcast/pipelined_binary, backend shm.
// Written by quadrille 0.1.0 (--backend shm --namespace collectives); edit the schedule instead.
//
// checked for p = 1..17, all n: matching, no deadlock, result
// model half_duplex
// cost <= (2*height(T) + 3*(k - 1)) * (alpha + beta*ceil(n/k))

#include "broadcast_pipelined_binary.h"
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

/// A rank's place in a tree of ranks; lo ..< hi are the ranks of its subtree.
struct Node {
  Index parent = none;
  Index left = none;
  Index right = none;
  Index depth = 0;
  Index lo = 0;
  Index hi = 0;
};

/// The root of the tree `inorder` over a range of ranks; none if it is empty.
Index inorderRoot(Index lo, Index hi, Index r) {
  return lo < hi ? r : none;
}

/// Where `me` stands in the tree `inorder`: follows its branch down from the root.
Node inorder(Index me, Index lo, Index hi, Index r, Index parent = none, Index depth = 0) {
  if (lo >= hi)
    return {};
  const Index here = r;
  if (me == here)
    return {parent, inorderRoot(lo, r, (lo + r - 1) / 2),
            inorderRoot(r + 1, hi, (r + 1 + hi - 1) / 2), depth, lo, hi};
  if (me < r)
    return inorder(me, lo, r, (lo + r - 1) / 2, here, depth + 1);
  return inorder(me, r + 1, hi, (r + 1 + hi - 1) / 2, here, depth + 1);
}

/// The schedule broadcast/pipelined_binary: what every rank of `group` does.
Status broadcast_pipelined_binary(Call &call, const Group &group, Index k, Index root,
                                  const Region &x, const Region &y) {
  const Index p = group.size();
  const Index me = group.rank();
  const Node T = inorder(me, 0, p, root);
  // 9: y := x
  if (me == root)
    call.copy(y, x);
  const Region yPackets = y.split(k);
  for (Index j = 0; j < k; ++j) {
    // 12: recv y[j] from T.parent
    {
      auto step = call.step(group, 12);
      step.recv(yPackets[j], T.parent);
      if (Status bad = step.finish())
        return bad;
    }
    // 13: send y[j] to T.left
    {
      auto step = call.step(group, 13);
      step.send(yPackets[j], T.left);
      if (Status bad = step.finish())
        return bad;
    }
    // 14: send y[j] to T.right
    {
      auto step = call.step(group, 14);
      step.send(yPackets[j], T.right);
      if (Status bad = step.finish())
        return bad;
    }
  }
  return {};
}

} // namespace

Status broadcast_pipelined_binary(Communicator &comm, Index k, Index root, const void *x, void *y,
                                  std::size_t n, const Communicator::Datatype &type) {
  Call call(comm, "broadcast/pipelined_binary.quad", type);
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
  return call.finish(broadcast_pipelined_binary(call, comm.everyone(), k, root, in, out));
}

} // namespace collectives
