//===- quadrille/nodes.h - On which node each rank is -----------*- C++ -*-===//

#ifndef QUADRILLE_NODES_H
#define QUADRILLE_NODES_H

#include "quadrille/group.h"
#include "quadrille/index.h"

#include <vector>

namespace quadrille {

/// Which ranks of a group are on the same node. Nodes, and the ranks of each node,
/// are numbered from 0, in the order of the ranks of the group. A number that does
/// not exist is `none`, and a node that does not exist has no ranks.
class Nodes {
public:
  /// `nodeOf`: by communicator rank, equal for ranks on one node; empty: all are
  /// on one. `origin`: the rank of the group that counts as the first. Throws
  /// std::bad_alloc.
  Nodes(const std::vector<Index> &nodeOf, const Group &group, Index origin);

  Index count() const { return static_cast<Index>(members_.size()); }
  Index node(Index rank) const { return at(nodes_, rank); }
  /// The number of a rank among those of its node.
  Index localRank(Index rank) const { return at(localRanks_, rank); }
  Index size(Index node) const {
    return has(members_, node) ? static_cast<Index>(members_[static_cast<std::size_t>(node)].size()) : 0;
  }
  Index rank(Index node, Index localRank) const {
    return has(members_, node) ? at(members_[static_cast<std::size_t>(node)], localRank) : none;
  }
  /// The number of ranks of the largest node.
  Index largest() const { return largest_; }
  /// Whether the ranks of each node follow each other.
  bool areConsecutive() const { return areConsecutive_; }

private:
  template <class List> static bool has(const List &list, Index i) {
    return 0 <= i && i < static_cast<Index>(list.size());
  }
  static Index at(const std::vector<Index> &list, Index i) {
    return has(list, i) ? list[static_cast<std::size_t>(i)] : none;
  }

  std::vector<Index> nodes_, localRanks_; ///< by rank
  std::vector<std::vector<Index>> members_; ///< by node
  Index largest_ = 0;
  bool areConsecutive_ = true;
};

namespace detail {

/// The nodes that QUADRILLE_NODES pretends for `size` ranks, by rank. The variable is
/// a number of nodes, which have consecutive ranks, or a list of the node of each
/// rank, as in 0,0,1,2. Empty if it is unset, or a list for another number of ranks.
/// Throws std::bad_alloc.
std::vector<Index> pretendedNodes(Index size);

} // namespace detail
} // namespace quadrille

#endif // QUADRILLE_NODES_H
