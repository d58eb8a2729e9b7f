// reduce_inorder_tree.cpp: the schedule reduce/inorder_tree, backend shm.
// Written by quadrille 0.1.0 (--backend shm --namespace collectives); edit the schedule instead.
//
// checked for p = 1..17, all n: matching, no deadlock, result
// model half_duplex, operator associative
// cost <= 2*height(T) * (alpha + beta*n)

#include "reduce_inorder_tree.h"
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

/// The schedule reduce/inorder_tree: what every rank of `group` does.
Status reduce_inorder_tree(Call &call, const Group &group, Index root, const Region &x,
                           const Region &y) {
  const Index p = group.size();
  const Index me = group.rank();
  const Node T = inorder(me, 0, p, root);
  const Region sum = call.temporaryLike(x);
  // 9: var sum := x
  call.copy(sum, x);
  const Region l = call.temporaryLike(x);
  // 10: recv l from T.left
  {
    auto step = call.step(group, 10);
    step.recv(l, T.left);
    if (Status bad = step.finish())
      return bad;
  }
  const Region r = call.temporaryLike(x);
  // 11: recv r from T.right
  {
    auto step = call.step(group, 11);
    step.recv(r, T.right);
    if (Status bad = step.finish())
      return bad;
  }
  // 12: sum := l <> sum <> r
  if (T.left != none)
    call.combine(sum, l, sum);
  if (T.right != none)
    call.combine(sum, sum, r);
  // 13: send sum to T.parent
  {
    auto step = call.step(group, 13);
    step.send(sum, T.parent);
    if (Status bad = step.finish())
      return bad;
  }
  if (me == root) {
    // 14: y := sum
    call.copy(y, sum);
  }
  return {};
}

} // namespace

Status reduce_inorder_tree(Communicator &comm, Index root, const void *x, void *y, std::size_t n,
                           const Communicator::Datatype &type, const Communicator::Operator &op) {
  Call call(comm, "reduce/inorder_tree.quad", type, op);
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
  return call.finish(reduce_inorder_tree(call, comm.everyone(), root, in, out));
}

} // namespace collectives
