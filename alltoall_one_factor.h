// alltoall_one_factor.h: the schedule alltoall/one_factor, backend shm.
// Written by quadrille 0.1.0 (--backend shm --namespace collectives); edit the schedule instead.
//
// checked for p = 1..17, all n: matching, no deadlock, result
// model telephone
// cost q * (alpha + beta*n)

#ifndef QUADRILLE_EMITTED_ALLTOALL_ONE_FACTOR_H
#define QUADRILLE_EMITTED_ALLTOALL_ONE_FACTOR_H

#include "quadrille/shm.h"

#include <cstddef>

namespace collectives {

using Communicator = quadrille::shm::Communicator;

/// An alltoall by the schedule `alltoall/one_factor`. Collective: all ranks of `comm` call it alike.
///
/// \param x input: p blocks of n elements, one after the other
/// \param y output: p blocks of n elements, one after the other; may be the input's memory
quadrille::Status alltoall_one_factor(Communicator &comm, const void *x, void *y, std::size_t n,
                                      const Communicator::Datatype &type);

} // namespace collectives

#endif // QUADRILLE_EMITTED_ALLTOALL_ONE_FACTOR_H
