//===- EmittedCollectives.h - Collectives as the compiler writes them -----===//
//
// Written by hand in the style of emitted code, but as templates over the
// communicator, so that both backends are tested with the same code.
//
//===----------------------------------------------------------------------===//

#ifndef QUADRILLE_TEST_EMITTEDCOLLECTIVES_H
#define QUADRILLE_TEST_EMITTEDCOLLECTIVES_H

#include "quadrille/call.h"
#include "quadrille/math.h"

namespace emitted {

using quadrille::Group;
using quadrille::Index;
using quadrille::none;
using quadrille::Region;
using quadrille::Side;
using quadrille::Status;

// Prefix sums on a hypercube; keeps the order of the operands.
template <class Call>
Status scan_hypercube(Call &call, const Group &group, Region x, Region y) {
  const Index p = group.size();
  const Index me = group.rank();
  Region sum = call.temporaryLike(x);
  Region t = call.temporaryLike(x);
  call.copy(sum, x);
  call.copy(y, x);
  for (Index d = 0; d < quadrille::log2(p); ++d) {
    const Index partner = me ^ quadrille::shl(1, d);
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

template <class Communicator>
Status scan_hypercube(Communicator &comm, const void *x, void *y, std::size_t n,
                      const typename Communicator::Datatype &type,
                      const typename Communicator::Operator &op) {
  static char site;
  const auto key = quadrille::CallKey(site, x, y, n);
  Status ended;
  if (comm.repeat(key, type, op, ended))
    return ended;
  typename Communicator::Call call(comm, "scan/hypercube.quad", type, op);
  call.keepAs(key);
  if (Status bad = call.requireSize(quadrille::isPow2(comm.size()),
                                    "p is a power of two"))
    return bad;
  if (Status bad = call.requireBuffer("x", x, 1, n))
    return bad;
  if (Status bad = call.requireBuffer("y", y, 1, n))
    return bad;
  return call.run({}, [&]() -> Status {
    Region out = call.output(y, 1, n);
    Region in = call.input(x, 1, n, out);
    return scan_hypercube(call, comm.everyone(), in, out);
  });
}

// Prefix sums along a chain, combining on arrival.
template <class Communicator>
Status scan_chain(Communicator &comm, const void *x, void *y, std::size_t n,
                  const typename Communicator::Datatype &type,
                  const typename Communicator::Operator &op) {
  typename Communicator::Call call(comm, "scan/chain.quad", type, op);
  if (Status bad = call.requireBuffer("x", x, 1, n))
    return bad;
  if (Status bad = call.requireBuffer("y", y, 1, n))
    return bad;
  return call.run({}, [&]() -> Status {
    Region out = call.output(y, 1, n);
    Region in = call.input(x, 1, n, out);
    const Index p = comm.size(), me = comm.rank();
    const Group group = comm.everyone();
    call.copy(out, in);
    {
      auto step = call.step(group, 7);
      step.recvCombine(out, me > 0 ? me - 1 : none, Side::Left);
      if (Status bad = step.finish())
        return bad;
    }
    auto step = call.step(group, 8);
    step.send(out, me + 1 < p ? me + 1 : none);
    return step.finish();
  });
}

// Reduction to the root along a cycle that ends there; the root's successor
// begins, so that the order is kept only for root p - 1 (Side::Left), and for
// root 0 when the cycle runs backwards (Side::Right).
template <class Communicator>
Status reduce_chain(Communicator &comm, Index root, const void *x, void *y,
                    std::size_t n, const typename Communicator::Datatype &type,
                    const typename Communicator::Operator &op) {
  typename Communicator::Call call(comm, "reduce/chain.quad", type, op);
  const Index p = comm.size(), me = comm.rank();
  if (Status bad = call.requireRoot(root))
    return bad;
  if (root != 0 && root != p - 1)
    if (Status bad = call.requireCommutative())
      return bad;
  if (Status bad = call.requireBuffer("x", x, 1, n))
    return bad;
  if (me == root)
    if (Status bad = call.requireBuffer("y", y, 1, n))
      return bad;
  return call.run({root}, [&]() -> Status {
    Region out = call.output(y, me == root ? 1 : 0, n);
    Region in = call.input(x, 1, n, out);
    const Index step1 = root == 0 ? -1 : 1;
    Region sum = me == root ? out : call.temporaryLike(in);
    call.copy(sum, in);
    const Index before = quadrille::floorMod(me - step1, p);
    const Index after = quadrille::floorMod(me + step1, p);
    if (p > 1 && before != root) {
      auto step = call.step(comm.everyone(), 21);
      step.recvCombine(sum, before, root == 0 ? Side::Right : Side::Left);
      if (Status bad = step.finish())
        return bad;
    }
    if (me != root) {
      auto step = call.step(comm.everyone(), 24);
      step.send(sum, after);
      if (Status bad = step.finish())
        return bad;
    }
    return Status();
  });
}

// All-to-all broadcast on a ring.
template <class Call>
Status allgather_ring(Call &call, const Group &group, Region x, Region y) {
  const Index p = group.size();
  const Index me = group.rank();
  call.copy(y[me], x);
  for (Index s = 0; s < p - 1; ++s) {
    auto step = call.step(group, 10);
    step.send(y[quadrille::floorMod(me - s, p)], quadrille::floorMod(me + 1, p));
    step.recv(y[quadrille::floorMod(me - s - 1, p)], quadrille::floorMod(me - 1, p));
    if (Status bad = step.finish())
      return bad;
  }
  return {};
}

template <class Communicator>
Status allgather_ring(Communicator &comm, const void *x, void *y, std::size_t n,
                      const typename Communicator::Datatype &type) {
  static char site;
  const auto key = quadrille::CallKey(site, x, y, n);
  Status ended;
  if (comm.repeat(key, type, ended))
    return ended;
  typename Communicator::Call call(comm, "allgather/ring.quad", type);
  call.keepAs(key);
  if (Status bad = call.requireBuffer("x", x, 1, n))
    return bad;
  if (Status bad = call.requireBuffer("y", y, comm.size(), n))
    return bad;
  return call.run({}, [&]() -> Status {
    Region out = call.output(y, comm.size(), n);
    Region in = call.input(x, 1, n, out);
    return allgather_ring(call, comm.everyone(), in, out);
  });
}

// The same in each row of a grid with q columns; the last row may be shorter. y
// has q blocks.
template <class Communicator>
Status allgather_rows(Communicator &comm, Index q, const void *x, void *y,
                      std::size_t n, const typename Communicator::Datatype &type) {
  typename Communicator::Call call(comm, "allgather/rows.quad", type);
  if (Status bad = call.requireParameter("q", q, q >= 1, "q >= 1"))
    return bad;
  const Index me = comm.rank();
  std::vector<Index> row;
  for (Index c = 0; c < q && q * (me / q) + c < comm.size(); ++c)
    row.push_back(q * (me / q) + c);
  const Index width = static_cast<Index>(row.size());
  if (Status bad = call.requireBuffer("x", x, 1, n))
    return bad;
  if (Status bad = call.requireBuffer("y", y, width, n))
    return bad;
  return call.run({q}, [&]() -> Status {
    Region out = call.output(y, width, n);
    Region in = call.input(x, 1, n, out);
    return allgather_ring(call, comm.everyone().among(row), in, out);
  });
}

// All-to-all broadcast by doubling, any p: cyclic slices.
template <class Communicator>
Status allgather_circulant(Communicator &comm, const void *x, void *y, std::size_t n,
                           const typename Communicator::Datatype &type) {
  typename Communicator::Call call(comm, "allgather/circulant.quad", type);
  const Index p = comm.size(), me = comm.rank();
  if (Status bad = call.requireBuffer("x", x, 1, n))
    return bad;
  if (Status bad = call.requireBuffer("y", y, p, n))
    return bad;
  return call.run({}, [&]() -> Status {
    Region out = call.output(y, p, n);
    Region in = call.input(x, 1, n, out);
    call.copy(out[me], in);
    for (Index w = 1; w < p; w *= 2) {
      const Index len = quadrille::minimum(w, p - w);
      auto step = call.step(comm.everyone(), 9);
      step.send(out.cyclic(me, len, p), quadrille::floorMod(me - w, p));
      step.recv(out.cyclic(me + w, len, p), quadrille::floorMod(me + w, p));
      if (Status bad = step.finish())
        return bad;
    }
    return Status();
  });
}

// Total exchange on a hypercube: selected blocks travel as one message.
template <class Communicator>
Status alltoall_hypercube(Communicator &comm, const void *x, void *y, std::size_t n,
                          const typename Communicator::Datatype &type) {
  typename Communicator::Call call(comm, "alltoall/hypercube.quad", type);
  const Index p = comm.size(), me = comm.rank();
  if (Status bad = call.requireSize(quadrille::isPow2(p), "p is a power of two"))
    return bad;
  if (Status bad = call.requireBuffer("x", x, p, n))
    return bad;
  if (Status bad = call.requireBuffer("y", y, p, n))
    return bad;
  return call.run({}, [&]() -> Status {
    Region out = call.output(y, p, n);
    Region in = call.input(x, p, n, out);
    Region z = call.temporaryLike(out);
    for (Index e = 0; e < p; ++e)
      call.copy(z[e], in[me ^ e]);
    for (Index d = 0; d < quadrille::log2(p); ++d) {
      const Index partner = me ^ quadrille::shl(1, d);
      Region moving = z.select(0, p, [&](Index e) { return quadrille::bit(e, d); });
      Region t = call.temporaryLike(moving);
      auto step = call.step(comm.everyone(), 17);
      step.send(moving, partner);
      step.recv(t, partner);
      if (Status bad = step.finish())
        return bad;
      call.copy(moving, t);
    }
    for (Index e = 0; e < p; ++e)
      call.copy(out[me ^ e], z[e]);
    return Status();
  });
}

// Broadcast down a chain in k packets.
template <class Communicator>
Status broadcast_pipeline(Communicator &comm, Index k, Index root, const void *x,
                          void *y, std::size_t n,
                          const typename Communicator::Datatype &type) {
  static char site;
  const auto key = quadrille::CallKey(site, k, root, x, y, n);
  Status ended;
  if (comm.repeat(key, type, ended))
    return ended;
  typename Communicator::Call call(comm, "broadcast/pipeline.quad", type);
  call.keepAs(key);
  if (Status bad = call.requireRoot(root))
    return bad;
  if (Status bad = call.requireParameter("k", k, k >= 1, "k >= 1"))
    return bad;
  const Index p = comm.size();
  const Index me = quadrille::floorMod(comm.rank() - root, p);
  if (me == 0)
    if (Status bad = call.requireBuffer("x", x, 1, n))
      return bad;
  if (Status bad = call.requireBuffer("y", y, 1, n))
    return bad;
  return call.run({k, root}, [&]() -> Status {
    Region out = call.output(y, 1, n);
    Region in = call.input(x, me == 0 ? 1 : 0, n, out);
    if (me == 0)
      call.copy(out, in);
    Region packets = out.split(k);
    const auto real = [&](Index rank) { return quadrille::floorMod(rank + root, p); };
    for (Index j = 0; j < k; ++j) {
      {
        auto step = call.step(comm.everyone(), 11);
        step.recv(packets[j], me > 0 ? real(me - 1) : none);
        if (Status bad = step.finish())
          return bad;
      }
      auto step = call.step(comm.everyone(), 12);
      step.send(packets[j], me + 1 < p ? real(me + 1) : none);
      if (Status bad = step.finish())
        return bad;
    }
    return Status();
  });
}

// All ranks send two blocks to each rank, all in one step.
template <class Communicator>
Status alltoall_direct(Communicator &comm, const void *x, void *y, std::size_t n,
                       const typename Communicator::Datatype &type) {
  typename Communicator::Call call(comm, "alltoall/direct.quad", type);
  const Index p = comm.size();
  if (Status bad = call.requireBuffer("x", x, p, n))
    return bad;
  if (Status bad = call.requireBuffer("y", y, p, n))
    return bad;
  return call.run({}, [&]() -> Status {
    Region out = call.output(y, p, n);
    Region in = call.input(x, p, n, out);
    Region from = in.splitEach(2), to = out.splitEach(2);
    auto step = call.step(comm.everyone(), 6);
    // Two messages per pair, itself included, which are matched in order.
    for (Index j = 0; j < p; ++j)
      for (Index half = 0; half < 2; ++half) {
        step.recv(to[j][half], j);
        step.send(from[j][half], j);
      }
    return step.finish();
  });
}

// Reduce-scatter on a ring, and all-to-all broadcast on a ring of what that leaves.
template <class Call>
Status allreduce_ring(Call &call, const Group &group, const Region &x, const Region &y) {
  const Index p = group.size();
  const Index me = group.rank();
  const Region xPackets = x.split(p);
  const Region yPackets = y.split(p);
  const Region sum = call.temporaryLike("sum", xPackets);
  call.copy(sum, xPackets);
  for (Index s = 1; s < p; ++s) {
    auto step = call.step(group, 11);
    step.send(sum[(me + s) % p], quadrille::floorMod(me - 1, p));
    step.recvCombine(sum[(me + s + 1) % p], (me + 1) % p, Side::Right);
    if (Status bad = step.finish())
      return bad;
  }
  call.copy(yPackets[me], sum[me]);
  return allgather_ring(call, group, yPackets[me], yPackets);
}

template <class Communicator>
Status allreduce_ring(Communicator &comm, const void *x, void *y, std::size_t n,
                      const typename Communicator::Datatype &type,
                      const typename Communicator::Operator &op) {
  static char site;
  const auto key = quadrille::CallKey(site, x, y, n);
  Status ended;
  if (comm.repeat(key, type, op, ended))
    return ended;
  typename Communicator::Call call(comm, "allreduce/ring.quad", type, op);
  call.keepAs(key);
  if (Status bad = call.requireBuffer("x", x, 1, n))
    return bad;
  if (Status bad = call.requireBuffer("y", y, 1, n))
    return bad;
  return call.run({}, [&] {
    const Region out = call.output(y, 1, n);
    const Region in = call.input(x, 1, n, out);
    return allreduce_ring(call, comm.everyone(), in, out);
  });
}

// Dissemination barrier.
template <class Communicator> Status barrier_dissemination(Communicator &comm) {
  static char site;
  const auto key = quadrille::CallKey(site);
  Status ended;
  if (comm.repeat(key, ended))
    return ended;
  typename Communicator::Call call(comm, "barrier/dissemination.quad");
  call.keepAs(key);
  return call.run({}, [&]() -> Status {
    const Index p = comm.size(), me = comm.rank();
    for (Index w = 1; w < p; w *= 2) {
      auto step = call.step(comm.everyone(), 5);
      step.send(quadrille::floorMod(me + w, p));
      step.recv(quadrille::floorMod(me - w, p));
      if (Status bad = step.finish())
        return bad;
    }
    return Status();
  });
}

} // namespace emitted

#endif // QUADRILLE_TEST_EMITTEDCOLLECTIVES_H
