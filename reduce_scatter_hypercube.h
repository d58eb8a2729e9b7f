// reduce_scatter_hypercube.h: the schedule reduce_scatter/hypercube, backend shm.
// Written by quadrille 0.1.0 (--backend shm --namespace collectives); edit the schedule instead.
//
// checked for p = 1,2,4,8,16, all n: matching, no deadlock, result
// model telephone, operator associative
// cost log2(p)*alpha + (p - 1)*beta*n

#ifndef QUADRILLE_EMITTED_REDUCE_SCATTER_HYPERCUBE_H
#define QUADRILLE_EMITTED_REDUCE_SCATTER_HYPERCUBE_H

#include "quadrille/shm.h"

#include <cstddef>

namespace collectives {

using Communicator = quadrille::shm::Communicator;

/// A reduce_scatter by the schedule `reduce_scatter/hypercube`. Collective: all ranks of `comm` call it alike.
///
/// \param x input: p blocks of n elements, one after the other
/// \param y output: one block of n elements; may be the input's memory
/// \param op associative; need not be commutative
/// Requires pow2(p).
quadrille::Status reduce_scatter_hypercube(Communicator &comm, const void *x, void *y,
                                           std::size_t n, const Communicator::Datatype &type,
                                           const Communicator::Operator &op);

} // namespace collectives

#endif // QUADRILLE_EMITTED_REDUCE_SCATTER_HYPERCUBE_H
