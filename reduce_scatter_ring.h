// reduce_scatter_ring.h: the schedule reduce_scatter/ring, backend shm.
// Written by quadrille 0.1.0 (--backend shm --namespace collectives); edit the schedule instead.
//
// checked for p = 1..17, all n: matching, no deadlock, result
// model full_duplex, operator commutative
// cost (p - 1) * (alpha + beta*n)

#ifndef QUADRILLE_EMITTED_REDUCE_SCATTER_RING_H
#define QUADRILLE_EMITTED_REDUCE_SCATTER_RING_H

#include "quadrille/shm.h"

#include <cstddef>

namespace collectives {

using Communicator = quadrille::shm::Communicator;

/// A reduce_scatter by the schedule `reduce_scatter/ring`. Collective: all ranks of `comm` call it alike.
///
/// \param x input: p blocks of n elements, one after the other
/// \param y output: one block of n elements; may be the input's memory
/// \param op associative and commutative
quadrille::Status reduce_scatter_ring(Communicator &comm, const void *x, void *y, std::size_t n,
                                      const Communicator::Datatype &type,
                                      const Communicator::Operator &op);

} // namespace collectives

#endif // QUADRILLE_EMITTED_REDUCE_SCATTER_RING_H
