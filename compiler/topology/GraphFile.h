//===- GraphFile.h - Networks that a file describes -------------------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_TOPOLOGY_GRAPHFILE_H
#define QUADRILLE_TOPOLOGY_GRAPHFILE_H

#include "Topology.h"

#include "diagnostics/Diagnostics.h"
#include "source/Sources.h"

namespace quadrille::compiler::topology {

/// Reads a network, as docs/topologies.md describes it, from a text that has been loaded. Nothing after an error, which has
/// been reported at its line.
std::shared_ptr<const Topology> readGraph(const Sources &sources, unsigned buffer, Diagnostics &diagnostics);

} // namespace quadrille::compiler::topology

#endif // QUADRILLE_TOPOLOGY_GRAPHFILE_H
