//===- Topologies.h - Networks by their names and files ---------------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_TOPOLOGY_TOPOLOGIES_H
#define QUADRILLE_TOPOLOGY_TOPOLOGIES_H

#include "Topology.h"
#include "TopologyText.h"

#include "diagnostics/Diagnostics.h"
#include "evaluate/NodeMap.h"

#include "llvm/ADT/ArrayRef.h"

namespace quadrille::compiler::topology {

/// Networks as a user names them, with files read.
class Topologies {
public:
  /// Nothing after an error, which has been reported.
  static std::optional<Topologies> load(llvm::ArrayRef<TopologyText> texts, Sources &sources, Diagnostics &diagnostics);

  bool empty() const { return entries.empty(); }
  /// The default numbers of ranks: the numbers of places of the networks, and `otherwise` if a network can have any size.
  std::vector<std::int64_t> defaultRanks(std::int64_t otherwise) const;
  /// The networks for p ranks. `asked`: the user has chosen p; if not, only networks with exactly p places are returned. Throws Finding if
  /// p ranks do not fit.
  std::vector<std::shared_ptr<const Topology>> at(std::int64_t p, bool asked) const;
  /// The networks with all ranks of a node of the map at one place. Throws Finding if the nodes do not fit.
  std::vector<std::shared_ptr<const Topology>> at(const NodeMap &nodes) const;

private:
  struct Entry {
    TopologyText text;
    std::shared_ptr<const Topology> graph; // of a file

    std::optional<std::int64_t> places() const { return graph ? graph->places() : placesOf(text); }
  };
  std::vector<Entry> entries;
};

} // namespace quadrille::compiler::topology

#endif // QUADRILLE_TOPOLOGY_TOPOLOGIES_H
