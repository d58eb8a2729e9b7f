//===- GraphFile.h - Networks that a file describes -------------------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_TOPOLOGY_GRAPHFILE_H
#define QUADRILLE_TOPOLOGY_GRAPHFILE_H

#include "Topology.h"

#include "diagnostics/Diagnostics.h"
#include "source/Sources.h"

namespace quadrille::compiler::topology {

/// Reads the description of a network (docs/topologies.md) from a loaded text. After an error, which is reported at its line,
/// returns null.
std::shared_ptr<const Topology> readGraph(const Sources &sources, unsigned buffer, Diagnostics &diagnostics);

} // namespace quadrille::compiler::topology

#endif // QUADRILLE_TOPOLOGY_GRAPHFILE_H
