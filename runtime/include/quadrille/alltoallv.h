//===- quadrille/alltoallv.h - All-to-all computed from the lengths --*- C++ -*-===//
//
// Works with either backend: include quadrille/shm.h or quadrille/mpi.h first.
//
//===----------------------------------------------------------------------===//

#ifndef QUADRILLE_ALLTOALLV_H
#define QUADRILLE_ALLTOALLV_H

#include "quadrille/edge_colouring.h"
#include "quadrille/math.h"
#include "quadrille/region.h"
#include "quadrille/status.h"

#include <cstddef>
#include <exception>
#include <memory>
#include <vector>

namespace quadrille {

/// A plan for sending len[i*p + j] elements from each rank i to each rank j in
/// packets of at most `packetElements` elements. It has h steps, where h is the
/// largest number of packets that a rank sends or receives; no plan with such
/// packets has fewer (Sanders et al., 2019, Exercise 13.12). All ranks compute
/// the same plan. It can be reused for the same lengths.
class AlltoallvPlan {
public:
  /// `packetElements` < 1: chosen such that a rank has at most about 4p packets.
  /// Throws std::bad_alloc, std::length_error.
  AlltoallvPlan(const std::size_t *len, Index p, Index packetElements = 0)
      : packetElements_(packetElements >= 1 ? packetElements
                                            : usualPacket(len, p)),
        colouring_(packetsOf(len, p, packetElements_), p) {}

  Index packetElements() const { return packetElements_; }
  const EdgeColouring &colouring() const { return colouring_; }

private:
  static Index usualPacket(const std::size_t *len, Index p) {
    Index volume = 0;
    for (Index i = 0; i < p; ++i) {
      Index sent = 0, received = 0;
      for (Index j = 0; j < p; ++j) {
        sent += static_cast<Index>(len[i * p + j]);
        received += static_cast<Index>(len[j * p + i]);
      }
      volume = maximum(volume, maximum(sent, received));
    }
    return maximum(1, (volume + 4 * p - 1) / (4 * p));
  }
  static std::vector<Index> packetsOf(const std::size_t *len, Index p, Index size) {
    std::vector<Index> packets(static_cast<std::size_t>(p * p));
    for (std::size_t i = 0; i < packets.size(); ++i)
      packets[i] = (static_cast<Index>(len[i]) + size - 1) / size;
    return packets;
  }

  Index packetElements_;
  EdgeColouring colouring_;
};

/// A personalized all-to-all by a plan that was made for these lengths.
/// Collective: all ranks of `comm` must call it with the same plan and lengths.
///
/// \param len p rows of p lengths in elements: len[i*p + j] from rank i to rank
///   j; the same on all ranks
/// \param x input: the blocks for rank 0, 1, ..., one after the other
/// \param y output: the blocks from rank 0, 1, ..., one after the other; may be
///   the input's memory
template <class Communicator>
Status alltoallvColoured(Communicator &comm, const AlltoallvPlan &plan,
                         const std::size_t *len, const void *x, void *y,
                         const typename Communicator::Datatype &type) {
  typename Communicator::Call call(comm, "alltoallv/coloured", type);
  const Index p = comm.size(), me = comm.rank();
  if (Status bad = call.requireLengths("len", len, p * p))
    return bad;
  const auto xLength = [&](Index j) { return len[me * p + j]; };
  const auto yLength = [&](Index j) { return len[j * p + me]; };
  if (Status bad = call.requireBufferOf("x", x, p, xLength))
    return bad;
  if (Status bad = call.requireBufferOf("y", y, p, yLength))
    return bad;
  const Region out = call.outputOf(y, p, yLength);
  const Region in = call.inputOf(x, p, xLength, out);
  const EdgeColouring &colouring = plan.colouring();
  const auto packets = [&](std::size_t length) {
    return (static_cast<Index>(length) + plan.packetElements() - 1) / plan.packetElements();
  };
  std::vector<Index> sent, received; // per partner: packets, later elements
  try {
    sent.assign(static_cast<std::size_t>(p), 0);
    received = sent;
  } catch (const std::exception &) {
    return call.finish(Status(ErrorCode::OutOfMemory, "alltoallv/coloured: out of memory"));
  }
  if (colouring.ranks() != p)
    return call.finish(Status::format(ErrorCode::BadParameter,
                                      "alltoallv/coloured: the plan is one for %lld ranks, not %lld",
                                      static_cast<long long>(colouring.ranks()), static_cast<long long>(p)));
  for (Index colour = 0; colour < colouring.colours(); ++colour) {
    if (const Index to = colouring.receiver(me, colour); to != none)
      ++sent[static_cast<std::size_t>(to)];
    if (const Index from = colouring.sender(me, colour); from != none)
      ++received[static_cast<std::size_t>(from)];
  }
  for (Index j = 0; j < p; ++j) {
    const std::size_t at = static_cast<std::size_t>(j);
    if (j != me && (sent[at] != packets(len[me * p + j]) || received[at] != packets(len[j * p + me])))
      return call.finish(Status::format(ErrorCode::BadParameter,
                                        "alltoallv/coloured: the plan was made for other lengths between "
                                        "ranks %lld and %lld",
                                        static_cast<long long>(me), static_cast<long long>(j)));
    sent[at] = received[at] = 0;
  }
  if (len[me * p + me] > 0)
    call.copy(out[me], in[me]);
  // The next packet of a block, of which `done` elements have been sent.
  const auto packet = [&](const Region &block, Index &done) {
    const Index rest = block.elements() - done;
    const Index now = minimum(rest, plan.packetElements());
    const Region result = block.part(done, now);
    done += now;
    return result;
  };
  for (Index colour = 0; colour < colouring.colours(); ++colour) {
    const Index to = colouring.receiver(me, colour);
    const Index from = colouring.sender(me, colour);
    auto step = call.step(comm.everyone(), 0);
    if (to != none)
      step.send(packet(in[to], sent[static_cast<std::size_t>(to)]), to);
    if (from != none)
      step.recv(packet(out[from], received[static_cast<std::size_t>(from)]), from);
    if (Status bad = step.finish())
      return call.finish(std::move(bad));
  }
  return call.finish({});
}

/// The same without a given plan: every rank computes it, without
/// communication.
template <class Communicator>
Status alltoallvColoured(Communicator &comm, const std::size_t *len, const void *x,
                         void *y, const typename Communicator::Datatype &type) {
  std::unique_ptr<const AlltoallvPlan> plan;
  {
    typename Communicator::Call call(comm, "alltoallv/coloured", type);
    if (Status bad = call.requireLengths("len", len, comm.size() * comm.size()))
      return bad;
    try {
      plan = std::make_unique<const AlltoallvPlan>(len, comm.size());
    } catch (const std::exception &) {
      return call.finish(Status(ErrorCode::OutOfMemory,
                                "alltoallv/coloured: no memory for a plan"));
    }
  }
  return alltoallvColoured(comm, *plan, len, x, y, type);
}

} // namespace quadrille

#endif // QUADRILLE_ALLTOALLV_H
