// barrier_dissemination.h: the schedule barrier/dissemination, backend shm.
// Written by quadrille 0.1.0 (--backend shm --namespace collectives); edit the schedule instead.
//
// checked for p = 1..17, all n: matching, no deadlock, result
// model full_duplex
// cost ceil_log2(p) * alpha

#ifndef QUADRILLE_EMITTED_BARRIER_DISSEMINATION_H
#define QUADRILLE_EMITTED_BARRIER_DISSEMINATION_H

#include "quadrille/shm.h"

#include <cstddef>

namespace collectives {

using Communicator = quadrille::shm::Communicator;

/// A barrier by the schedule `barrier/dissemination`. Collective: all ranks of `comm` call it alike.
quadrille::Status barrier_dissemination(Communicator &comm);

} // namespace collectives

#endif // QUADRILLE_EMITTED_BARRIER_DISSEMINATION_H
