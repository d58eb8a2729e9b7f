// scan_inorder_tree.cpp: the schedule scan/inorder_tree, backend shm.
// Written by quadrille 0.1.0 (--backend shm --namespace collectives); edit the schedule instead.
//
// checked for p = 1..17, all n: matching, no deadlock, result
// model half_duplex, operator associative
// cost <= 4*height(T) * (alpha + beta*n)

#include "scan_inorder_tree.h"
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

/// The schedule scan/inorder_tree: what every rank of `group` does.
Status scan_inorder_tree(Call &call, const Group &group, const Region &x, const Region &y) {
  const Index p = group.size();
  const Index me = group.rank();
  const Node T = inorder(me, 0, p, (p - 1) / 2);
  const Region l = call.temporaryLike(x);
  // 10: recv l from T.left
  {
    auto step = call.step(group, 10);
    step.recv(l, T.left);
    if (Status bad = step.finish())
      return bad;
  }
  const Region r = call.temporaryLike(x);
  // 11: recv r from (if T.hi < p then T.right else none)
  {
    auto step = call.step(group, 11);
    step.recv(r, T.hi < p ? T.right : none);
    if (Status bad = step.finish())
      return bad;
  }
  // 12: y := l <> x
  if (T.left != none)
    call.combine(y, l, x);
  else
    call.copy(y, x);
  const Region sum = call.temporaryLike(y);
  // 13: var sum := y <> r
  if (T.hi < p && T.right != none)
    call.combine(sum, y, r);
  else
    call.copy(sum, y);
  // 14: send sum to (if T.hi < p then T.parent else none)
  {
    auto step = call.step(group, 14);
    step.send(sum, T.hi < p ? T.parent : none);
    if (Status bad = step.finish())
      return bad;
  }
  const Region before = call.temporaryLike(x);
  // 16: recv before from (if T.lo > 0 then T.parent else none)
  {
    auto step = call.step(group, 16);
    step.recv(before, T.lo > 0 ? T.parent : none);
    if (Status bad = step.finish())
      return bad;
  }
  // 17: y := before <> y
  if (T.lo > 0 && T.parent != none)
    call.combine(y, before, y);
  // 18: send before to (if T.lo > 0 then T.left else none)
  {
    auto step = call.step(group, 18);
    step.send(before, T.lo > 0 ? T.left : none);
    if (Status bad = step.finish())
      return bad;
  }
  // 19: send y to T.right
  {
    auto step = call.step(group, 19);
    step.send(y, T.right);
    if (Status bad = step.finish())
      return bad;
  }
  return {};
}

} // namespace

Status scan_inorder_tree(Communicator &comm, const void *x, void *y, std::size_t n,
                         const Communicator::Datatype &type, const Communicator::Operator &op) {
  Call call(comm, "scan/inorder_tree.quad", type, op);
  if (Status bad = call.requireBuffer("x", x, 1, n))
    return bad;
  if (Status bad = call.requireBuffer("y", y, 1, n))
    return bad;
  const Region out = call.output(y, 1, n);
  const Region in = call.input(x, 1, n, out);
  return call.finish(scan_inorder_tree(call, comm.everyone(), in, out));
}

} // namespace collectives
