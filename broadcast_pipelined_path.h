// broadcast_pipelined_path.h: the schedule broadcast/pipelined_path, backend shm.
// Written by quadrille 0.1.0 (--backend shm --namespace collectives); edit the schedule instead.
//
// checked for p = 1..17, all n: matching, no deadlock, result
// model full_duplex
// cost <= (p + k - 2) * (alpha + beta*ceil(n/k))

#ifndef QUADRILLE_EMITTED_BROADCAST_PIPELINED_PATH_H
#define QUADRILLE_EMITTED_BROADCAST_PIPELINED_PATH_H

#include "quadrille/shm.h"

#include <cstddef>

namespace collectives {

using Communicator = quadrille::shm::Communicator;

/// A broadcast by the schedule `broadcast/pipelined_path`. Collective: all ranks of `comm` call it alike.
///
/// \param k parameter of the schedule, the same on all ranks
/// \param root a rank, the same on all ranks
/// \param x input: one block of n elements; at rank `root` only, elsewhere it may be null
/// \param y output: one block of n elements; may be the input's memory
quadrille::Status broadcast_pipelined_path(Communicator &comm, quadrille::Index k,
                                           quadrille::Index root, const void *x, void *y,
                                           std::size_t n, const Communicator::Datatype &type);

} // namespace collectives

#endif // QUADRILLE_EMITTED_BROADCAST_PIPELINED_PATH_H
