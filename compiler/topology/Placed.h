//===- Placed.h - A network of nodes at which several ranks stand ----------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_TOPOLOGY_PLACED_H
#define QUADRILLE_TOPOLOGY_PLACED_H

#include "Topology.h"

#include "evaluate/NodeMap.h"

namespace quadrille::compiler::topology {

/// The same network, where all ranks of node j of the map stand at the place of rank j. Messages within a node use no link.
std::shared_ptr<const Topology> placed(std::shared_ptr<const Topology> network, const NodeMap &nodes);

} // namespace quadrille::compiler::topology

#endif // QUADRILLE_TOPOLOGY_PLACED_H
