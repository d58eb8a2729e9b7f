// gather_binomial.h: the schedule gather/binomial, backend shm.
// Written by quadrille 0.1.0 (--backend shm --namespace collectives); edit the schedule instead.
//
// checked for p = 1..17, all n: matching, no deadlock, result
// model half_duplex
// cost ceil_log2(p)*alpha + (p - 1)*beta*n

#ifndef QUADRILLE_EMITTED_GATHER_BINOMIAL_H
#define QUADRILLE_EMITTED_GATHER_BINOMIAL_H

#include "quadrille/shm.h"

#include <cstddef>

namespace collectives {

using Communicator = quadrille::shm::Communicator;

/// A gather by the schedule `gather/binomial`. Collective: all ranks of `comm` call it alike.
///
/// \param root a rank, the same on all ranks
/// \param x input: one block of n elements
/// \param y output: p blocks of n elements, one after the other; at rank `root` only, elsewhere it may be null; may be the input's memory
quadrille::Status gather_binomial(Communicator &comm, quadrille::Index root, const void *x, void *y,
                                  std::size_t n, const Communicator::Datatype &type);

} // namespace collectives

#endif // QUADRILLE_EMITTED_GATHER_BINOMIAL_H
