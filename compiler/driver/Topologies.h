//===- Topologies.h - The networks of the command line ----------------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_DRIVER_TOPOLOGIES_H
#define QUADRILLE_DRIVER_TOPOLOGIES_H

#include "Commands.h"
#include "Report.h"

#include "topology/Contention.h"

namespace quadrille::compiler {

/// What --topology names, with files read.
class Topologies {
public:
  /// Nothing after an error, which has been reported.
  static std::optional<Topologies> load(Session &session);

  bool empty() const { return entries.empty(); }
  /// The numbers of ranks to look at if the command line does not say: as many as the networks have places, and `otherwise`
  /// if one may have any number.
  std::vector<std::int64_t> defaultRanks(std::int64_t otherwise) const;
  /// Networks for p ranks; if p is not `asked` for, only those that have just so many places. Throws Finding if p ranks do
  /// not fit.
  std::vector<std::shared_ptr<const topology::Topology>> at(std::int64_t p, bool asked) const;

private:
  struct Entry {
    topology::TopologyText text;
    std::shared_ptr<const topology::Topology> graph; // of a file

    std::optional<std::int64_t> places() const { return graph ? graph->places() : topology::placesOf(text); }
  };
  std::vector<Entry> entries;
};

/// Prints what a case costs on a network, in seconds too if there is a machine. `synchronous`: its cost without contention;
/// `scale`: what words are multiples of.
void printContention(const topology::Topology &topology, const topology::Contention &contention, const Cost &synchronous,
                     std::int64_t scale, bool withGamma, const std::optional<MachineParameters> &machine, llvm::raw_ostream &out);

} // namespace quadrille::compiler

#endif // QUADRILLE_DRIVER_TOPOLOGIES_H
