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

/// Parses a topology as given on the command line. A text without a known shape is taken for the name of a file if it looks like
/// one. On a mistake returns nothing and sets `error`.
std::optional<TopologyText> parseTopology(llvm::StringRef text, std::string &error);

/// The number of ranks that fit; nothing if the text gives no size.
std::optional<std::int64_t> placesOf(const TopologyText &text);

/// The topology for p ranks. `text` must not name a file. Throws Finding if p ranks do not fit, or cannot form the shape.
std::shared_ptr<const Topology> makeTopology(const TopologyText &text, std::int64_t p);

} // namespace quadrille::compiler::topology

#endif // QUADRILLE_TOPOLOGY_TOPOLOGYTEXT_H
