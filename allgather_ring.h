// allgather_ring.h: the schedule allgather/ring, backend shm.
// Written by quadrille 0.1.0 (--backend shm --namespace collectives); edit the schedule instead.
//
// checked for p = 1..17, all n: matching, no deadlock, result
// model full_duplex
// cost (p - 1) * (alpha + beta*n)

#ifndef QUADRILLE_EMITTED_ALLGATHER_RING_H
#define QUADRILLE_EMITTED_ALLGATHER_RING_H

#include "quadrille/shm.h"

#include <cstddef>

namespace collectives {

using Communicator = quadrille::shm::Communicator;

/// An allgather by the schedule `allgather/ring`. Collective: all ranks of `comm` call it alike.
///
/// \param x input: one block of n elements
/// \param y output: p blocks of n elements, one after the other; may be the input's memory
quadrille::Status allgather_ring(Communicator &comm, const void *x, void *y, std::size_t n,
                                 const Communicator::Datatype &type);

} // namespace collectives

#endif // QUADRILLE_EMITTED_ALLGATHER_RING_H
