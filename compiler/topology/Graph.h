//===- Graph.h - Networks of any shape -----------------------------------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_TOPOLOGY_GRAPH_H
#define QUADRILLE_TOPOLOGY_GRAPH_H

#include "Topology.h"

#include <map>
#include <string>
#include <vector>

namespace quadrille::compiler::topology {

/// What a file says. Nodes and links are numbered in the order in which they come.
struct GraphParts {
  struct Node {
    std::string name;
    std::optional<Point> place;
  };
  std::vector<Node> nodes;
  std::vector<Link> links;
  std::vector<std::optional<LinkNumber>> reverses; // per link
  std::vector<std::uint32_t> nodeOfRank;
  /// Links of the routes that are given, by the nodes at their ends. All others are shortest.
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<LinkNumber>> routes;
};

/// Messages take a path with the fewest links; where there are several, the one whose next node has the lowest number, at
/// every node on the way.
std::shared_ptr<const Topology> makeGraph(std::string name, GraphParts parts);

} // namespace quadrille::compiler::topology

#endif // QUADRILLE_TOPOLOGY_GRAPH_H
