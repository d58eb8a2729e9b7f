// allreduce_ring.h: the schedule allreduce/ring, backend shm.
// Written by quadrille 0.1.0 (--backend shm --namespace collectives); edit the schedule instead.
//
// checked for p = 1..17, all n: matching, no deadlock, result
// model full_duplex, operator commutative
// cost 2*(p - 1) * (alpha + beta*ceil(n/p))

#ifndef QUADRILLE_EMITTED_ALLREDUCE_RING_H
#define QUADRILLE_EMITTED_ALLREDUCE_RING_H

#include "quadrille/shm.h"

#include <cstddef>

namespace collectives {

using Communicator = quadrille::shm::Communicator;

/// An allreduce by the schedule `allreduce/ring`. Collective: all ranks of `comm` call it alike.
///
/// \param x input: one block of n elements
/// \param y output: one block of n elements; may be the input's memory
/// \param op associative and commutative
quadrille::Status allreduce_ring(Communicator &comm, const void *x, void *y, std::size_t n,
                                 const Communicator::Datatype &type,
                                 const Communicator::Operator &op);

/// `allreduce_ring` without waiting: the call has ended when the request says so. Until then the buffers
/// belong to it, and `comm` must exist. All ranks call and start alike, in the same order.
quadrille::Request allreduce_ring_start(Communicator &comm, const void *x, void *y, std::size_t n,
                                        const Communicator::Datatype &type,
                                        const Communicator::Operator &op);

} // namespace collectives

#endif // QUADRILLE_EMITTED_ALLREDUCE_RING_H
