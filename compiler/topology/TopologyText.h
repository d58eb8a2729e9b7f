//===- TopologyText.h - Topologies as the command line names them --------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_TOPOLOGY_TOPOLOGYTEXT_H
#define QUADRILLE_TOPOLOGY_TOPOLOGYTEXT_H

#include "Topology.h"

#include "llvm/ADT/StringRef.h"

#include <vector>

namespace quadrille::compiler::topology {

/// `line:8`, `torus:4x4x4:clockwise`, `ring`, or a file that describes a graph.
struct TopologyText {
  std::string text;
  Shape shape = Shape::Graph;
  std::vector<std::int64_t> sizes; // empty: as many nodes as there are ranks
  Routing routing;
  bool isFile() const { return shape == Shape::Graph; }
};

/// Reads what stands on the command line. A text that begins with no known shape names a file, if it looks like one. Nothing
/// on a mistake, which `error` tells.
std::optional<TopologyText> parseTopology(llvm::StringRef text, std::string &error);

/// How many ranks a shape has room for; nothing if its text leaves the size out.
std::optional<std::int64_t> placesOf(const TopologyText &text);

/// The topology for p ranks; not of a file. Throws Finding if p ranks do not fit or make no such shape.
std::shared_ptr<const Topology> makeTopology(const TopologyText &text, std::int64_t p);

} // namespace quadrille::compiler::topology

#endif // QUADRILLE_TOPOLOGY_TOPOLOGYTEXT_H
