//===- Placed.h - A network of nodes at which several ranks stand ----------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_TOPOLOGY_PLACED_H
#define QUADRILLE_TOPOLOGY_PLACED_H

#include "Topology.h"

#include "evaluate/NodeMap.h"

namespace quadrille::compiler::topology {

/// The network with the ranks of node j of the map, all of them, where its rank j stands. What they send each other uses no link.
std::shared_ptr<const Topology> placed(std::shared_ptr<const Topology> network, const NodeMap &nodes);

} // namespace quadrille::compiler::topology

#endif // QUADRILLE_TOPOLOGY_PLACED_H
