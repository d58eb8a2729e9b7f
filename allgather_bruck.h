// allgather_bruck.h: the schedule allgather/bruck, backend shm.
// Written by quadrille 0.1.0 (--backend shm --namespace collectives); edit the schedule instead.
//
// checked for p = 1..17, all n: matching, no deadlock, result
// model full_duplex
// cost ceil_log2(p)*alpha + (p - 1)*beta*n

#ifndef QUADRILLE_EMITTED_ALLGATHER_BRUCK_H
#define QUADRILLE_EMITTED_ALLGATHER_BRUCK_H

#include "quadrille/shm.h"

#include <cstddef>

namespace collectives {

using Communicator = quadrille::shm::Communicator;

/// An allgather by the schedule `allgather/bruck`. Collective: all ranks of `comm` call it alike.
///
/// \param x input: one block of n elements
/// \param y output: p blocks of n elements, one after the other; may be the input's memory
quadrille::Status allgather_bruck(Communicator &comm, const void *x, void *y, std::size_t n,
                                  const Communicator::Datatype &type);

} // namespace collectives

#endif // QUADRILLE_EMITTED_ALLGATHER_BRUCK_H
