//===- Graph.h - Networks of any shape -----------------------------------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_TOPOLOGY_GRAPH_H
#define QUADRILLE_TOPOLOGY_GRAPH_H

#include "Topology.h"

#include <map>
#include <string>
#include <vector>

namespace quadrille::compiler::topology {

/// The content of a file that describes a network. Nodes and links are numbered in the order of the file.
struct GraphParts {
  struct Node {
    std::string name;
    std::optional<Point> place;
  };
  std::vector<Node> nodes;
  std::vector<Link> links;
  std::vector<std::optional<LinkNumber>> reverses; // per link
  std::vector<std::uint32_t> nodeOfRank;
  /// The routes that the file gives, by their first and last node. All other routes are shortest paths.
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<LinkNumber>> routes;
};

/// The network. A message takes a path with the fewest links; among several, it goes to the neighbour with the lowest number at
/// every node.
std::shared_ptr<const Topology> makeGraph(std::string name, GraphParts parts);

} // namespace quadrille::compiler::topology

#endif // QUADRILLE_TOPOLOGY_GRAPH_H
