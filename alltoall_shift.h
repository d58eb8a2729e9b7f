// alltoall_shift.h: the schedule alltoall/shift, backend shm.
// Written by quadrille 0.1.0 (--backend shm --namespace collectives); edit the schedule instead.
//
// checked for p = 1..17, all n: matching, no deadlock, result
// model full_duplex
// cost (p - 1) * (alpha + beta*n)

#ifndef QUADRILLE_EMITTED_ALLTOALL_SHIFT_H
#define QUADRILLE_EMITTED_ALLTOALL_SHIFT_H

#include "quadrille/shm.h"

#include <cstddef>

namespace collectives {

using Communicator = quadrille::shm::Communicator;

/// An alltoall by the schedule `alltoall/shift`. Collective: all ranks of `comm` call it alike.
///
/// \param x input: p blocks of n elements, one after the other
/// \param y output: p blocks of n elements, one after the other; may be the input's memory
quadrille::Status alltoall_shift(Communicator &comm, const void *x, void *y, std::size_t n,
                                 const Communicator::Datatype &type);

} // namespace collectives

#endif // QUADRILLE_EMITTED_ALLTOALL_SHIFT_H
