// alltoall_hypercube.h: the schedule alltoall/hypercube, backend shm.
// Written by quadrille 0.1.0 (--backend shm --namespace collectives); edit the schedule instead.
//
// checked for p = 1,2,4,8,16, all n: matching, no deadlock, result
// model telephone
// cost log2(p) * (alpha + beta*n * p/2)

#ifndef QUADRILLE_EMITTED_ALLTOALL_HYPERCUBE_H
#define QUADRILLE_EMITTED_ALLTOALL_HYPERCUBE_H

#include "quadrille/shm.h"

#include <cstddef>

namespace collectives {

using Communicator = quadrille::shm::Communicator;

/// An alltoall by the schedule `alltoall/hypercube`. Collective: all ranks of `comm` call it alike.
///
/// \param x input: p blocks of n elements, one after the other
/// \param y output: p blocks of n elements, one after the other; may be the input's memory
/// Requires pow2(p).
quadrille::Status alltoall_hypercube(Communicator &comm, const void *x, void *y, std::size_t n,
                                     const Communicator::Datatype &type);

} // namespace collectives

#endif // QUADRILLE_EMITTED_ALLTOALL_HYPERCUBE_H
