// broadcast_binomial.h: the schedule broadcast/binomial, backend shm.
// Written by quadrille 0.1.0 (--backend shm --namespace collectives); edit the schedule instead.
//
// checked for p = 1..17, all n: matching, no deadlock, result
// model half_duplex
// cost ceil_log2(p) * (alpha + beta*n)

#ifndef QUADRILLE_EMITTED_BROADCAST_BINOMIAL_H
#define QUADRILLE_EMITTED_BROADCAST_BINOMIAL_H

#include "quadrille/shm.h"

#include <cstddef>

namespace collectives {

using Communicator = quadrille::shm::Communicator;

/// A broadcast by the schedule `broadcast/binomial`. Collective: all ranks of `comm` call it alike.
///
/// \param root a rank, the same on all ranks
/// \param x input: one block of n elements; at rank `root` only, elsewhere it may be null
/// \param y output: one block of n elements; may be the input's memory
quadrille::Status broadcast_binomial(Communicator &comm, quadrille::Index root, const void *x,
                                     void *y, std::size_t n, const Communicator::Datatype &type);

} // namespace collectives

#endif // QUADRILLE_EMITTED_BROADCAST_BINOMIAL_H
