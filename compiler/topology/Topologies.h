//===- Topologies.h - Networks by their names and files ---------------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_TOPOLOGY_TOPOLOGIES_H
#define QUADRILLE_TOPOLOGY_TOPOLOGIES_H

#include "Topology.h"
#include "TopologyText.h"

#include "diagnostics/Diagnostics.h"

#include "llvm/ADT/ArrayRef.h"

namespace quadrille::compiler::topology {

/// Networks as a user names them, with files read.
class Topologies {
public:
  /// Nothing after an error, which has been reported.
  static std::optional<Topologies> load(llvm::ArrayRef<TopologyText> texts, Sources &sources, Diagnostics &diagnostics);

  bool empty() const { return entries.empty(); }
  /// The numbers of ranks to look at if nobody says: as many as the networks have places, and `otherwise`
  /// if one may have any number.
  std::vector<std::int64_t> defaultRanks(std::int64_t otherwise) const;
  /// Networks for p ranks; if p is not `asked` for, only those that have just so many places. Throws Finding if p ranks do
  /// not fit.
  std::vector<std::shared_ptr<const Topology>> at(std::int64_t p, bool asked) const;

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
