//===- NodeMap.h - On which node each rank is -------------------------------------------------------------*- C++ -*-===//
//
// The caller's map from ranks to nodes, which every rank knows. Nodes are numbered in the order in which ranks meet them, and the
// ranks of a node by their own order, so that a map is a partition of the ranks and nothing else.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_EVALUATE_NODEMAP_H
#define QUADRILLE_EVALUATE_NODEMAP_H

#include "llvm/ADT/ArrayRef.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace quadrille::compiler {

class NodeMap {
public:
  /// Ranks with equal labels are on one node.
  explicit NodeMap(llvm::ArrayRef<std::int64_t> labels);

  /// The map with `nodes` nodes of consecutive ranks (one for each rank if there are fewer ranks), as QUADRILLE_NODES=nodes pretends.
  static NodeMap consecutive(std::int64_t ranks, std::int64_t nodes);
  /// The map of a case for which nobody has given one: about as many nodes as a node has ranks.
  static NodeMap usual(std::int64_t ranks);

  std::int64_t ranks() const { return static_cast<std::int64_t>(nodeOf.size()); }
  std::int64_t nodes() const { return static_cast<std::int64_t>(members.size()); }
  bool hasNode(std::int64_t node) const { return 0 <= node && node < nodes(); }
  bool hasRank(std::int64_t rank) const { return 0 <= rank && rank < ranks(); }

  std::vector<std::int64_t> nodeOf, localRank;     // by rank
  std::vector<std::vector<std::int64_t>> members;  // by node: its ranks, in their order
  std::int64_t largest = 0;                        // the number of ranks of the largest node
  bool areConsecutive = true;                      // whether the ranks of each node are

  /// "0,0,1,2"
  std::string text() const;
  bool operator==(const NodeMap &other) const { return nodeOf == other.nodeOf; }
};

using Nodes = std::shared_ptr<const NodeMap>;

/// The map of a group of `size` ranks: at(i) returns the rank in `map` of the group's rank i.
template <typename At> Nodes inducedNodes(const Nodes &map, std::int64_t size, At at) {
  std::vector<std::int64_t> labels;
  for (std::int64_t i = 0; i < size; ++i)
    labels.push_back(map->nodeOf[static_cast<size_t>(at(i))]);
  return std::make_shared<const NodeMap>(labels);
}

/// How the user wants ranks to be placed on nodes.
struct NodeChoice {
  std::int64_t nodes = 0;           // so many nodes of consecutive ranks; 0: not given
  std::vector<std::int64_t> labels; // ranks with equal labels are on one node, for as many ranks as there are labels; empty: not given

  bool isGiven() const { return nodes > 0 || !labels.empty(); }
  /// The map for this many ranks; null if the choice is for others, or none was made.
  Nodes at(std::int64_t ranks) const;
};

/// Maps to try at one p: all of them if there are few enough ranks (limits::ranksOfAllMaps), else the regular ones and some of each
/// kind of irregular ones. `areAll` is set to false in the second case.
std::vector<Nodes> mapsToTry(std::int64_t ranks, bool &areAll);

} // namespace quadrille::compiler

#endif // QUADRILLE_EVALUATE_NODEMAP_H
